/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what a program hands over by <precis/accesses.h>: whatever that is, no more than the ring is read. */
#ifndef SHARING_HANDED_READER_H
#define SHARING_HANDED_READER_H

#include <precis/accesses.h>

#include "sampled_access.h"

struct handed_reader {
	struct precis_accesses_ring *ring;
	int fd; /* which the program inherits; -1: none */
	uint64_t tail;
	uint64_t dropped; /* before anybody read */
	char path[64]; /* by which the program opens it */
};

/* A new ring. 0, or -errno */
int handed_reader_make(struct handed_reader *reader);

/* One for threads of this process. 0, or -errno */
int handed_reader_make_own(struct handed_reader *reader);

/* One that a program has made, and which nobody reads. 0, or -errno; -EINVAL: it is none */
int handed_reader_open(struct handed_reader *reader, const char *path);

/* What lies in it, and has been dropped, is of the time before this call, and not told any more. */
void handed_reader_begin(struct handed_reader *reader);

/* How many had no room since then */
uint64_t handed_reader_dropped(const struct handed_reader *reader);

/* The next one: 1; 0: there is none yet */
int handed_reader_next(struct handed_reader *reader, struct sampled_access *access);

void handed_reader_close(struct handed_reader *reader);

#endif
