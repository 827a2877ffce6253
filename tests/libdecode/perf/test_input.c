/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One way through samples and records: items of recordings and dumps are what each of them has by
 * its own functions, in one order, and faults are counted in one way.
 */
#include "tests/libdecode/perf/differ.h"
#include "tests/libdecode/perf/recordings.h"
#include "tests/libdecode/perf/traced_file.h"

#define RECORDS 40000u /* more than a window holds */

static struct precis_input *input;

/* --- perf.data --- */

/* The next item has to be this record, and its sample what the file says. */
static void expect_record(struct precis_file *file, const struct precis_record *record,
			  struct precis_sample *expected, struct precis_sample *found)
{
	const struct precis_item *item;
	int code;

	CU_ASSERT_EQUAL_FATAL(precis_input_next(input, &item), 1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(item->record);
	CU_ASSERT_EQUAL(item->offset, record->offset);
	CU_ASSERT_EQUAL(item->record->type, record->type);
	CU_ASSERT_EQUAL(item->record->size, record->size);
	CU_ASSERT_EQUAL(memcmp(item->record->data, record->data, record->size), 0);
	CU_ASSERT_PTR_NULL(item->pebs);
	if (record->type != PRECIS_RECORD_SAMPLE) {
		CU_ASSERT_EQUAL(item->kind, PRECIS_ITEM_RECORD);
		CU_ASSERT_EQUAL(precis_input_sample(input, NULL, NULL, found), PRECIS_E_ARGUMENT);
		return;
	}
	CU_ASSERT_EQUAL(item->kind, PRECIS_ITEM_SAMPLE);
	code = precis_file_sample(file, record, NULL, NULL, expected);
	CU_ASSERT_EQUAL(precis_input_sample(input, NULL, NULL, found), code);
	CU_ASSERT_EQUAL(precis_input_sample(input, NULL, NULL, found), code);
	CU_ASSERT(!differ(expected, found));
	if (precis_file_event_of(file, record))
		CU_ASSERT_EQUAL(item->event->index, precis_file_event_of(file, record)->index);
}

static void expect_traced(struct precis_pebs_pt_samples *traced, struct precis_sample *expected,
			  struct precis_sample *found)
{
	struct precis_pebs_pt_origin there = { .size = sizeof(there) }, here = there;
	const struct precis_item *item;
	uint64_t event;

	while (precis_pebs_pt_samples_next(traced, NULL, NULL, expected, &there) == 1) {
		CU_ASSERT_EQUAL_FATAL(precis_input_next(input, &item), 1);
		CU_ASSERT_EQUAL(item->kind, PRECIS_ITEM_SAMPLE);
		CU_ASSERT_PTR_NULL(item->record);
		CU_ASSERT_EQUAL(item->offset, there.offset);
		CU_ASSERT_PTR_NOT_NULL_FATAL(item->pebs);
		CU_ASSERT_EQUAL(precis_input_sample(input, NULL, NULL, found), 0);
		CU_ASSERT(!differ(expected, found));
		CU_ASSERT_EQUAL(item->pebs->captured, found->registers.pebs.captured);
		CU_ASSERT_EQUAL(item->event != NULL, precis_get_event(found, &event));
		CU_ASSERT_EQUAL(precis_input_origin(input, &here), 1);
		CU_ASSERT_EQUAL(memcmp(&here, &there, sizeof(here)), 0);
	}
}

/* The same recording by its own functions, step by step. @return items */
static uint64_t compare(struct precis_file *file, struct precis_pebs_pt_samples *traced)
{
	struct precis_input_counts counts = { .size = sizeof(counts) };
	struct precis_file_counts file_counts = { .size = sizeof(file_counts) };
	struct precis_sample expected, found;
	struct precis_record record;
	const struct precis_item *item;
	int end;

	precis_sample_init(&expected);
	precis_sample_init(&found);
	while ((end = precis_file_next(file, &record)) == 1) {
		expect_record(file, &record, &expected, &found);
		CU_ASSERT_EQUAL(precis_pebs_pt_samples_record(traced, &record), 0);
		expect_traced(traced, &expected, &found);
	}
	precis_pebs_pt_samples_end(traced);
	expect_traced(traced, &expected, &found);
	CU_ASSERT_EQUAL(precis_input_next(input, &item), end);
	CU_ASSERT_EQUAL(precis_input_next(input, &item), end);
	CU_ASSERT_EQUAL(precis_input_last_error(input)->code, end);
	CU_ASSERT_EQUAL(precis_input_last_error(input)->offset,
			end ? precis_file_last_error(file)->offset : 0);
	CU_ASSERT_EQUAL(precis_input_counts(input, &counts), 0);
	precis_file_counts(file, &file_counts);
	CU_ASSERT_EQUAL(counts.samples - counts.traced, file_counts.samples);
	CU_ASSERT_EQUAL(counts.records + counts.samples - counts.traced, file_counts.records);
	return counts.records + counts.samples;
}

/* Opened twice, and once more after a rewind, in both orders. @return items */
static uint64_t compare_file(const char *name, uint32_t order)
{
	const struct precis_file_options of_file = { .size = sizeof(of_file), .order = order };
	const struct precis_input_options options = { .size = sizeof(options), .file = &of_file };
	struct precis_pebs_pt_samples *traced;
	struct precis_file *file;
	uint64_t items;
	int code = precis_file_open(name, &of_file, &file, NULL);

	if (code) {
		CU_ASSERT_EQUAL(precis_input_open(name, &options, &input, NULL), code);
		return 0;
	}
	CU_ASSERT_EQUAL_FATAL(precis_pebs_pt_samples_open(file, &traced), 0);
	CU_ASSERT_EQUAL_FATAL(precis_input_open(name, &options, &input, NULL), 0);
	CU_ASSERT_EQUAL(precis_input_event_count(input), precis_file_event_count(file));
	items = compare(file, traced);
	if (!precis_file_rewind(file)) {
		precis_pebs_pt_samples_rewind(traced);
		CU_ASSERT_EQUAL(precis_input_rewind(input), 0);
		CU_ASSERT_EQUAL(compare(file, traced), items);
	}
	precis_input_close(input);
	precis_pebs_pt_samples_close(traced);
	precis_file_close(file);
	return items;
}

static unsigned int compare_orders(const char *name)
{
	compare_file(name, PRECIS_ORDER_TIME);
	return compare_file(name, PRECIS_ORDER_FILE) > 0;
}

static void recordings(void)
{
	CU_ASSERT(visit_recordings("srcdir", "tests/recordings", compare_orders) >= 9);
	CU_ASSERT(visit_recordings("srcdir", "tests/recordings/forms", compare_orders) >= 18);
}

static void shared_recordings(void)
{
	if (!visit_recordings("PRECIS_SHARED", "perfdata", compare_orders))
		tap_skip("no foreign recordings (PRECIS_SHARED)");
}

static void make_traced(void)
{
	struct trace trace = trace_begin();

	put_pebs(&trace, 1, 1000, IP, 0);
	put_pebs(&trace, 3, 1010, IP, 0); /* of both events */
	put_pebs(&trace, 4, 1020, IP, 0); /* of none */
	put_pebs(&trace, 1, 1030, IP, 0x500000);
	begin(0, 0);
	put_info(1, 0);
	put_hw_id(3, 0, 1);
	put_hw_id(3, 1, 2);
	put_hw_id(3, 64, 1); /* no such counter */
	put_start(3, 50, 51, 6);
	put_trace(&trace, 0, trace.count - 7, 0, 3, -1); /* the last one ends with the file */
	put_switch(3, 31, 30);
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
}

static void traced_samples(void)
{
	const struct precis_input_options without = { .size = sizeof(without),
						      .without_traces = 1 };
	struct precis_pebs_pt_counts traces = { .size = sizeof(traces) };
	struct precis_input_fault fault = { .size = sizeof(fault) };
	struct precis_input_counts counts = { .size = sizeof(counts) };
	const struct precis_item *item;

	make_traced();
	CU_ASSERT(compare_file(path, PRECIS_ORDER_FILE) > 6);
	CU_ASSERT(compare_file(path, PRECIS_ORDER_TIME) > 6);
	CU_ASSERT_EQUAL_FATAL(precis_input_open(path, NULL, &input, NULL), 0);
	while (precis_input_next(input, &item) == 1)
		;
	CU_ASSERT_EQUAL(precis_input_counts(input, &counts), 0);
	CU_ASSERT_EQUAL(counts.traced, 5);
	CU_ASSERT_EQUAL(precis_input_traces(input, &traces), 1);
	CU_ASSERT(traces.samples == 5 && traces.bad_ids == 1);
	CU_ASSERT_EQUAL(precis_input_fault(input, PRECIS_INPUT_FAULT_TRACE, &fault), 0);
	CU_ASSERT(fault.count >= 2 && fault.offset == traces.fault_offset && fault.text[0]);
	precis_input_close(input);
	CU_ASSERT_EQUAL_FATAL(precis_input_open(path, &without, &input, NULL), 0);
	while (precis_input_next(input, &item) == 1)
		CU_ASSERT_EQUAL(item->kind, PRECIS_ITEM_RECORD);
	CU_ASSERT_EQUAL(precis_input_traces(input, &traces), 0);
	precis_input_close(input);
}

/* A sample of nobody, two that end too early, one without payload and one with a wrong one */
static void faults(void)
{
	static const struct {
		uint32_t kind;
		uint64_t count;
		uint32_t first; /* of the records below */
		int code;
	} expected[] = {
		{ PRECIS_INPUT_FAULT_UNREAD, 3, 0, PRECIS_E_BAD_ID },
		{ PRECIS_INPUT_FAULT_NO_PAYLOAD, 1, 3, PRECIS_E_NO_PAYLOAD },
		{ PRECIS_INPUT_FAULT_UNDECODABLE, 1, 4, PRECIS_E_BAD_CAPS },
		{ PRECIS_INPUT_FAULT_TRACE, 0, 0, 0 },
	};
	const uint64_t ids[] = { 10, 11 };
	uint8_t attr[BUILD_ATTR_BYTES], payload[60] = { 2 };
	struct precis_sample sample;
	const struct precis_item *item;
	uint64_t offset[8];
	uint32_t n = 0;

	CU_ASSERT_EQUAL_FATAL(precis_writer_open(path, &writer), 0);
	precis_writer_string(writer, PRECIS_FEATURE_CPUID, "AuthenticAMD,25,17,1");
	precis_writer_pmu(writer, 10, "ibs_op");
	build_attr(attr, 10, PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_RAW, 0);
	precis_writer_event(writer, attr, sizeof(attr), ids, 2, NULL);
	for (uint32_t row = 0; row < 5; row++) {
		build_begin(&build, PRECIS_RECORD_SAMPLE, 0);
		build_u64(&build, row ? 10 : 99);
		build_u32(&build, row == 3 ? 4 : 60);
		build_bytes(&build, payload, row == 4 ? 60 : row == 3 ? 4 : 12);
		put_record();
	}
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	CU_ASSERT_EQUAL_FATAL(precis_input_open(path, NULL, &input, NULL), 0);
	precis_sample_init(&sample);
	while (precis_input_next(input, &item) == 1) {
		offset[n++] = item->offset;
		precis_input_sample(input, NULL, NULL, &sample);
		precis_input_sample(input, NULL, NULL, &sample); /* counts once */
	}
	CU_ASSERT_EQUAL(n, 5);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		struct precis_input_fault fault = { .size = sizeof(fault) };

		CU_ASSERT_EQUAL(precis_input_fault(input, expected[i].kind, &fault), 0);
		CU_ASSERT_EQUAL(fault.count, expected[i].count);
		CU_ASSERT_EQUAL(fault.code, expected[i].code);
		CU_ASSERT_EQUAL(fault.offset,
				fault.count ? offset[expected[i].first] : UINT64_MAX);
		CU_ASSERT_EQUAL(fault.text[0] != '\0', fault.count != 0);
	}
	CU_ASSERT_EQUAL(precis_input_rewind(input), 0);
	for (uint32_t kind = 0; kind < PRECIS_INPUT_FAULT_COUNT; kind++) {
		struct precis_input_fault fault = { .size = sizeof(fault) };

		CU_ASSERT_EQUAL(precis_input_fault(input, kind, &fault), 0);
		CU_ASSERT_EQUAL(fault.count, 0);
	}
	precis_input_close(input);
}

/* --- dumps --- */

static struct precis_pebs_machine machine;

/* Format 3 (200 bytes each): record n has address 0x1000 + n */
static void make_dump(size_t before, uint32_t records, size_t behind)
{
	FILE *stream = fopen(path, "wb");
	uint8_t bytes[200];

	CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
	for (size_t n = 0; n < before; n++)
		fputc(0xee, stream);
	for (uint32_t n = 0; n < records; n++) {
		struct precis_pebs pebs = { .size = sizeof(pebs), .format = PRECIS_PEBS_FORMAT_3 };

		pebs.gpr_captured = (1u << PRECIS_PEBS_SSP) - 1;
		pebs.captured = (1u << PRECIS_PEBS_WORD_COUNT) - 1;
		pebs.word[PRECIS_PEBS_EVENTING_IP] = IP;
		pebs.word[PRECIS_PEBS_DATA_ADDRESS] = 0x1000 + n;
		pebs.word[PRECIS_PEBS_DATA_SOURCE] = 1;
		CU_ASSERT_EQUAL_FATAL(precis_pebs_encode(&pebs, NULL, bytes, sizeof(bytes)), 200);
		fwrite(bytes, 1, sizeof(bytes), stream);
	}
	for (size_t n = 0; n < behind; n++)
		fputc(0, stream);
	fclose(stream);
	machine = (struct precis_pebs_machine){ .size = sizeof(machine),
						.cpu = { .size = sizeof(machine.cpu) },
						.facility_is_known = 1,
						.facility = PRECIS_PEBS_FACILITY_LOAD_LATENCY };
	precis_cpu_parse("GenuineIntel,6,94,3", &machine.cpu);
}

/* Address and latency of record n. @return records read; *end: what the last call said */
static uint64_t read_dump(int *end)
{
	const struct precis_item *item;
	struct precis_sample sample;
	uint64_t n = 0, address;

	precis_sample_init(&sample);
	while ((*end = precis_input_next(input, &item)) == 1) {
		CU_ASSERT_EQUAL(item->kind, PRECIS_ITEM_SAMPLE);
		CU_ASSERT_PTR_NULL(item->record);
		CU_ASSERT_EQUAL(item->event->kind, PRECIS_EVENT_PEBS);
		CU_ASSERT_EQUAL(precis_input_sample(input, NULL, NULL, &sample), 0);
		CU_ASSERT(precis_get_addr(&sample, &address) && address == 0x1000 + n);
		CU_ASSERT_EQUAL(item->pebs->word[PRECIS_PEBS_DATA_ADDRESS], address);
		n++;
	}
	return n;
}

static int open_dump(uint32_t format, size_t skip, const uint64_t *count, int fd)
{
	const struct precis_pebs_dump dump = {
		.size = sizeof(dump),
		.format = format,
		.machine = &machine,
		.skip = skip,
		.has_count = count != NULL,
		.count = count ? *count : 0,
	};
	const struct precis_input_options options = { .size = sizeof(options), .dump = &dump };

	return fd < 0 ? precis_input_open(path, &options, &input, NULL)
		      : precis_input_open_fd(fd, &options, &input, NULL);
}

static void whole_dump(void)
{
	int end;

	make_dump(0, RECORDS, 0);
	CU_ASSERT_EQUAL_FATAL(open_dump(PRECIS_PEBS_FORMAT_3, 0, NULL, -1), 0);
	CU_ASSERT_PTR_NULL(precis_input_file(input));
	CU_ASSERT_EQUAL(precis_input_event_count(input), 1);
	CU_ASSERT_EQUAL(precis_input_event(input, 0)->pebs_facility, PRECIS_PEBS_FACILITY_LOAD_LATENCY);
	CU_ASSERT_EQUAL(precis_input_cpu(input)->model, 94);
	CU_ASSERT_EQUAL(read_dump(&end), RECORDS);
	CU_ASSERT_EQUAL(end, 0);
	CU_ASSERT_EQUAL(precis_input_position(input), RECORDS * 200u);
	CU_ASSERT_EQUAL(precis_input_rewind(input), 0);
	CU_ASSERT_EQUAL(read_dump(&end), RECORDS);
	precis_input_close(input);
}

/* What the DS area says: bytes before, and records that are not of the buffer behind */
static void part_of_dump(void)
{
	const uint64_t two = 400, four = 800;
	int end;

	make_dump(13, 3, 0);
	CU_ASSERT_EQUAL_FATAL(open_dump(PRECIS_PEBS_FORMAT_3, 13, &two, -1), 0);
	CU_ASSERT_EQUAL(read_dump(&end), 2);
	CU_ASSERT_EQUAL(end, 0);
	CU_ASSERT_EQUAL(precis_input_rewind(input), 0);
	CU_ASSERT_EQUAL(read_dump(&end), 2);
	precis_input_close(input);
	CU_ASSERT_EQUAL_FATAL(open_dump(PRECIS_PEBS_FORMAT_3, 13, &four, -1), 0);
	CU_ASSERT_EQUAL(read_dump(&end), 3);
	CU_ASSERT_EQUAL(end, PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(precis_input_last_error(input)->offset, 613);
	CU_ASSERT_PTR_NOT_NULL(strstr(precis_input_last_error(input)->expected, "200 bytes"));
	precis_input_close(input);
}

static void dump_through_pipe(void)
{
	int end[2], last;
	uint8_t *bytes;
	size_t size;

	make_dump(13, 100, 50);
	bytes = build_slurp(path, &size);
	CU_ASSERT_EQUAL_FATAL(pipe(end), 0);
	CU_ASSERT_EQUAL(write(end[1], bytes, size), (ssize_t)size);
	close(end[1]);
	free(bytes);
	CU_ASSERT_EQUAL_FATAL(open_dump(PRECIS_PEBS_FORMAT_3, 13, NULL, end[0]), 0);
	CU_ASSERT_EQUAL(read_dump(&last), 100);
	CU_ASSERT_EQUAL(last, PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(precis_input_last_error(input)->offset, 13 + 100 * 200);
	CU_ASSERT_EQUAL(precis_input_rewind(input), PRECIS_E_UNSUPPORTED);
	precis_input_close(input);
	close(end[0]);
}

/* Adaptive: a group that nobody knows is passed over, a size that cannot be ends the dump */
static void faulty_dump(void)
{
	uint64_t words[24] = { UINT64_C(64) << 48, [8] = UINT64_C(64) << 48 | 1 << 20,
			       [16] = UINT64_C(5) << 48 };
	struct precis_input_fault fault = { .size = sizeof(fault) };
	const struct precis_item *item;

	words[0] = UINT64_C(32) << 48; /* the basic group alone */
	make_dump(0, 0, 0);
	build_file(path, (const uint8_t *)words, 32);
	CU_ASSERT_EQUAL_FATAL(open_dump(PRECIS_PEBS_FORMAT_4, 0, NULL, -1), 0);
	CU_ASSERT_EQUAL(precis_input_next(input, &item), 1);
	CU_ASSERT_EQUAL(precis_input_next(input, &item), 0);
	precis_input_close(input);

	memmove(words + 4, words + 8, 128);
	build_file(path, (const uint8_t *)words, 160);
	CU_ASSERT_EQUAL_FATAL(open_dump(PRECIS_PEBS_FORMAT_4, 0, NULL, -1), 0);
	CU_ASSERT_EQUAL(precis_input_next(input, &item), 1);
	CU_ASSERT_EQUAL(precis_input_next(input, &item), PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(precis_input_next(input, &item), PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(precis_input_last_error(input)->offset, 96);
	CU_ASSERT_EQUAL(precis_input_fault(input, PRECIS_INPUT_FAULT_UNREAD, &fault), 0);
	CU_ASSERT(fault.count == 1 && fault.offset == 32 && fault.code == PRECIS_E_UNKNOWN_BITS);
	CU_ASSERT_PTR_NOT_NULL(strstr(fault.text, "0x100000 of"));
	precis_input_close(input);
}

static void extents(void)
{
	struct precis_ds ds = { .size = sizeof(ds), .layout = PRECIS_DS_64_8 };
	uint64_t before = 0x0ff0, behind = 0x1008, skip, count;
	uint32_t fault;

	ds.pebs = (struct precis_ds_buffer){ 0x1000, 0x1190, 0x2000, 0x1800 };
	CU_ASSERT_EQUAL(precis_ds_extent(&ds, 3, NULL, &skip, &count, &fault), 0);
	CU_ASSERT(skip == 0 && count == 400 && fault == PRECIS_DS_SOUND);
	CU_ASSERT_EQUAL(precis_ds_extent(&ds, 3, &before, &skip, &count, NULL), 0);
	CU_ASSERT(skip == 16 && count == 400);
	CU_ASSERT_EQUAL(precis_ds_extent(&ds, 3, &behind, &skip, &count, &fault),
			PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(fault, PRECIS_DS_NOT_IN_MEMORY);
	ds.pebs.index = ds.pebs.base; /* nothing lies anywhere */
	CU_ASSERT_EQUAL(precis_ds_extent(&ds, 3, &behind, &skip, &count, &fault), 0);
	CU_ASSERT(skip == 0 && count == 0);
	ds.pebs.index = 0x3000;
	CU_ASSERT_EQUAL(precis_ds_extent(&ds, 3, NULL, &skip, &count, &fault), PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(fault, PRECIS_DS_INDEX_BEYOND_MAXIMUM);
	CU_ASSERT_EQUAL(precis_ds_extent(&ds, PRECIS_PEBS_FORMAT_ARCH, NULL, &skip, &count, NULL),
			PRECIS_E_ARGUMENT);
}

static void arguments(void)
{
	struct precis_file_error error = { .size = sizeof(error) };
	const struct precis_item *item;

	CU_ASSERT_EQUAL(precis_input_open(NULL, NULL, &input, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_open("/nonexistent", NULL, &input, &error), PRECIS_E_IO);
	CU_ASSERT_EQUAL(error.code, PRECIS_E_IO);
	CU_ASSERT_EQUAL(error.sys_errno, 2);
	CU_ASSERT_EQUAL(precis_input_next(NULL, &item), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_rewind(NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(open_dump(99, 0, NULL, -1), PRECIS_E_ARGUMENT);
	unlink(path);
	CU_ASSERT_EQUAL(open_dump(PRECIS_PEBS_FORMAT_3, 0, NULL, -1), PRECIS_E_IO);
	CU_ASSERT_PTR_NULL(precis_input_file(NULL));
	precis_input_close(NULL);
}

static const struct tap_case cases[] = {
	{ "recordings, item by item as by their own functions", recordings },
	{ "those of others", shared_recordings },
	{ "samples of the AUX area", traced_samples },
	{ "faults of samples, counted once", faults },
	{ "a dump of a PEBS buffer", whole_dump },
	{ "a part of it, as the DS area says", part_of_dump },
	{ "a dump through a pipe, cut off", dump_through_pipe },
	{ "a dump with faults", faulty_dump },
	{ "which bytes of a dump are records", extents },
	{ "arguments", arguments },
};

int main(void)
{
	int code;

	build_path(path);
	code = tap_main("input", cases, sizeof(cases) / sizeof(cases[0]));
	unlink(path);
	return code;
}
