/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the calls of one set of headers gave. Nothing here knows a struct of the library: the
 * program has objects that were compiled with different headers.
 */
#ifndef TESTS_ABI_CALLS_H
#define TESTS_ABI_CALLS_H

#include <stddef.h>
#include <stdint.h>

#define CALLS_MOST 400
#define CALLS_BYTES 2048 /* of the longest struct that a call fills */
#define CALLS_WORDS 96

struct call {
	const char *name;
	int64_t code; /* what it returned */
	size_t size;  /* of the struct that it filled; 0: it fills none */
	uint8_t bytes[CALLS_BYTES];
};

struct calls {
	const char *recording, *pebs_recording;
	size_t count;
	struct call call[CALLS_MOST];
};

/* What the calls of all sets take apart: so pointers into it can be compared. */
extern uint64_t calls_body[1 + CALLS_WORDS];
extern uint32_t calls_words[64];

/*
 * A struct of that size whose first member says so, behind which there is no memory. All other bytes have
 * the value of 'fill'.
 */
void *calls_room(size_t size, int fill);

/* A call returned 'code', and has filled a struct that calls_room() gave: kept and freed. */
void calls_filled(struct calls *calls, const char *name, int64_t code, void *room);

/* A call returned 'code'. */
void calls_returned(struct calls *calls, const char *name, int64_t code);

/* Free a struct that calls_room() gave. */
void calls_drop(void *room);

/* One for each set of headers: every_call_*.c */
typedef void calls_maker(struct calls *calls);
calls_maker calls_of_older, calls_of_today, calls_of_newer;

#endif
