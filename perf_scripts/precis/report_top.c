/* SPDX-License-Identifier: BSD-3-Clause */
/* From processes and addresses to places in binaries. */
#define _GNU_SOURCE /* tdestroy() */
#include "report_top.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* Largest size of each table; see doc/ for what the whole process may take */
#define ADDRESSES_BYTES (4u << 20)
#define MERGED_BYTES (4u << 20)

/* In the key of what lies in no known file: not a pointer */
#define NO_OBJECT (UINT64_C(1) << 63)

int top_init(struct top *top, enum top_order order, int with_symbols, const char *symfs)
{
	memset(top, 0, sizeof(*top));
	top->order = order;
	if (tally_init(&top->addresses, ADDRESSES_BYTES) < 0)
		return -1;
	for (uint32_t kind = 0; kind < TOP_KINDS; kind++) {
		if (tally_init(&top->merged[kind], MERGED_BYTES) < 0)
			return -1;
	}
	return with_symbols && precis_symbols_new(symfs, &top->symbols) ? -1 : 0;
}

static void keep(void *name)
{
	(void)name; /* the symbols' */
}

void top_free(struct top *top)
{
	tally_free(&top->addresses);
	for (uint32_t kind = 0; kind < TOP_KINDS; kind++)
		tally_free(&top->merged[kind]);
	tdestroy(top->objects, keep);
	free(top->places);
	precis_symbols_free(top->symbols);
	memset(top, 0, sizeof(*top));
}

int top_latency_field(enum top_order order, uint32_t event_kind)
{
#define FIELD(id) PRECIS_FIELD_##id
	static const int16_t fields[][TOP_KINDS] = {
		[TOP_SAMPLES] = { -1, FIELD(DCACHE_MISS_LATENCY), FIELD(FETCH_LATENCY) },
		[TOP_LATENCY] = { -1, FIELD(DCACHE_MISS_LATENCY), FIELD(FETCH_LATENCY) },
		[TOP_TLB] = { -1, FIELD(TLB_REFILL_LATENCY), FIELD(ITLB_REFILL_LATENCY) },
		[TOP_RETIRE] = { -1, FIELD(TAG_TO_RETIRE), -1 },
	};
#undef FIELD

	return fields[order][event_kind];
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* The one copy of an object's name that stands for all equal ones. NULL: memory is short */
static const char *only_copy(struct top *top, const char *name)
{
	void *node = tsearch(name, &top->objects, by_name);

	return node ? *(const char **)node : NULL;
}

static int find_location(const struct top *top, const struct tally_entry *entry,
			 struct precis_location *location)
{
	uint32_t mode = entry->space >> 32 & PRECIS_MISC_CPUMODE_MASK;
	int is_kernel = mode == PRECIS_CPUMODE_KERNEL;

	location->size = sizeof(*location);
	if (!top->symbols || !(is_kernel || mode == PRECIS_CPUMODE_USER))
		return 0;
	return precis_symbols_find(top->symbols, (uint32_t)entry->space, is_kernel, entry->address,
				   location) > 0 &&
	       location->object;
}

/* @return its number, or UINT64_MAX if memory is short */
static uint64_t add_place(struct top *top, const struct tally_entry *entry,
			  const struct precis_location *location)
{
	struct top_place *place;

	if (top->place_count == top->place_room) {
		size_t room = top->place_room ? 2 * top->place_room : 64;
		struct top_place *more = realloc(top->places, room * sizeof(*more));

		if (!more)
			return UINT64_MAX;
		top->places = more;
		top->place_room = room;
	}
	place = &top->places[top->place_count];
	place->object = location->object;
	place->symbol = location->symbol;
	place->symbol_offset = location->symbol_offset;
	place->address = entry->address;
	return top->place_count++;
}

static void merge(struct top *top, const struct tally_entry *entry)
{
	struct tally *merged = &top->merged[entry->space >> 40];
	struct precis_location location = { .size = sizeof(location) };
	uint64_t space = entry->space | NO_OBJECT, address = entry->address;
	struct tally_entry *to;

	if (find_location(top, entry, &location)) {
		const char *object = only_copy(top, location.object);

		if (!object) {
			top->failed = 1;
			return;
		}
		space = (uintptr_t)object;
		address = location.offset;
	}
	to = tally_add(merged, space, address);
	if (!to) {
		merged->untracked += entry->samples - 1;
		return;
	}
	if (to->samples == 1) {
		to->weight = add_place(top, entry, &location);
		if (to->weight == UINT64_MAX)
			top->failed = 1;
	}
	to->samples += entry->samples - 1;
	to->latency_sum += entry->latency_sum;
	to->latency_count += entry->latency_count;
}

void top_settle(struct top *top)
{
	struct tally fresh;

	if (!top->addresses.count)
		return;
	if (tally_init(&fresh, ADDRESSES_BYTES) < 0) {
		top->failed = 1;
		return;
	}
	for (size_t i = 0; i < (size_t)1 << top->addresses.bits; i++) {
		const struct tally_entry *entry = &top->addresses.slot[i];

		if (entry->samples)
			merge(top, entry);
	}
	tally_free(&top->addresses);
	top->addresses = fresh;
}

struct tally_entry *top_add_full(struct top *top, uint64_t space, uint64_t address)
{
	top->addresses.untracked = 0; /* it was this one, and will be counted */
	top_settle(top);
	return tally_add(&top->addresses, space, address);
}

/* Does the record change what is mapped in a process that may have samples already? */
static int starts_process(const struct precis_record *record)
{
	struct precis_task task = { .size = sizeof(task) };

	if (record->type == PRECIS_RECORD_COMM)
		return record->misc & PRECIS_MISC_COMM_EXEC;
	return record->type == PRECIS_RECORD_FORK && !precis_task_parse(record, &task) &&
	       task.pid != task.parent_pid;
}

void top_record(struct top *top, const struct precis_record *record)
{
	if (!top->symbols)
		return;
	if (starts_process(record))
		top_settle(top);
	if (precis_symbols_record(top->symbols, record) == PRECIS_E_NO_MEMORY)
		top->failed = 1;
}
