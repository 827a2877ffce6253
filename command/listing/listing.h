/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of rows with named columns (the catalogue, the errata) as text, CSV or JSON. */
#ifndef LISTING_H
#define LISTING_H

#include <stddef.h>
#include <stdint.h>

#include "document/output.h"

#define LISTING_COLUMNS 12

struct listing {
	struct output *output;
	const char *const *columns; /* names; the first one is the heading of a row in text */
	size_t column_count;
	uint64_t rows; /* written so far */
};

/* How a list is printed. A format is a row of the table in listing.c. */
struct listing_format {
	const char *name;
	void (*begin)(struct listing *listing);
	void (*row)(struct listing *listing, const char *const *cells);
	void (*end)(struct listing *listing);
	/* Before rows of another kind; NULL: the format has none, a column must tell the kind */
	void (*heading)(struct listing *listing, const char *text);
};

/*
 * The options that commands with a list have: --format, -o, --help. The words
 * that follow are argv[*first] and on. EXIT_OK; or an exit code, after all has been said.
 */
struct listing_arguments {
	const struct listing_format *format;
	const char *path;
	int first;   /* index in argv of the first word that is no option */
	int is_help; /* help was printed: nothing more to do */
};
int listing_arguments(struct listing_arguments *arguments, int argc, char **argv,
		      const char *help);

#endif
