/* SPDX-License-Identifier: BSD-3-Clause */
/* See fields.h. */
#include "fields.h"

#include <stdlib.h>
#include <string.h>

/* --- weights --- */

static int is_nothing(const struct weighted *weighted)
{
	return !weighted->weight && !weighted->squares && !weighted->samples && !weighted->least &&
	       !weighted->most;
}

static void sum(struct saving *saving, weight_sum *sum)
{
	uint64_t words[2] = { 0 };

	_Static_assert(sizeof(*sum) <= sizeof(words), "a sum has room in two words");
	weight_sum_add(words, *sum);
	saved_u64(saving, &words[0]);
	saved_u64(saving, &words[1]);
	*sum = weight_sum_of(words);
}

void saved_weighted(struct saving *saving, struct weighted *weighted)
{
	if (!saved_is_there(saving, !is_nothing(weighted)))
		return;
	sum(saving, &weighted->weight);
	sum(saving, &weighted->squares);
	saved_u64(saving, &weighted->samples);
	saved_u64(saving, &weighted->least);
	saved_u64(saving, &weighted->most);
}

/* --- latencies --- */

static uint32_t values_of(const struct latencies *latencies)
{
	uint32_t count = 0;

	for (uint32_t value = histogram_next(&latencies->exact, 0); value < HISTOGRAM_VALUES;
	     value = histogram_next(&latencies->exact, value + 1))
		count++;
	return count;
}

/* One value: how many samples have it, and what these weigh. */
static void value(struct saving *saving, struct latencies *latencies, uint32_t value)
{
	uint64_t count = histogram_count(&latencies->exact, (uint16_t)value), weight = 0;

	if (latencies->weights)
		weight = histogram_count(latencies->weights, (uint16_t)value);
	saved_u64(saving, &count);
	if (latencies->weights)
		saved_u64(saving, &weight);
	if (!saving->is_loading)
		return;
	if (!count)
		saving_damaged(saving, "expected samples of a latency");
	if (!saving_failed(saving) &&
	    (histogram_add_times(&latencies->exact, (uint16_t)value, count) < 0 ||
	     (latencies->weights &&
	      histogram_add_times(latencies->weights, (uint16_t)value, weight) < 0)))
		saving_no_memory(saving);
}

static void values(struct saving *saving, struct latencies *latencies)
{
	const uint32_t count = saved_count(saving, saving->is_loading ? 0 : values_of(latencies),
					   HISTOGRAM_VALUES, 12, "latencies");
	uint32_t at = 0;

	for (uint32_t n = 0; n < count && !saving_failed(saving); n++) {
		uint32_t here = saving->is_loading ? 0 : histogram_next(&latencies->exact, at);

		saved_below(saving, &here, HISTOGRAM_VALUES, "a latency");
		if (n && here < at)
			saving_damaged(saving, "expected latencies in their order");
		value(saving, latencies, here);
		at = here + 1;
	}
}

static void latencies_of(struct saving *saving, struct latencies *latencies)
{
	if (saved_is_there(saving, latencies->weights != NULL) && saving->is_loading) {
		latencies->weights = calloc(1, sizeof(*latencies->weights));
		if (!latencies->weights)
			saving_no_memory(saving);
	}
	values(saving, latencies);
	saved_u64(saving, &latencies->base);
	saved_u64(saving, &latencies->beyond);
	saved_u64(saving, &latencies->largest);
	saved_double(saving, &latencies->sum_beyond);
	saved_u64(saving, &latencies->weight_beyond);
	saved_double(saving, &latencies->weighed_beyond);
	saved_weighted(saving, &latencies->all);
}

static void saved_latencies(struct saving *saving, struct latencies **latencies)
{
	if (!saved_is_there(saving, *latencies != NULL))
		return;
	if (saving->is_loading)
		*latencies = calloc(1, sizeof(**latencies));
	if (*latencies)
		latencies_of(saving, *latencies);
	else
		saving_no_memory(saving);
}

/* --- reasons --- */

static void counts(struct saving *saving, uint64_t counts[POPULATION_COUNT])
{
	for (uint32_t n = 0; n < POPULATION_COUNT; n++)
		saved_u64(saving, &counts[n]);
}

static int is_told(const struct field_reasons *field)
{
	for (uint32_t n = 0; n < POPULATION_COUNT; n++) {
		if (field->present[n])
			return 1;
	}
	return field->count != 0;
}

static void field_reasons(struct saving *saving, struct field_reasons *field)
{
	const uint32_t count = saved_count(saving, field->count, 4096, 8 + 8 * POPULATION_COUNT, "reasons");

	counts(saving, field->present);
	if (saving->is_loading && count) {
		field->reasons = calloc(count, sizeof(*field->reasons));
		if (!field->reasons)
			saving_no_memory(saving);
	}
	for (uint32_t n = 0; n < count && !saving_failed(saving); n++) {
		struct reason_count *reason = &field->reasons[n];

		saved_text(saving, &reason->reason);
		saved_text(saving, &reason->detail);
		counts(saving, reason->samples);
		if (!reason->reason || !reason->detail)
			saving_damaged(saving, "expected a reason");
		else if (saving->is_loading)
			field->count = n + 1;
	}
}

void saved_reasons(struct saving *saving, struct reasons *reasons)
{
	uint32_t populations = POPULATION_COUNT, count = 0;

	for (uint32_t n = 0; n < PRECIS_FIELD_COUNT; n++)
		count += (uint32_t)is_told(&reasons->fields[n]);
	saved_u32(saving, &populations);
	if (populations != POPULATION_COUNT)
		saving_damaged(saving, "expected reasons of %u populations, as this version has",
			       POPULATION_COUNT);
	count = saved_count(saving, count, PRECIS_FIELD_COUNT, 4 + 8 + 8 * POPULATION_COUNT, "fields");
	for (uint32_t n = 0, at = 0; n < count && !saving_failed(saving); n++, at++) {
		uint32_t field;

		while (!saving->is_loading && !is_told(&reasons->fields[at]))
			at++;
		field = at;
		saved_below(saving, &field, PRECIS_FIELD_COUNT, "a field");
		if (field < at)
			saving_damaged(saving, "expected fields in their order");
		at = field;
		if (!saving_failed(saving))
			field_reasons(saving, &reasons->fields[field]);
	}
}

/* --- tables --- */

static void one(struct saving *saving, void *at, const struct saved_field *field)
{
	switch (field->kind) {
	case SAVED_KIND_U8:
		saved_u8(saving, at);
		break;
	case SAVED_KIND_U32:
		saved_u32(saving, at);
		break;
	case SAVED_KIND_U64:
		saved_u64(saving, at);
		break;
	case SAVED_KIND_DOUBLE:
		saved_double(saving, at);
		break;
	case SAVED_KIND_WEIGHTED:
		saved_weighted(saving, at);
		break;
	case SAVED_KIND_LATENCIES:
		saved_latencies(saving, at);
		break;
	case SAVED_KIND_REASONS:
		saved_reasons(saving, at);
		break;
	default:
		break;
	}
}

/* An array says how many it has: in another version it may be others. */
static void all(struct saving *saving, char *at, const struct saved_field *field)
{
	uint32_t count = field->count;

	if (field->kind == SAVED_KIND_NOT || field->since > saving->version)
		return;
	if (count > 1)
		saved_u32(saving, &count);
	if (count != field->count)
		saving_damaged(saving, "expected %u of %s, as this version has, found %u", field->count,
			       field->name, count);
	for (uint32_t n = 0; n < field->count && !saving_failed(saving); n++)
		one(saving, at + n * (size_t)field->bytes, field);
}

void saved_fields(struct saving *saving, void *of, const struct saved_field *fields)
{
	for (; fields->kind != SAVED_KIND_END; fields++)
		all(saving, (char *)of + fields->offset, fields);
}
