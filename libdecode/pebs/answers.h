/* SPDX-License-Identifier: BSD-3-Clause */
/* What this room answers for its vendor. */
#ifndef PRECIS_PEBS_ANSWERS_H
#define PRECIS_PEBS_ANSWERS_H

#include "../sample/vendor.h"

struct why precis_pebs_why(const struct precis_sample *sample, uint32_t field);
struct why precis_pebs_why_of_event(const struct precis_sample *sample, uint32_t field);

#endif
