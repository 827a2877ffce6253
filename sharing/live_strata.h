/* SPDX-License-Identifier: BSD-3-Clause */
/* What experiments with a program that runs say (strata.h), put into its result. */
#ifndef SHARING_LIVE_STRATA_H
#define SHARING_LIVE_STRATA_H

#include "live_state.h"

/* One with the candidate; what is seen in it comes next. */
void live_strata_experiment(struct live *live);

/* The result has all that is known so far. */
void live_strata_tell(struct live *live);

#endif
