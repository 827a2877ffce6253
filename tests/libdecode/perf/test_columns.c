/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Columns hold what samples one by one have, laid out as Arrow says, for as long as somebody holds
 * them.
 */
#include "tests/property/random.h"
#include "tests/libdecode/perf/recordings.h"
#include "tests/libdecode/perf/traced_file.h"

/* How many of the forms this build reads: four are compressed */
#ifdef HAVE_ZSTD
#define FORMS_READ 15u
#else
#define FORMS_READ 11u
#endif

static struct precis_input *input, *other;
static struct precis_columns *columns;
static uint64_t state = 1;

static int bit_of(const uint8_t *map, uint32_t row)
{
	return map[row / 8] >> row % 8 & 1;
}

/* --- the same as samples one by one --- */

/* Values, bits and count of a column, against the samples of its rows */
static void check_column(uint32_t n, uint32_t rows, const struct precis_sample *samples)
{
	struct precis_column column = { .size = sizeof(column) };
	uint64_t nulls = 0;

	CU_ASSERT_EQUAL_FATAL(precis_columns_get(columns, n, &column), 0);
	CU_ASSERT_EQUAL((uintptr_t)column.values % 64, 0);
	CU_ASSERT_EQUAL((uintptr_t)column.validity % 64, 0);
	for (uint32_t row = 0; row < rows; row++) {
		int is_there = precis_fields_have(samples[row].present, column.field);

		nulls += !is_there;
		if (bit_of(column.validity, row) != is_there ||
		    column.values[row] != samples[row].value[column.field]) {
			printf("# %s of row %u\n", precis_field_name(column.field), row);
			CU_FAIL_FATAL("a column differs from its samples");
		}
	}
	for (uint32_t row = rows; row % 512; row++)
		CU_ASSERT_EQUAL(bit_of(column.validity, row), 0);
	CU_ASSERT_EQUAL(column.nulls, nulls);
}

/* The next rows, and the record behind them, by the other input */
static uint32_t read_rows(const struct precis_columns_options *options, uint32_t most,
			  struct precis_sample *samples, const struct precis_record **record)
{
	const struct precis_item *item;
	uint32_t rows = 0;

	*record = NULL;
	while (rows < most && precis_input_next(other, &item) == 1) {
		if (item->kind == PRECIS_ITEM_RECORD) {
			uint32_t type = item->record->type;

			if (type >= 128 ||
			    !(options->record_types[type / 64] >> type % 64 & 1))
				continue;
			*record = item->record;
			break;
		}
		if (!precis_input_sample(other, NULL, NULL, &samples[rows]) &&
		    (!options->filter || precis_filter_match(options->filter, &samples[rows])))
			rows++;
	}
	return rows;
}

/* @return rows */
static uint64_t compare(const uint32_t *fields, uint32_t count,
			const struct precis_columns_options *options)
{
	uint32_t most = options->rows ? options->rows : PRECIS_COLUMNS_ROWS;
	struct precis_sample *samples = malloc(most * sizeof(*samples));
	struct precis_batch batch = { .size = sizeof(batch) };
	const struct precis_record *record;
	uint64_t total = 0;
	int found;

	CU_ASSERT_PTR_NOT_NULL_FATAL(samples);
	for (uint32_t row = 0; row < most; row++)
		precis_sample_init(&samples[row]);
	CU_ASSERT_EQUAL_FATAL(precis_columns_open(fields, count, options, &columns), 0);
	CU_ASSERT_EQUAL(precis_columns_count(columns), count);
	while ((found = precis_columns_next(columns, input, &batch)) == 1) {
		CU_ASSERT_EQUAL(batch.first, total);
		CU_ASSERT_EQUAL_FATAL(read_rows(options, most, samples, &record), batch.rows);
		CU_ASSERT_EQUAL_FATAL(batch.record != NULL, record != NULL);
		if (record)
			CU_ASSERT_EQUAL(memcmp(batch.record->data, record->data, record->size), 0);
		CU_ASSERT(batch.rows || record);
		for (uint32_t n = 0; n < count; n++)
			check_column(n, batch.rows, samples);
		total += batch.rows;
	}
	CU_ASSERT_EQUAL(read_rows(options, most, samples, &record), 0);
	CU_ASSERT_EQUAL(found, precis_input_last_error(other)->code);
	CU_ASSERT_EQUAL(precis_columns_next(columns, input, &batch), found);
	precis_columns_close(columns);
	free(samples);
	return total;
}

static int open_both(const char *name, uint32_t order)
{
	const struct precis_file_options of_file = { .size = sizeof(of_file), .order = order };
	const struct precis_input_options options = { .size = sizeof(options), .file = &of_file };

	if (precis_input_open(name, &options, &input, NULL))
		return 0;
	CU_ASSERT_EQUAL_FATAL(precis_input_open(name, &options, &other, NULL), 0);
	return 1;
}

static void close_both(void)
{
	precis_input_close(input);
	precis_input_close(other);
}

/* A choice of fields in any order */
static uint32_t random_fields(uint32_t fields[PRECIS_FIELD_COUNT])
{
	uint32_t all[PRECIS_FIELD_COUNT], count = 1 + (uint32_t)(random_next(&state) % 6);

	for (uint32_t n = 0; n < PRECIS_FIELD_COUNT; n++)
		all[n] = n;
	for (uint32_t n = 0; n < count; n++) {
		uint32_t from = n + (uint32_t)(random_next(&state) % (PRECIS_FIELD_COUNT - n));

		fields[n] = all[from];
		all[from] = all[n];
	}
	return count;
}

/* What is compared of a recording: fields, rows of a batch, order, records that end one */
static unsigned int compare_recording(const char *name)
{
	static const uint32_t rows[] = { 0, 1, 63, 64, 65, 100, 1000 };
	uint32_t fields[PRECIS_FIELD_COUNT];
	uint64_t total;

	for (uint32_t n = 0; n < PRECIS_FIELD_COUNT; n++)
		fields[n] = n;
	if (!open_both(name, PRECIS_ORDER_FILE))
		return 0;
	total = compare(fields, PRECIS_FIELD_COUNT,
			&(struct precis_columns_options){ .size = sizeof(struct precis_columns_options) });
	close_both();
	for (uint32_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		const struct precis_columns_options options = {
			.size = sizeof(options),
			.rows = rows[n],
			.record_types = { n % 2 ? UINT64_MAX : 0, n % 2 ? UINT64_MAX : 0 },
		};

		CU_ASSERT_FATAL(open_both(name, n % 3 ? PRECIS_ORDER_FILE : PRECIS_ORDER_TIME));
		CU_ASSERT_EQUAL(compare(fields, random_fields(fields), &options), total);
		close_both();
	}
	return total > 0;
}

static void recordings(void)
{
	CU_ASSERT(visit_recordings("srcdir", "tests/recordings", compare_recording) >= 9);
	CU_ASSERT(visit_recordings("srcdir", "tests/recordings/forms", compare_recording) >= FORMS_READ);
}

static void shared_recordings(void)
{
	if (!visit_recordings("PRECIS_SHARED", "perfdata", compare_recording) &&
	    !visit_recordings("PRECIS_SHARED", "recordings", compare_recording))
		tap_skip("no foreign recordings (PRECIS_SHARED)");
}

static void traced(void)
{
	struct trace trace = trace_begin();

	for (uint64_t n = 0; n < 100; n++)
		put_pebs(&trace, 1 + n % 4, 1000 + n, IP + n, 0);
	begin(0, 0);
	put_info(1, 0);
	put_hw_id(3, 0, 1);
	put_hw_id(3, 1, 2);
	put_start(3, 50, 51, 6);
	put_whole_trace(&trace, 3);
	put_switch(3, 31, 30);
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	CU_ASSERT(compare_recording(path) == 1);
}

/* --- IBS samples of every kind, undisturbed by other records --- */

#define OP_TYPE 10
#define FETCH_TYPE 9
#define SAMPLES 20000u

static void put_payload(uint32_t event)
{
	struct precis_ibs_fetch fetch = { .size = sizeof(fetch), .caps = 0xbff };
	struct precis_ibs_op op = { .size = sizeof(op), .caps = 0xbff };
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];
	int bytes;

	if (random_next(&state) % 256 == 0)
		op.caps = 0x3ff;
	op.op_ctl = random_register(&state) | 3u << 17;
	op.op_rip = random_next(&state);
	op.op_data = random_register(&state);
	op.op_data2 = random_register(&state);
	op.op_data3 = random_register(&state);
	op.dc_lin_ad = random_register(&state);
	op.dc_phys_ad = random_register(&state);
	op.br_target = random_register(&state);
	fetch.fetch_ctl = random_register(&state) | UINT64_C(3) << 48;
	fetch.fetch_lin_ad = random_next(&state);
	bytes = event == 2 ? precis_ibs_fetch_encode(&fetch, 0, payload)
			   : precis_ibs_op_encode(&op, payload);
	if (random_next(&state) % 128 == 0)
		payload[0] &= 0xfe; /* caps that are none */
	if (random_next(&state) % 128 == 0)
		bytes = 4;
	build_u32(&build, (uint32_t)bytes);
	build_bytes(&build, payload, (size_t)bytes);
}

static void put_sample(uint32_t event, uint64_t type)
{
	build_begin(&build, PRECIS_RECORD_SAMPLE, (uint16_t)random_next(&state));
	build_u64(&build, random_next(&state) % 500 ? 10 + event : 99); /* 99: of nobody */
	for (uint64_t bit = PRECIS_SAMPLE_IP; bit <= PRECIS_SAMPLE_PERIOD; bit <<= 1) {
		if (type & bit)
			build_u64(&build, random_next(&state) >> random_next(&state) % 64);
	}
	put_payload(event);
	for (uint64_t bit = PRECIS_SAMPLE_WEIGHT; bit <= PRECIS_SAMPLE_CODE_PAGE_SIZE; bit <<= 1) {
		if ((type & bit) && bit != PRECIS_SAMPLE_IDENTIFIER)
			build_u64(&build, random_register(&state));
	}
	if (random_next(&state) % 200 == 0)
		build.count -= 8;
	put_record();
}

/* Runs of one event of different lengths, with LOST records between some */
static void make_ibs(void)
{
	static const struct {
		uint32_t type;
		uint64_t sample_type;
	} events[] = {
		{ OP_TYPE, PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID |
				   PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_CPU | PRECIS_SAMPLE_PERIOD |
				   PRECIS_SAMPLE_RAW },
		{ OP_TYPE, PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_RAW | PRECIS_SAMPLE_PHYS_ADDR |
				   PRECIS_SAMPLE_WEIGHT | PRECIS_SAMPLE_DATA_SRC },
		{ FETCH_TYPE, PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_RAW },
	};
	uint8_t attr[BUILD_ATTR_BYTES];

	CU_ASSERT_EQUAL_FATAL(precis_writer_open(path, &writer), 0);
	precis_writer_string(writer, PRECIS_FEATURE_CPUID, "AuthenticAMD,25,17,1");
	precis_writer_pmu(writer, OP_TYPE, "ibs_op");
	precis_writer_pmu(writer, FETCH_TYPE, "ibs_fetch");
	for (uint64_t n = 0; n < 3; n++) {
		uint64_t id = 10 + n;

		build_attr(attr, events[n].type, events[n].sample_type, 0);
		build_put_u64(attr, BUILD_ATTR_PERIOD, 1000 + n);
		precis_writer_event(writer, attr, sizeof(attr), &id, 1, NULL);
	}
	for (uint32_t n = 0; n < SAMPLES;) {
		uint32_t event = (uint32_t)(random_next(&state) % 3);

		for (uint64_t run = random_next(&state) % 300; run && n < SAMPLES; run--, n++)
			put_sample(event, events[event].sample_type);
		build_begin(&build, PRECIS_RECORD_LOST, 0);
		build_u64(&build, 10);
		build_u64(&build, 1);
		put_record();
	}
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
}

static void same_faults(void)
{
	struct precis_file_counts here = { .size = sizeof(here) }, there = here;

	for (uint32_t kind = 0; kind < PRECIS_INPUT_FAULT_COUNT; kind++) {
		struct precis_input_fault a = { .size = sizeof(a) }, b = a;

		precis_input_fault(input, kind, &a);
		precis_input_fault(other, kind, &b);
		CU_ASSERT(a.count == b.count && a.offset == b.offset && !strcmp(a.text, b.text));
	}
	precis_file_counts(precis_input_file(input), &here);
	precis_file_counts(precis_input_file(other), &there);
	CU_ASSERT_EQUAL(memcmp(&here, &there, sizeof(here)), 0);
	for (uint32_t n = 0; n < precis_input_event_count(input); n++) {
		struct precis_event_counts a = { .size = sizeof(a) }, b = a;

		precis_file_event_counts(precis_input_file(input), n, &a);
		precis_file_event_counts(precis_input_file(other), n, &b);
		CU_ASSERT_EQUAL(memcmp(&a, &b, sizeof(a)), 0);
	}
}

static void ibs(void)
{
	const struct precis_columns_options plain = { .size = sizeof(plain) };
	uint32_t fields[PRECIS_FIELD_COUNT];

	make_ibs();
	for (unsigned int round = 0; round < 30; round++) {
		uint32_t count = random_fields(fields);

		CU_ASSERT_FATAL(open_both(path, PRECIS_ORDER_FILE));
		CU_ASSERT(compare(fields, count, &plain) > SAMPLES / 2);
		same_faults();
		close_both();
	}
	CU_ASSERT_EQUAL(compare_recording(path), 1);
}

/* --- what a batch may have besides --- */

static const uint32_t few[] = { PRECIS_FIELD_IP, PRECIS_FIELD_DCACHE_MISS_LATENCY };

static void filtered(void)
{
	struct precis_columns_options options = { .size = sizeof(options), .with_samples = 1 };
	struct precis_batch batch = { .size = sizeof(batch) };
	struct precis_filter filter;
	const struct precis_sample *sample;
	uint64_t all, some;
	uint32_t misses = 0;
	enum precis_reason why;

	make_ibs();
	CU_ASSERT_EQUAL_FATAL(precis_filter_compile("op == load && missing(dcache_miss_latency)",
						    NULL, NULL, &filter, NULL),
			      0);
	CU_ASSERT_FATAL(open_both(path, PRECIS_ORDER_FILE));
	all = compare(few, 2, &options);
	close_both();
	options.filter = &filter;
	CU_ASSERT_FATAL(open_both(path, PRECIS_ORDER_FILE));
	some = compare(few, 2, &options);
	CU_ASSERT(some > 0 && some < all);
	precis_input_rewind(input);
	CU_ASSERT_EQUAL_FATAL(precis_columns_open(few, 2, &options, &columns), 0);
	CU_ASSERT_EQUAL_FATAL(precis_columns_next(columns, input, &batch), 1);
	for (uint32_t row = 0; row < batch.rows; row++) {
		sample = precis_columns_sample(columns, row);
		CU_ASSERT_PTR_NOT_NULL_FATAL(sample);
		why = precis_why(sample, PRECIS_FIELD_DCACHE_MISS_LATENCY);
		CU_ASSERT_NOT_EQUAL(why, PRECIS_PRESENT);
		misses += why == PRECIS_NOT_APPLICABLE;
		CU_ASSERT(*precis_why_detail(sample, PRECIS_FIELD_DCACHE_MISS_LATENCY));
		CU_ASSERT_EQUAL(precis_why(sample, PRECIS_FIELD_TLB_LEVEL), PRECIS_NOT_CAPTURED);
	}
	CU_ASSERT(misses > batch.rows / 2);
	CU_ASSERT_PTR_NULL(precis_columns_sample(columns, batch.rows));
	precis_columns_close(columns);
	close_both();
}

/* Rows before the place where a file is broken are there, then comes the error. */
static void cut_off(void)
{
	struct precis_batch batch = { .size = sizeof(batch) };
	uint8_t *bytes;
	size_t size;
	int found;

	make_ibs();
	bytes = build_slurp(path, &size);
	build_file(path, bytes, size / 2);
	free(bytes);
	CU_ASSERT_FATAL(open_both(path, PRECIS_ORDER_FILE));
	CU_ASSERT_EQUAL_FATAL(precis_columns_open(few, 2, NULL, &columns), 0);
	CU_ASSERT_EQUAL(precis_columns_next(columns, input, &batch), 1);
	CU_ASSERT(batch.rows == PRECIS_COLUMNS_ROWS);
	while ((found = precis_columns_next(columns, input, &batch)) == 1)
		CU_ASSERT(batch.rows > 0);
	CU_ASSERT_EQUAL(found, PRECIS_E_TRUNCATED);
	CU_ASSERT(batch.first > SAMPLES / 4);
	precis_columns_close(columns);
	close_both();
}

/* --- handed out as Arrow has it --- */

static uint64_t sum(const struct ArrowArray *array)
{
	const uint64_t *values = array->buffers[1];
	uint64_t total = 0;

	for (int64_t n = 0; n < array->length; n++)
		total = total * 31 + (bit_of(array->buffers[0], (uint32_t)n) ? values[n] : 1);
	return total;
}

static void schema(void)
{
	static const uint32_t fields[] = { PRECIS_FIELD_PID, PRECIS_FIELD_MEM_LEVEL };
	struct ArrowSchema found, child;
	const char *metadata;

	CU_ASSERT_EQUAL_FATAL(precis_columns_open(fields, 2, NULL, &columns), 0);
	CU_ASSERT_EQUAL_FATAL(precis_columns_schema(columns, &found), 0);
	precis_columns_close(columns);
	CU_ASSERT_STRING_EQUAL(found.format, "+s");
	CU_ASSERT_EQUAL_FATAL(found.n_children, 2);
	CU_ASSERT_STRING_EQUAL(found.children[0]->format, "l");
	CU_ASSERT_STRING_EQUAL(found.children[0]->name, "pid");
	child = *found.children[1]; /* moved out, it outlives its parent */
	found.children[1]->release = NULL;
	found.release(&found);
	CU_ASSERT_PTR_NULL(found.release);
	CU_ASSERT_STRING_EQUAL(child.format, "L");
	CU_ASSERT_STRING_EQUAL(child.name, "mem_level");
	CU_ASSERT_EQUAL(child.flags, ARROW_FLAG_NULLABLE);
	metadata = child.metadata;
	CU_ASSERT_EQUAL(memcmp(metadata, "\4\0\0\0\4\0\0\0type\11\0\0\0mem_level", 25), 0);
	child.release(&child);
}

static void exported(void)
{
	struct precis_batch batch = { .size = sizeof(batch) };
	struct precis_column column = { .size = sizeof(column) };
	struct ArrowArray first, moved, last;
	uint64_t expected;

	make_ibs();
	CU_ASSERT_FATAL(open_both(path, PRECIS_ORDER_FILE));
	CU_ASSERT_EQUAL_FATAL(precis_columns_open(few, 2, NULL, &columns), 0);
	CU_ASSERT_EQUAL(precis_columns_export(columns, &first), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL_FATAL(precis_columns_next(columns, input, &batch), 1);
	CU_ASSERT_EQUAL_FATAL(precis_columns_export(columns, &first), 0);
	CU_ASSERT(first.length == batch.rows && first.n_children == 2 && first.n_buffers == 1);
	precis_columns_get(columns, 1, &column);
	CU_ASSERT_PTR_EQUAL(first.children[1]->buffers[1], column.values); /* no copy */
	CU_ASSERT_EQUAL(first.children[1]->null_count, (int64_t)column.nulls);
	moved = *first.children[1];
	first.children[1]->release = NULL;
	expected = sum(&moved);
	CU_ASSERT_EQUAL_FATAL(precis_columns_next(columns, input, &batch), 1);
	CU_ASSERT_EQUAL_FATAL(precis_columns_export(columns, &last), 0);
	CU_ASSERT_PTR_NOT_EQUAL(last.children[1]->buffers[1], moved.buffers[1]);
	first.release(&first);
	CU_ASSERT_PTR_NULL(first.release);
	precis_columns_close(columns);
	close_both();
	CU_ASSERT_EQUAL(sum(&moved), expected);
	CU_ASSERT_NOT_EQUAL(sum(last.children[1]), expected);
	moved.release(&moved);
	last.release(&last);
}

static void arguments(void)
{
	static const uint32_t twice[] = { PRECIS_FIELD_IP, PRECIS_FIELD_IP };
	static const uint32_t none[] = { PRECIS_FIELD_COUNT };
	struct precis_columns_options options = { .size = sizeof(options),
						  .rows = PRECIS_COLUMNS_ROWS_MAX + 1 };
	struct precis_batch batch = { .size = sizeof(batch) };
	struct precis_column column = { .size = sizeof(column) };

	CU_ASSERT_EQUAL(precis_columns_open(twice, 2, NULL, &columns), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_columns_open(none, 1, NULL, &columns), PRECIS_E_NO_FIELD);
	CU_ASSERT_EQUAL(precis_columns_open(NULL, 1, NULL, &columns), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_columns_open(few, 2, &options, &columns), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_columns_next(NULL, input, &batch), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL_FATAL(precis_columns_open(few, 2, NULL, &columns), 0);
	CU_ASSERT_EQUAL(precis_columns_next(columns, NULL, &batch), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_columns_get(columns, 0, &column), PRECIS_E_ARGUMENT); /* no batch */
	CU_ASSERT_PTR_NULL(precis_columns_sample(columns, 0));
	precis_columns_close(columns);
	precis_columns_close(NULL);
	/* no fields: rows are counted */
	CU_ASSERT_EQUAL(precis_columns_open(NULL, 0, NULL, &columns), 0);
	precis_columns_close(columns);
}

static const struct tap_case cases[] = {
	{ "recordings, as their samples one by one", recordings },
	{ "those of others", shared_recordings },
	{ "samples of the AUX area", traced },
	{ "IBS samples, sound and broken", ibs },
	{ "a filter, and reasons", filtered },
	{ "a recording that is cut off", cut_off },
	{ "a schema of Arrow", schema },
	{ "an array of Arrow, which outlives its batch", exported },
	{ "arguments", arguments },
};

int main(void)
{
	int code;

	build_path(path);
	code = tap_main("columns", cases, sizeof(cases) / sizeof(cases[0]));
	unlink(path);
	return code;
}
