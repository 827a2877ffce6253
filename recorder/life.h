/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The recorder's own life: it begins with the first event of a process, and with that of a forked child
 * anew.
 */
#ifndef PRECIS_RECORDER_LIFE_H
#define PRECIS_RECORDER_LIFE_H

#include "state.h"
#include "thread.h"

/* The thread that calls, where it is not known yet. @return NULL: it is not recorded */
struct thread *life_thread(void);

/* All that there is into the file. @param end  enum objects_end: what comes next, if it does */
void life_end(uint32_t end);

/*
 * End the file, and record nothing from here on, nor in children: no system call is made any more. Why is
 * told.
 */
void life_stop(const char *why, const char *about);

/* 0: not of this program, nor of one that it was forked from */
int life_has_begun(void);

static inline struct thread *thread_here(void)
{
	struct thread *thread = self;

	if (__builtin_expect(thread && shared.running == RUNNING, 1))
		return thread;
	return life_thread();
}

#endif
