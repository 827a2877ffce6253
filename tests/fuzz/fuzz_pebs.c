/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PEBS buffers and debug stores. Byte 0: what it is; byte 1: a choice within it;
 * then the buffer, or the management area followed by the buffer's memory. Each
 * record becomes a sample of one of a few machines.
 */
#include <string.h>

#include <precis/precis.h>

#include "tests/fuzz/target.h"

#define ROOM 16
#define FRAGMENT_MAX 65536

static const uint8_t formats[] = { 0, 1, 2, 3, 4, 5, 6, 15, 16, 17 };

#define FORMATS sizeof(formats)

static int lies_in(const uint8_t *at, size_t bytes, const struct precis_pebs_buffer *buffer)
{
	return !at || (at >= buffer->bytes && bytes <= buffer->count &&
		       (size_t)(at - buffer->bytes) <= buffer->count - bytes);
}

/* All that the readers give; a view that left the buffer is seen by the sanitizer. */
static void read_views(const struct precis_pebs_groups *views,
		       const struct precis_pebs_buffer *buffer)
{
	static const uint32_t groups[] = { PRECIS_PEBS_GROUP_XMM, PRECIS_PEBS_GROUP_YMMH,
					   PRECIS_PEBS_GROUP_OPMASK, PRECIS_PEBS_GROUP_ZMMH,
					   PRECIS_PEBS_GROUP_HI16_ZMM };
	struct precis_pebs_lbr_header header = { .size = sizeof(header) };
	uint8_t bytes[PRECIS_PEBS_VECTOR_MAX];
	struct precis_pebs_branch branch;
	uint64_t value, metrics;

	PROMISE(lies_in(views->lbr, 24 * (size_t)views->lbr_count, buffer));
	for (uint32_t n = 0; n < views->lbr_count; n++)
		PROMISE(precis_pebs_branch(views, n, &branch) == 1);
	PROMISE(precis_pebs_branch(views, views->lbr_count, &branch) == 0);
	PROMISE(precis_pebs_lbr_header(views, &header) == (int)views->has_lbr_header);
	for (uint32_t n = 0; n < 64; n++) {
		uint32_t mask = n < 32 ? views->gp_counters : views->fixed_counters;

		PROMISE(precis_pebs_counter(views, n, &value) == (int)(mask >> n % 32 & 1));
	}
	PROMISE(precis_pebs_metrics(views, &value, &metrics) == (int)views->metrics);
	for (uint32_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		for (uint32_t n = 0; n < 8; n++)
			PROMISE(precis_pebs_register(views, groups[i], n, bytes) >= 0);
	}
	for (uint32_t n = 0; n < 32; n++)
		PROMISE(precis_pebs_vector(views, n, bytes) >= 0);
}

static int same_words(const struct precis_pebs *a, const struct precis_pebs *b)
{
	if (a->captured != b->captured || a->gpr_captured != b->gpr_captured ||
	    a->groups != b->groups)
		return 0;
	for (uint32_t i = 0; i < PRECIS_PEBS_WORD_COUNT; i++) {
		if ((a->captured >> i & 1) && a->word[i] != b->word[i])
			return 0;
	}
	for (uint32_t i = 0; i < PRECIS_PEBS_GPR_COUNT; i++) {
		if ((a->gpr_captured >> i & 1) && a->gpr[i] != b->gpr[i])
			return 0;
	}
	return 1;
}

/* A record that was read can be written, and says the same when it is read again. */
static void write_again(const struct precis_pebs *pebs, const struct precis_pebs_groups *views,
			const uint8_t *was)
{
	struct precis_pebs again = { .size = sizeof(again) };
	static uint8_t bytes[FRAGMENT_MAX];
	int length = precis_pebs_encode(pebs, views, bytes, sizeof(bytes));

	/* fragments that were several can be too long for one */
	if ((length == PRECIS_E_BAD_SIZE || length == PRECIS_E_NO_SPACE) && pebs->fragments > 1)
		return;
	PROMISE(length > 0);
	PROMISE(precis_pebs_parse(pebs->format, bytes, (size_t)length, &again, NULL) == 0);
	PROMISE(same_words(pebs, &again));
	if (precis_pebs_format_bytes(pebs->format))
		PROMISE((size_t)length == pebs->bytes && !memcmp(bytes, was, pebs->bytes));
}

/* Cores of each way in which latencies and data sources are read; event, IA32_PERF_CAPABILITIES */
static const struct {
	uint16_t family, model;
	uint8_t type, event;
	uint64_t capabilities;
} machines[] = {
	{ 0, 0, 0, PRECIS_PEBS_FACILITY_OTHER, 0 },
	{ 6, 0x1a, 0, PRECIS_PEBS_FACILITY_LOAD_LATENCY, 0 },
	{ 6, 0x3a, 0, PRECIS_PEBS_FACILITY_PRECISE_STORE, 0 },
	{ 6, 0x55, 0, PRECIS_PEBS_FACILITY_LOAD_LATENCY, 0 },
	{ 6, 0x55, 0, PRECIS_PEBS_FACILITY_DATA_LA_STORE, 0 },
	{ 6, 0x8f, 0, PRECIS_PEBS_FACILITY_STORE_LATENCY, 1u << 17 },
	{ 6, 0x97, PRECIS_CORE_TYPE_E, PRECIS_PEBS_FACILITY_LOAD_LATENCY, 1u << 17 },
	{ 6, 0xaa, PRECIS_CORE_TYPE_LP_E, PRECIS_PEBS_FACILITY_LOAD_LATENCY, 0 },
	{ 6, 0xbd, PRECIS_CORE_TYPE_P, PRECIS_PEBS_FACILITY_LOAD_LATENCY, 1u << 17 },
	{ 0x13, 1, 0, PRECIS_PEBS_FACILITY_LOAD_LATENCY, 0 },
	{ 0x12, 1, PRECIS_CORE_TYPE_E, PRECIS_PEBS_FACILITY_STORE_LATENCY, 0 },
};

static void start_context(size_t choice, struct precis_pebs_context *context)
{
	const size_t n = choice % (sizeof(machines) / sizeof(machines[0]));
	const struct precis_pebs_machine machine = {
		.size = sizeof(machine),
		.core_type = machines[n].type,
		.cpu = { sizeof(machine.cpu), PRECIS_VENDOR_INTEL, machines[n].family,
			 machines[n].model, 0 },
		.facility_is_known = 1,
		.facility = machines[n].event,
		.has_capabilities = machines[n].capabilities != 0,
		.capabilities = machines[n].capabilities,
	};

	PROMISE(precis_pebs_context_init(context, &machine) == 0);
}

/* Each field is a value, or there is a reason for its absence. */
static void become_sample(struct precis_pebs_context *context, const struct precis_pebs *pebs,
			  struct precis_sample *sample)
{
	uint64_t value;

	PROMISE(precis_pebs_decode(context, pebs, NULL, sample) == 0);
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		enum precis_reason why = precis_why(sample, (enum precis_field)field);

		PROMISE(precis_get(sample, (enum precis_field)field, &value) ==
			(why == PRECIS_PRESENT));
		PROMISE(why == PRECIS_PRESENT ||
			*precis_why_detail(sample, (enum precis_field)field));
	}
}

/* Columns stop where the walk stops. */
static void read_columns(struct precis_pebs_buffer buffer, size_t room, uint64_t records)
{
	static const uint32_t words[] = { PRECIS_PEBS_DATA_ADDRESS, PRECIS_PEBS_LATENCY,
					  PRECIS_PEBS_RETIRE_LATENCY };
	uint64_t values[3][ROOM], *columns[3] = { values[0], values[1], values[2] };
	uint32_t captured[ROOM];
	int got;

	while ((got = precis_pebs_words(&buffer, words, 3, room, columns, captured)) != 0)
		PROMISE(got < 0 || (size_t)got <= room);
	PROMISE(buffer.records == records);
}

static void walk(struct precis_pebs_buffer *buffer, size_t room)
{
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	struct precis_pebs_groups views = { .size = sizeof(views) };
	const struct precis_pebs_buffer start = *buffer;
	struct precis_pebs_context context;
	struct precis_sample sample;
	size_t before = 0;
	int rc;

	start_context(buffer->count, &context);
	precis_sample_init(&sample);
	while ((rc = precis_pebs_buffer_next(buffer, &pebs, &views)) != 0) {
		PROMISE(buffer->next > before && buffer->next <= buffer->count);
		PROMISE(buffer->offset >= before && buffer->offset <= buffer->count);
		before = buffer->next;
		if (rc < 0)
			continue;
		PROMISE(buffer->offset + pebs.bytes == buffer->next);
		read_views(&views, buffer);
		write_again(&pebs, &views, buffer->bytes + buffer->offset);
		become_sample(&context, &pebs, &sample);
	}
	read_columns(start, room, buffer->records);
}

static void walk_branches(struct precis_bts_buffer *buffer)
{
	struct precis_bts_branch branch;
	uint8_t again[24];
	int rc;

	while ((rc = precis_bts_next(buffer, &branch)) != 0) {
		uint32_t bytes = precis_bts_record_bytes(buffer->layout);

		if (rc < 0)
			continue;
		PROMISE(precis_bts_encode(&branch, buffer->layout, again, sizeof(again)) ==
			(int)bytes);
		PROMISE(!memcmp(again, buffer->bytes + buffer->offset, bytes));
	}
}

/* The memory of the buffers is what stands behind the area. */
static void one_store(uint8_t choice, const uint8_t *data, size_t size)
{
	struct precis_ds ds = { .size = sizeof(ds) };
	struct precis_pebs_buffer buffer;
	struct precis_bts_buffer branches;
	uint8_t area[PRECIS_DS_AREA_MAX];
	uint32_t fault = UINT32_MAX;
	int length;

	if (precis_ds_parse(choice % 5, data, size, &ds) < 0)
		return;
	length = precis_ds_encode(&ds, area, sizeof(area));
	PROMISE(length > 0 && length <= PRECIS_DS_AREA_MAX);
	if ((size_t)length <= size)
		PROMISE(!memcmp(area, data, (size_t)length));
	else
		length = (int)size;
	data += length;
	size -= (size_t)length;
	if (precis_ds_pebs(&ds, formats[choice / 5 % FORMATS], data, size, ds.pebs.base, &buffer,
			   &fault) == 0)
		walk(&buffer, ROOM);
	PROMISE(fault == UINT32_MAX || precis_ds_fault_text(fault));
	if (precis_ds_bts(&ds, data, size, ds.bts.base, &branches, &fault) == 0)
		walk_branches(&branches);
	PROMISE(precis_ds_fault_text(fault));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct precis_pebs_buffer buffer;

	if (size < 2)
		return 0;
	if (data[0] % (FORMATS + 1) == FORMATS) {
		one_store(data[1], data + 2, size - 2);
		return 0;
	}
	PROMISE(precis_pebs_buffer_init(&buffer, formats[data[0] % (FORMATS + 1)], data + 2,
					size - 2) == 0);
	walk(&buffer, 1 + data[1] % ROOM);
	return 0;
}
