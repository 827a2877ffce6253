/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts that keys have, each once, by a number. */
#ifndef ANALYSIS_BY_NAMES_H
#define ANALYSIS_BY_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct precis_symbols;

/* Of a function that asks for memory: is it for whom it is called by? */
enum passes_on { PASSES_ON_UNKNOWN, PASSES_ON_NOTHING, PASSES_ON };

struct name {
	char *text;
	/* Of an object: as its symbols know it, for the symbols of places in it; NULL: of none */
	const char *object;
	struct precis_symbols *symbols;
	const char *known_as; /* what 'symbols' know it as; NULL: as 'object' */
	uint32_t cpumode;
	int asked; /* of a function: 2 if its code was asked for, 1 if not; 0: not known yet */
	enum passes_on passes_on;
	uint32_t absent; /* enum precis_symbol_absent, of a place in it that had no symbol; 0: none */
};

/* Zeroed memory has none. Number 0 is no name. */
struct names {
	struct name *list; /* by number - 1 */
	uint32_t *slots;   /* numbers; 0: free */
	uint32_t count, room, slot_count;
	size_t bytes; /* of all texts */
	size_t kept_bytes; /* when some were last thrown away */
	uint32_t kept_count;
};

/* The number of a text; 0 if memory is short */
uint32_t names_add(struct names *names, const char *text);

/* Likewise of one that is there; 0: it is not */
uint32_t names_find(const struct names *names, const char *text);

/*
 * Only those stay that have a number in 'map' (0: not), which is by number and from 1: it gets what they
 * are called then.
 */
void names_keep(struct names *names, uint32_t *map);

/* A text, to be freed; NULL if memory is short */
char *name_printed(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* NULL of number 0 */
const struct name *names_get(const struct names *names, uint64_t number);

void names_free(struct names *names);

#endif
