/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that read and write PEBS records, debug stores and packets of Intel PT. */
#include "every_call.h"

#define BASE UINT64_C(0x10000)

static struct precis_pebs *new_record(uint32_t format)
{
	struct precis_pebs *pebs = NEW(precis_pebs);

	pebs->format = format;
	pebs->groups = PRECIS_PEBS_GROUP_BASIC;
	pebs->gpr_captured = (1u << PRECIS_PEBS_SSP) - 1;
	pebs->captured = (1u << PRECIS_PEBS_WORD_COUNT) - 1;
	pebs->flags = format == PRECIS_PEBS_FORMAT_ARCH ? PRECIS_PEBS_RETIRE_LATENCY_TOLD : 0;
	pebs->word[PRECIS_PEBS_EVENTING_IP] = 0x401000;
	pebs->word[PRECIS_PEBS_APPLICABLE_COUNTERS] = 1;
	pebs->word[PRECIS_PEBS_DATA_ADDRESS] = 0x7fff0000;
	pebs->word[PRECIS_PEBS_DATA_SOURCE] = 1;
	pebs->word[PRECIS_PEBS_LATENCY] = 77;
	return pebs;
}

static void views(struct calls *calls)
{
	static const uint8_t bytes[1024] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	struct precis_pebs_groups *views = NEW(precis_pebs_groups);
	struct precis_pebs_branch branch;
	uint64_t value, metrics;
	uint8_t vector[PRECIS_PEBS_VECTOR_MAX];

	views->lbr_count = 2;
	views->gp_counters = 1;
	views->metrics = 1;
	views->has_lbr_header = 1;
	views->xmm = views->lbr_header = views->lbr = views->counters = bytes;
	RETURNS(precis_pebs_branch, precis_pebs_branch(views, 0, &branch));
	GIVES(precis_pebs_branch, branch.from);
	RETURNS(precis_pebs_branch_count, precis_pebs_branch_count(views));
	FILLS(precis_pebs_lbr_header, precis_pebs_lbr_header, , precis_pebs_lbr_header(views, s));
	RETURNS(precis_pebs_counter, precis_pebs_counter(views, 0, &value));
	GIVES(precis_pebs_counter, value);
	RETURNS(precis_pebs_metrics, precis_pebs_metrics(views, &value, &metrics));
	RETURNS(precis_pebs_register,
		precis_pebs_register(views, PRECIS_PEBS_GROUP_XMM, 0, vector));
	RETURNS(precis_pebs_vector, precis_pebs_vector(views, 0, vector));
	calls_drop(views);
}

static void branch_info(struct calls *calls)
{
	struct precis_pebs_branch_info *info = NEW(precis_pebs_branch_info);
	const char *detail;

	FILLS(precis_pebs_branch_info, precis_pebs_branch_info, ,
	      precis_pebs_branch_info(4, PRECIS_INTEL_GOLDEN_COVE, 5, s));
	precis_pebs_branch_info(3, PRECIS_INTEL_SKYLAKE, 5, info);
	RETURNS(precis_pebs_branch_why,
		precis_pebs_branch_why(info, PRECIS_PEBS_BRANCH_TYPE, &detail));
	GIVES(precis_pebs_branch_why, (uintptr_t)detail);
	FILLS(precis_pebs_register_group, precis_pebs_register_group, ,
	      precis_pebs_register_group(1, s));
	calls_drop(info);
}

static void decode(struct calls *calls, struct precis_pebs_context *context,
		   const struct precis_pebs *pebs)
{
	struct precis_sample *sample = CALLS_OF(_new_sample)();
	struct precis_perf_words *words = NEW(precis_perf_words);
	int code = precis_pebs_decode(context, pebs, NULL, sample);

	CALLS_OF(_sample)(calls, "precis_pebs_decode", code, sample);
	words->captured = PRECIS_SAMPLE_ADDR | PRECIS_SAMPLE_DATA_SRC | PRECIS_SAMPLE_WEIGHT;
	words->addr = 0x7fff0000;
	words->data_src = 0x68100142;
	words->weight = 88;
	sample = CALLS_OF(_new_sample)();
	code = precis_perf_words_decode(context, words, NULL, sample);
	CALLS_OF(_sample)(calls, "precis_perf_words_decode", code, sample);
	calls_drop(words);
}

static void columns(struct calls *calls, struct precis_pebs_context *context, const uint8_t *bytes,
		    size_t count)
{
	const uint32_t word = PRECIS_PEBS_DATA_ADDRESS, field = PRECIS_FIELD_ADDR;
	struct precis_pebs_buffer buffer;
	uint64_t column[1], *columns = column;
	uint32_t mask[1];

	RETURNS(precis_pebs_buffer_init, precis_pebs_buffer_init(&buffer, 3, bytes, count));
	FILLS(precis_pebs, precis_pebs_buffer_next, , precis_pebs_buffer_next(&buffer, s, NULL));
	precis_pebs_buffer_init(&buffer, 3, bytes, count);
	RETURNS(precis_pebs_words, precis_pebs_words(&buffer, &word, 1, 1, &columns, mask));
	GIVES(precis_pebs_words, column[0]);
	precis_pebs_buffer_init(&buffer, 3, bytes, count);
	RETURNS(precis_pebs_columns,
		precis_pebs_columns(context, &buffer, &field, 1, 1, &columns, mask));
	GIVES(precis_pebs_columns, column[0]);
}

static void records(struct calls *calls)
{
	struct precis_pebs_context *context = malloc(sizeof(*context));
	struct precis_pebs_machine *machine = NEW(precis_pebs_machine);
	struct precis_pebs *pebs = new_record(PRECIS_PEBS_FORMAT_3);
	struct precis_pebs *arch = new_record(PRECIS_PEBS_FORMAT_ARCH);
	static uint8_t bytes[512];
	int count;

	machine->cpu.size = sizeof(machine->cpu);
	precis_cpu_parse("GenuineIntel,6,94,3", &machine->cpu);
	machine->facility_is_known = 1;
	machine->facility = 1; /* load latency */
	RETURNS(precis_pebs_context_init, precis_pebs_context_init(context, machine));
	count = precis_pebs_encode(pebs, NULL, bytes, sizeof(bytes));
	RETURNS(precis_pebs_encode, count);
	FILLS(precis_pebs, precis_pebs_parse, , precis_pebs_parse(3, bytes, (size_t)count, s, NULL));
	FILLS(precis_pebs_groups, precis_pebs_parse, ,
	      precis_pebs_parse(3, bytes, (size_t)count, pebs, s));
	decode(calls, context, pebs);
	columns(calls, context, bytes, (size_t)count);
	RETURNS(precis_pebs_encode_fragments,
		precis_pebs_encode_fragments(arch, NULL, 0, 0, bytes, sizeof(bytes)));
	calls_drop(machine);
	calls_drop(pebs);
	calls_drop(arch);
	free(context);
}

static void packets(struct calls *calls)
{
	static uint8_t bytes[PRECIS_PEBS_PT_ENCODED_MAX + 16];
	static const uint8_t psb[16] = { 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82,
					 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82 };
	struct precis_pt_packet *packet = NEW(precis_pt_packet);
	struct precis_pebs_pt_about *about = NEW(precis_pebs_pt_about);
	struct precis_pebs *pebs = new_record(PRECIS_PEBS_FORMAT_4);
	struct precis_pebs_pt *decoder = malloc(sizeof(*decoder));
	size_t used;
	int count;

	FILLS(precis_pt_packet, precis_pt_packet_parse, , precis_pt_packet_parse("\x00", 1, 0, s));
	packet->type = PRECIS_PT_PAD;
	RETURNS(precis_pt_packet_encode, precis_pt_packet_encode(packet, bytes, sizeof(bytes)));
	pebs->captured &= ~(1u << PRECIS_PEBS_RETIRE_LATENCY | 1u << PRECIS_PEBS_STATUS);
	memcpy(bytes, psb, sizeof(psb));
	count = precis_pebs_pt_encode(pebs, NULL, about, bytes + 16, sizeof(bytes) - 16);
	RETURNS(precis_pebs_pt_encode, count);
	RETURNS(precis_pebs_pt_init, precis_pebs_pt_init(decoder, 0));
	FILLS(precis_pebs, precis_pebs_pt_next, ,
	      precis_pebs_pt_next(decoder, bytes, 16 + (size_t)count, &used, s, NULL, NULL));
	precis_pebs_pt_init(decoder, 0);
	FILLS(precis_pebs_pt_about, precis_pebs_pt_next, ,
	      precis_pebs_pt_next(decoder, bytes, 16 + (size_t)count, &used, pebs, NULL, s));
	precis_pebs_pt_init(decoder, 0);
	FILLS(precis_pebs_groups, precis_pebs_pt_next, ,
	      precis_pebs_pt_next(decoder, bytes, 16 + (size_t)count, &used, pebs, s, NULL));
	FILLS(precis_pebs_groups, precis_pebs_pt_end, , precis_pebs_pt_end(decoder, pebs, s, about));
	calls_drop(packet);
	calls_drop(about);
	calls_drop(pebs);
	free(decoder);
}

static void debug_store(struct calls *calls)
{
	static uint8_t area[PRECIS_DS_AREA_MAX], memory[400];
	struct precis_ds *ds = NEW(precis_ds);
	struct precis_pebs_buffer pebs;
	struct precis_bts_buffer bts;
	uint64_t skip, count;
	uint32_t fault;
	int bytes;

	ds->layout = PRECIS_DS_64_4;
	ds->bts = (struct precis_ds_buffer){ BASE, BASE + 24, BASE + 48, BASE + 48 };
	ds->pebs = (struct precis_ds_buffer){ BASE, BASE + 200, BASE + 400, BASE + 400 };
	bytes = precis_ds_encode(ds, area, sizeof(area));
	RETURNS(precis_ds_encode, bytes);
	FILLS(precis_ds, precis_ds_parse, ,
	      precis_ds_parse(PRECIS_DS_64_4, area, (size_t)bytes, s));
	RETURNS(precis_ds_pebs,
		precis_ds_pebs(ds, 3, memory, sizeof(memory), BASE, &pebs, &fault));
	RETURNS(precis_ds_extent, precis_ds_extent(ds, 3, NULL, &skip, &count, &fault));
	GIVES(precis_ds_extent, count);
	RETURNS(precis_ds_bts, precis_ds_bts(ds, memory, sizeof(memory), BASE, &bts, &fault));
	RETURNS(precis_bts_init, precis_bts_init(&bts, PRECIS_DS_64_4, memory, 48));
	RETURNS(precis_bts_next, precis_bts_next(&bts, &(struct precis_bts_branch){ 0 }));
	calls_drop(ds);
}

void CALLS_OF(_pebs)(struct calls *calls)
{
	views(calls);
	branch_info(calls);
	records(calls);
	packets(calls);
	debug_store(calls);
}
