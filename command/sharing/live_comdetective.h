/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ComDetective (comdetective.h) with a program that runs: its threads are armed from outside, not in a signal
 * handler.
 */
#ifndef SHARING_LIVE_COMDETECTIVE_H
#define SHARING_LIVE_COMDETECTIVE_H

#include "live_state.h"

/* What is done at a sample of the thread, and at the hits that have come since */
void live_comdetective_sample(struct live *live, const struct live_thread *thread,
			      const struct sampled_access *access);
void live_comdetective_hits(struct live *live);

#endif
