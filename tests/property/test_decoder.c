/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples without a payload, of every sort of event: read straight from their places, where that is
 * possible, and taken apart they are the same, whatever sample stood there before.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

#include "tests/property/random.h"
#include "tests/support/tap.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define EVENTS 20000u
#define RECORDS_EACH 6u
#define RECORD_WORDS 40u

static uint64_t state = 7;

static const uint32_t types[] = {
	PRECIS_SAMPLE_IP,       PRECIS_SAMPLE_TID,        PRECIS_SAMPLE_TIME,
	PRECIS_SAMPLE_ADDR,     PRECIS_SAMPLE_ID,         PRECIS_SAMPLE_STREAM_ID,
	PRECIS_SAMPLE_CPU,      PRECIS_SAMPLE_PERIOD,     PRECIS_SAMPLE_WEIGHT,
	PRECIS_SAMPLE_DATA_SRC, PRECIS_SAMPLE_IDENTIFIER, PRECIS_SAMPLE_PHYS_ADDR,
};

static uint64_t any(uint64_t below)
{
	return random_next(&state) % below;
}

/* Fields that are 0 have their own rules. */
static void any_record(uint64_t sample_type, uint64_t *bytes, struct precis_record *record)
{
	uint32_t words = (uint32_t)__builtin_popcountll(sample_type);
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE };

	for (uint32_t n = 0; n < RECORD_WORDS; n++)
		bytes[n] = any(3) ? random_next(&state) : 0;
	if (!any(8)) /* too long or too short */
		words += words && any(2) ? UINT32_MAX : 1;
	header.misc = (uint16_t)(any(8) | any(2) << 14);
	header.size = (uint16_t)(8 + 8 * words);
	memcpy(bytes, &header, sizeof(header));
	precis_record_at(bytes, RECORD_WORDS * sizeof(*bytes), record);
}

static void any_event(struct precis_decoder *decoder, uint64_t *wanted)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };

	for (size_t n = 0; n < COUNT(types); n++)
		attr.sample_type |= any(2) ? types[n] : 0;
	attr.sample_period = any(3);
	decoder->size = sizeof(*decoder);
	CU_ASSERT_EQUAL(precis_decoder_init(decoder, &attr, sizeof(attr)), 0);
	decoder->index = 5;
	for (uint32_t word = 0; word < PRECIS_FIELD_WORDS; word++)
		wanted[word] = any(2) ? UINT64_MAX : random_next(&state);
}

static int differ(const struct precis_sample *a, const struct precis_sample *b)
{
	return memcmp(a->present, b->present, sizeof(a->present)) ||
	       memcmp(a->value, b->value, sizeof(a->value)) ||
	       memcmp(a->wanted, b->wanted, sizeof(a->wanted)) || a->source != b->source ||
	       a->event_kind != b->event_kind || a->payload_error != b->payload_error;
}

static void straight_or_apart(void)
{
	struct precis_perf_sample parts = { .size = sizeof(parts) };
	struct precis_sample straight, apart;
	uint64_t compared = 0, differences = 0, wanted[PRECIS_FIELD_WORDS], bytes[RECORD_WORDS];
	struct precis_decoder decoder;
	struct precis_record record;

	precis_sample_init(&straight);
	for (uint32_t n = 0; n < EVENTS; n++) {
		any_event(&decoder, wanted);
		for (uint32_t i = 0; i < RECORDS_EACH; i++) {
			int errors[2];

			any_record(decoder.layout.sample_type, bytes, &record);
			if (!any(4))
				decoder.fixed_period = any(3);
			precis_sample_init(&apart);
			errors[0] =
				precis_decoder_sample(&decoder, &record, wanted, NULL, &straight);
			errors[1] =
				precis_decoder_sample(&decoder, &record, wanted, &parts, &apart);
			compared++;
			differences += errors[0] != errors[1] || differ(&straight, &apart);
		}
	}
	printf("# %llu samples\n", (unsigned long long)compared);
	CU_ASSERT_EQUAL(differences, 0);
	CU_ASSERT_EQUAL(compared, (uint64_t)EVENTS * RECORDS_EACH);
}

static const struct tap_case cases[] = {
	{ "straight from their places or taken apart", straight_or_apart },
};

int main(void)
{
	return tap_main("samples of an event", cases, COUNT(cases));
}
