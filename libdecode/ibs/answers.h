/* SPDX-License-Identifier: BSD-3-Clause */
/* What this room answers for its vendor. */
#ifndef PRECIS_IBS_ANSWERS_H
#define PRECIS_IBS_ANSWERS_H

#include "../sample/vendor.h"

void precis_ibs_add_source(uint32_t field, struct text *text);
void precis_ibs_add_rule(uint32_t field, struct text *text);

struct why precis_ibs_why(const struct precis_sample *sample, uint32_t field);
struct why precis_ibs_why_of_event(const struct precis_sample *sample, uint32_t field);

extern const struct vendor_words precis_ibs_words;
uint32_t precis_ibs_level_one_hop_away(const struct precis_data_source *source);

#endif
