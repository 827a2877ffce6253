/* SPDX-License-Identifier: BSD-3-Clause */
/* Who shares lines in a program that runs: its threads, or the CPUs, cores or nodes that these run on. */
#ifndef SHARING_LIVE_PARTIES_H
#define SHARING_LIVE_PARTIES_H

#include "analysis/sharing/state.h"
#include "sharing/live_result.h"

/* Of a thread whose party is not known */
#define LIVE_NOBODY UINT32_MAX

/*
 * Those of sharing->request, and where they are on this machine. A thread is of the CPU that most of its
 * accesses were seen on; one of which none was is of no CPU, and shares nothing.
 *
 * @param party_of  of each thread of the result: its party's number, or LIVE_NOBODY
 * @return 0, or -1 if memory is short
 */
int live_parties_init(struct sharing *sharing, const struct live_result *result,
		      uint32_t party_of[WATCH_THREADS_MOST]);

/* The thread's number; the count of threads: it is none of these */
uint32_t live_number_of(const struct live_result *result, uint32_t tid);

#endif
