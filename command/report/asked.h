/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Options that what is counted depends on: a report that was saved with some is told with the same
 * alone. What only says where symbols are found, or how a report is printed, is none of them.
 */
#ifndef REPORT_ASKED_H
#define REPORT_ASKED_H

#include "analysis/saving/saving.h"

struct asked_option {
	const char *name, *value; /* without its dashes; NULL: it has none */
};

/* Zeroed memory has none. */
struct asked {
	struct asked_option *list;
	uint32_t count;
	int failed; /* memory was short */
};

/* An option by its long name, if it is one of them. */
void asked_add(struct asked *asked, const char *name, const char *value);
void asked_free(struct asked *asked);

/* In an order that does not depend on that of the command line. To be freed as asked_free() does */
void asked_saves(struct saving *saving, struct asked *asked);

/* What of 'saved' is not what was asked for, in words; 0: nothing */
int asked_differs(const struct asked *saved, const struct asked *asked, char *text, size_t room);

#endif
