/* SPDX-License-Identifier: BSD-3-Clause */
/* What the environment asks for: PRECIS_OBJECTS, a list of NAME=VALUE with commas. */
#ifndef PRECIS_RECORDER_OPTIONS_H
#define PRECIS_RECORDER_OPTIONS_H

#include <stdint.h>

#define DIRECTORY_MOST 4096u

struct options {
	uint64_t size; /* blocks of so many bytes are always recorded; 0: there is none */
	uint64_t interval; /* 0: no sampling */
	uint64_t seed; /* 0: of the clock */
	uint64_t live; /* 1: which blocks are there can be asked */
	uint64_t depth;
	uint64_t overhead; /* per cent, 0: whatever it costs */
	uint64_t stack; /* enum objects_unwinder */
	uint64_t clock; /* enum objects_clock_id, 0: the better one */
	char directory[DIRECTORY_MOST];
};

/*
 * The defaults, changed by 'text', which may be NULL.
 * @return NULL, or where in 'text' that is which cannot be understood
 */
const char *options_parse(struct options *options, const char *text);

#endif
