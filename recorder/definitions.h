/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stacks and strings of this process, each once, with a number. What is known is found without a lock. They
 * are written before the events that name them.
 */
#ifndef PRECIS_RECORDER_DEFINITIONS_H
#define PRECIS_RECORDER_DEFINITIONS_H

#include <stddef.h>
#include <stdint.h>

struct definition {
	struct definition *next; /* defined after it */
	uint64_t hash;
	uint32_t kind; /* enum objects_definition */
	uint32_t id; /* from 1, for each kind */
	uint32_t flags; /* of a stack */
	uint32_t count; /* of return addresses, or bytes */
	uint64_t code; /* of a stack: code_changes_identity() */
	uint64_t words[]; /* addresses, or text */
};

/* @return 0, -1: no memory */
int definitions_begin(void);
/* As new: a forked child defines all in its own file */
void definitions_clear(void);

/* @param code  of the same addresses, by which they are a stack of their own. @return NULL: no more room */
const struct definition *definition_of_stack(const uint64_t *addresses, uint32_t count,
					     uint32_t flags, uint64_t code);
/* @return its number; 0: no room, or 'text' is NULL */
uint32_t definition_of_string(const char *text);

/* Write those that are not in the file yet, with signals blocked. @return 0, -1: it cannot be written */
int definitions_write(void);
uint32_t definitions_stacks(void);

#endif
