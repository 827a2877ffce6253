/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Symbols of places that were looked up before: of runs that were saved, whose recordings and binaries are
 * somewhere else.
 */
#ifndef ANALYSIS_MODEL_KNOWN_PLACES_H
#define ANALYSIS_MODEL_KNOWN_PLACES_H

#include <precis/precis.h>

#include "analysis/saving/saving.h"
#include "statistics/tally.h"

/* A place, and what precis_symbols_name() said of it */
struct known_place {
	const char *object; /* by the pointer that stands for it */
	uint64_t offset;
	const char *symbol; /* NULL: it has none … */
	uint64_t symbol_offset;
	uint32_t absent; /* … for that reason: enum precis_symbol_absent */
	uint32_t name; /* the user's */
};

/* Zeroed memory knows none. */
struct known_places {
	struct known_place *list;
	uint32_t count, room;
	uint32_t *slots; /* numbers, from 1; 0: free */
	uint32_t slot_bits;
	struct tally_hash hash;
};

/* One more, unless it is known. 0, or -1 if memory is short */
int known_places_add(struct known_places *known, const struct known_place *place);

/* NULL: it is not known */
const struct known_place *known_places_find(const struct known_places *known, const char *object,
					    uint64_t offset);
void known_places_free(struct known_places *known);

/* Who is asked for symbols of an object that are not known */
struct known_source {
	struct precis_symbols *symbols; /* NULL: nobody */
	const char *object; /* the pointer that stands for it there; NULL: that of the location */
};

/*
 * The symbol of a location, by what is known, or else by who is asked: 'location' gets what
 * precis_symbols_name() would have given it.
 */
void known_places_name(const struct known_places *known, const struct known_source *source,
		       struct precis_location *location);

/*
 * Save what is to be known of the location's symbol, which 'known' or 'source' tell; or load that: 'place'
 * gets it, but for its object.
 */
void saved_known_place(struct saving *saving, const struct known_places *known,
		       const struct known_source *source, const struct precis_location *location,
		       struct known_place *place);

#endif
