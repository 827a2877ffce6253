/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that processes made at run time, of jitdumps: where they were, and when. */
#ifndef LIBDECODE_CODE_RUN_TIME_CODE_H
#define LIBDECODE_CODE_RUN_TIME_CODE_H

#include "jitdump.h"

struct run_time_function {
	uint64_t start, bytes, time, index;
	uint8_t *code; /* NULL: its bytes are not known */
	char *name; /* NULL: it is not known */
	void *owner;   /* the caller's: NULL at first */
	uint32_t pid, bits;
	uint8_t owns_code, foreign_clock; /* the name is of whom the code is */
};

/* Zeroed memory has none. */
struct run_time_code {
	struct run_time_function **function; /* each stays where it is: texts know it */
	uint32_t count, room;
	int is_sorted; /* by process, start, time */
	uint64_t longest, bytes;
};

#define RUN_TIME_CODE_MOST                                                                         \
	(256u << 20) /* bytes of code and names: of what is more neither is known */

/** @return as code_jitdump_parse(), or PRECIS_E_NO_MEMORY */
int run_time_code_add(struct run_time_code *code, const uint8_t *dump, size_t count);

/** The function that was made last there at that time; NULL if none was */
struct run_time_function *run_time_code_find(struct run_time_code *code, uint32_t pid, uint64_t address,
					     uint64_t time);

/** Read a jitdump, if 'fd' is of a plain file. @return as run_time_code_add(), or PRECIS_E_IO */
int run_time_code_read(struct run_time_code *code, int fd);

void run_time_code_free(struct run_time_code *code);

#endif
