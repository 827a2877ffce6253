/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who shares lines with whom in a program that runs: its stores, and experiments with some of these. Nothing
 * is printed here, and no state is kept but in the handle.
 */
#ifndef SHARING_LIVE_H
#define SHARING_LIVE_H

#include "live_result.h"
#include "live_settings.h"

enum live_fault {
	LIVE_FINE,
	LIVE_NO_MEMORY,
	LIVE_NO_REGISTER, /* 'error': errno; ENOSPC: a debugger has them */
};

struct live;

/*
 * Debug registers are tried, on the calling thread.
 *
 * @param settings  are used up to live_close()
 * @param result    to be freed by live_free() in any case
 * @param live      to be closed in any case; NULL: there is none
 */
enum live_fault live_open(struct live **live, const struct live_settings *settings,
			  struct live_result *result, int *error);

/* Until the program has ended, or there is enough; then the result is whole. */
void live_observe(struct live *live, const struct live_host *host);

/* The result as it is so far, between two experiments: by the thread that observes, or while that waits */
void live_tell(struct live *live);

/* All registers are free then. */
void live_close(struct live *live);
void live_free(struct live_result *result);

#endif
