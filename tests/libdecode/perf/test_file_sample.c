/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The two ways of precis_file_sample(): with the parts in ABI terms, and
 * without them straight from the record. They must never differ.
 */
#include <precis/precis.h>

#include "tests/libdecode/perf/differ.h"
#include "tests/property/random.h"
#include "tests/support/build.h"
#include "tests/support/tap.h"

#define OP_TYPE 10
#define FETCH_TYPE 9
#define RECORDS 20000u

#define PLAIN_TYPE                                                                                 \
	(PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_ADDR |          \
	 PRECIS_SAMPLE_CPU | PRECIS_SAMPLE_PERIOD | PRECIS_SAMPLE_RAW | PRECIS_SAMPLE_IDENTIFIER)

static const struct event {
	uint32_t type;
	uint64_t sample_type;
} events[] = {
	{ OP_TYPE, PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_IP | PRECIS_SAMPLE_RAW },
	{ OP_TYPE, PLAIN_TYPE },
	{ OP_TYPE, PLAIN_TYPE | PRECIS_SAMPLE_WEIGHT | PRECIS_SAMPLE_DATA_SRC |
			   PRECIS_SAMPLE_PHYS_ADDR },
	{ OP_TYPE, PLAIN_TYPE | PRECIS_SAMPLE_CALLCHAIN },
	{ FETCH_TYPE, PLAIN_TYPE | PRECIS_SAMPLE_CODE_PAGE_SIZE },
};
#define EVENTS (sizeof(events) / sizeof(events[0]))

static char path[64];
static struct build build;

static struct precis_writer *create(void)
{
	struct precis_writer *writer;
	uint8_t attr[BUILD_ATTR_BYTES];

	CU_ASSERT_EQUAL_FATAL(precis_writer_open(path, &writer), 0);
	for (uint64_t n = 0; n < EVENTS; n++) {
		uint64_t id = 1 + n;

		build_attr(attr, events[n].type, events[n].sample_type, BUILD_ATTR_SAMPLE_ID_ALL);
		CU_ASSERT_EQUAL(precis_writer_event(writer, attr, sizeof(attr), &id, 1, NULL), 0);
	}
	precis_writer_string(writer, PRECIS_FEATURE_CPUID, "AuthenticAMD,25,17,1");
	precis_writer_pmu(writer, OP_TYPE, "ibs_op");
	precis_writer_pmu(writer, FETCH_TYPE, "ibs_fetch");
	return writer;
}

static size_t random_payload(uint64_t *state, uint32_t type, uint8_t *payload)
{
	struct precis_ibs_op op = { .size = sizeof(op), .caps = 0xbff };
	struct precis_ibs_fetch fetch = { .size = sizeof(fetch), .caps = 0xbff };

	if (type == OP_TYPE) {
		op.op_ctl = random_register(state) | 3u << 17;
		op.op_rip = random_next(state);
		op.op_data = random_register(state);
		op.op_data2 = random_register(state);
		op.op_data3 = random_register(state);
		op.dc_lin_ad = random_register(state);
		op.dc_phys_ad = random_register(state);
		op.br_target = random_register(state);
		return (size_t)precis_ibs_op_encode(&op, payload);
	}
	fetch.fetch_ctl = random_register(state) | UINT64_C(3) << 48;
	fetch.fetch_lin_ad = random_next(state);
	fetch.fetch_phys_ad = random_register(state);
	fetch.fetch_ctl_extd = random_register(state);
	return (size_t)precis_ibs_fetch_encode(&fetch, 0, payload);
}

/* One sample; one in eight lies about the payload's size, one in eight is cut. */
static void random_sample(uint64_t *state, uint64_t n)
{
	uint64_t type = events[n].sample_type;
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];
	uint32_t bytes = (uint32_t)random_payload(state, events[n].type, payload), told = bytes;

	if (random_next(state) % 8 == 0)
		told = (uint32_t)(random_next(state) >> (random_next(state) % 64));
	build_begin(&build, PRECIS_RECORD_SAMPLE, (uint16_t)random_next(state));
	build_u64(&build, 1 + n);
	for (uint64_t bit = PRECIS_SAMPLE_IP; bit <= PRECIS_SAMPLE_PERIOD; bit <<= 1) {
		if ((type & bit) && bit != PRECIS_SAMPLE_CALLCHAIN)
			build_u64(&build, random_next(state));
	}
	if (type & PRECIS_SAMPLE_CALLCHAIN) {
		build_u64(&build, 1);
		build_u64(&build, random_next(state));
	}
	build_u32(&build, told);
	build_bytes(&build, payload, bytes);
	for (uint64_t bit = PRECIS_SAMPLE_WEIGHT; bit <= PRECIS_SAMPLE_CODE_PAGE_SIZE; bit <<= 1) {
		if ((type & bit) && bit != PRECIS_SAMPLE_IDENTIFIER)
			build_u64(&build, random_register(state));
	}
	if (random_next(state) % 8 == 0)
		build.count -= 8 * (random_next(state) % (build.count / 8));
	build_end(&build);
}

/* Values of absent fields that do not say so */
static unsigned int stale(const struct precis_sample *sample)
{
	unsigned int count = 0;

	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++)
		count += !precis_fields_have(sample->present, field) &&
			 sample->value[field] != UINT64_MAX;
	return count;
}

static void compare(const uint64_t *wanted)
{
	struct precis_perf_sample perf = { .size = sizeof(perf) };
	struct precis_sample direct, parsed;
	struct precis_record record;
	struct precis_file *file;
	unsigned int wrong = 0, good = 0;

	CU_ASSERT_EQUAL_FATAL(precis_file_open(path, NULL, &file, NULL), 0);
	precis_sample_init(&direct);
	precis_sample_init(&parsed);
	while (precis_file_next(file, &record) == 1) {
		int a = precis_file_sample(file, &record, wanted, NULL, &direct);
		int b = precis_file_sample(file, &record, wanted, &perf, &parsed);

		wrong += a != b || differ(&direct, &parsed) || stale(&direct) || stale(&parsed);
		good += !a && direct.source;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(good > random_amount(RECORDS) / 2);
	precis_file_close(file);
}

static void both_ways(void)
{
	static const uint64_t some[PRECIS_FIELD_WORDS] = {
		PRECIS_FIELD_BIT(PRECIS_FIELD_PID) | PRECIS_FIELD_BIT(PRECIS_FIELD_TID) |
		PRECIS_FIELD_BIT(PRECIS_FIELD_IP) | PRECIS_FIELD_BIT(PRECIS_FIELD_PERIOD) |
		PRECIS_FIELD_BIT(PRECIS_FIELD_CPUMODE) | PRECIS_FIELD_BIT(PRECIS_FIELD_OP) |
		PRECIS_FIELD_BIT(PRECIS_FIELD_ADDR) | PRECIS_FIELD_BIT(PRECIS_FIELD_FETCH_LATENCY)
	};
	static const uint64_t tail[PRECIS_FIELD_WORDS] = {
		PRECIS_FIELD_BIT(PRECIS_FIELD_TIME), PRECIS_FIELD_BIT(PRECIS_FIELD_PERF_WEIGHT)
	};
	static const uint64_t nothing[PRECIS_FIELD_WORDS];
	uint64_t state = random_seed("both ways");
	struct precis_writer *writer;

	build_path(path);
	writer = create();
	for (unsigned int n = 0; n < random_amount(RECORDS); n++) {
		random_sample(&state, random_next(&state) % EVENTS);
		CU_ASSERT_EQUAL(precis_writer_record(writer, build.bytes, build.count), 0);
	}
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	compare(NULL);
	compare(some);
	compare(tail);
	compare(nothing);
	unlink(path);
}

static const struct tap_case cases[] = {
	{ "with the parts and without: the same sample, absent values absent", both_ways },
};

int main(void)
{
	return tap_main("file_sample", cases, sizeof(cases) / sizeof(cases[0]));
}
