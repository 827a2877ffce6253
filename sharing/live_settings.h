/* SPDX-License-Identifier: BSD-3-Clause */
/* How a program is observed, and what whoever observes it knows of it. */
#ifndef SHARING_LIVE_SETTINGS_H
#define SHARING_LIVE_SETTINGS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sampled_access.h"

struct live;
struct live_thread;

/* Another method than experiments: its state is live->of_rules, so many zeroed bytes at first. */
struct live_rules {
	size_t bytes;
	/* A sample of the thread's; they come in the order of their times */
	void (*sample)(struct live *live, const struct live_thread *thread,
		       const struct sampled_access *access);
	/* Registers may have been hit since. */
	void (*hits)(struct live *live);
};

struct live_settings {
	double most_overhead; /* as a share of the time */
	double seconds; /* 0: until it ends */
	uint64_t window_ns; /* how old a transfer may become */
	uint64_t seed;
	const struct live_rules *rules; /* NULL: experiments */
};

/* The program, and its accesses. All are called by the thread that observes. */
struct live_host {
	void *of; /* their first argument */
	pid_t pid;
	int tells_bytes; /* an access of which it is not known how many bytes it has is none */
	int is_all; /* nobody accesses anything when it has ended: what was seen by then is all there is */

	/* The next access: 1; 0: there is none yet */
	int (*next)(void *of, struct sampled_access *access);
	/* Nothing is to be done for a while: threads that have come can be sampled, too. */
	void (*look)(void *of);
	/* How long sampling has kept the program so far */
	uint64_t (*cost_ns)(void *of);
	/* Has it ended, or what is to be seen of it? */
	int (*has_ended)(void *of);
	/* Enough: what has begun goes on to its end. */
	int (*is_enough)(void *of);
	/* Now and then, just before its threads are armed */
	void (*look_around)(void *of);
};

#endif
