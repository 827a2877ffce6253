/* SPDX-License-Identifier: BSD-3-Clause */
/* See known_places.h. */
#include "known_places.h"

#include <stdlib.h>
#include <string.h>

#define SLOT_BITS_FIRST 7u

/* Where the place is, or would be */
static uint32_t *slot_of(const struct known_places *known, const char *object, uint64_t offset)
{
	const size_t last = ((size_t)1 << known->slot_bits) - 1;
	size_t at = (size_t)(tally_hash_of(&known->hash, (uintptr_t)object, offset) >>
			     (64 - known->slot_bits));

	for (; known->slots[at]; at = (at + 1) & last) {
		const struct known_place *place = &known->list[known->slots[at] - 1];

		if (place->object == object && place->offset == offset)
			break;
	}
	return &known->slots[at];
}

/* Half of the slots stay free. */
static int grow(struct known_places *known)
{
	const uint32_t bits = known->slots ? known->slot_bits + 1 : SLOT_BITS_FIRST;
	uint32_t *slots = calloc((size_t)1 << bits, sizeof(*slots));
	struct known_place *list = realloc(known->list, ((size_t)1 << bits) / 2 * sizeof(*list));

	if (list)
		known->list = list;
	if (!list || !slots) {
		free(slots);
		return -1;
	}
	if (!known->slots)
		tally_hash_begin(&known->hash);
	free(known->slots);
	known->slots = slots;
	known->slot_bits = bits;
	known->room = 1u << (bits - 1);
	for (uint32_t n = 0; n < known->count; n++)
		*slot_of(known, list[n].object, list[n].offset) = n + 1;
	return 0;
}

int known_places_add(struct known_places *known, const struct known_place *place)
{
	uint32_t *slot;

	if (known->count == known->room && grow(known) < 0)
		return -1;
	slot = slot_of(known, place->object, place->offset);
	if (*slot)
		return 0;
	known->list[known->count] = *place;
	*slot = ++known->count;
	return 0;
}

const struct known_place *known_places_find(const struct known_places *known, const char *object,
					    uint64_t offset)
{
	const uint32_t found = known->slots ? *slot_of(known, object, offset) : 0;

	return found ? &known->list[found - 1] : NULL;
}

void known_places_free(struct known_places *known)
{
	free(known->list);
	free(known->slots);
	memset(known, 0, sizeof(*known));
}

/* Whether they know one. Why not, they say, too */
static int ask(const struct known_source *source, struct precis_location *location)
{
	const char *object = location->object;
	int found;

	if (!source->symbols)
		return 0;
	if (source->object)
		location->object = source->object;
	found = precis_symbols_name(source->symbols, location) > 0;
	location->object = object;
	return found;
}

void known_places_name(const struct known_places *known, const struct known_source *source,
		       struct precis_location *location)
{
	const struct known_place *found = known_places_find(known, location->object, location->offset);

	if ((!found || !found->symbol) && ask(source, location))
		return;
	if (!found)
		return;
	location->symbol = found->symbol;
	location->symbol_offset = found->symbol_offset;
	location->symbol_absent = found->absent;
}

void saved_known_place(struct saving *saving, const struct known_places *known,
		       const struct known_source *source, const struct precis_location *location,
		       struct known_place *place)
{
	struct precis_location named = *location;

	if (!saving->is_loading) {
		known_places_name(known, source, &named);
		*place = (struct known_place){
			.symbol = named.symbol, .symbol_offset = named.symbol_offset,
			.absent = named.symbol_absent,
		};
	}
	place->offset = location->offset;
	saved_text(saving, &place->symbol);
	saved_u64(saving, &place->symbol_offset);
	saved_u32(saving, &place->absent);
}
