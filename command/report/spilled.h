/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A part of a saved report whose length and checksum stand in front of it: what is more than some of it waits
 * in a temporary file until it is whole.
 */
#ifndef COMMAND_REPORT_SPILLED_H
#define COMMAND_REPORT_SPILLED_H

#include <stddef.h>
#include <stdint.h>

#include "document/output.h"

struct spilled {
	int fd; /* -1: all of it is in memory so far */
	uint64_t bytes; /* in the file, as 'fd' is 0 or more */
	uint32_t sum; /* saved_checksum() of them */
};

struct spilled spilled_begin(void);
void spilled_free(struct spilled *spilled);

/* More of it, behind what is there. 0, or -1 with errno set */
int spilled_add(struct spilled *spilled, const uint8_t *bytes, size_t count);

/* The part, all of which has been added. 0, or -1 with errno set */
int spilled_put(struct output *output, const char *name, const struct spilled *spilled);

#endif
