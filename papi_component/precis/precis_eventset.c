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
	for (uint32_t n = 0; n < set->counters; n++)
		free_counter(set->counter[n]);
	papi_free(set);
}

static struct precis_counter *counter_by_code(const struct precis_eventset *set, int code)
{
	for (uint32_t n = 0; n < set->counters; n++) {
		if (set->counter[n] && set->counter[n]->code == code)
			return set->counter[n];
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
	for (uint32_t n = 0; n < count && from[n]; n++) {
		uint32_t i = 0;

		while (i < stays && stay[i] != from[n])
			i++;
		if (i == stays)
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

int precis_eventset_arrange(struct precis_eventset *set, NativeInfo_t *native, uint32_t count)
{
	struct precis_counter *wanted[PRECIS_COUNTERS_MOST] = { NULL };
	int error = PAPI_OK;

	for (uint32_t n = 0; n < count && !error; n++)
		error = find(set, &native[n], &wanted[n]);
	if (error) { /* as it was: those that are new go */
		free_others(wanted, count, set->counter, set->counters);
		return error;
	}
	free_others(set->counter, set->counters, wanted, count);
	memcpy(set->counter, wanted, sizeof(wanted));
	set->counters = count;
	for (uint32_t n = 0; n < count; n++) {
		native[n].ni_position = (int)n;
		set_position(set->counter[n], n);
	}
	return PAPI_OK;
}

int precis_eventset_any(const struct precis_eventset *set,
			int (*is_so)(const struct precis_counter *counter))
{
	for (uint32_t n = 0; n < set->counters; n++) {
		if (is_so(set->counter[n]))
			return 1;
	}
	return 0;
}

int precis_eventset_is_gone(const struct precis_eventset *set)
{
	return set->common.generation != precis_generation;
}
