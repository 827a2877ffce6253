/* SPDX-License-Identifier: BSD-3-Clause */
/* From SAMPLE records to samples without a file: where each field comes from, and when it does. */
#include <precis/decoder.h>
#include <precis/error.h>

#include "tests/property/random.h"
#include "tests/support/build.h"
#include "tests/libdecode/sample/decode.h"

static struct build build;
static struct precis_decoder decoder;
static struct precis_pebs_context pebs_context;

#define ALL_WORDS                                                                                  \
	(PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME |    \
	 PRECIS_SAMPLE_ADDR | PRECIS_SAMPLE_ID | PRECIS_SAMPLE_STREAM_ID | PRECIS_SAMPLE_CPU |     \
	 PRECIS_SAMPLE_PERIOD | PRECIS_SAMPLE_WEIGHT_STRUCT | PRECIS_SAMPLE_DATA_SRC |             \
	 PRECIS_SAMPLE_TRANSACTION | PRECIS_SAMPLE_PHYS_ADDR | PRECIS_SAMPLE_CGROUP |              \
	 PRECIS_SAMPLE_DATA_PAGE_SIZE | PRECIS_SAMPLE_CODE_PAGE_SIZE)

/* One word each, in the order of the ABI; what differs from one to the next is the word's number */
static const uint32_t before_raw[] = {
	PRECIS_SAMPLE_IDENTIFIER, PRECIS_SAMPLE_IP,   PRECIS_SAMPLE_TID,
	PRECIS_SAMPLE_TIME,       PRECIS_SAMPLE_ADDR, PRECIS_SAMPLE_ID,
	PRECIS_SAMPLE_STREAM_ID,  PRECIS_SAMPLE_CPU,  PRECIS_SAMPLE_PERIOD,
};
static const uint32_t behind_raw[] = {
	PRECIS_SAMPLE_WEIGHT,         PRECIS_SAMPLE_WEIGHT_STRUCT,  PRECIS_SAMPLE_DATA_SRC,
	PRECIS_SAMPLE_TRANSACTION,    PRECIS_SAMPLE_PHYS_ADDR,      PRECIS_SAMPLE_CGROUP,
	PRECIS_SAMPLE_DATA_PAGE_SIZE, PRECIS_SAMPLE_CODE_PAGE_SIZE,
};

/* A word whose every part is different, and whose halves as s32 are not negative but for TID's */
static uint64_t word_of(uint32_t bit)
{
	if (bit == PRECIS_SAMPLE_TID)
		return UINT64_C(0x80000001fffffffe); /* tid, pid: -2 */
	return UINT64_C(0x1111222233330000) + (uint64_t)__builtin_ctz(bit);
}

static void add_words(const uint32_t *bits, size_t count, uint64_t type, uint64_t zeros)
{
	for (size_t i = 0; i < count; i++) {
		if (type & bits[i])
			build_u64(&build, zeros & bits[i] ? 0 : word_of(bits[i]));
	}
}

/* A record of that type, with the bits of 'zeros' 0; 'payload' where RAW is in it */
static struct precis_record record_of(uint64_t type, uint64_t zeros, const void *payload,
				      uint32_t bytes)
{
	build_begin(&build, PRECIS_RECORD_SAMPLE, PRECIS_MISC_EXACT_IP | 2);
	add_words(before_raw, sizeof(before_raw) / sizeof(before_raw[0]), type, zeros);
	if (type & PRECIS_SAMPLE_RAW) {
		build_u32(&build, bytes);
		build_bytes(&build, payload, bytes);
	}
	add_words(behind_raw, sizeof(behind_raw) / sizeof(behind_raw[0]), type, zeros);
	build_end(&build);
	return build_record(&build);
}

static void start(uint32_t kind, uint64_t type, uint64_t period, uint64_t flags)
{
	uint8_t attr[BUILD_ATTR_BYTES];

	build_attr(attr, 4, type, flags);
	build_put_u64(attr, BUILD_ATTR_PERIOD, period);
	memset(&decoder, 0xa5, sizeof(decoder));
	decoder.size = sizeof(decoder);
	CU_ASSERT_EQUAL_FATAL(precis_decoder_init(&decoder, attr, sizeof(attr)), 0);
	CU_ASSERT_EQUAL(decoder.kind, PRECIS_EVENT_OTHER);
	CU_ASSERT_PTR_NULL(decoder.ibs);
	CU_ASSERT_PTR_NULL(decoder.pebs);
	decoder.kind = kind;
	decoder.index = 77;
	if (kind != PRECIS_EVENT_OTHER)
		decoder.ibs = &decode_context;
}

/* A sample made of it, by both ways, which must not differ */
static int make(const struct precis_record *record, const uint64_t *wanted,
		struct precis_sample *sample)
{
	struct precis_perf_sample perf = { .size = sizeof(perf) };
	struct precis_sample shortly;
	int error = precis_decoder_sample(&decoder, record, wanted, &perf, sample);

	precis_sample_init(&shortly);
	CU_ASSERT_EQUAL(precis_decoder_sample(&decoder, record, wanted, NULL, &shortly), error);
	CU_ASSERT_FALSE(memcmp(sample->present, shortly.present, sizeof(shortly.present)));
	CU_ASSERT_FALSE(memcmp(sample->value, shortly.value, sizeof(shortly.value)));
	CU_ASSERT_FALSE(memcmp(sample->wanted, shortly.wanted, sizeof(shortly.wanted)));
	CU_ASSERT_EQUAL(sample->payload_error, shortly.payload_error);
	CU_ASSERT_EQUAL(sample->event_kind, shortly.event_kind);
	CU_ASSERT_EQUAL(sample->source, shortly.source);
	return error;
}

/* Which field each part makes of an event without payload */
static const struct expected {
	uint32_t bit;
	uint32_t field;
	uint64_t value;
	int zero_is_absent;
} expected[] = {
	{ PRECIS_SAMPLE_IP, PRECIS_FIELD_IP, UINT64_C(0x1111222233330000), 0 },
	{ PRECIS_SAMPLE_IP, PRECIS_FIELD_IP_EXACT, 1, 0 },
	{ PRECIS_SAMPLE_TID, PRECIS_FIELD_PID, UINT64_MAX - 1, 0 },
	{ PRECIS_SAMPLE_TID, PRECIS_FIELD_TID, UINT64_C(0xffffffff80000001), 0 },
	{ PRECIS_SAMPLE_TIME, PRECIS_FIELD_TIME, UINT64_C(0x1111222233330002), 0 },
	{ PRECIS_SAMPLE_ADDR, PRECIS_FIELD_ADDR, UINT64_C(0x1111222233330003), 1 },
	{ PRECIS_SAMPLE_CPU, PRECIS_FIELD_CPU, 0x33330007, 0 },
	{ PRECIS_SAMPLE_PERIOD, PRECIS_FIELD_PERIOD, UINT64_C(0x1111222233330008), 0 },
	{ PRECIS_SAMPLE_WEIGHT, PRECIS_FIELD_PERF_WEIGHT, UINT64_C(0x111122223333000e), 0 },
	{ PRECIS_SAMPLE_WEIGHT_STRUCT, PRECIS_FIELD_PERF_WEIGHT, 0x33330018, 0 },
	{ PRECIS_SAMPLE_WEIGHT_STRUCT, PRECIS_FIELD_PERF_WEIGHT2, 0x2222, 0 },
	{ PRECIS_SAMPLE_WEIGHT_STRUCT, PRECIS_FIELD_PERF_WEIGHT3, 0x1111, 0 },
	{ PRECIS_SAMPLE_DATA_SRC, PRECIS_FIELD_PERF_DATA_SRC, UINT64_C(0x111122223333000f), 0 },
	{ PRECIS_SAMPLE_TRANSACTION, PRECIS_FIELD_TRANSACTION, UINT64_C(0x1111222233330011), 0 },
	{ PRECIS_SAMPLE_PHYS_ADDR, PRECIS_FIELD_PHYS_ADDR, UINT64_C(0x1111222233330013), 1 },
	{ PRECIS_SAMPLE_CGROUP, PRECIS_FIELD_CGROUP, UINT64_C(0x1111222233330015), 0 },
	{ PRECIS_SAMPLE_DATA_PAGE_SIZE, PRECIS_FIELD_DATA_PAGE_SIZE, UINT64_C(0x1111222233330016),
	  1 },
	{ PRECIS_SAMPLE_CODE_PAGE_SIZE, PRECIS_FIELD_CODE_PAGE_SIZE, UINT64_C(0x1111222233330017),
	  1 },
};
#define EXPECTED (sizeof(expected) / sizeof(expected[0]))

/* The sample has what 'type' gives, and nothing else. */
static void check_fields(const struct precis_sample *sample, uint64_t type, uint64_t zeros,
			 const uint64_t *wanted)
{
	uint64_t left[PRECIS_FIELD_WORDS];

	memcpy(left, sample->present, sizeof(left));
	for (size_t i = 0; i < EXPECTED; i++) {
		const struct expected *row = &expected[i];
		int is_zero = (zeros & row->bit) && row->field != PRECIS_FIELD_IP_EXACT;

		if (!(type & row->bit) || (is_zero && row->zero_is_absent) ||
		    !precis_fields_have(wanted, row->field))
			continue;
		expect_value(sample, row->field, is_zero ? 0 : row->value, "generic field");
		precis_fields_remove(left, row->field);
	}
	if (precis_fields_have(wanted, PRECIS_FIELD_EVENT)) {
		expect_value(sample, PRECIS_FIELD_EVENT, 77, "generic field");
		precis_fields_remove(left, PRECIS_FIELD_EVENT);
	}
	if (precis_fields_have(wanted, PRECIS_FIELD_CPUMODE)) {
		expect_value(sample, PRECIS_FIELD_CPUMODE, 2, "generic field");
		precis_fields_remove(left, PRECIS_FIELD_CPUMODE);
	}
	for (uint32_t word = 0; word < PRECIS_FIELD_WORDS; word++)
		CU_ASSERT_EQUAL(left[word], 0);
	CU_ASSERT_FALSE(memcmp(sample->wanted, wanted, sizeof(sample->wanted)));
}

static const uint64_t everything[PRECIS_FIELD_WORDS] = { UINT64_MAX, UINT64_MAX, UINT64_MAX,
							 UINT64_MAX };

static void each_part(void)
{
	struct precis_sample sample;
	struct precis_record record;

	precis_sample_init(&sample);
	for (uint32_t n = 0; n < 25; n++) {
		uint64_t type = 1u << n;

		if (!(type & (ALL_WORDS | PRECIS_SAMPLE_WEIGHT)))
			continue;
		for (uint64_t zeros = 0; zeros <= type; zeros += type) {
			start(PRECIS_EVENT_OTHER, type, 0, 0);
			record = record_of(type, zeros, NULL, 0);
			CU_ASSERT_EQUAL(make(&record, NULL, &sample), 0);
			check_fields(&sample, type, zeros, everything);
			CU_ASSERT_EQUAL(sample.event_kind, PRECIS_EVENT_OTHER);
			CU_ASSERT_EQUAL(sample.payload_error, 0);
		}
	}
	start(PRECIS_EVENT_OTHER, ALL_WORDS, 0, 0);
	record = record_of(ALL_WORDS, 0, NULL, 0);
	CU_ASSERT_EQUAL(make(&record, NULL, &sample), 0);
	check_fields(&sample, ALL_WORDS, 0, everything);
}

/* One field and no other; which are wanted changes from sample to sample. */
static void each_wanted(void)
{
	struct precis_sample sample;
	struct precis_record record;

	precis_sample_init(&sample);
	start(PRECIS_EVENT_OTHER, ALL_WORDS, 0, 0);
	record = record_of(ALL_WORDS, 0, NULL, 0);
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		uint64_t wanted[PRECIS_FIELD_WORDS] = { 0 };

		CU_ASSERT_EQUAL(make(&record, wanted, &sample), 0);
		check_fields(&sample, ALL_WORDS, 0, wanted);
		precis_fields_add(wanted, field);
		CU_ASSERT_EQUAL(make(&record, wanted, &sample), 0);
		check_fields(&sample, ALL_WORDS, 0, wanted);
		memcpy(wanted, everything, sizeof(wanted));
		precis_fields_remove(wanted, field);
		CU_ASSERT_EQUAL(make(&record, wanted, &sample), 0);
		check_fields(&sample, ALL_WORDS, 0, wanted);
		expect_absent(&sample, field, PRECIS_NOT_CAPTURED, NULL, "not wanted");
	}
}

/* A fixed period stands in the attr alone; a frequency is none. */
static void periods(void)
{
	const uint64_t type = PRECIS_SAMPLE_IP;
	uint64_t wanted[PRECIS_FIELD_WORDS];
	struct precis_sample sample;
	struct precis_record record;

	precis_sample_init(&sample);
	record = record_of(type, 0, NULL, 0);
	start(PRECIS_EVENT_OTHER, type, 4000, 0);
	CU_ASSERT_EQUAL(decoder.fixed_period, 4000);
	CU_ASSERT_EQUAL(make(&record, NULL, &sample), 0);
	expect_value(&sample, PRECIS_FIELD_PERIOD, 4000, "fixed period");
	decoder.fixed_period = 5000; /* as after PERF_EVENT_IOC_PERIOD */
	CU_ASSERT_EQUAL(make(&record, NULL, &sample), 0);
	expect_value(&sample, PRECIS_FIELD_PERIOD, 5000, "fixed period, changed");
	memcpy(wanted, everything, sizeof(wanted));
	precis_fields_remove(wanted, PRECIS_FIELD_PERIOD);
	CU_ASSERT_EQUAL(make(&record, wanted, &sample), 0);
	expect_absent(&sample, PRECIS_FIELD_PERIOD, PRECIS_NOT_CAPTURED, NULL, "not wanted");
	start(PRECIS_EVENT_OTHER, type, 4000, BUILD_ATTR_FREQ);
	CU_ASSERT_EQUAL(decoder.fixed_period, 0);
	CU_ASSERT_EQUAL(make(&record, NULL, &sample), 0);
	CU_ASSERT_FALSE(precis_fields_have(sample.present, PRECIS_FIELD_PERIOD));
	record = record_of(PRECIS_SAMPLE_PERIOD, 0, NULL, 0);
	start(PRECIS_EVENT_OTHER, PRECIS_SAMPLE_PERIOD, 4000, 0);
	CU_ASSERT_EQUAL(make(&record, NULL, &sample), 0);
	expect_value(&sample, PRECIS_FIELD_PERIOD, UINT64_C(0x1111222233330008), "its own period");
}

/* Fields of the payload are those of its own decoder, the others those of the record. */
static void check_payload(const struct precis_sample *sample, const struct precis_sample *own,
			  uint64_t type)
{
	struct precis_sample generic = *sample;

	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		uint64_t value;

		if (!precis_fields_have(own->present, field))
			continue;
		if (field != PRECIS_FIELD_PERIOD && field != PRECIS_FIELD_IP_EXACT &&
		    field != PRECIS_FIELD_TRANSACTION) {
			CU_ASSERT_TRUE(precis_get(sample, field, &value));
			CU_ASSERT_EQUAL(value, own->value[field]);
		}
		precis_fields_remove(generic.present, field);
	}
	/* the payload says these better, or says why not */
	CU_ASSERT_FALSE(precis_fields_have(generic.present, PRECIS_FIELD_IP));
	CU_ASSERT_FALSE(precis_fields_have(generic.present, PRECIS_FIELD_ADDR));
	CU_ASSERT_FALSE(precis_fields_have(generic.present, PRECIS_FIELD_PHYS_ADDR));
	for (size_t i = 0; i < EXPECTED; i++) {
		uint32_t field = expected[i].field;

		if ((type & expected[i].bit) && field != PRECIS_FIELD_IP &&
		    field != PRECIS_FIELD_ADDR && field != PRECIS_FIELD_PHYS_ADDR)
			expect_value(sample, field, expected[i].value, "with a payload");
	}
}

static const uint64_t ibs_types[] = {
	PRECIS_SAMPLE_RAW,
	PRECIS_SAMPLE_RAW | PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_ADDR,
	PRECIS_SAMPLE_RAW | PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_CPU,
	PRECIS_SAMPLE_RAW | PRECIS_SAMPLE_STREAM_ID | PRECIS_SAMPLE_ID | PRECIS_SAMPLE_PERIOD |
		PRECIS_SAMPLE_CGROUP,
	PRECIS_SAMPLE_RAW | PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID |
		PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_ADDR | PRECIS_SAMPLE_ID |
		PRECIS_SAMPLE_STREAM_ID | PRECIS_SAMPLE_CPU | PRECIS_SAMPLE_PERIOD,
	PRECIS_SAMPLE_RAW | ALL_WORDS,
};
#define IBS_TYPES (sizeof(ibs_types) / sizeof(ibs_types[0]))

static void ibs_ops(void)
{
	const struct precis_pebs_machine machine = { .size = sizeof(machine) };
	uint64_t state = random_seed("decoder, ops");
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];
	struct precis_sample sample, own;

	use_cpu(ZEN4);
	CU_ASSERT_EQUAL_FATAL(precis_pebs_context_init(&pebs_context, &machine), 0);
	precis_sample_init(&sample);
	for (uint32_t round = 0; round < 200; round++) {
		for (size_t i = 0; i < IBS_TYPES; i++) {
			struct precis_record record;
			struct precis_ibs_op op;

			random_op(&state, CAPS_ZEN4, &op);
			start(PRECIS_EVENT_IBS_OP, ibs_types[i], 0, 0);
			decoder.pebs = &pebs_context; /* its registers say more than those words */
			record = record_of(ibs_types[i], 0, payload,
					   (uint32_t)precis_ibs_op_encode(&op, payload));
			CU_ASSERT_EQUAL(make(&record, NULL, &sample), 0);
			precis_sample_init(&own);
			CU_ASSERT_EQUAL(precis_ibs_op_decode(&decode_context, &op, NULL, &own), 0);
			check_payload(&sample, &own, ibs_types[i]);
			CU_ASSERT_EQUAL(sample.source, PRECIS_SOURCE_IBS_OP);
			CU_ASSERT_EQUAL(sample.event_kind, PRECIS_EVENT_IBS_OP);
			CU_ASSERT_EQUAL(sample.payload_error, 0);
		}
	}
}

static void ibs_fetches(void)
{
	uint64_t state = random_seed("decoder, fetches");
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];
	struct precis_sample sample, own;

	use_cpu(ZEN2);
	precis_sample_init(&sample);
	for (uint32_t round = 0; round < 200; round++) {
		for (uint32_t old = 0; old < 2; old++) {
			struct precis_ibs_fetch fetch, parsed = { .size = sizeof(parsed) };
			struct precis_record record;
			int bytes;

			random_fetch(&state, CAPS_ZEN2, &fetch);
			fetch.old_br_target = random_next(&state);
			start(PRECIS_EVENT_IBS_FETCH, ibs_types[1], 0, 0);
			decoder.old_fetch_layout = old;
			bytes = precis_ibs_fetch_encode(&fetch, (int)old, payload);
			record = record_of(ibs_types[1], 0, payload, (uint32_t)bytes);
			CU_ASSERT_EQUAL(make(&record, NULL, &sample), 0);
			CU_ASSERT_EQUAL(
				precis_ibs_fetch_parse(payload, (size_t)bytes, (int)old, &parsed),
				0);
			precis_sample_init(&own);
			CU_ASSERT_EQUAL(
				precis_ibs_fetch_decode(&decode_context, &parsed, NULL, &own), 0);
			check_payload(&sample, &own, ibs_types[1]);
			CU_ASSERT_EQUAL(sample.registers.ibs_fetch.old_br_target,
					old ? fetch.old_br_target
					    : sample.registers.ibs_fetch.old_br_target);
			CU_ASSERT_EQUAL(sample.source, PRECIS_SOURCE_IBS_FETCH);
		}
	}
}

/* A payload that cannot be decoded: the sample says why, and has the generic fields. */
static void bad_payloads(void)
{
	static const struct {
		uint32_t bytes;
		uint32_t caps;
		uint64_t op_ctl;
		int error;
	} rows[] = {
		{ 68, CAPS_ZEN2, 0, PRECIS_E_NOT_A_SAMPLE },
		{ 68, CAPS_ZEN2 & ~1u, BIT(17) | BIT(18), PRECIS_E_BAD_CAPS },
		{ 52, CAPS_ZEN2, BIT(17) | BIT(18), PRECIS_E_TRUNCATED },
		{ 4, 0, 0, PRECIS_E_NO_PAYLOAD },
	};
	const uint64_t type = ibs_types[1] | PRECIS_SAMPLE_PHYS_ADDR;
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX] = { 0 };
	struct precis_sample sample;

	use_cpu(ZEN2);
	precis_sample_init(&sample);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct precis_record record;

		memcpy(payload, &rows[i].caps, 4);
		memcpy(payload + 4, &rows[i].op_ctl, 8);
		record = record_of(type, 0, payload, rows[i].bytes);
		start(PRECIS_EVENT_IBS_OP, type, 0, 0);
		CU_ASSERT_EQUAL(make(&record, NULL, &sample), 0);
		CU_ASSERT_EQUAL(sample.payload_error, rows[i].error);
		CU_ASSERT_EQUAL(sample.event_kind, PRECIS_EVENT_IBS_OP);
		check_fields(&sample, type, 0, everything);
	}
	/* the attr has no RAW at all */
	start(PRECIS_EVENT_IBS_OP, PRECIS_SAMPLE_IP, 0, 0);
	{
		struct precis_record record = record_of(PRECIS_SAMPLE_IP, 0, NULL, 0);

		CU_ASSERT_EQUAL(make(&record, NULL, &sample), 0);
	}
	CU_ASSERT_EQUAL(sample.payload_error, PRECIS_E_NO_PAYLOAD);
	check_fields(&sample, PRECIS_SAMPLE_IP, 0, everything);
}

/* Fields that have a part behind the payload: where none of them is wanted, a shorter way is open */
static void remove_tail(uint64_t *wanted)
{
	for (size_t i = 0; i < EXPECTED; i++) {
		for (size_t n = 0; n < sizeof(behind_raw) / sizeof(behind_raw[0]); n++) {
			if (expected[i].bit == behind_raw[n])
				precis_fields_remove(wanted, expected[i].field);
		}
	}
}

/* A record that ends anywhere, in memory that ends there, and one whose payload's size lies */
static void check_cuts(uint64_t type, const uint64_t *wanted)
{
	const uint32_t raw_at = 8 + 9 * 8;
	struct precis_ibs_op op = make_op(CAPS_ZEN2);
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];
	struct precis_sample sample;
	struct precis_record record;
	uint32_t whole;

	precis_sample_init(&sample);
	start(PRECIS_EVENT_IBS_OP, type, 0, 0);
	record = record_of(type, 0, payload, (uint32_t)precis_ibs_op_encode(&op, payload));
	whole = record.size;
	for (uint32_t bytes = 8; bytes <= whole; bytes++) {
		uint8_t *exact = malloc(bytes);

		CU_ASSERT_PTR_NOT_NULL_FATAL(exact);
		memcpy(exact, build.bytes, bytes);
		record.data = exact;
		record.size = (uint16_t)bytes;
		CU_ASSERT_EQUAL(make(&record, wanted, &sample),
				bytes < whole ? PRECIS_E_TRUNCATED : 0);
		CU_ASSERT_EQUAL(precis_fields_have(sample.present, PRECIS_FIELD_PID), bytes >= 32);
		CU_ASSERT_EQUAL(sample.payload_error == 0, bytes >= raw_at + 4 + 68);
		free(exact);
	}
	for (uint32_t told = 0; told < 4096; told++) {
		memcpy(build.bytes + raw_at, &told, 4);
		record = build_record(&build);
		CU_ASSERT_EQUAL(make(&record, wanted, &sample) == 0, told <= 68);
	}
}

static void cut_short(void)
{
	uint64_t wanted[PRECIS_FIELD_WORDS];

	use_cpu(ZEN2);
	check_cuts(PRECIS_SAMPLE_RAW | ALL_WORDS, everything);
	memcpy(wanted, everything, sizeof(wanted));
	remove_tail(wanted);
	check_cuts(PRECIS_SAMPLE_RAW | ALL_WORDS, wanted);
}

/* What the kernel made of a precise event: the words, and no address that is not sure. */
static void pebs_words(void)
{
	const uint64_t type = PRECIS_SAMPLE_IP | PRECIS_SAMPLE_ADDR | PRECIS_SAMPLE_DATA_SRC |
			      PRECIS_SAMPLE_WEIGHT_STRUCT | PRECIS_SAMPLE_PHYS_ADDR;
	struct precis_pebs_machine machine = { .size = sizeof(machine), .has_config = 1 };
	struct precis_perf_words words = {
		.size = sizeof(words),
		.captured =
			PRECIS_SAMPLE_ADDR | PRECIS_SAMPLE_DATA_SRC | PRECIS_SAMPLE_WEIGHT_STRUCT,
		.addr = word_of(PRECIS_SAMPLE_ADDR),
		.data_src = word_of(PRECIS_SAMPLE_DATA_SRC),
		.weight = 0x33330018,
		.weight_var2 = 0x2222,
		.weight_var3 = 0x1111,
	};
	static const uint64_t configs[] = { 0x1cd, 0xc0 }; /* load latency, instructions */
	struct precis_sample sample, own;
	struct precis_record record = record_of(type, 0, NULL, 0);

	machine.cpu.size = sizeof(machine.cpu);
	CU_ASSERT_EQUAL_FATAL(precis_cpu_parse("GenuineIntel,6,143,8", &machine.cpu), 0);
	precis_sample_init(&sample);
	for (size_t i = 0; i < 2; i++) {
		machine.config = configs[i];
		CU_ASSERT_EQUAL_FATAL(precis_pebs_context_init(&pebs_context, &machine), 0);
		start(PRECIS_EVENT_PEBS, type, 0, 0);
		decoder.pebs = &pebs_context;
		CU_ASSERT_EQUAL(make(&record, NULL, &sample), 0);
		precis_sample_init(&own);
		CU_ASSERT_EQUAL(precis_perf_words_decode(&pebs_context, &words, everything, &own),
				0);
		CU_ASSERT_EQUAL(sample.source, PRECIS_SOURCE_PERF_WORDS);
		CU_ASSERT_FALSE(memcmp(&sample.registers.perf_words, &words, sizeof(words)));
		for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
			if (precis_fields_have(own.present, field))
				expect_value(&sample, field, own.value[field], "words");
		}
		CU_ASSERT_EQUAL(precis_fields_have(sample.present, PRECIS_FIELD_ADDR),
				precis_fields_have(own.present, PRECIS_FIELD_ADDR));
		expect_value(&sample, PRECIS_FIELD_PHYS_ADDR, word_of(PRECIS_SAMPLE_PHYS_ADDR),
			     "PEBS");
		expect_value(&sample, PRECIS_FIELD_IP, word_of(PRECIS_SAMPLE_IP), "PEBS");
	}
	decoder.pebs = NULL; /* not to be decoded: then the address means nothing */
	CU_ASSERT_EQUAL(make(&record, NULL, &sample), 0);
	CU_ASSERT_EQUAL(sample.source, PRECIS_SOURCE_NONE);
	check_fields(&sample, type & ~(uint64_t)PRECIS_SAMPLE_ADDR, 0, everything);
}

/* IBS without its registers has the kernel's words, if there is a data source among them. */
static void ibs_words(void)
{
	const uint64_t type = PRECIS_SAMPLE_ADDR | PRECIS_SAMPLE_DATA_SRC;
	struct precis_pebs_machine machine = { .size = sizeof(machine) };
	struct precis_sample sample;
	struct precis_record record;

	use_cpu(ZEN4);
	machine.cpu.size = sizeof(machine.cpu);
	CU_ASSERT_EQUAL_FATAL(precis_cpu_parse(ZEN4, &machine.cpu), 0);
	CU_ASSERT_EQUAL_FATAL(precis_pebs_context_init(&pebs_context, &machine), 0);
	precis_sample_init(&sample);
	start(PRECIS_EVENT_IBS_OP, type, 0, 0);
	decoder.pebs = &pebs_context;
	record = record_of(type, 0, NULL, 0);
	CU_ASSERT_EQUAL(make(&record, NULL, &sample), 0);
	CU_ASSERT_EQUAL(sample.source, PRECIS_SOURCE_PERF_WORDS);
	start(PRECIS_EVENT_IBS_OP, PRECIS_SAMPLE_ADDR, 0, 0);
	decoder.pebs = &pebs_context;
	record = record_of(PRECIS_SAMPLE_ADDR, 0, NULL, 0);
	CU_ASSERT_EQUAL(make(&record, NULL, &sample), 0);
	CU_ASSERT_EQUAL(sample.source, PRECIS_SOURCE_NONE);
	expect_value(&sample, PRECIS_FIELD_ADDR, word_of(PRECIS_SAMPLE_ADDR), "IBS");
}

/* Nothing of a sample is left in the next one, whatever event that is of. */
static void used_again(void)
{
	struct precis_ibs_op op = make_op(CAPS_ZEN2);
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];
	struct precis_sample sample, fresh;
	struct precis_record record;

	use_cpu(ZEN2);
	op.op_data3 = LOAD | LIN_VALID | PHYS_VALID | DC_MISS | L2_MISS;
	precis_sample_init(&sample);
	for (size_t i = 0; i < IBS_TYPES; i++) {
		start(PRECIS_EVENT_OTHER, ALL_WORDS, 9000, 0);
		record = record_of(ALL_WORDS, 0, NULL, 0);
		CU_ASSERT_EQUAL(precis_decoder_sample(&decoder, &record, NULL, NULL, &sample), 0);
		for (int n = 0; n < 2; n++) {
			start(PRECIS_EVENT_IBS_OP, ibs_types[i], n ? 9000 : 0, 0);
			record = record_of(ibs_types[i], 0, payload,
					   (uint32_t)precis_ibs_op_encode(&op, payload));
			precis_sample_init(&fresh);
			CU_ASSERT_EQUAL(
				precis_decoder_sample(&decoder, &record, NULL, NULL, &fresh), 0);
			CU_ASSERT_EQUAL(
				precis_decoder_sample(&decoder, &record, NULL, NULL, &sample), 0);
			CU_ASSERT_FALSE(memcmp(&sample, &fresh, sizeof(fresh)));
		}
	}
}

/*
 * A caller's sample that claims fields which no catalogue has: nothing behind it is written, nothing
 * stays.
 */
static void strange_fields(void)
{
	struct {
		struct precis_sample sample;
		uint64_t behind[PRECIS_FIELD_CAPACITY];
	} used = { .behind = { 0 } };
	struct precis_sample fresh;
	struct precis_record record;
	uint64_t written = 0;

	use_cpu(ZEN2);
	start(PRECIS_EVENT_OTHER, ALL_WORDS, 9000, 0);
	record = record_of(ALL_WORDS, 0, NULL, 0);
	precis_sample_init(&used.sample);
	precis_sample_init(&fresh);
	memset(used.sample.present, 0xff, sizeof(used.sample.present));
	CU_ASSERT_EQUAL(precis_decoder_sample(&decoder, &record, NULL, NULL, &fresh), 0);
	CU_ASSERT_EQUAL(precis_decoder_sample(&decoder, &record, NULL, NULL, &used.sample), 0);
	CU_ASSERT_FALSE(memcmp(&used.sample, &fresh, sizeof(fresh)));
	for (size_t n = 0; n < PRECIS_FIELD_CAPACITY; n++)
		written |= used.behind[n];
	CU_ASSERT_EQUAL(written, 0);
}

static void arguments(void)
{
	struct precis_record record = record_of(PRECIS_SAMPLE_IP, 0, NULL, 0);
	struct precis_perf_sample perf = { .size = sizeof(perf) };
	struct precis_ibs_op op = make_op(CAPS_ZEN2);
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];
	uint8_t attr[BUILD_ATTR_BYTES];
	struct precis_sample sample;

	use_cpu(ZEN2);
	build_attr(attr, 4, PRECIS_SAMPLE_IP, 0);
	precis_sample_init(&sample);
	start(PRECIS_EVENT_OTHER, PRECIS_SAMPLE_IP, 0, 0);
	CU_ASSERT_EQUAL(precis_decoder_init(NULL, attr, sizeof(attr)), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_decoder_init(&decoder, NULL, sizeof(attr)), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_decoder_init(&decoder, attr, 63), PRECIS_E_BAD_SIZE);
	decoder.size--;
	CU_ASSERT_EQUAL(precis_decoder_init(&decoder, attr, sizeof(attr)), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_decoder_sample(&decoder, &record, NULL, NULL, &sample),
			PRECIS_E_ARGUMENT);
	start(PRECIS_EVENT_OTHER, PRECIS_SAMPLE_IP, 0, 0);
	CU_ASSERT_EQUAL(precis_decoder_sample(NULL, &record, NULL, NULL, &sample),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_decoder_sample(&decoder, NULL, NULL, NULL, &sample),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_decoder_sample(&decoder, &record, NULL, NULL, NULL),
			PRECIS_E_ARGUMENT);
	perf.size = 4;
	CU_ASSERT_EQUAL(precis_decoder_sample(&decoder, &record, NULL, &perf, &sample),
			PRECIS_E_ARGUMENT);
	sample.size = 4;
	CU_ASSERT_EQUAL(precis_decoder_sample(&decoder, &record, NULL, NULL, &sample),
			PRECIS_E_ARGUMENT);
	sample.size = sizeof(sample);
	record.type = PRECIS_RECORD_MMAP;
	CU_ASSERT_EQUAL(precis_decoder_sample(&decoder, &record, NULL, NULL, &sample),
			PRECIS_E_ARGUMENT);
	record.type = PRECIS_RECORD_SAMPLE;
	start(PRECIS_EVENT_IBS_OP, PRECIS_SAMPLE_RAW, 0, 0);
	record = record_of(PRECIS_SAMPLE_RAW, 0, payload,
			   (uint32_t)precis_ibs_op_encode(&op, payload));
	CU_ASSERT_EQUAL(precis_decoder_sample(&decoder, &record, NULL, NULL, &sample), 0);
	record.type = PRECIS_RECORD_MMAP;
	CU_ASSERT_EQUAL(precis_decoder_sample(&decoder, &record, NULL, NULL, &sample),
			PRECIS_E_ARGUMENT);
	record.type = PRECIS_RECORD_SAMPLE;
	decoder.ibs = NULL;
	for (uint32_t kind = PRECIS_EVENT_IBS_OP; kind <= PRECIS_EVENT_IBS_FETCH; kind++) {
		decoder.kind = kind; /* without a context */
		CU_ASSERT_EQUAL(precis_decoder_sample(&decoder, &record, NULL, NULL, &sample),
				PRECIS_E_ARGUMENT);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "each part of a record", each_part },
		{ "each field wanted, and each not wanted", each_wanted },
		{ "periods", periods },
		{ "IBS ops", ibs_ops },
		{ "IBS fetches of both layouts", ibs_fetches },
		{ "payloads that cannot be decoded", bad_payloads },
		{ "records that end anywhere", cut_short },
		{ "the kernel's words for PEBS", pebs_words },
		{ "the kernel's words for IBS", ibs_words },
		{ "a sample that is used again", used_again },
		{ "a sample that claims fields which there are not", strange_fields },
		{ "arguments", arguments },
	};

	return tap_main("decoder", cases, sizeof(cases) / sizeof(cases[0]));
}
