/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The instructions that have the most samples or the most latency.
 *
 * Samples are counted by process, program that it ran, and address while they
 * are read. At the end counts go to (file, offset in it), where those of all
 * processes that run the same binary add up. Only what is printed gets a symbol.
 * Where an event has more places than memory is for, the lightest go (statistics/heavy.h).
 *
 * Which program a process ran is a question of time, and the file has the exec
 * of one CPU perhaps behind samples of another that are later. When that
 * happens reading starts over, and knows all of them beforehand.
 */
#ifndef REPORT_TOP_H
#define REPORT_TOP_H

#include <precis/precis.h>

#include "event_places.h"
#include "statistics/heavy.h"
#include "top_process.h"
#include "top_tasks.h"

enum top_order { TOP_SAMPLES, TOP_LATENCY, TOP_TLB, TOP_RETIRE };

/* What is counted of a place, and known of it, besides the offset in its object */
enum {
	PLACE_SAMPLES,
	PLACE_LATENCY_SUM,
	PLACE_LATENCY_COUNT,
	PLACE_OBJECT, /* a pointer to the symbols' text; 0: not known */
	PLACE_ADDRESS, /* in one of the processes */
	PLACE_CPUMODE,
	PLACE_FIGURES
};
_Static_assert(PLACE_FIGURES <= HEAVY_FIGURES, "a place's figures have room");

struct top_places {
	struct heavy heavy; /* by object and offset, weighed by what sorts the table */
	uint64_t samples; /* of all that ever were in it */
};

/* One event, or all samples of its kind that are of none that is told apart */
struct top_event {
	struct top_places *merged; /* NULL: no sample */
	uint32_t pebs_latency;     /* field; 0: no sample has one so far */
};

#define TOP_KINDS 4 /* enum precis_event_kind */

/* So many events have their addresses in one table, in whose keys they have room */
#define TOP_BANK_BITS 11
#define TOP_BANK (1u << TOP_BANK_BITS)

enum top_phase {
	TOP_READING, /* mappings are kept: the symbols know none yet */
	TOP_TELLING, /* there are too many to keep, or they come sorted: they are told as they come */
	TOP_COMPLETE /* the symbols know all of the recording */
};

struct top {
	enum top_order order;
	/* By event that is told apart (event_places.h), 0: none is; fetches and ops do not add up */
	struct top_event *events[TOP_KINDS];
	uint32_t event_count[TOP_KINDS];
	enum top_phase phase;
	int starts_over; /* top_read_tasks() is wanted, and another pass */
	int is_unsorted; /* there were too many to keep */
	struct precis_symbols *symbols; /* NULL: not wanted */
	struct task_records tasks;
	struct top_processes processes;
	uint64_t epoch; /* of the sample, as part of a key */
	struct tally *addresses; /* by space and address, not yet asked for; for each bank of events */
	uint32_t banks;
	uint64_t unlearnt; /* records that the symbols had no memory for */
	int failed; /* memory was short */
};

/*
 * 'options' are those of the symbols; NULL: none are wanted. 0, or -1 if memory is short.
 */
int top_init(struct top *top, enum top_order order, const struct precis_symbols_options *options,
	     struct precis_file *file);
void top_free(struct top *top);

/* The records come in the order of their times: nothing need be kept, or read twice. */
void top_is_sorted(struct top *top);

/*
 * There will be samples of that event: to be called before its first one; place 0 is there from the
 * start. 0, or -1 if memory is short.
 */
int top_have_event(struct top *top, uint32_t event_kind, uint32_t place);

/*
 * Latencies of PEBS have a definition for each kind of core, which do not add up: the event's first
 * sample that has one says which it is.
 */
void top_choose_latency(struct top *top, uint32_t place, const struct precis_sample *sample);

/* Of that kind's events this one: NULL if it has no sample. */
const struct top_places *top_places_of(const struct top *top, uint32_t event_kind, uint32_t place);

/* The latency that the table sums up for samples of this kind and event; -1: none. */
int top_latency_field(const struct top *top, uint32_t event_kind, uint32_t place);

/* Are places weighed by their latency? Otherwise by their samples. */
int top_is_by_latency(const struct top *top, uint32_t event_kind);

/* A record other than a sample: mappings, exec, fork. */
void top_record(struct top *top, struct precis_file *file, const struct precis_record *record);

/*
 * Read the rest of the file for such records alone, forget all samples and go
 * back to the file's start: 'starts_over' is 0 from then on. 0, or -1 if memory is short.
 */
int top_read_tasks(struct top *top, struct precis_file *file);

/* The parts of a key beside the address: epoch 48.., kind 46.., event 35..45, mode 32..34, pid */
#define TOP_EPOCH_SHIFT 48
#define TOP_KIND_SHIFT 46
#define TOP_EVENT_SHIFT 35
#define TOP_MODE_SHIFT 32

/* In place of a pid: the kernel, whose functions come and go as processes begin anew */
#define TOP_KERNEL UINT32_MAX

/* Whose address it is: by pid. 0 if that is not known, or the mode not one that is looked up */
static inline int top_owner(const struct precis_sample *sample, uint32_t *owner)
{
	uint64_t pid;

	*owner = TOP_KERNEL;
	if (sample->value[PRECIS_FIELD_CPUMODE] == PRECIS_CPUMODE_KERNEL)
		return 1;
	if (sample->value[PRECIS_FIELD_CPUMODE] != PRECIS_CPUMODE_USER ||
	    !precis_get_pid(sample, &pid))
		return 0;
	*owner = (uint32_t)pid;
	return 1;
}

/* The same as a key of top.addresses. */
static inline uint64_t top_space(const struct precis_sample *sample, uint32_t place)
{
	/* all ones if it is absent: within the mask no mode that there is */
	uint64_t mode = sample->value[PRECIS_FIELD_CPUMODE] & PRECIS_MISC_CPUMODE_MASK;
	uint64_t space = (uint64_t)sample->event_kind << TOP_KIND_SHIFT |
			 (uint64_t)(place % TOP_BANK) << TOP_EVENT_SHIFT;
	uint32_t owner;

	if (top_owner(sample, &owner))
		return space | mode << TOP_MODE_SHIFT | owner;
	if (mode == PRECIS_CPUMODE_USER)
		mode = PRECIS_CPUMODE_UNKNOWN;
	return space | mode << TOP_MODE_SHIFT;
}

/* What follows is of this sample: find out which program its process ran. */
static inline void top_sample(struct top *top, const struct precis_sample *sample)
{
	struct top_process *process;
	uint64_t time = top->tasks.clock;
	uint32_t owner;

	top->epoch = 0;
	if (!top->symbols || !top_owner(sample, &owner))
		return;
	process = top_process(&top->processes, owner);
	precis_get_time(sample, &time);
	if (process)
		top->epoch = (uint64_t)top_process_epoch(process, time) << TOP_EPOCH_SHIFT;
}

/* Out of line part of top_add(): there are more addresses than the table holds. */
struct tally_entry *top_add_full(struct top *top, uint32_t bank, uint64_t space, uint64_t address);

/* Count a sample. @return where its latency is added to; NULL if memory is short */
static inline struct tally_entry *top_add(struct top *top, uint32_t place,
					  const struct precis_sample *sample)
{
	uint64_t space = top_space(sample, place) | top->epoch;
	uint64_t address = sample->value[PRECIS_FIELD_IP];
	uint32_t bank = place / TOP_BANK;
	struct tally_entry *entry = tally_add(&top->addresses[bank], space, address);

	return __builtin_expect(entry != NULL, 1) ? entry
						  : top_add_full(top, bank, space, address);
}

/* A sample that will be counted soon: what comes between hides the waiting for its entry. */
static inline void top_expect(const struct top *top, uint32_t place,
			      const struct precis_sample *sample)
{
	tally_expect(&top->addresses[place / TOP_BANK], top_space(sample, place) | top->epoch,
		     sample->value[PRECIS_FIELD_IP]);
}

/* Ask for all addresses that have not been asked for. */
void top_settle(struct top *top);

#endif
