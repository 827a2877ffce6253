/* SPDX-License-Identifier: BSD-3-Clause */
/* See pokes.h. */
#include "pokes.h"

#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#define LINE_BITS 6u

static uint64_t line_of(uint64_t address)
{
	return (address >> LINE_BITS) + 1;
}

/* --- places --- */

/* Where a line is, or would be. There is always one that is free. */
static struct code_poke_line *slot_of(const struct code_pokes *pokes, uint64_t line)
{
	uint32_t at =
		(uint32_t)((line * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (pokes->line_room - 1);

	while (pokes->line[at].line && pokes->line[at].line != line)
		at = (at + 1) & (pokes->line_room - 1);
	return &pokes->line[at];
}

static const struct code_poke_line *find_line(const struct code_pokes *pokes, uint64_t line)
{
	const struct code_poke_line *found = pokes->lines ? slot_of(pokes, line) : NULL;

	return found && found->line ? found : NULL;
}

/* @return NULL: memory is short */
static struct code_poke_line *line_for(struct code_pokes *pokes, uint64_t line)
{
	struct code_poke_line *slot;

	if (2 * pokes->lines >= pokes->line_room) {
		const struct code_pokes before = *pokes;
		const uint32_t room = before.line_room ? 2 * before.line_room : 256;
		struct code_poke_line *more = calloc(room, sizeof(*more));

		if (!more)
			return NULL;
		pokes->line = more;
		pokes->line_room = room;
		for (uint32_t n = 0; n < before.line_room; n++) {
			if (before.line[n].line)
				*slot_of(pokes, before.line[n].line) = before.line[n];
		}
		free(before.line);
	}
	slot = slot_of(pokes, line);
	pokes->lines += !slot->line;
	slot->line = line;
	return slot;
}

/* Room for one more in a list of numbers. @return 0: memory is short */
static int one_more(uint32_t **list, uint32_t count, uint32_t *room)
{
	const uint32_t wanted = *room ? 2 * *room : 2;
	uint32_t *more;

	if (count < *room)
		return 1;
	more = realloc(*list, wanted * sizeof(*more));
	if (!more)
		return 0;
	*list = more;
	*room = wanted;
	return 1;
}

static struct code_poke_place *find_place(const struct code_pokes *pokes, uint64_t start,
					  uint64_t end)
{
	const struct code_poke_line *line = find_line(pokes, line_of(start));

	for (uint32_t n = 0; line && n < line->count; n++) {
		struct code_poke_place *place = &pokes->place[line->place[n]];

		if (place->start == start && place->end == end)
			return place;
	}
	return NULL;
}

/* Have all lines that it touches room for one more? */
static int is_place_for(const struct code_pokes *pokes, uint64_t start, uint64_t end)
{
	for (uint64_t line = line_of(start); line <= line_of(end - 1); line++) {
		const struct code_poke_line *found = find_line(pokes, line);

		if (found && found->count == CODE_POKE_PLACES_MOST)
			return 0;
	}
	return 1;
}

/* @return NULL: memory is short */
static struct code_poke_place *add_place(struct code_pokes *pokes, uint64_t start, uint64_t end)
{
	if (pokes->places == pokes->place_room) {
		const uint32_t room = pokes->place_room ? 2 * pokes->place_room : 64;
		struct code_poke_place *more = realloc(pokes->place, room * sizeof(*more));

		if (!more)
			return NULL;
		pokes->place = more;
		pokes->place_room = room;
	}
	pokes->place[pokes->places] = (struct code_poke_place){ .start = start, .end = end };
	for (uint64_t n = line_of(start); n <= line_of(end - 1); n++) {
		struct code_poke_line *line = line_for(pokes, n);

		if (!line || !one_more(&line->place, line->count, &line->room))
			return NULL;
		line->place[line->count++] = pokes->places;
	}
	return &pokes->place[pokes->places++];
}

/* --- changes --- */

/* How many of a place are not behind a time */
static uint32_t count_until(const struct code_pokes *pokes, const struct code_poke_place *place,
			    uint64_t time)
{
	uint32_t low = 0, high = place->count;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (pokes->poke[place->poke[middle]].time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int make_room(struct code_pokes *pokes, uint32_t bytes)
{
	if (pokes->count == pokes->room) {
		const uint32_t room = pokes->room ? 2 * pokes->room : 256;
		struct code_poke *more = realloc(pokes->poke, room * sizeof(*more));

		if (!more)
			return 0;
		pokes->poke = more;
		pokes->room = room;
	}
	while (pokes->pool_room - pokes->pool_bytes < bytes) {
		const uint32_t room = pokes->pool_room ? 2 * pokes->pool_room : 65536;
		uint8_t *more = realloc(pokes->pool, room);

		if (!more)
			return 0;
		pokes->pool = more;
		pokes->pool_room = room;
	}
	return 1;
}

static int put(struct code_pokes *pokes, struct code_poke_place *place,
	       const struct precis_text_poke *poke, uint64_t time)
{
	const struct code_poke made = { .time = time,
					.bytes_at = pokes->pool_bytes,
					.old_bytes = (uint16_t)poke->old_code.bytes,
					.new_bytes = (uint16_t)poke->new_code.bytes };
	const uint32_t at = count_until(pokes, place, time);

	if (!make_room(pokes, (uint32_t)made.old_bytes + made.new_bytes) ||
	    !one_more(&place->poke, place->count, &place->room))
		return PRECIS_E_NO_MEMORY;
	if (made.old_bytes)
		memcpy(pokes->pool + made.bytes_at, poke->old_code.data, made.old_bytes);
	if (made.new_bytes)
		memcpy(pokes->pool + made.bytes_at + made.old_bytes, poke->new_code.data, made.new_bytes);
	pokes->pool_bytes += (uint32_t)made.old_bytes + made.new_bytes;
	memmove(place->poke + at + 1, place->poke + at, (place->count - at) * sizeof(*place->poke));
	place->poke[at] = pokes->count;
	place->count++;
	pokes->poke[pokes->count++] = made;
	return 0;
}

int code_pokes_add(struct code_pokes *pokes, const struct precis_text_poke *poke, uint64_t time)
{
	const uint32_t before = poke->old_code.bytes, after = poke->new_code.bytes;
	const uint64_t start = poke->addr, longest = before > after ? before : after;
	const uint64_t end = start > UINT64_MAX - longest ? UINT64_MAX : start + longest;
	struct code_poke_place *place;

	if (start == end)
		return 0;
	place = before <= UINT16_MAX && after <= UINT16_MAX ? find_place(pokes, start, end) : NULL;
	if (before > UINT16_MAX || after > UINT16_MAX ||
	    pokes->pool_bytes + before + after > CODE_POKE_BYTES_MOST ||
	    (!place && !is_place_for(pokes, start, end))) {
		pokes->not_kept++;
		return 0;
	}
	place = place ? place : add_place(pokes, start, end);
	return place ? put(pokes, place, poke, time) : PRECIS_E_NO_MEMORY;
}

void code_pokes_free(struct code_pokes *pokes)
{
	for (uint32_t n = 0; n < pokes->places; n++)
		free(pokes->place[n].poke);
	for (uint32_t n = 0; n < pokes->line_room; n++)
		free(pokes->line[n].place);
	free(pokes->poke);
	free(pokes->place);
	free(pokes->line);
	free(pokes->pool);
	memset(pokes, 0, sizeof(*pokes));
}

/* --- asking --- */

static void narrow(const struct code_pokes *pokes, const struct code_poke_place *place,
		   uint64_t time, uint64_t *since, uint64_t *until)
{
	const uint32_t done = count_until(pokes, place, time);

	if (done && pokes->poke[place->poke[done - 1]].time > *since)
		*since = pokes->poke[place->poke[done - 1]].time;
	if (done < place->count && pokes->poke[place->poke[done]].time < *until)
		*until = pokes->poke[place->poke[done]].time;
}

void code_pokes_valid(const struct code_pokes *pokes, uint64_t start, uint64_t end, uint64_t time,
		      uint64_t *since, uint64_t *until)
{
	const uint64_t lines = end > start ? line_of(end - 1) - line_of(start) + 1 : 0;

	*since = 0;
	*until = UINT64_MAX;
	if (!pokes->count || !lines)
		return;
	/* Of code that is longer than there are places each place is looked at. */
	for (uint32_t n = 0; lines > pokes->places && n < pokes->places; n++) {
		const struct code_poke_place *place = &pokes->place[n];

		if (place->start < end && place->end > start)
			narrow(pokes, place, time, since, until);
	}
	for (uint64_t n = 0; lines <= pokes->places && n < lines; n++) {
		const struct code_poke_line *line = find_line(pokes, line_of(start) + n);

		for (uint32_t i = 0; line && i < line->count; i++) {
			const struct code_poke_place *place = &pokes->place[line->place[i]];

			if (place->start < end && place->end > start)
				narrow(pokes, place, time, since, until);
		}
	}
}

/* Of two changes the later one; of the same time what came later */
static int is_later(const struct code_pokes *pokes, uint32_t a, uint32_t b)
{
	return pokes->poke[a].time != pokes->poke[b].time
		       ? pokes->poke[a].time > pokes->poke[b].time
		       : a > b;
}

/* What decides a byte: the last change before the time has it, or else the first one behind it. */
struct deciding {
	const struct code_poke_place *place; /* NULL: none touches it */
	uint32_t poke;
	int is_done;
};

static void decide(const struct code_pokes *pokes, const struct code_poke_place *place,
		   uint64_t time, struct deciding *found)
{
	const uint32_t done = count_until(pokes, place, time);
	const uint32_t poke = place->poke[done ? done - 1 : 0];

	if (found->place &&
	    (found->is_done > (done > 0) ||
	     (found->is_done == (done > 0) && is_later(pokes, poke, found->poke) != (done > 0))))
		return;
	*found = (struct deciding){ place, poke, done > 0 };
}

static struct deciding deciding_of(const struct code_pokes *pokes, uint64_t address, uint64_t time)
{
	const struct code_poke_line *line = find_line(pokes, line_of(address));
	struct deciding found = { .place = NULL };

	for (uint32_t n = 0; line && n < line->count; n++) {
		const struct code_poke_place *place = &pokes->place[line->place[n]];

		if (address >= place->start && address < place->end && place->count)
			decide(pokes, place, time, &found);
	}
	return found;
}

/* A byte of what a change found, or made. @return 0 if there was none */
static int byte_of(const struct code_pokes *pokes, const struct deciding *by, uint64_t address,
		   uint8_t *byte)
{
	const struct code_poke *poke = &pokes->poke[by->poke];
	const uint64_t into = address - by->place->start;

	if (into >= (by->is_done ? poke->new_bytes : poke->old_bytes))
		return 0;
	*byte = pokes->pool[poke->bytes_at + (by->is_done ? poke->old_bytes : 0u) + into];
	return 1;
}

uint32_t code_pokes_apply(const struct code_pokes *pokes, uint64_t start, uint64_t time, uint8_t *bytes,
			  uint32_t have, uint32_t count)
{
	if (!pokes->count || start > UINT64_MAX - count)
		return have;
	for (uint32_t n = 0; n < count; n++) {
		const struct deciding by = deciding_of(pokes, start + n, time);

		if (!by.place) {
			if (n >= have)
				return n;
		} else if (!byte_of(pokes, &by, start + n, &bytes[n])) {
			return n;
		}
	}
	return count;
}
