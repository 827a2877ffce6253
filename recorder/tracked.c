/* SPDX-License-Identifier: BSD-3-Clause */
/* See tracked.h. */
#include "tracked.h"

#include <stddef.h>

#include "state.h"
#include "system.h"

#define PARTS (LOCKS - 3)
#define FIRST_SLOTS 512u

#define NONE 0u
#define REMOVED 1u /* bit of a slot: no block has this address now. It may again, and finds its slot */

#define COUNTERS_OF_PART_LOG 6u /* side by side: a cache line of them */
#define NEIGHBOURS_LOG 6u /* slots side by side, for addresses that are near to each other */
#define SPACING_LOG_LEAST 4u /* that of malloc(3) itself */
#define SPACING_LOG_MOST 12u

/*
 * Open addressing. Each change is one store, of an address or of the pointer to a larger table, so that what
 * a forked child finds is whole, whichever thread was at work when it was forked.
 */
struct table {
	uint64_t mask; /* number of slots - 1 */
	uint64_t used; /* slots that are not NONE */
	uint64_t live;
	uint64_t slots[];
};

static struct table *tables[PARTS];
static unsigned int spacing_log; /* so many bytes, as a power of 2, have one recorded block at most, or few */

uint8_t *tracked_counters;

int tracked_begin(uint64_t spacing)
{
	spacing_log = SPACING_LOG_LEAST;
	while (spacing_log < SPACING_LOG_MOST && spacing >> (spacing_log + 1))
		spacing_log++;
	tracked_counters = own_memory((size_t)1 << COUNTERS_LOG);
	return tracked_counters ? 0 : -1;
}

/* Of an address and its neighbours: where its place is */
static uint64_t mixed(uint64_t address)
{
	return tracked_mix(address >> (spacing_log + NEIGHBOURS_LOG));
}

/* Those that have a counter together are in one part: its lock is that of the counter, too. */
static unsigned int part_of(uint64_t address)
{
	return (unsigned int)(tracked_mix(tracked_counter_of(address) >> COUNTERS_OF_PART_LOG) >>
			      58);
}

/* Its slot, or, if it has none, the one that ends the search */
static uint64_t *find(struct table *table, uint64_t address)
{
	uint64_t n = (mixed(address) >> 16 << NEIGHBOURS_LOG) +
		     (address >> spacing_log & ((1u << NEIGHBOURS_LOG) - 1));

	for (;; n++) {
		uint64_t *slot = &table->slots[n & table->mask];

		if ((*slot & ~(uint64_t)REMOVED) == address || *slot == NONE)
			return slot;
	}
}

static size_t table_bytes(uint64_t slots)
{
	return sizeof(struct table) + slots * sizeof(uint64_t);
}

/* Twice as many slots, or as many, if most of those that are used were removed. @return NULL: no memory */
static struct table *larger(const struct table *old)
{
	uint64_t slots = old ? old->mask + 1 : FIRST_SLOTS;
	struct table *table;

	if (old && old->live > slots / 4)
		slots *= 2;
	table = own_memory(table_bytes(slots));
	if (!table)
		return NULL;
	table->mask = slots - 1;
	for (uint64_t n = 0; old && n <= old->mask; n++) {
		if (old->slots[n] == NONE || old->slots[n] & REMOVED)
			continue;
		*find(table, old->slots[n]) = old->slots[n];
		table->used++;
		table->live++;
	}
	return table;
}

/* One with room for one more. @return NULL: no memory */
static struct table *with_room(unsigned int n)
{
	struct table *old = tables[n], *table;

	if (old && old->used <= old->mask / 2)
		return old;
	table = larger(old);
	if (!table)
		return old && old->used < old->mask ? old : NULL;
	__atomic_store_n(&tables[n], table, __ATOMIC_RELEASE);
	if (old)
		own_memory_free(old, table_bytes(old->mask + 1));
	return table;
}

/* Under the lock of its part */
static void count(uint64_t address, int by)
{
	volatile uint8_t *counter = tracked_counter(address);

	if (*counter != UINT8_MAX)
		*counter = (uint8_t)(*counter + by);
}

int tracked_add(uint64_t address)
{
	const unsigned int n = part_of(address);
	struct table *table;
	uint64_t *slot;

	lock(n);
	table = with_room(n);
	slot = table ? find(table, address) : NULL;
	if (slot && *slot != address) {
		table->used += *slot == NONE;
		table->live++;
		count(address, 1); /* first: a counter that is too high in a forked child costs time alone */
		*slot = address;
	}
	unlock(n);
	return slot != NULL;
}

int tracked_remove(uint64_t address)
{
	const unsigned int n = part_of(address);
	uint64_t *slot;
	int was = 0;

	lock(n);
	slot = tables[n] ? find(tables[n], address) : NULL;
	if (slot && *slot == address) {
		*slot = address | REMOVED;
		tables[n]->live--;
		count(address, -1);
		was = 1;
	}
	unlock(n);
	return was;
}
