/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that decode registers and words, and those that answer from tables. */
#include "every_call.h"

#define CAPS_ZEN4 0xbffu

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * UINT64_C(0x100000001b3);
}

struct precis_sample *CALLS_OF(_new_sample)(void)
{
	struct precis_sample *sample = NEW(precis_sample);

	precis_sample_init(sample);
	return sample;
}

/* The last field that the oldest headers have is TSC. */
void CALLS_OF(_sample)(struct calls *calls, const char *name, int64_t code,
		       struct precis_sample *sample)
{
	uint64_t hash = 1;
	int unknown = 0;

	for (uint32_t field = 0; field <= PRECIS_FIELD_TSC; field++) {
		uint64_t value = UINT64_MAX;

		hash = mix(hash, (uint64_t)precis_get(sample, (enum precis_field)field, &value));
		hash = mix(hash, value);
		hash = mix(hash, sample->value[field]);
		hash = mix(hash, precis_why(sample, (enum precis_field)field));
		hash = mix(hash, (uintptr_t)precis_why_detail(sample, (enum precis_field)field));
	}
	for (uint32_t field = PRECIS_FIELD_COUNT; field < PRECIS_FIELD_CAPACITY; field++)
		unknown |= precis_fields_have(sample->present, field);
	calls_returned(calls, name, code);
	calls_returned(calls, name, (int64_t)(mix(hash, (uint64_t)unknown) >> 1));
	calls_drop(sample);
}

static struct precis_ibs_op *new_op(void)
{
	struct precis_ibs_op *op = NEW(precis_ibs_op);

	op->caps = CAPS_ZEN4;
	op->captured = 0x7f;
	op->op_ctl = 3ull << 17 | 0x1000;
	op->op_rip = 0x401000;
	op->op_data = 0x00200010;
	op->op_data2 = 3;
	op->op_data3 = UINT64_C(0x00c8000000000000) | 0x60081;
	op->dc_lin_ad = 0x7fff0000;
	return op;
}

static struct precis_ibs_fetch *new_fetch(void)
{
	struct precis_ibs_fetch *fetch = NEW(precis_ibs_fetch);

	fetch->caps = CAPS_ZEN4;
	fetch->captured = 7u << PRECIS_IBS_FETCH_CTL;
	fetch->fetch_ctl = 7ull << 48 | 1ull << 52;
	fetch->fetch_lin_ad = 0x401000;
	return fetch;
}

static void decode_ibs(struct calls *calls, struct precis_ibs_context *context,
		       const struct precis_ibs_op *op, const struct precis_ibs_fetch *fetch)
{
	struct precis_sample *sample = CALLS_OF(_new_sample)();
	int code = precis_ibs_op_decode(context, op, NULL, sample);

	CALLS_OF(_sample)(calls, "precis_ibs_op_decode", code, sample);
	sample = CALLS_OF(_new_sample)();
	code = precis_ibs_fetch_decode(context, fetch, NULL, sample);
	CALLS_OF(_sample)(calls, "precis_ibs_fetch_decode", code, sample);
}

/* Two structs behind one another, of which each call has to find the second */
static void ibs_columns(struct calls *calls, struct precis_ibs_context *context,
			const struct precis_ibs_op *op, const struct precis_ibs_fetch *fetch)
{
	const uint32_t field = PRECIS_FIELD_IP;
	uint64_t column[2], first[2], *columns = column;
	uint64_t *const present[PRECIS_FIELD_WORDS] = { first };
	struct precis_ibs_fetch fetches[2] = { *fetch, *fetch };
	struct precis_ibs_op ops[2] = { *op, *op };

	ops[1].op_rip = 0x402000;
	fetches[1].fetch_lin_ad = 0x402000;
	RETURNS(precis_ibs_op_columns,
		precis_ibs_op_columns(context, ops, 2, &field, 1, &columns, present));
	GIVES(precis_ibs_op_columns, column[1] ^ first[1]);
	RETURNS(precis_ibs_fetch_columns,
		precis_ibs_fetch_columns(context, fetches, 2, &field, 1, &columns, present));
	GIVES(precis_ibs_fetch_columns, column[1] ^ first[1]);
}

static void ibs(struct calls *calls)
{
	struct precis_ibs_context *context = malloc(sizeof(*context));
	struct precis_ibs_fetch *fetch = new_fetch();
	struct precis_ibs_op *op = new_op();
	struct precis_cpu *cpu = NEW(precis_cpu);
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];
	uint64_t present[PRECIS_FIELD_WORDS];
	int bytes, captured;

	precis_cpu_parse("AuthenticAMD,25,17,1", cpu);
	RETURNS(precis_amd_cores_of, precis_amd_cores_of(cpu, CAPS_ZEN4));
	RETURNS(precis_ibs_context_init, precis_ibs_context_init(context, cpu));
	bytes = precis_ibs_op_encode(op, payload);
	RETURNS(precis_ibs_op_encode, bytes);
	FILLS(precis_ibs_op, precis_ibs_op_parse, , precis_ibs_op_parse(payload, (size_t)bytes, s));
	bytes = precis_ibs_fetch_encode(fetch, 0, payload);
	RETURNS(precis_ibs_fetch_encode, bytes);
	FILLS(precis_ibs_fetch, precis_ibs_fetch_parse, ,
	      precis_ibs_fetch_parse(payload, (size_t)bytes, 0, s));
	RETURNS(precis_ibs_op_present, precis_ibs_op_present(context, op, present));
	GIVES(precis_ibs_op_present, present[0]);
	RETURNS(precis_ibs_fetch_present, precis_ibs_fetch_present(context, fetch, present));
	GIVES(precis_ibs_fetch_present, present[0]);
	RETURNS(precis_ibs_op_register, precis_ibs_op_register(op, PRECIS_IBS_OP_RIP, &captured));
	RETURNS(precis_ibs_fetch_register,
		precis_ibs_fetch_register(fetch, PRECIS_IBS_FETCH_LIN_AD, &captured));
	for (uint32_t n = 0; n < 8; n++) {
		RETURNS(precis_ibs_bits_defined, precis_ibs_bits_defined(context, n));
		GIVES(precis_ibs_op_bits_erratum,
			(uintptr_t)precis_ibs_op_bits_erratum(context, op, n));
		GIVES(precis_ibs_fetch_bits_erratum,
			(uintptr_t)precis_ibs_fetch_bits_erratum(context, fetch, n));
	}
	decode_ibs(calls, context, op, fetch);
	ibs_columns(calls, context, op, fetch);
	calls_drop(cpu);
	calls_drop(fetch);
	calls_drop(op);
	free(context);
}

static const char *find_name(const struct precis_sample *sample, uint32_t name, void *data)
{
	(void)sample, (void)name;
	return data;
}

/* Names that a filter compares: those that the library knows the last member of too */
static void own_names(struct calls *calls)
{
	static const char *const words[] = { "comm" };
	struct precis_filter_names *names = NEW(precis_filter_names);
	struct precis_sample *sample = CALLS_OF(_new_sample)();
	struct precis_filter filter;
	char mine[] = "mine";

	names->count = 1;
	names->names = words;
	names->find = find_name;
	names->data = mine;
	RETURNS(precis_filter_compile_names,
		precis_filter_compile_names("comm == mine", NULL, NULL, names, &filter, NULL));
	calls_drop(names);
	RETURNS(precis_filter_names_used, precis_filter_names_used(&filter));
	RETURNS(precis_filter_match, precis_filter_match(&filter, sample));
	calls_drop(sample);
}

static void tables(struct calls *calls)
{
	struct precis_cpu *cpu = NEW(precis_cpu);
	struct precis_filter_error *error;
	struct precis_filter filter;

	FILLS(precis_cpu, precis_cpu_parse, , precis_cpu_parse("AuthenticAMD,25,17,1", s));
	FILLS(precis_field_info, precis_field_info, , precis_field_info(PRECIS_FIELD_IP, s));
	FILLS(precis_erratum, precis_erratum, , precis_erratum(1, s));
	FILLS(precis_ibs_bits, precis_ibs_bits, , precis_ibs_bits(2, s));
	FILLS(precis_intel_core_info, precis_intel_core_info, ,
	      precis_intel_core_info(PRECIS_INTEL_GOLDEN_COVE, s));
	precis_cpu_parse("GenuineIntel,6,143,8", cpu);
	RETURNS(precis_intel_core_of, precis_intel_core_of(cpu, PRECIS_CORE_TYPE_UNKNOWN));
	GIVES(precis_intel_core_doubt,
		(uintptr_t)precis_intel_core_doubt(cpu, PRECIS_CORE_TYPE_UNKNOWN));
	calls_drop(cpu);
	error = NEW(precis_filter_error);
	RETURNS(precis_filter_compile, -precis_filter_compile("ip ==", NULL, NULL, &filter, error));
	GIVES(precis_filter_compile, error->column);
	calls_drop(error);
	RETURNS(precis_filter_compile, precis_filter_compile("ip == 1", NULL, NULL, &filter, NULL));
	own_names(calls);
}

/* One that its program fills */
static void own_sample(struct calls *calls)
{
	const char *detail;
	struct precis_sample *sample = CALLS_OF(_new_sample)();
	struct precis_filter filter;

	precis_filter_compile("ip == 7", NULL, NULL, &filter, NULL);
	RETURNS(precis_set, precis_set(sample, PRECIS_FIELD_IP, 7));
	/* the last field of these headers, which the library may not know */
	GIVES(precis_set, !precis_set(sample, (enum precis_field)(PRECIS_FIELD_COUNT - 1), 8) ==
				  (precis_field_name(PRECIS_FIELD_COUNT - 1) != NULL));
	RETURNS(precis_filter_match, precis_filter_match(&filter, sample));
	RETURNS(precis_why, precis_why(sample, PRECIS_FIELD_IP));
	GIVES(precis_why_detail, (uintptr_t)precis_why_detail(sample, PRECIS_FIELD_IP));
	RETURNS(precis_why_in_words, precis_why_in_words(sample, PRECIS_FIELD_IP, &detail));
	GIVES(precis_why_in_words, (uintptr_t)detail);
	calls_drop(sample);
}

static void data_sources(struct calls *calls)
{
	struct precis_dse_encoding *encoding = NEW(precis_dse_encoding);
	struct precis_data_source *source = NEW(precis_data_source);
	struct precis_access *access = NEW(precis_access);
	uint64_t word;

	FILLS(precis_access, precis_data_source_access, ,
	      precis_data_source_access(UINT64_C(0x1e05080021), s));
	precis_data_source_access(UINT64_C(0x1e05080021), access);
	RETURNS(precis_access_why, precis_access_why(access, PRECIS_ACCESS_MEM_LEVEL));
	GIVES(precis_access_why_detail,
		(uintptr_t)precis_access_why_detail(access, PRECIS_ACCESS_MEM_LEVEL));
	FILLS(precis_data_source, precis_data_source_decode, , precis_data_source_decode(0x68100142, s));
	precis_data_source_decode(0x68100142, source);
	RETURNS(precis_data_source_encode, precis_data_source_encode(source, &word));
	GIVES(precis_data_source_encode, word);
	FILLS(precis_dse_encoding, precis_dse_encoding_of, ,
	      precis_dse_encoding_of(PRECIS_INTEL_SKYLAKE, s));
	precis_dse_encoding_of(PRECIS_INTEL_SKYLAKE, encoding);
	RETURNS(precis_dse_word, precis_dse_word(encoding, 1, 1, &word));
	GIVES(precis_dse_word, word);
	FILLS(precis_access, precis_dse_access, , precis_dse_access(encoding, 1, 1, s));
	FILLS(precis_dse_row, precis_dse_row, , precis_dse_row(PRECIS_DSE_TABLE_SNB, 1, s));
	calls_drop(encoding);
	calls_drop(source);
	calls_drop(access);
}

static void code(struct calls *calls)
{
	static const uint8_t jump[] = { 0x75, 0xfe };

	/* without Zydis it says so, and decodes nothing */
	FILLS(precis_instruction, precis_code_decode, ,
	      precis_code_decode(jump, sizeof(jump), 0x401000, 64, PRECIS_CODE_ATT, s) *
		      precis_code_available());
}

/* Of the usual sizes, so that the last members of older headers are what is not told: 0 */
static void plan(struct calls *calls)
{
	static const char text[] = "precis-calibration 1\ncpu a\nkernel b\nevent c\nns sample 700\nend 1\n";
	struct precis_plan_cost *cost = NEW(precis_plan_cost);
	struct precis_plan_setup *setup = NEW(precis_plan_setup);
	struct precis_plan_wish *wish = NEW(precis_plan_wish);
	struct precis_plan_fault *fault;

	FILLS(precis_plan_cost, precis_plan_published, , precis_plan_published(0, s));
	FILLS(precis_plan_cost, precis_plan_parse, ,
	      precis_plan_parse(text, sizeof(text) - 1, 0, s, NULL));
	fault = NEW(precis_plan_fault);
	RETURNS(precis_plan_parse, -precis_plan_parse(text, 30, 0, cost, fault));
	GIVES(precis_plan_parse, fault->line);
	calls_drop(fault);
	precis_plan_published(4, cost);
	setup->period = 100003;
	setup->rate = 1e9;
	setup->seconds = 10;
	setup->record_bytes = 160;
	setup->ring_bytes = 65536;
	setup->reader_delay_ns = 1e6;
	FILLS(precis_plan_prediction, precis_plan_predict, ,
	      precis_plan_predict(cost, setup, s));
	wish->budget = 0.01;
	FILLS(precis_plan_advice, precis_plan_advise, , precis_plan_advise(cost, setup, wish, s));
	calls_drop(wish);
	calls_drop(setup);
	calls_drop(cost);
}

/* What does not change from version to version */
static void fixed(struct calls *calls)
{
	calls_returned(calls, "where a sample's registers are",
		       offsetof(struct precis_sample, registers));
	calls_returned(calls, "where a sample's values are", offsetof(struct precis_sample, value));
	calls_returned(calls, "struct precis_bts_buffer", sizeof(struct precis_bts_buffer));
	calls_returned(calls, "struct precis_decoder", sizeof(struct precis_decoder));
	calls_returned(calls, "struct precis_filter", sizeof(struct precis_filter));
	calls_returned(calls, "struct precis_ibs_context", sizeof(struct precis_ibs_context));
	calls_returned(calls, "struct precis_pebs_buffer", sizeof(struct precis_pebs_buffer));
	calls_returned(calls, "struct precis_pebs_context", sizeof(struct precis_pebs_context));
	calls_returned(calls, "struct precis_pebs_pt", sizeof(struct precis_pebs_pt));
	calls_returned(calls, "struct precis_ring", sizeof(struct precis_ring));
	calls_returned(calls, "struct precis_tracepoint_field",
		       sizeof(struct precis_tracepoint_field));
}

void CALLS_OF(_values)(struct calls *calls)
{
	fixed(calls);
	tables(calls);
	own_sample(calls);
	data_sources(calls);
	ibs(calls);
	code(calls);
	plan(calls);
}
