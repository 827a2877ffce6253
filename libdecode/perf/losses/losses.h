/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting records other than SAMPLE, and what they say of losses. */
#ifndef PRECIS_PERF_LOSSES_H
#define PRECIS_PERF_LOSSES_H

#include "loss_rows.h"

void losses_count(struct losses *losses, const struct precis_record *record);

#endif
