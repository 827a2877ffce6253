/* SPDX-License-Identifier: BSD-3-Clause */
/* From processes and addresses to places in binaries. */
#include "top.h"

#include <stdlib.h>
#include <string.h>

/* Largest size of the table of addresses; how many it has then, and as many places each other one */
#define ADDRESSES_BYTES (4u << 20)
#define PLACES_MOST 49152u

/* In the key of what lies in no known file: not a pointer */
#define NO_OBJECT (UINT64_C(1) << 63)

static void free_tallies(struct top *top)
{
	tally_free(&top->addresses);
	for (uint32_t n = 0; n < TOP_KINDS * (EVENTS_MOST + 1); n++) {
		struct top_places **merged = &(&top->merged[0][0])[n];

		if (*merged)
			heavy_free(&(*merged)->heavy);
		free(*merged);
		*merged = NULL;
	}
}

/* The places of that kind and event; NULL if memory is short */
static struct top_places *merged_of(struct top *top, uint32_t kind, uint32_t place)
{
	struct top_places **merged = &top->merged[kind][place];

	if (*merged)
		return *merged;
	*merged = calloc(1, sizeof(**merged));
	if (*merged && heavy_init(&(*merged)->heavy, PLACES_MOST) < 0) {
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

/* From the start, whatever latency samples of PEBS will have: weights of one table are of one kind */
int top_is_by_latency(const struct top *top, uint32_t event_kind)
{
	return top->order != TOP_SAMPLES && (top_latency_field(top, event_kind, 0) >= 0 ||
					     (top->order == TOP_LATENCY &&
					      event_kind == PRECIS_EVENT_PEBS));
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

static void merge(struct top *top, const struct tally_entry *entry)
{
	uint32_t kind = entry->space >> TOP_KIND_SHIFT & 3;
	struct top_places *merged = merged_of(top, kind, entry->space >> TOP_EVENT_SHIFT & 0x7f);
	struct precis_location location = { .size = sizeof(location) };
	uint64_t space = (entry->space & ((UINT64_C(1) << TOP_EPOCH_SHIFT) - 1)) | NO_OBJECT;
	uint64_t address = entry->address;
	struct heavy_entry *to;

	if (!merged)
		return;
	if (find_location(top, entry, &location)) {
		space = (uintptr_t)location.object;
		address = location.offset;
	}
	merged->samples += entry->samples;
	to = heavy_add(&merged->heavy, space, address,
		       top_is_by_latency(top, kind) ? entry->latency_sum : entry->samples);
	if (!to) {
		top->failed = 1;
		return;
	}
	/* The lowest, so that the order of the table does not show */
	if (!to->figures[PLACE_SAMPLES] || entry->address < to->figures[PLACE_ADDRESS]) {
		to->figures[PLACE_OBJECT] = (uintptr_t)location.object;
		to->figures[PLACE_ADDRESS] = entry->address;
		to->figures[PLACE_CPUMODE] = mode_of(entry);
	}
	to->figures[PLACE_SAMPLES] += entry->samples;
	to->figures[PLACE_LATENCY_SUM] += entry->latency_sum;
	to->figures[PLACE_LATENCY_COUNT] += entry->latency_count;
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
	free_tallies(top);
	return tally_init(&top->addresses, ADDRESSES_BYTES) < 0 || precis_file_rewind(file) ? -1 : 0;
}
