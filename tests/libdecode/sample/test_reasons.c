/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a field is absent: each reason, in the words that users see. */
#include <precis/error.h>

#include "tests/libdecode/sample/decode.h"

static void names(void)
{
	static const char *const expected[] = { "PRESENT",	  "NOT_CAPTURED", "NOT_SUPPORTED",
						"NOT_APPLICABLE", "ERRATUM",	  "SCRUBBED",
						"MALFORMED" };

	for (uint32_t i = 0; i < 7; i++)
		CU_ASSERT_STRING_EQUAL(precis_reason_name(i), expected[i]);
	CU_ASSERT_PTR_NULL(precis_reason_name(7));
	CU_ASSERT_PTR_NULL(precis_reason_name(UINT32_MAX));
}

static void empty_sample(void)
{
	struct precis_sample sample;
	const char *detail;

	memset(&sample, 0x55, sizeof(sample));
	precis_sample_init(&sample);
	CU_ASSERT_EQUAL(sample.size, sizeof(sample));
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		uint64_t value = 77;

		CU_ASSERT_EQUAL(precis_get(&sample, (enum precis_field)field, &value), 0);
		CU_ASSERT_EQUAL(value, 77);
		CU_ASSERT_EQUAL(sample.value[field], UINT64_MAX);
		expect_absent(&sample, (enum precis_field)field, PRECIS_NOT_CAPTURED, NULL, "empty");
		CU_ASSERT_EQUAL(precis_why_in_words(&sample, (enum precis_field)field, &detail),
				PRECIS_NOT_CAPTURED);
		CU_ASSERT_STRING_EQUAL(detail,
				       precis_why_detail(&sample, (enum precis_field)field));
	}
	CU_ASSERT_EQUAL(precis_why_in_words(&sample, PRECIS_FIELD_IP, NULL), PRECIS_NOT_CAPTURED);
	CU_ASSERT_NOT_EQUAL(precis_why(&sample, PRECIS_FIELD_COUNT), PRECIS_PRESENT);
	CU_ASSERT_NOT_EQUAL(precis_why(NULL, PRECIS_FIELD_IP), PRECIS_PRESENT);
}

static void set(void)
{
	struct precis_sample sample;
	uint64_t value;

	precis_sample_init(&sample);
	CU_ASSERT_EQUAL(precis_set(&sample, PRECIS_FIELD_CGROUP, 5), 0);
	CU_ASSERT_EQUAL(precis_why(&sample, PRECIS_FIELD_CGROUP), PRECIS_PRESENT);
	CU_ASSERT_STRING_EQUAL(precis_why_detail(&sample, PRECIS_FIELD_CGROUP), "");
	CU_ASSERT_EQUAL(precis_get_cgroup(&sample, &value), 1);
	CU_ASSERT_EQUAL(value, 5);
	CU_ASSERT_EQUAL(precis_set(&sample, PRECIS_FIELD_COUNT, 5), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_set(NULL, PRECIS_FIELD_CGROUP, 5), PRECIS_E_ARGUMENT);
	sample.size = 4;
	CU_ASSERT_EQUAL(precis_set(&sample, PRECIS_FIELD_CGROUP, 5), PRECIS_E_ARGUMENT);
}

static void not_wanted(void)
{
	struct precis_ibs_op op = make_op(CAPS_ZEN2);
	const uint64_t wanted[PRECIS_FIELD_WORDS] = { PRECIS_FIELD_BIT(PRECIS_FIELD_TAG_TO_RETIRE) };
	struct precis_sample sample;

	use_cpu(ZEN2);
	precis_sample_init(&sample);
	precis_ibs_op_decode(&decode_context, &op, wanted, &sample);
	expect_value(&sample, PRECIS_FIELD_TAG_TO_RETIRE, 0, "wanted");
	expect_absent(&sample, PRECIS_FIELD_COMPLETION_TO_RETIRE, PRECIS_NOT_CAPTURED,
		      "not asked for", "not wanted");
	/* even one that it would not have had */
	expect_absent(&sample, PRECIS_FIELD_ADDR, PRECIS_NOT_CAPTURED, "not asked for", "not wanted");
}

/* The CPU's lack is told before the op's: it is true of all its samples. */
static void priorities(void)
{
	struct precis_ibs_op op = make_op(CAPS_OLD);
	struct precis_sample sample;

	decode_op(BULLDOZER, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_L2_MISS, PRECIS_NOT_SUPPORTED, NULL, "static first");
	/* an erratum without a condition, too */
	expect_absent(&sample, PRECIS_FIELD_BRANCH_TARGET, PRECIS_ERRATUM, "AMD-717", "then errata");
	/* then what comes first in the order of questions: no access, no miss */
	decode_op(ZEN2, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_DCACHE_MISS_LATENCY, PRECIS_NOT_APPLICABLE, "not a load",
		      "no access");
	op.op_data3 = LOAD;
	decode_op(ZEN2, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_DCACHE_MISS_LATENCY, PRECIS_NOT_APPLICABLE,
		      "no L1 data cache miss", "a hit");
	/* an op that has no miss has no erratum of misses */
	op.op_data3 = LOAD | NO_MAB;
	decode_op(ZEN3_SERVER, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_MISS_BUFFERS_OPEN, PRECIS_NOT_APPLICABLE,
		      "no L1 data cache miss", "a hit under AMD-1293");
}

static void other_unit(void)
{
	struct precis_ibs_fetch fetch = make_fetch(CAPS_ZEN2);
	struct precis_ibs_op op = make_op(CAPS_ZEN2);
	struct precis_sample sample;

	decode_op(ZEN2, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_FETCH_LATENCY, PRECIS_NOT_APPLICABLE,
		      "a field of ibs_fetch", "op");
	expect_absent(&sample, PRECIS_FIELD_TIME, PRECIS_NOT_CAPTURED, NULL, "op");
	expect_absent(&sample, PRECIS_FIELD_LOAD_LATENCY, PRECIS_NOT_SUPPORTED,
		      "IBS does not measure it", "op");
	decode_fetch(ZEN2, &fetch, &sample);
	expect_absent(&sample, PRECIS_FIELD_TAG_TO_RETIRE, PRECIS_NOT_APPLICABLE,
		      "a field of ibs_op", "fetch");
}

static void unknown_cpu(void)
{
	struct precis_ibs_op op = make_op(CAPS_ZEN2);
	struct precis_sample sample;

	op.op_data3 = LOAD | DC_MISS | L2_MISS;
	op.op_data2 = 2;
	decode_op(NULL, &op, &sample);
	/* Zen 2 has it, Zen 3 not: nobody can say */
	expect_absent(&sample, PRECIS_FIELD_MEM_SNOOP, PRECIS_NOT_CAPTURED,
		      "the CPU model is not known: give its cpuid", "unknown");
	/* none of them has it */
	expect_absent(&sample, PRECIS_FIELD_BRANCH_RESYNC, PRECIS_NOT_SUPPORTED, NULL, "unknown");
	expect_value(&sample, PRECIS_FIELD_DCACHE_MISS, 1, "unknown");
}

/* A payload that gave nothing: the sample says what was wrong with it. */
static void no_payload(void)
{
	static const struct {
		uint32_t kind;
		int32_t error;
		enum precis_reason reason;
	} rows[] = {
		{ PRECIS_EVENT_OTHER, 0, PRECIS_NOT_CAPTURED },
		{ PRECIS_EVENT_IBS_OP, PRECIS_E_NO_PAYLOAD, PRECIS_NOT_CAPTURED },
		{ PRECIS_EVENT_IBS_OP, PRECIS_E_TRUNCATED, PRECIS_MALFORMED },
		{ PRECIS_EVENT_IBS_OP, PRECIS_E_BAD_CAPS, PRECIS_MALFORMED },
		{ PRECIS_EVENT_IBS_FETCH, PRECIS_E_NOT_A_SAMPLE, PRECIS_MALFORMED },
	};
	struct precis_sample sample;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		precis_sample_init(&sample);
		sample.wanted[0] = UINT64_MAX;
		sample.event_kind = rows[i].kind;
		sample.payload_error = rows[i].error;
		expect_absent(&sample, PRECIS_FIELD_TAG_TO_RETIRE, rows[i].reason,
			      rows[i].reason == PRECIS_MALFORMED ? precis_strerror(rows[i].error) :
								   NULL, "payload");
	}
}

/* Of an event of neither kind nobody may say that IBS does not measure something. */
static void other_event(void)
{
	static const uint32_t fields[] = { PRECIS_FIELD_TAG_TO_RETIRE, PRECIS_FIELD_LOAD_LATENCY,
					   PRECIS_FIELD_RETIRE_LATENCY, PRECIS_FIELD_MEM_LEVEL,
					   PRECIS_FIELD_FETCH_LATENCY };
	struct precis_sample sample;

	precis_sample_init(&sample);
	memset(sample.wanted, 0xff, sizeof(sample.wanted));
	sample.event_kind = PRECIS_EVENT_OTHER;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		expect_absent(&sample, (enum precis_field)fields[i], PRECIS_NOT_CAPTURED,
			      "the event is neither IBS nor a precise event of an Intel CPU",
			      precis_field_name(fields[i]));
}

/* A sample that is decoded into again keeps nothing of the one before. */
static void again(void)
{
	struct precis_ibs_op op = make_op(CAPS_ZEN2);
	struct precis_ibs_fetch fetch = make_fetch(CAPS_ZEN2);
	struct precis_sample sample;

	op.op_data3 = LOAD | LIN_VALID;
	op.dc_lin_ad = 0x1234;
	decode_op(ZEN2, &op, &sample);
	precis_set(&sample, PRECIS_FIELD_CGROUP, 5);
	precis_set(&sample, PRECIS_FIELD_TIME, 6);
	expect_value(&sample, PRECIS_FIELD_ADDR, 0x1234, "first");
	precis_ibs_fetch_decode(&decode_context, &fetch, NULL, &sample);
	CU_ASSERT_EQUAL(sample.value[PRECIS_FIELD_ADDR], UINT64_MAX);
	CU_ASSERT_EQUAL(sample.value[PRECIS_FIELD_CGROUP], UINT64_MAX);
	CU_ASSERT_EQUAL(sample.value[PRECIS_FIELD_TIME], UINT64_MAX);
	expect_absent(&sample, PRECIS_FIELD_ADDR, PRECIS_NOT_APPLICABLE, NULL, "second");
}

static const struct tap_case cases[] = {
	{ "reasons have names", names },
	{ "an empty sample", empty_sample },
	{ "fields that are set", set },
	{ "fields that were not asked for", not_wanted },
	{ "of several reasons the most general one", priorities },
	{ "fields of the other unit", other_unit },
	{ "a CPU that is not known", unknown_cpu },
	{ "a payload that gave nothing", no_payload },
	{ "an event that is neither IBS nor PEBS", other_event },
	{ "decoding into a used sample", again },
};

int main(void)
{
	return tap_main("reasons", cases, sizeof(cases) / sizeof(cases[0]));
}
