/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers, as a result has them. */
#ifndef SHARING_LIVE_ESTIMATE_H
#define SHARING_LIVE_ESTIMATE_H

#include "live_result.h"

/* Threads by their numbers in the result: from one to another, and from one to all together */
struct live_flow live_estimate(const struct live_result *result, uint32_t from, uint32_t to);
struct live_flow live_estimate_sent(const struct live_result *result, uint32_t from);
struct live_flow live_estimate_total(const struct live_result *result);

/*
 * Of the transfers, the share of lines to which somebody stores more often than a trap takes. Experiments
 * part such stores, so that others come in between which would not.
 */
double live_estimate_hurried(const struct live_result *result);

/*
 * The share of lines to which a thread stores that is not watched. Such a store ends no experiment, so that
 * what comes behind it is taken for a transfer from the writer before.
 */
double live_estimate_beside_unseen(const struct live_result *result);

#endif
