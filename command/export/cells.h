/* SPDX-License-Identifier: BSD-3-Clause */
/* A sample's value of a column as a number or a text, for formats that know both. */
#ifndef EXPORT_CELLS_H
#define EXPORT_CELLS_H

#include "command/dump/dump.h"

/* Longer ones are none, which is counted */
#define EXPORTED_TEXT_MOST (OUTPUT_BUFFER - 1)

enum exported_type {
	EXPORTED_UNSIGNED,
	EXPORTED_SIGNED,
	EXPORTED_BOOL,
	EXPORTED_NAME, /* a value of an enumeration */
	EXPORTED_TEXT
};

struct exported {
	int is_absent;
	uint64_t number; /* unless it is a text */
	const char *text; /* with 'length' bytes, UTF-8 without controls; until the next cell */
	size_t length;
};

/* Zeroed memory is closed. */
struct cells {
	struct output text; /* goes nowhere */
	uint64_t too_long;
};

/* 0, or -1 if memory is short */
int cells_open(struct cells *cells);
void cells_close(struct cells *cells);

/* A line on stderr if there were such. */
void cells_say_what_is_missing(const struct cells *cells, const struct recording *recording);

enum exported_type exported_type(const struct column *column);

/* "uint", "mem_level", "text"; "ns", "cycles", ""; one line */
const char *exported_type_name(const struct column *column);
const char *exported_unit(const struct column *column);
const char *exported_meaning(const struct column *column);

void exported_get(struct cells *cells, struct dump *dump, const struct column *column,
	      const struct precis_sample *sample, struct exported *cell);

/* The name of the event of that number */
void exported_event(struct cells *cells, struct dump *dump, uint64_t number, struct exported *cell);

/* Why it is absent: "NOT_APPLICABLE: not a load". A text, as above */
void exported_reason(struct cells *cells, struct dump *dump, const struct column *column,
		 const struct precis_sample *sample, struct exported *cell);

#endif
