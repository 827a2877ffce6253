/* SPDX-License-Identifier: BSD-3-Clause */
/* Who asked for a block of the heap, and what it is called by that. */
#ifndef ANALYSIS_OBJECTS_BLOCK_SITE_H
#define ANALYSIS_OBJECTS_BLOCK_SITE_H

#include <precis/symbols.h>

#include "lifetime.h"
#include "program_types.h"

#define BLOCK_SITE_CALLS 32u

/* Does a function of that name (as people write it) only pass a request for memory on? */
int block_passes_on(const char *name);

/*
 * And is it one that returns the block to who calls it, as malloc() does? Where such a function is in another
 * file, what its caller does with the result is as good as of malloc() itself.
 */
int block_is_returned(const char *name);

/* The call that counts; NULL: it is not known */
struct block_caller {
	const char *symbol;
	const char *file; /* of the source */
	uint32_t line;
	const char *object;
	uint64_t offset; /* in that */
};

/* "block of main at list.c:12", "mapping of [libx.so+0x1234]"; to be freed. NULL: memory is short */
char *block_site_text(const char *what, const struct block_caller *caller);

/*
 * Where a file of the source is there to be included, a call in it may be a library's that was inlined:
 * then the line is that of the call of this. 1: 'caller' has it now; 0; -1 if memory is short
 */
int block_site_refine(struct program_types *types, const struct program_place *place,
		      char *(*demangle)(const char *symbol), struct block_caller *caller);

struct block_asked {
	struct precis_symbols *symbols;
	char *(*demangle)(const char *symbol); /* NULL: as they are */
	const struct lifetime *life; /* LIFETIME_BLOCK */
	struct program_types *types;
	const struct program_place *place;
};

/* Strings but 'text', which is to be freed, are the symbols'. */
struct block_site {
	char *text;
	const char *source; /* file of the call; NULL: it is not known */
	uint32_t source_line;
	const char *file; /* that has the calls, as struct program_block wants it */
	uint32_t count;
	uint64_t offsets[BLOCK_SITE_CALLS];
};

/* 0, or -1 if memory is short */
int block_site_find(const struct block_asked *asked, struct block_site *site);

#endif
