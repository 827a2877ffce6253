/* SPDX-License-Identifier: BSD-3-Clause */
/* See tally.h. */
#include "statistics/tally.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "statistics/weighted.h"

#define FIRST_BITS 7u
#define LAST_BITS 31u

/* Three quarters full: runs of occupied slots stay short */
static uint32_t limit_of(uint32_t bits)
{
	return (uint32_t)(((uint64_t)3 << bits) / 4);
}

void tally_hash_begin(struct tally_hash *hash)
{
	/* Where the kernel gives none: an attacker's guess is as good as ours */
	static const uint64_t fallback[2] = { UINT64_C(0x9e3779b97f4a7c15),
					      UINT64_C(0xc2b2ae3d27d4eb4f) };

	if (getrandom(hash->factor, sizeof(hash->factor), GRND_NONBLOCK) != sizeof(hash->factor))
		memcpy(hash->factor, fallback, sizeof(fallback));
	hash->factor[0] |= 1;
	hash->factor[1] |= 1;
}

static size_t home_of(const struct tally *tally, uint64_t space, uint64_t address)
{
	return tally_home(tally, tally_hash_of(&tally->hash, space, address));
}

static void set_bits(struct tally *tally, uint32_t bits)
{
	tally->bits = bits;
	tally->shift = 64 - bits;
	tally->limit = limit_of(bits);
}

int tally_init(struct tally *tally, size_t max_bytes)
{
	memset(tally, 0, sizeof(*tally));
	tally->max_bits = FIRST_BITS;
	while (tally->max_bits < LAST_BITS &&
	       ((uint64_t)(sizeof(*tally->slot) + sizeof(*tally->sums)) << (tally->max_bits + 1)) <=
		       max_bytes)
		tally->max_bits++;
	tally_hash_begin(&tally->hash);
	set_bits(tally, FIRST_BITS);
	tally->slot = calloc((size_t)1 << FIRST_BITS, sizeof(*tally->slot));
	return tally->slot ? 0 : -1;
}

void tally_free(struct tally *tally)
{
	free(tally->slot);
	free(tally->sums);
	memset(tally, 0, sizeof(*tally));
}

void tally_clear(struct tally *tally)
{
	memset(tally->slot, 0, sizeof(*tally->slot) << tally->bits);
	tally->count = tally->sums_count = 0;
	tally->untracked = 0;
	tally->is_weighed = 0;
}

/* @return 0; -1 if the table stays as it is */
static int grow(struct tally *tally)
{
	struct tally_entry *old = tally->slot;
	size_t old_slots = (size_t)1 << tally->bits;
	size_t mask = old_slots * 2 - 1;
	size_t i, at;

	if (tally->bits == tally->max_bits)
		return -1;
	tally->slot = calloc(old_slots * 2, sizeof(*tally->slot));
	if (!tally->slot) {
		tally->slot = old;
		tally->max_bits = tally->bits; /* memory is short: ask no more */
		return -1;
	}
	set_bits(tally, tally->bits + 1);
	for (i = 0; i < old_slots; i++) {
		if (old[i].samples == 0)
			continue;
		at = home_of(tally, old[i].space, old[i].address);
		while (tally->slot[at].samples != 0)
			at = (at + 1) & mask;
		tally->slot[at] = old[i];
	}
	free(old);
	return 0;
}

/* The key's slot, or the free one where it belongs */
static struct tally_entry *find(struct tally *tally, uint64_t space, uint64_t address, size_t at)
{
	size_t mask = ((size_t)1 << tally->bits) - 1;
	struct tally_entry *entry = &tally->slot[at];

	while (entry->samples != 0 && (entry->address != address || entry->space != space)) {
		at = (at + 1) & mask;
		entry = &tally->slot[at];
	}
	return entry;
}

struct tally_entry *tally_add_slow(struct tally *tally, uint64_t space, uint64_t address, size_t at)
{
	struct tally_entry *entry = find(tally, space, address, at);

	if (entry->samples == 0) {
		if (tally->count == tally->limit) {
			if (grow(tally) < 0) {
				tally->untracked++;
				return NULL;
			}
			entry = find(tally, space, address, home_of(tally, space, address));
		}
		entry->space = space;
		entry->address = address;
		tally->count++;
	}
	entry->samples++;
	return entry;
}

/* --- sums --- */

struct tally_sums *tally_new_sums(struct tally *tally, struct tally_entry *entry)
{
	if (tally->sums_count == tally->sums_room) {
		const uint32_t room = tally->sums_room ? 2 * tally->sums_room : 64;
		struct tally_sums *more = realloc(tally->sums, room * sizeof(*more));

		if (!more)
			return NULL;
		tally->sums = more;
		tally->sums_room = room;
	}
	entry->sums = ++tally->sums_count;
	tally->sums[entry->sums - 1] = (struct tally_sums){ 0 };
	return &tally->sums[entry->sums - 1];
}

static void weigh_alike(struct tally_sums *sums, uint64_t samples, uint64_t each)
{
	sums->weight = samples * each;
	weight_sum_add(sums->squares, (weight_sum)each * each * samples);
}

int tally_weigh(struct tally *tally)
{
	for (size_t i = 0; i < (size_t)1 << tally->bits && !tally->is_weighed; i++) {
		struct tally_entry *entry = &tally->slot[i];
		struct tally_sums *sums = entry->samples ? tally_sums(tally, entry) : NULL;

		if (sums)
			weigh_alike(sums, entry->samples, tally->each);
		else if (entry->samples)
			return -1;
	}
	tally->is_weighed = 1;
	return 0;
}

struct tally_sums tally_told(const struct tally *tally, const struct tally_entry *entry)
{
	struct tally_sums told = { 0 };

	if (entry->sums)
		told = tally->sums[entry->sums - 1];
	if (!tally->is_weighed)
		weigh_alike(&told, entry->samples, tally->each);
	return told;
}

/* --- in order --- */

#define DIGIT_BITS 11u
#define DIGITS (1u << DIGIT_BITS)

/* An entry, and the part of its key that is looked at */
struct sorted {
	uint64_t key;
	const struct tally_entry *entry;
};

static uint32_t digit_of(uint64_t key, uint32_t shift)
{
	return (uint32_t)(key >> shift) & (DIGITS - 1);
}

/* By one digit; those with the same stay as they are. */
static void sort_by_digit(const struct sorted *from, struct sorted *to, size_t count, uint32_t shift)
{
	uint32_t at[DIGITS] = { 0 }, next = 0;

	for (size_t n = 0; n < count; n++)
		at[digit_of(from[n].key, shift)]++;
	for (uint32_t digit = 0; digit < DIGITS; digit++) {
		const uint32_t here = at[digit];

		at[digit] = next;
		next += here;
	}
	for (size_t n = 0; n < count; n++)
		to[at[digit_of(from[n].key, shift)]++] = from[n];
}

/* By the whole of it, but for digits that are the same in all. @return which of the two has them */
static struct sorted *sort_by_key(struct sorted *from, struct sorted *to, size_t count)
{
	uint64_t differ = 0;

	for (size_t n = 1; n < count; n++)
		differ |= from[n].key ^ from[0].key;
	for (uint32_t shift = 0; shift < 64 && differ >> shift; shift += DIGIT_BITS) {
		struct sorted *sorted = to;

		if (!digit_of(differ, shift))
			continue;
		sort_by_digit(from, to, count, shift);
		to = from;
		from = sorted;
	}
	return from;
}

int tally_sort(const struct tally *tally, const struct tally_entry **entries)
{
	struct sorted *room = malloc(2 * ((size_t)tally->count + 1) * sizeof(*room)), *from;
	uint32_t count = 0;

	if (!room)
		return -1;
	for (size_t i = 0; i < (size_t)1 << tally->bits; i++) {
		if (tally->slot[i].samples)
			room[count++] = (struct sorted){ tally->slot[i].address, &tally->slot[i] };
	}
	from = sort_by_key(room, room + count, count);
	for (uint32_t n = 0; n < count; n++)
		from[n].key = from[n].entry->space;
	from = sort_by_key(from, from == room ? room + count : room, count);
	for (uint32_t n = 0; n < count; n++)
		entries[n] = from[n].entry;
	free(room);
	return 0;
}
