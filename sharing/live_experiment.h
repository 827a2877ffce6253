/* SPDX-License-Identifier: BSD-3-Clause */
/* Experiments with a program that runs (experiment.h): threads are armed, and their hits awaited. */
#ifndef SHARING_LIVE_EXPERIMENT_H
#define SHARING_LIVE_EXPERIMENT_H

#include "live_state.h"

/* One with the candidate */
void live_experiment(struct live *live);

#endif
