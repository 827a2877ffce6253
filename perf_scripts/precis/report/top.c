/* SPDX-License-Identifier: BSD-3-Clause */
/* From processes and addresses to places in binaries. */
#include "top.h"

#include <stdlib.h>
#include <string.h>

/* Largest size of each table */
#define ADDRESSES_BYTES (4u << 20)
#define MERGED_BYTES (4u << 20)

/* In the key of what lies in no known file: not a pointer */
#define NO_OBJECT (UINT64_C(1) << 63)

static void free_tallies(struct top *top)
{
	tally_free(&top->addresses);
	for (uint32_t n = 0; n < TOP_KINDS * (EVENTS_MOST + 1); n++) {
		struct tally **merged = &(&top->merged[0][0])[n];

		if (*merged)
			tally_free(*merged);
		free(*merged);
		*merged = NULL;
	}
}

/* The places of that kind and event; NULL if memory is short */
static struct tally *merged_of(struct top *top, uint32_t kind, uint32_t place)
{
	struct tally **merged = &top->merged[kind][place];

	if (*merged)
		return *merged;
	*merged = calloc(1, sizeof(**merged));
	if (*merged && tally_init(*merged, MERGED_BYTES) < 0) {
		free(*merged);
		*merged = NULL;
	}
	if (!*merged)
		top->failed = 1;
	return *merged;
}

int top_init(struct top *top, enum top_order order, const struct precis_symbols_options *options,
	     struct precis_file *file)
{
	memset(top, 0, sizeof(*top));
	top->order = order;
	if (tally_init(&top->addresses, ADDRESSES_BYTES) < 0)
		return -1;
	if (!options)
		return 0;
	if (precis_symbols_new(options, &top->symbols))
		return -1;
	/* Build ids that cannot be read are none; the file's warnings tell of it */
	return precis_symbols_file(top->symbols, file) == PRECIS_E_NO_MEMORY ? -1 : 0;
}

void top_free(struct top *top)
{
	free_tallies(top);
	task_records_free(&top->tasks);
	top_processes_free(&top->processes);
	free(top->places);
	precis_symbols_free(top->symbols);
	memset(top, 0, sizeof(*top));
}

void top_is_sorted(struct top *top)
{
	top->phase = TOP_TELLING;
}

void top_choose_latency(struct top *top, uint32_t place, const struct precis_sample *sample)
{
	static const uint8_t fields[] = { PRECIS_FIELD_LOAD_LATENCY, PRECIS_FIELD_CACHE_LATENCY };

	for (size_t i = 0; i < sizeof(fields) && !top->pebs_latency[place]; i++) {
		if (precis_fields_have(sample->present, fields[i]))
			top->pebs_latency[place] = fields[i];
	}
}

int top_latency_field(const struct top *top, uint32_t event_kind, uint32_t place)
{
#define FIELD(id) PRECIS_FIELD_##id
	static const int16_t fields[][TOP_KINDS] = {
		[TOP_SAMPLES] = { -1, FIELD(DCACHE_MISS_LATENCY), FIELD(FETCH_LATENCY), -1 },
		[TOP_LATENCY] = { -1, FIELD(DCACHE_MISS_LATENCY), FIELD(FETCH_LATENCY), -1 },
		[TOP_TLB] = { -1, FIELD(TLB_REFILL_LATENCY), FIELD(ITLB_REFILL_LATENCY), -1 },
		[TOP_RETIRE] = { -1, FIELD(TAG_TO_RETIRE), -1, FIELD(RETIRE_LATENCY) },
	};
#undef FIELD

	if (event_kind == PRECIS_EVENT_PEBS && top->pebs_latency[place] &&
	    (top->order == TOP_SAMPLES || top->order == TOP_LATENCY))
		return (int)top->pebs_latency[place];
	return fields[top->order][event_kind];
}

static uint32_t mode_of(const struct tally_entry *entry)
{
	return entry->space >> TOP_MODE_SHIFT & PRECIS_MISC_CPUMODE_MASK;
}

/* When the program ran that the entry is of */
static uint64_t time_of(struct top *top, const struct tally_entry *entry)
{
	struct top_process *process = top_process(&top->processes, (uint32_t)entry->space);

	return process ? top_process_start(process, (uint32_t)(entry->space >> TOP_EPOCH_SHIFT))
		       : UINT64_MAX;
}

static int find_location(struct top *top, const struct tally_entry *entry,
			 struct precis_location *location)
{
	return top->symbols &&
	       precis_symbols_locate(top->symbols, (uint32_t)entry->space, mode_of(entry),
				     time_of(top, entry), entry->address, location) > 0;
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
	place->address = entry->address;
	place->cpumode = mode_of(entry);
	return top->place_count++;
}

static void merge(struct top *top, const struct tally_entry *entry)
{
	struct tally *merged = merged_of(top, entry->space >> TOP_KIND_SHIFT & 3,
					 entry->space >> TOP_EVENT_SHIFT & 0x7f);
	struct precis_location location = { .size = sizeof(location) };
	uint64_t space = (entry->space & ((UINT64_C(1) << TOP_EPOCH_SHIFT) - 1)) | NO_OBJECT;
	uint64_t address = entry->address;
	struct tally_entry *to;

	if (!merged)
		return;
	if (find_location(top, entry, &location)) {
		space = (uintptr_t)location.object;
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
	} else if (!top->failed && entry->address < top->places[to->weight].address) {
		/* The lowest, so that the order of the table does not show */
		top->places[to->weight].address = entry->address;
	}
	to->samples += entry->samples - 1;
	to->latency_sum += entry->latency_sum;
	to->latency_count += entry->latency_count;
}

static void tell_symbols(struct top *top, enum top_phase phase)
{
	top->unlearnt += task_records_tell(&top->tasks, top->symbols);
	top->phase = phase;
}

void top_settle(struct top *top)
{
	struct tally fresh;

	if (top->symbols && top->phase == TOP_READING)
		tell_symbols(top, TOP_COMPLETE);
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
	if (top->symbols && top->phase == TOP_READING) {
		top->starts_over = 1; /* to ask, all of the recording's mappings must be known */
		return NULL;
	}
	top->addresses.untracked = 0; /* it was this one, and will be counted */
	top_settle(top);
	return tally_add(&top->addresses, space, address);
}

/* Does the record tell of another program in a process, or other functions of the kernel? */
static int starts_process(const struct precis_record *record, uint32_t *pid)
{
	struct precis_task task = { .size = sizeof(task) };
	struct precis_comm comm = { .size = sizeof(comm) };

	if (record->type == PRECIS_RECORD_KSYMBOL) {
		*pid = TOP_KERNEL;
		return 1;
	}
	if (!precis_comm_parse(record, &comm)) {
		*pid = comm.pid;
		return record->misc & PRECIS_MISC_COMM_EXEC;
	}
	if (record->type != PRECIS_RECORD_FORK || precis_task_parse(record, &task))
		return 0;
	*pid = task.pid;
	return task.pid != task.parent_pid;
}

static int is_wanted(const struct precis_record *record)
{
	switch (record->type) {
	case PRECIS_RECORD_MMAP:
	case PRECIS_RECORD_MMAP2:
	case PRECIS_RECORD_FORK:
	case PRECIS_RECORD_KSYMBOL:
	case PRECIS_RECORD_HEADER_BUILD_ID:
		return 1;
	case PRECIS_RECORD_COMM:
		return record->misc & PRECIS_MISC_COMM_EXEC;
	default:
		return 0;
	}
}

/* 0, or -1 if there is no memory for more */
static int begin_process(struct top *top, uint32_t pid, uint64_t time)
{
	struct top_process *process = top_process(&top->processes, pid);

	if (!process)
		return -1;
	/* A later sample has been counted for the program before */
	if (time && process->latest >= time && top->phase == TOP_READING)
		top->starts_over = 1;
	return top_process_begin(&top->processes, process, time);
}

void top_record(struct top *top, struct precis_file *file, const struct precis_record *record)
{
	uint64_t time;
	uint32_t pid;
	int failed = 0;

	if (!top->symbols || !is_wanted(record))
		return;
	time = task_records_time(&top->tasks, file, record);
	if (top->phase == TOP_COMPLETE)
		return;
	if (starts_process(record, &pid))
		failed = begin_process(top, pid, time);
	if (top->phase == TOP_READING && !failed)
		failed = task_records_keep(&top->tasks, record, time);
	if (top->phase == TOP_READING && failed) {
		tell_symbols(top, TOP_TELLING);
		top->is_unsorted = 1;
	}
	if (top->phase == TOP_TELLING &&
	    precis_symbols_record(top->symbols, record, time) == PRECIS_E_NO_MEMORY)
		top->unlearnt++;
}

int top_read_tasks(struct top *top, struct precis_file *file)
{
	struct precis_record record;

	/* Where the file is broken the next pass will say so */
	while (precis_file_next(file, &record) > 0) {
		if (record.type != PRECIS_RECORD_SAMPLE)
			top_record(top, file, &record);
	}
	tell_symbols(top, TOP_COMPLETE);
	top->starts_over = 0;
	top->tasks.clock = 0;
	top->place_count = 0;
	free_tallies(top);
	return tally_init(&top->addresses, ADDRESSES_BYTES) < 0 || precis_file_rewind(file) ? -1 : 0;
}
