/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting PEBS samples, event by event. */
#include "pebs_collect.h"

#include <stdlib.h>
#include <string.h>

const uint8_t pebs_latency_fields[PEBS_LATENCIES] = {
	[LATENCY_LOAD] = PRECIS_FIELD_LOAD_LATENCY,
	[LATENCY_CACHE] = PRECIS_FIELD_CACHE_LATENCY,
	[LATENCY_INSTRUCTION] = PRECIS_FIELD_INSTRUCTION_LATENCY,
};

const uint8_t pebs_condition_fields[PEBS_CONDITIONS] = {
	[CONDITION_DCACHE_MISS] = PRECIS_FIELD_DCACHE_MISS,
	[CONDITION_L2_MISS] = PRECIS_FIELD_L2_MISS,
	[CONDITION_LOCKED] = PRECIS_FIELD_LOCKED,
	[CONDITION_DATA_BLOCKED] = PRECIS_FIELD_DATA_BLOCKED,
	[CONDITION_ADDRESS_BLOCKED] = PRECIS_FIELD_ADDRESS_BLOCKED,
	[CONDITION_FORWARDED] = PRECIS_FIELD_LINE_FORWARDED,
	[CONDITION_FILL_BUFFER_FULL] = PRECIS_FIELD_FILL_BUFFER_FULL,
};

/* Others whose absence is explained */
static const uint8_t explained[] = {
	PRECIS_FIELD_IP,        PRECIS_FIELD_OP,        PRECIS_FIELD_MEM_LEVEL,
	PRECIS_FIELD_MEM_REMOTE, PRECIS_FIELD_MEM_SNOOP, PRECIS_FIELD_TLB_LEVEL,
	PRECIS_FIELD_RETIRE_LATENCY,
};

void pebs_fields_measured(uint64_t wanted[PRECIS_FIELD_WORDS])
{
	for (size_t i = 0; i < PEBS_LATENCIES; i++)
		precis_fields_add(wanted, pebs_latency_fields[i]);
	precis_fields_add(wanted, PRECIS_FIELD_RETIRE_LATENCY);
}

void pebs_fields_decided(uint64_t wanted[PRECIS_FIELD_WORDS])
{
	pebs_fields_measured(wanted);
	for (size_t i = 0; i < PEBS_CONDITIONS; i++)
		precis_fields_add(wanted, pebs_condition_fields[i]);
	for (size_t i = 0; i < sizeof(explained); i++)
		precis_fields_add(wanted, explained[i]);
	precis_fields_add(wanted, PRECIS_FIELD_IP_EXACT);
}

static void free_all(struct latencies **latencies, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (latencies[i])
			latencies_free(latencies[i]);
		free(latencies[i]);
	}
}

void pebs_counts_free(struct pebs_counts *pebs)
{
	for (uint32_t n = 0; n < pebs->count; n++) {
		struct pebs_event *event = pebs->events[n];

		free_all(&event->latency[0][0][0][0],
			 sizeof(event->latency) / sizeof(event->latency[0][0][0][0]));
		free_all(event->retire, OP_KINDS);
		reasons_free(&event->reasons);
		free(event);
	}
	free(pebs->events);
	event_places_free(&pebs->places);
	memset(pebs, 0, sizeof(*pebs));
}

static int make_room(struct pebs_counts *pebs)
{
	uint32_t room = pebs->room ? 2 * pebs->room : 4;
	struct pebs_event **more;

	if (pebs->count < pebs->room)
		return 0;
	more = realloc(pebs->events, room * sizeof(*more));
	if (!more)
		return -1;
	pebs->events = more;
	pebs->room = room;
	return 0;
}

/* That place's event, which is new if no sample has been of it. @return the place, or 0 */
static uint32_t have_event(struct pebs_counts *pebs, uint32_t place)
{
	if (place <= pebs->count)
		return place;
	if (make_room(pebs) < 0 ||
	    !(pebs->events[pebs->count] = calloc(1, sizeof(*pebs->events[0])))) {
		pebs->failed = 1;
		return 0;
	}
	pebs->events[pebs->count]->number = pebs->places.number[place - 1];
	return ++pebs->count;
}

uint32_t pebs_event_place(struct pebs_counts *pebs, struct precis_file *file,
			  const struct precis_event *view)
{
	uint32_t place = pebs->failed ? 0 : event_place(&pebs->places, file, view);

	pebs->failed |= pebs->places.failed;
	return place ? have_event(pebs, place) : 0;
}

uint32_t pebs_only_event_place(struct pebs_counts *pebs)
{
	return pebs->failed ? 0 : have_event(pebs, event_only_place(&pebs->places));
}

/* Numbers of that field go there, if samples of the class have it. */
static void add_measure(struct pebs_counts *pebs, struct sample_class *class,
			const struct precis_sample *full, enum precis_field field,
			struct latencies **latencies)
{
	struct measure *measure = &class->measures[class->measure_count];

	if (!precis_fields_have(full->present, field))
		return;
	if (!*latencies)
		*latencies = calloc(1, sizeof(**latencies));
	if (!*latencies) {
		pebs->failed = 1;
		return;
	}
	measure->field = field;
	measure->latencies = *latencies;
	class->measure_count++;
}

void pebs_add_measures(struct pebs_counts *pebs, struct pebs_event *event,
		       struct sample_class *class, const struct precis_sample *full)
{
	enum access access = access_of(kind_of(full));

	for (uint32_t i = 0; i < PEBS_LATENCIES; i++)
		add_measure(pebs, class, full, pebs_latency_fields[i],
			    &event->latency[i][access][level_of(full)][remote_of(full)]);
	add_measure(pebs, class, full, PRECIS_FIELD_RETIRE_LATENCY, &event->retire[kind_of(full)]);
}

void pebs_settle(struct pebs_counts *pebs, struct pebs_event *event,
		 const struct precis_sample *sample, uint64_t samples)
{
	uint32_t kind = kind_of(sample);
	enum access access = access_of(kind);
	uint64_t exact = 0;

	event->samples += samples;
	event->kind[kind] += samples;
	event->inexact += precis_get_ip_exact(sample, &exact) && exact ? 0 : samples;
	event->level[access][level_of(sample)][remote_of(sample)] += samples;
	event->snoop[access][index_of(sample, PRECIS_FIELD_MEM_SNOOP, SNOOPS, SNOOP_ABSENT)] +=
		samples;
	event->tlb[access][index_of(sample, PRECIS_FIELD_TLB_LEVEL, TLB_LEVELS, 0)] += samples;
	for (uint32_t i = 0; i < PEBS_CONDITIONS; i++) {
		count_flag(&event->condition[access][i], sample, pebs_condition_fields[i], samples);
		reasons_add(&event->reasons, sample, pebs_condition_fields[i], kind, samples);
	}
	for (uint32_t i = 0; i < PEBS_LATENCIES; i++)
		reasons_add(&event->reasons, sample, pebs_latency_fields[i], kind, samples);
	for (size_t i = 0; i < sizeof(explained); i++)
		reasons_add(&event->reasons, sample, explained[i], kind, samples);
	pebs->failed |= event->reasons.failed;
}

uint64_t pebs_access_total(const struct pebs_event *event, enum access access)
{
	uint64_t samples = 0;

	for (uint32_t level = 0; level < TLB_LEVELS; level++)
		samples += event->tlb[access][level];
	return samples;
}

int pebs_sum_latencies(const struct pebs_event *event, enum pebs_latency which,
		       enum access access, struct latencies *sum)
{
	struct latencies *const *from = &event->latency[which][access][0][0];

	*sum = (struct latencies){ 0 };
	for (size_t i = 0; i < LEVELS * REMOTES; i++) {
		if (from[i] && latencies_merge(sum, from[i]) < 0)
			return -1;
	}
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const struct pebs_event *const *one = a, *const *other = b;

	return ((*one)->number > (*other)->number) - ((*one)->number < (*other)->number);
}

void pebs_finish(struct pebs_counts *pebs)
{
	if (pebs->count)
		qsort(pebs->events, pebs->count, sizeof(pebs->events[0]), by_number);
}

const struct pebs_event *pebs_event_numbered(const struct pebs_counts *pebs, uint32_t number)
{
	const struct pebs_event like = { .number = number }, *const wanted = &like;
	struct pebs_event *const *found = NULL;

	if (pebs->count)
		found = bsearch(&wanted, pebs->events, pebs->count, sizeof(pebs->events[0]),
				by_number);
	return found ? *found : NULL;
}
