/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events beside those of the table: precise ones of this CPU as libpfm4 knows them, and names
 * without colons for some of them. Found once; they live as long as the process.
 */
#ifndef PRECIS_LISTED_H
#define PRECIS_LISTED_H

#include <stdint.h>

#include "precis_event_rows.h"

struct precis_listed {
	struct precis_named_event event;
	const char *meaning;
	const struct precis_listed *of; /* the event, if this is it with one of its unit masks */
};

/* NULL behind the last */
const struct precis_listed *precis_listed(uint32_t n);
/* @return the number, or -1 */
int64_t precis_listed_find(const char *name);

#endif
