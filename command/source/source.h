/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of source files, by the names that compilers gave them. */
#ifndef SOURCE_H
#define SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "command/symbols/fetch.h"

#define SOURCE_FILES 16u /* that are kept */
#define SOURCE_TEXT 512u

struct source_file {
	char *name;  /* as asked for; NULL: a free place */
	char *bytes; /* NULL: it was not found */
	size_t size;
	size_t *lines; /* where each begins, and where the last one ends */
	uint32_t count;
};

/* Zeroed memory looks in no directory. */
struct sources {
	const char **directories; /* ends with NULL; NULL: none */
	const char *symfs;        /* NULL: "/" */
	struct fetching *fetching; /* NULL: nobody is asked */
	struct source_file files[SOURCE_FILES];
	uint32_t next; /* that is given up for another one */
	char text[SOURCE_TEXT];
};

/* --source-path. EXIT_OK, or an exit code after the error has been printed */
int sources_take_directory(struct sources *sources, const char *command, const char *directory);

/*
 * A line, blanks for its tabs, without its end; NULL if the file is not there or has no such line.
 * Valid until the next call. 'data' is a struct sources.
 *
 * A file is looked for below each directory, by all of its path and by what is left of that without
 * its first directories; then below 'symfs', which neither ".." nor a link leaves, or, without that, where
 * its path says. Then a server is asked for the file of the build with that id, if it is known.
 */
const char *sources_line(void *data, struct precis_bytes id, const char *file, uint32_t number);

void sources_free(struct sources *sources);

#endif
