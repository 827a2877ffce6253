/* SPDX-License-Identifier: BSD-3-Clause */
#include "statistics/tally.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define FIRST_BITS 7u
#define LAST_BITS 31u

/* Three quarters full: runs of occupied slots stay short */
static uint32_t limit_of(uint32_t bits)
{
	return (uint32_t)(((uint64_t)3 << bits) / 4);
}

static void take_seed(struct tally *tally)
{
	/* Where the kernel gives none: an attacker's guess is as good as ours */
	static const uint64_t fallback[2] = { UINT64_C(0x9e3779b97f4a7c15),
					      UINT64_C(0xc2b2ae3d27d4eb4f) };

	if (getrandom(tally->seed, sizeof(tally->seed), GRND_NONBLOCK) != sizeof(tally->seed))
		memcpy(tally->seed, fallback, sizeof(fallback));
	tally->seed[0] |= 1;
	tally->seed[1] |= 1;
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
	       ((uint64_t)sizeof(*tally->slot) << (tally->max_bits + 1)) <= max_bytes)
		tally->max_bits++;
	take_seed(tally);
	set_bits(tally, FIRST_BITS);
	tally->slot = calloc((size_t)1 << FIRST_BITS, sizeof(*tally->slot));
	return tally->slot ? 0 : -1;
}

void tally_free(struct tally *tally)
{
	free(tally->slot);
	memset(tally, 0, sizeof(*tally));
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
		at = tally_home(tally, old[i].space, old[i].address);
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
			entry = find(tally, space, address, tally_home(tally, space, address));
		}
		entry->space = space;
		entry->address = address;
		tally->count++;
	}
	entry->samples++;
	return entry;
}

static double mean(const struct tally_entry *entry)
{
	return entry->latency_count ? (double)entry->latency_sum / (double)entry->latency_count
				    : -1;
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* < 0: a comes before b in a list that begins with the largest */
static int order(enum tally_column column, const struct tally_entry *a, const struct tally_entry *b)
{
	int result = 0;

	switch (column) {
	case TALLY_SAMPLES:
		result = COMPARE(b->samples, a->samples);
		break;
	case TALLY_LATENCY_SUM:
		result = COMPARE(b->latency_sum, a->latency_sum);
		break;
	case TALLY_LATENCY_COUNT:
		result = COMPARE(b->latency_count, a->latency_count);
		break;
	case TALLY_LATENCY_MEAN:
		result = COMPARE(mean(b), mean(a));
		break;
	case TALLY_WEIGHT:
		result = COMPARE(b->weight, a->weight);
		break;
	}
	if (result == 0)
		result = COMPARE(a->space, b->space);
	if (result == 0)
		result = COMPARE(a->address, b->address);
	return result;
}

/* The heap's root is the entry that comes last: the first one to be displaced */
static void sink(enum tally_column column, const struct tally_entry **heap, size_t count, size_t at)
{
	const struct tally_entry *entry = heap[at];
	size_t child;

	while ((child = 2 * at + 1) < count) {
		if (child + 1 < count && order(column, heap[child + 1], heap[child]) > 0)
			child++;
		if (order(column, heap[child], entry) <= 0)
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = entry;
}

size_t tally_top(const struct tally *tally, enum tally_column column,
		 const struct tally_entry **top, size_t room)
{
	size_t slots = (size_t)1 << tally->bits;
	size_t count = 0, i, left;

	if (room > tally->count)
		room = tally->count;
	if (room == 0)
		return 0;
	for (i = 0; i < slots; i++) {
		const struct tally_entry *entry = &tally->slot[i];

		if (entry->samples == 0)
			continue;
		if (count < room) {
			top[count++] = entry;
			for (left = count == room ? room / 2 : 0; left > 0; left--)
				sink(column, top, room, left - 1);
		} else if (order(column, entry, top[0]) < 0) {
			top[0] = entry;
			sink(column, top, room, 0);
		}
	}
	/* Heap sort: the last one goes to the end, and so on */
	for (left = count - 1; left > 0; left--) {
		const struct tally_entry *last = top[0];

		top[0] = top[left];
		top[left] = last;
		sink(column, top, left, 0);
	}
	return count;
}
