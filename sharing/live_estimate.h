/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers, from what experiments found. */
#ifndef SHARING_LIVE_ESTIMATE_H
#define SHARING_LIVE_ESTIMATE_H

#include "live_result.h"

/* Threads by their numbers in the result: from one to another, and from one to all together */
struct live_flow live_estimate(const struct live_result *result, uint32_t from, uint32_t to);
struct live_flow live_estimate_sent(const struct live_result *result, uint32_t from);

/* So many stores there were for each that experiments stand for; 0: none was made */
double live_estimate_scale(const struct live_result *result);

/*
 * Of the transfers, the share of lines to which somebody stores more often than a trap takes. Experiments
 * part such stores, so that others come in between which would not.
 */
double live_estimate_hurried(const struct live_result *result);

/*
 * What the one experiment that stands for most stores tells if it finds something, or a sample, if that
 * stands for more: of what none found there may be such. On a busy machine one may stand for half of a run.
 */
double live_estimate_each(const struct live_result *result);

#endif
