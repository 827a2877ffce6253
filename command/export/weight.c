/* SPDX-License-Identifier: BSD-3-Clause */
/* See weight.h. */
#include "weight.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command/usage/complain.h"
#include "command/usage/nearest.h"

#define WEIGHT_TOO_HEAVY (UINT64_C(1) << WEIGHT_BITS)

int weight_parse(struct weight *weight, const char *command, const char *word)
{
	struct nearest nearest = nearest_to(word, strlen(word));
	struct precis_field_info info = { .size = sizeof(info) };
	char hint[NEAREST_ROOM];
	int field = precis_field_find(word, strlen(word));

	weight->kind = WEIGHT_EVENTS;
	if (strcmp(word, "events") == 0)
		return EXIT_OK;
	weight->kind = WEIGHT_SAMPLES;
	if (strcmp(word, "samples") == 0)
		return EXIT_OK;
	weight->kind = WEIGHT_FIELD;
	nearest_offer(&nearest, "events");
	nearest_offer(&nearest, "samples");
	nearest_offer_fields(&nearest);
	if (field < 0)
		return complain_usage(command,
				      "--weight: expected events, samples or a field, found '%s'%s",
				      word, nearest_hint(&nearest, hint));
	weight->field = (uint32_t)field;
	precis_field_info(weight->field, &info);
	if (info.unit == PRECIS_UNIT_CYCLES || info.type == PRECIS_TYPE_BOOL ||
	    field == PRECIS_FIELD_ACCESS_BYTES)
		return EXIT_OK;
	return complain_usage(command,
			      "--weight: %s is no figure to sum up: expected cycles (a latency), "
			      "what is true or false, or access_bytes",
			      info.name);
}

void weight_add_fields(const struct weight *weight, uint64_t fields[PRECIS_FIELD_WORDS])
{
	if (weight->kind != WEIGHT_SAMPLES)
		precis_fields_add(fields, PRECIS_FIELD_PERIOD);
	if (weight->kind == WEIGHT_FIELD)
		precis_fields_add(fields, weight->field);
}

/* Events of a kind of their own do not add up. 0, or -1 after the error has been printed */
static int check_event(struct weight *weight, const struct recording *recording,
		       const struct precis_event *event)
{
	uint32_t place = event ? event_place(&weight->places, recording->file, event) : 0;

	if (weight->places.failed) {
		complain(recording->command, "out of memory");
		return -1;
	}
	if (!event) /* what its samples stand for is not known either */
		return 0;
	if (!weight->event) {
		weight->place = place;
		weight->event = event->name;
	}
	if (place == weight->place)
		return 0;
	weight->is_refused = 1;
	complain(recording->command,
		 "%s: samples of '%s' and of '%s' do not add up: choose an event with -e, or count "
		 "samples with --weight samples",
		 recording->path, weight->event, event->name);
	return -1;
}

/* 0: not known */
static uint64_t stands_for(struct weight *weight, const struct precis_event *event,
			   const struct precis_sample *sample)
{
	uint32_t kind = weights_of_event(&weight->weights, event);
	uint64_t period = 0;

	if (kind != WEIGHT_OWN)
		return weight->weights.fixed[kind];
	precis_get_period(sample, &period);
	return period;
}

/* The field, which may be absent: then 0, and it is counted */
static uint64_t value_of(struct weight *weight, const struct precis_sample *sample)
{
	enum precis_field field = (enum precis_field)weight->field;
	uint64_t value = 0;

	if (!precis_get(sample, field, &value) && !weight->lacking++)
		weight->lacking_reason = precis_reason_name(
			precis_why_in_words(sample, field, &weight->lacking_detail));
	return value;
}

uint64_t weight_of(struct weight *weight, const struct recording *recording,
		   const struct precis_event *event, const struct precis_sample *sample, int *error)
{
	uint64_t lacking = weight->lacking, value = 1, times;

	*error = 0;
	if (weight->kind == WEIGHT_SAMPLES) {
		weight->weighed++;
		return 1;
	}
	*error = check_event(weight, recording, event);
	if (*error)
		return 0;
	if (weight->kind == WEIGHT_FIELD)
		value = value_of(weight, sample);
	if (weight->lacking != lacking)
		return 0;
	times = stands_for(weight, event, sample);
	weight->unknown += !times;
	if (times && value >= WEIGHT_TOO_HEAVY / times) {
		weight->too_heavy++;
		return 0;
	}
	weight->weighed += times != 0;
	return value * times;
}

void weight_print(const struct weight *weight, const struct recording *recording)
{
	uint64_t all = weight->weighed + weight->lacking + weight->unknown + weight->too_heavy;

	if (weight->lacking)
		complain(recording->command,
			 "%s: %" PRIu64 " of %" PRIu64 " samples have no %s and are left out, the "
			 "first: %s (%s)",
			 recording->path, weight->lacking, all, precis_field_name(weight->field),
			 weight->lacking_reason, weight->lacking_detail);
	if (weight->unknown)
		complain(recording->command,
			 "%s: of %" PRIu64 " of %" PRIu64 " samples it is not known what they stand "
			 "for: they are left out; --weight samples counts them",
			 recording->path, weight->unknown, all);
	if (weight->too_heavy)
		complain(recording->command,
			 "%s: %" PRIu64 " of %" PRIu64 " samples weigh more than %u bits hold and "
			 "are left out",
			 recording->path, weight->too_heavy, all, WEIGHT_BITS);
}

void weight_free(struct weight *weight)
{
	weights_free(&weight->weights);
	event_places_free(&weight->places);
}
