/* SPDX-License-Identifier: BSD-3-Clause */
/* What threads are called, by COMM, and by FORK of those that were never given a name. */
#ifndef PRECIS_PERF_THREAD_NAMES_H
#define PRECIS_PERF_THREAD_NAMES_H

#include <precis/loss.h>

#include "numbering.h"

/* The most that there may be: memory is taken for those that there are */
#define THREAD_NAMES 65536u

struct thread_name {
	uint64_t since; /* ns */
	char text[PRECIS_THREAD_NAME_BYTES];
};

/* Zeroed memory has none. */
struct thread_names {
	struct numbering numbers; /* of threads */
	struct thread_name *names;
	uint32_t room;
};

/* Of any record; 'time' is that of its trailer */
void precis_thread_names_note(struct thread_names *names, const struct precis_record *record,
			      uint64_t time);
/* "" if it is not known */
const char *precis_thread_name(const struct thread_names *names, uint32_t tid);
void precis_thread_names_free(struct thread_names *names);

#endif
