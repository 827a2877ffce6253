/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_eventset.c
 * @see precis_eventset.h
 */
#include "precis_eventset.h"

#include <string.h>

#include "precis_fork.h"
#include "precis_memory.h"
#include "precis_open.h"

struct precis_eventset *precis_eventset_new(const struct precis_target *target)
{
	struct precis_eventset *set = papi_calloc(1, sizeof(*set));

	if (!set)
		return NULL;
	set->common.target = *target;
	set->common.generation = precis_generation;
	set->common.event_set = PAPI_NULL;
	return set;
}

static void free_counter(struct precis_counter *counter)
{
	precis_close(counter);
	papi_free(counter);
}

void precis_eventset_free(struct precis_eventset *set)
{
	for (uint32_t n = 0; n < set->positions; n++) {
		if (set->counter[n])
			free_counter(set->counter[n]);
	}
	papi_free(set);
}

static struct precis_counter *counter_by_code(const struct precis_eventset *set, int code)
{
	PRECIS_EACH_COUNTER(counter, set) {
		if (counter->code == code)
			return counter;
	}
	return NULL;
}

static struct precis_counter *new_counter(struct precis_eventset *set, const NativeInfo_t *native)
{
	struct precis_counter *counter = papi_calloc(1, sizeof(*counter));

	if (!counter)
		return NULL;
	counter->common = &set->common;
	counter->code = native->ni_event;
	counter->papi_code = native->ni_papi_code;
	counter->fd = counter->leader_fd = -1;
	return counter;
}

/* Those of 'from' that 'stay' does not have */
static void free_others(struct precis_counter *const *from, uint32_t count,
			struct precis_counter *const *stay, uint32_t stays)
{
	for (uint32_t n = 0; n < count; n++) {
		uint32_t i = 0;

		while (i < stays && stay[i] != from[n])
			i++;
		if (i == stays && from[n])
			free_counter(from[n]);
	}
}

static int find(struct precis_eventset *set, const NativeInfo_t *native, struct precis_counter **found)
{
	struct precis_counter *counter = counter_by_code(set, native->ni_event);
	int error = PAPI_OK;

	if (!counter) {
		counter = new_counter(set, native);
		error = counter ? precis_open(counter) : PAPI_ENOMEM;
	}
	if (error) {
		papi_free(counter);
		counter = NULL;
	}
	*found = counter;
	return error;
}

static void set_position(struct precis_counter *counter, uint32_t position)
{
	for (struct precis_counter *part = counter; part; part = part->next) {
		part->position = position;
		if (part->memory)
			part->memory->decoder.index = position;
	}
}

static int is_there(const struct precis_eventset *set, const struct precis_counter *counter)
{
	return precis_eventset_at(set, (int)counter->position) == counter;
}

/* Those that stay first, the others where there is room */
static void place(struct precis_eventset *set, struct precis_counter *const *wanted, uint32_t count)
{
	struct precis_counter *placed[PRECIS_COUNTERS_MOST] = { NULL };

	for (uint32_t n = 0; n < count; n++) {
		if (is_there(set, wanted[n]))
			placed[wanted[n]->position] = wanted[n];
	}
	for (uint32_t n = 0, at = 0; n < count; n++) {
		if (is_there(set, wanted[n]))
			continue;
		while (placed[at])
			at++;
		placed[at] = wanted[n];
		set_position(wanted[n], at);
	}
	free_others(set->counter, set->positions, wanted, count);
	memcpy(set->counter, placed, sizeof(placed));
	for (set->positions = PRECIS_COUNTERS_MOST; set->positions && !placed[set->positions - 1];)
		set->positions--;
}

/*
 * PAPI forgets to ask where events are when one has been removed (_papi_hwi_remove_event()): they stay where
 * they were. It also forgets the code of the one that it moves into the gap (remove_native_events()).
 */
int precis_eventset_arrange(struct precis_eventset *set, NativeInfo_t *native, uint32_t count)
{
	struct precis_counter *wanted[PRECIS_COUNTERS_MOST] = { NULL };
	int error = PAPI_OK;

	for (uint32_t n = 0; n < count && !error; n++)
		error = find(set, &native[n], &wanted[n]);
	if (error) { /* as it was: those that are new go */
		free_others(wanted, count, set->counter, set->positions);
		return error;
	}
	place(set, wanted, count);
	for (uint32_t n = 0; n < count; n++) {
		native[n].ni_position = (int)wanted[n]->position;
		native[n].ni_papi_code = wanted[n]->papi_code;
	}
	return PAPI_OK;
}

struct precis_counter *precis_eventset_at(const struct precis_eventset *set, int position)
{
	return position >= 0 && (uint32_t)position < set->positions ? set->counter[position] : NULL;
}

int precis_eventset_any(const struct precis_eventset *set,
			int (*is_so)(const struct precis_counter *counter))
{
	PRECIS_EACH_COUNTER(counter, set) {
		if (is_so(counter))
			return 1;
	}
	return 0;
}

int precis_eventset_is_gone(const struct precis_eventset *set)
{
	return set->common.generation != precis_generation;
}
