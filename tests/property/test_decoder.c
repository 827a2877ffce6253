/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of every sort of event, with IBS's payload and without one: read straight from their places,
 * where that is possible, and taken apart they are the same, whatever sample stood there before.
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
#define CAPS_ZEN4 0xbffu

static uint64_t state = 7;

/* In the order of the record, but for the payload, which stands behind FRONT_TYPES of them */
static const uint32_t types[] = {
	PRECIS_SAMPLE_IDENTIFIER,     PRECIS_SAMPLE_IP,       PRECIS_SAMPLE_TID,
	PRECIS_SAMPLE_TIME,           PRECIS_SAMPLE_ADDR,     PRECIS_SAMPLE_ID,
	PRECIS_SAMPLE_STREAM_ID,      PRECIS_SAMPLE_CPU,      PRECIS_SAMPLE_PERIOD,
	PRECIS_SAMPLE_WEIGHT,         PRECIS_SAMPLE_DATA_SRC, PRECIS_SAMPLE_TRANSACTION,
	PRECIS_SAMPLE_PHYS_ADDR,      PRECIS_SAMPLE_CGROUP,   PRECIS_SAMPLE_DATA_PAGE_SIZE,
	PRECIS_SAMPLE_CODE_PAGE_SIZE,
};
#define FRONT_TYPES 9u

static uint64_t any(uint64_t below)
{
	return random_next(&state) % below;
}

/* Fields that are 0 have their own rules. */
static void any_record(const struct precis_decoder *decoder, uint64_t *bytes,
		       struct precis_record *record)
{
	uint32_t words = (uint32_t)__builtin_popcountll(decoder->layout.sample_type);
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

/* What a sample's record has in front of the payload, the payload, and more words; now and then it lies. */
static void any_ibs_record(const struct precis_decoder *decoder, uint64_t *words,
			   struct precis_record *record)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE };
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX], *bytes = (uint8_t *)words;
	struct precis_ibs_fetch fetch;
	struct precis_ibs_op op;
	uint32_t size, at = 8, raw;

	for (uint32_t n = 0; n < RECORD_WORDS; n++)
		words[n] = any(3) ? random_next(&state) : 0;
	random_op(&state, CAPS_ZEN4, &op);
	random_fetch(&state, CAPS_ZEN4, &fetch);
	raw = (uint32_t)(decoder->kind == PRECIS_EVENT_IBS_OP
				 ? precis_ibs_op_encode(&op, payload)
				 : precis_ibs_fetch_encode(&fetch, 0, payload));
	size = 8 + 4 + raw;
	for (size_t n = 0; n < COUNT(types); n++) {
		int is_there = (decoder->layout.sample_type & types[n]) != 0;

		size += is_there ? 8 : 0;
		at += is_there && n < FRONT_TYPES ? 8 : 0;
	}
	memcpy(bytes + at + 4, payload, raw);
	if (!any(8))
		raw += any(2) ? 8 : UINT32_MAX - 7;
	memcpy(bytes + at, &raw, sizeof(raw));
	if (!any(8))
		size += any(2) ? 8 : UINT32_MAX - 7;
	header.misc = (uint16_t)(any(8) | any(2) << 14);
	header.size = (uint16_t)size;
	memcpy(bytes, &header, sizeof(header));
	precis_record_at(bytes, RECORD_WORDS * sizeof(*words), record);
}

static void any_event(struct precis_decoder *decoder, uint64_t *wanted, uint64_t also)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .sample_type = also };

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

/* Events of one kind, or of two in turns; their records by 'fill' */
static void straight_or_apart(uint32_t kind, uint32_t other_kind, uint64_t also,
			      void (*fill)(const struct precis_decoder *decoder, uint64_t *bytes,
					   struct precis_record *record))
{
	struct precis_perf_sample parts = { .size = sizeof(parts) };
	static struct precis_ibs_context ibs;
	struct precis_sample straight, apart;
	uint64_t compared = 0, differences = 0, wanted[PRECIS_FIELD_WORDS], bytes[RECORD_WORDS];
	struct precis_decoder decoder;
	struct precis_record record;

	CU_ASSERT_EQUAL_FATAL(precis_ibs_context_init(&ibs, NULL), 0);
	precis_sample_init(&straight);
	for (uint32_t n = 0; n < EVENTS; n++) {
		any_event(&decoder, wanted, also);
		decoder.kind = n % 2 ? other_kind : kind;
		decoder.ibs = &ibs;
		for (uint32_t i = 0; i < RECORDS_EACH; i++) {
			int errors[2];

			fill(&decoder, bytes, &record);
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

static void without_payload(void)
{
	straight_or_apart(PRECIS_EVENT_OTHER, PRECIS_EVENT_OTHER, 0, any_record);
}

static void with_payload(void)
{
	straight_or_apart(PRECIS_EVENT_IBS_OP, PRECIS_EVENT_IBS_FETCH, PRECIS_SAMPLE_RAW,
			  any_ibs_record);
}

static const struct tap_case cases[] = {
	{ "straight from their places or taken apart", without_payload },
	{ "likewise with IBS's payload", with_payload },
};

int main(void)
{
	return tap_main("samples of an event", cases, COUNT(cases));
}
