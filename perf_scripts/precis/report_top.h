/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The instructions that have the most samples or the most latency.
 *
 * Samples are counted by process and address while they are read. What is at an
 * address is asked for when the recording says that a process starts anew, and
 * at the end: then counts go to (file, offset in it), where those of all
 * processes that run the same binary add up.
 */
#ifndef REPORT_TOP_H
#define REPORT_TOP_H

#include <precis/precis.h>

#include "statistics/tally.h"

enum top_order { TOP_SAMPLES, TOP_LATENCY, TOP_TLB, TOP_RETIRE };

/* What is known of an instruction. Strings belong to the symbols. */
struct top_place {
	const char *object, *symbol; /* NULL: not known */
	uint64_t address;            /* in one of the processes */
	uint64_t symbol_offset;
};

#define TOP_KINDS 3 /* enum precis_event_kind: fetches and ops do not add up */

struct top {
	enum top_order order;
	struct precis_symbols *symbols; /* NULL: not wanted */
	struct tally addresses;         /* by space and address, not yet asked for */
	struct tally merged[TOP_KINDS]; /* by object and offset; 'weight' is a place's number */
	struct top_place *places;
	size_t place_count, place_room;
	void *objects;                  /* tsearch(3): one copy of each name */
	int failed;                     /* memory was short */
};

/* 'symfs' as in precis_symbols_new(). 0, or -1 if memory is short. */
int top_init(struct top *top, enum top_order order, int with_symbols, const char *symfs);
void top_free(struct top *top);

/* The latency that the table sums up for samples of this kind; -1: none. */
int top_latency_field(enum top_order order, uint32_t event_kind);

/* A record other than a sample: mappings, exec, fork. */
void top_record(struct top *top, const struct precis_record *record);

/* Whose address it is, as a key of top.addresses. */
static inline uint64_t top_space(const struct precis_sample *sample)
{
	uint64_t mode = sample->value[PRECIS_FIELD_CPUMODE], pid;
	uint64_t space = (uint64_t)sample->event_kind << 40;

	if (mode != PRECIS_CPUMODE_USER)
		return space | mode << 32;
	if (!precis_get_pid(sample, &pid))
		return space | (uint64_t)PRECIS_CPUMODE_UNKNOWN << 32;
	return space | mode << 32 | (uint32_t)pid;
}

/* Out of line part of top_add(): there are more addresses than the table holds. */
struct tally_entry *top_add_full(struct top *top, uint64_t space, uint64_t address);

/* Count a sample. @return where its latency is added to; NULL if memory is short */
static inline struct tally_entry *top_add(struct top *top, uint64_t space, uint64_t address)
{
	struct tally_entry *entry = tally_add(&top->addresses, space, address);

	return __builtin_expect(entry != NULL, 1) ? entry : top_add_full(top, space, address);
}

/* Ask for all addresses that have not been asked for. */
void top_settle(struct top *top);

#endif
