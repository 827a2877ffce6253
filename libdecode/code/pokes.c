/* SPDX-License-Identifier: BSD-3-Clause */
/* See pokes.h. */
#include "pokes.h"

#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#define LINE_BITS 6u
#define TOUCHED_BITS 16u
/* Longer code is searched change by change. The longest block (4096 bytes, anywhere) is in 65 lines. */
#define LINES_MOST 128u

static uint32_t bit_of(uint64_t line)
{
	return (uint32_t)((line * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - TOUCHED_BITS));
}

static uint64_t end_of(const struct code_poke *poke)
{
	const uint64_t bytes = poke->old_bytes > poke->new_bytes ? poke->old_bytes : poke->new_bytes;

	return poke->start > UINT64_MAX - bytes ? UINT64_MAX : poke->start + bytes;
}

static void touch(struct code_pokes *pokes, const struct code_poke *poke)
{
	for (uint64_t line = poke->start >> LINE_BITS; line <= (end_of(poke) - 1) >> LINE_BITS; line++) {
		const uint32_t bit = bit_of(line);

		pokes->touched[bit / 64] |= UINT64_C(1) << bit % 64;
	}
}

/* 0: certainly none */
static int may_touch(const struct code_pokes *pokes, uint64_t start, uint64_t end)
{
	const uint64_t first = start >> LINE_BITS, last = (end - 1) >> LINE_BITS;

	if (!pokes->count || end <= start)
		return 0;
	if (last - first >= LINES_MOST)
		return 1;
	for (uint64_t line = first; line <= last; line++) {
		const uint32_t bit = bit_of(line);

		if (pokes->touched[bit / 64] >> bit % 64 & 1)
			return 1;
	}
	return 0;
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

int code_pokes_add(struct code_pokes *pokes, const struct precis_text_poke *poke, uint64_t time)
{
	const uint32_t bytes = poke->old_code.bytes + poke->new_code.bytes;
	struct code_poke made = {
		.time = time, .start = poke->addr, .old_bytes = (uint16_t)poke->old_code.bytes,
		.new_bytes = (uint16_t)poke->new_code.bytes,
	};
	uint32_t at = pokes->count;

	if (!bytes)
		return 0;
	if (poke->old_code.bytes > UINT16_MAX || poke->new_code.bytes > UINT16_MAX ||
	    pokes->pool_bytes + bytes > CODE_POKE_BYTES_MOST) {
		pokes->not_kept++;
		return 0;
	}
	if (!make_room(pokes, bytes))
		return PRECIS_E_NO_MEMORY;
	made.bytes_at = pokes->pool_bytes;
	if (made.old_bytes)
		memcpy(pokes->pool + made.bytes_at, poke->old_code.data, made.old_bytes);
	if (made.new_bytes)
		memcpy(pokes->pool + made.bytes_at + made.old_bytes, poke->new_code.data, made.new_bytes);
	pokes->pool_bytes += bytes;
	for (; at && pokes->poke[at - 1].time > time; at--)
		pokes->poke[at] = pokes->poke[at - 1];
	pokes->poke[at] = made;
	pokes->count++;
	touch(pokes, &made);
	return 0;
}

void code_pokes_free(struct code_pokes *pokes)
{
	free(pokes->poke);
	free(pokes->pool);
	memset(pokes, 0, sizeof(*pokes));
}

void code_pokes_valid(const struct code_pokes *pokes, uint64_t start, uint64_t end, uint64_t time,
		      uint64_t *since, uint64_t *until)
{
	*since = 0;
	*until = UINT64_MAX;
	if (!may_touch(pokes, start, end))
		return;
	for (uint32_t n = 0; n < pokes->count; n++) {
		const struct code_poke *poke = &pokes->poke[n];

		if (poke->start >= end || end_of(poke) <= start)
			continue;
		if (poke->time > time) {
			*until = poke->time;
			return;
		}
		*since = poke->time;
	}
}

/* Byte 'into' of what a change found, or made. @return 0 if there was none */
static int byte_of(const struct code_pokes *pokes, const struct code_poke *poke, int is_new, uint64_t into,
		   uint8_t *byte)
{
	if (into >= (is_new ? poke->new_bytes : poke->old_bytes))
		return 0;
	*byte = pokes->pool[poke->bytes_at + (is_new ? poke->old_bytes : 0u) + into];
	return 1;
}

/* The last change before the time has it, or else the first one behind it. @return 0 if none touches it */
static const struct code_poke *poke_of(const struct code_pokes *pokes, uint64_t address, uint64_t time)
{
	const struct code_poke *found = NULL;

	for (uint32_t n = 0; n < pokes->count; n++) {
		const struct code_poke *poke = &pokes->poke[n];

		if (address < poke->start || address >= end_of(poke))
			continue;
		if (poke->time > time)
			return found ? found : poke;
		found = poke;
	}
	return found;
}

uint32_t code_pokes_apply(const struct code_pokes *pokes, uint64_t start, uint64_t time, uint8_t *bytes,
			  uint32_t have, uint32_t count)
{
	if (start > UINT64_MAX - count || !may_touch(pokes, start, start + count))
		return have;
	for (uint32_t n = 0; n < count; n++) {
		const struct code_poke *poke = poke_of(pokes, start + n, time);

		if (!poke) {
			if (n >= have)
				return n;
		} else if (!byte_of(pokes, poke, poke->time <= time, start + n - poke->start, &bytes[n])) {
			return n;
		}
	}
	return count;
}
