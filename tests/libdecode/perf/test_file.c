/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading perf.data: what is in it, and what is counted. */
#include "changed_file.h"

static void describes_itself(void)
{
	struct precis_file_info info = { .size = sizeof(info) };
	const struct precis_cpu *cpu;
	struct precis_file *file;
	const char *pmu, *value;
	uint32_t type;

	write_recording();
	file = open_file();
	CU_ASSERT_EQUAL(precis_file_info(file, &info), 0);
	CU_ASSERT_EQUAL(info.header_version, 2);
	CU_ASSERT_EQUAL(info.data_offset, word_of(AT_DATA));
	CU_ASSERT_EQUAL(info.data_bytes, word_of(AT_DATA_BYTES));
	CU_ASSERT_EQUAL(info.file_bytes, slurped_bytes);
	CU_ASSERT_EQUAL(info.recorder_died, 0);
	CU_ASSERT_EQUAL(info.cpus_available, 8);
	CU_ASSERT_EQUAL(info.cpus_online, 4);
	CU_ASSERT_EQUAL(info.has_sample_time, 1);
	CU_ASSERT_EQUAL(info.first_time, 1000);
	CU_ASSERT_EQUAL(info.last_time, 5000);
	CU_ASSERT_STRING_EQUAL(info.hostname, "host");
	CU_ASSERT_STRING_EQUAL(info.os_release, "6.1.0");
	CU_ASSERT_STRING_EQUAL(info.perf_version, "6.1.7");
	CU_ASSERT_STRING_EQUAL(info.arch, "x86_64");
	CU_ASSERT_STRING_EQUAL(info.cpu_description, "AMD EPYC");
	CU_ASSERT_STRING_EQUAL(info.cpuid, "AuthenticAMD,25,17,1");
	CU_ASSERT_EQUAL(info.features[0], word_of(AT_FEATURES));
	cpu = precis_file_cpu(file);
	CU_ASSERT_EQUAL(cpu->vendor, PRECIS_VENDOR_AMD);
	CU_ASSERT_EQUAL(cpu->family, 25);
	CU_ASSERT_STRING_EQUAL(precis_file_command(file, 1), "record");
	CU_ASSERT_PTR_NULL(precis_file_command(file, 2));
	CU_ASSERT_STRING_EQUAL(precis_file_pmu(file, 1, &type), "ibs_op");
	CU_ASSERT_EQUAL(type, OP_TYPE);
	CU_ASSERT_PTR_NULL(precis_file_pmu(file, 2, NULL));
	CU_ASSERT_STRING_EQUAL(precis_file_pmu_cap(file, 1, &pmu, &value), "ldlat");
	CU_ASSERT_STRING_EQUAL(pmu, "ibs_op");
	CU_ASSERT_STRING_EQUAL(value, "3");
	CU_ASSERT_STRING_EQUAL(precis_file_pmu_cap(file, 2, &pmu, NULL), "fetchlat");
	CU_ASSERT_STRING_EQUAL(pmu, "ibs_fetch");
	CU_ASSERT_PTR_NULL(precis_file_pmu_cap(file, 3, NULL, NULL));
	CU_ASSERT_PTR_NULL(precis_file_warning(file, 0));
	precis_file_close(file);
}

static void lists_events(void)
{
	const struct precis_event *event;
	struct precis_file *file;

	write_recording();
	file = open_file();
	CU_ASSERT_EQUAL_FATAL(precis_file_event_count(file), 2);
	event = precis_file_event(file, 0);
	CU_ASSERT_EQUAL(event->index, 0);
	CU_ASSERT_EQUAL(event->kind, PRECIS_EVENT_IBS_OP);
	CU_ASSERT_EQUAL(event->kind_source, PRECIS_KIND_PMU_MAPPINGS);
	CU_ASSERT_EQUAL(event->type, OP_TYPE);
	CU_ASSERT_EQUAL(event->sample_period, 100000);
	CU_ASSERT_EQUAL(event->is_frequency, 0);
	CU_ASSERT_EQUAL(event->attr_bytes, BUILD_ATTR_BYTES);
	CU_ASSERT_EQUAL(event->id_count, 2);
	CU_ASSERT_EQUAL(event->ids[1], 102);
	CU_ASSERT_EQUAL(event->layout->sample_type, SAMPLE_TYPE);
	CU_ASSERT_STRING_EQUAL(event->name, "ibs_op//");
	CU_ASSERT_STRING_EQUAL(event->pmu, "ibs_op");
	event = precis_file_event(file, 1);
	CU_ASSERT_EQUAL(event->kind, PRECIS_EVENT_IBS_FETCH);
	CU_ASSERT_EQUAL(event->ids[0], 201);
	CU_ASSERT_STRING_EQUAL(event->name, "ibs_fetch"); /* it was written without one */
	CU_ASSERT_PTR_NULL(precis_file_event(file, 2));
	precis_file_close(file);
}

static void counts_everything(void)
{
	struct precis_event_counts event;
	struct precis_file_counts counts;
	struct precis_file *file;
	int code;

	write_recording();
	file = open_file();
	for (int round = 0; round < 2; round++) {
		CU_ASSERT_EQUAL(precis_file_position(file), 0);
		CU_ASSERT_EQUAL(drain(file, &code), 10);
		CU_ASSERT_EQUAL(code, 0);
		counts = counts_of(file);
		CU_ASSERT_EQUAL(counts.records, 10);
		CU_ASSERT_EQUAL(counts.samples, 3);
		CU_ASSERT_EQUAL(counts.samples_unread, 0);
		CU_ASSERT_EQUAL(counts.lost_records, 1);
		CU_ASSERT_EQUAL(counts.lost, 40);
		CU_ASSERT_EQUAL(counts.lost_samples_records, 2);
		CU_ASSERT_EQUAL(counts.lost_samples, 7); /* what a filter dropped is not lost */
		CU_ASSERT_EQUAL(counts.throttle, 1);
		CU_ASSERT_EQUAL(counts.unthrottle, 1);
		CU_ASSERT_EQUAL(counts.unknown_records, 2);
		CU_ASSERT_EQUAL(counts.bytes, word_of(AT_DATA_BYTES));
		event = event_counts_of(file, 0);
		CU_ASSERT_EQUAL(event.samples, 2);
		CU_ASSERT_EQUAL(event.lost, 40);
		CU_ASSERT_EQUAL(event.throttle, 0);
		event = event_counts_of(file, 1);
		CU_ASSERT_EQUAL(event.samples, 1);
		CU_ASSERT_EQUAL(event.lost, 0);
		CU_ASSERT_EQUAL(event.throttle, 1);
		CU_ASSERT_EQUAL(event.unthrottle, 1);
		CU_ASSERT_EQUAL(precis_file_rewind(file), 0);
		CU_ASSERT_EQUAL(counts_of(file).records, 0);
		CU_ASSERT_EQUAL(event_counts_of(file, 0).samples, 0);
	}
	precis_file_close(file);
}

static void decodes_samples(void)
{
	struct precis_perf_sample perf = { .size = sizeof(perf) };
	struct precis_sample sample;
	struct precis_record record;
	struct precis_file *file;

	write_recording();
	file = open_file();
	precis_sample_init(&sample);
	CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
	CU_ASSERT_EQUAL(record.offset, word_of(AT_DATA));
	CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, &perf, &sample), 0);
	CU_ASSERT_EQUAL(perf.time, 1000);
	CU_ASSERT_EQUAL(sample.source, PRECIS_SOURCE_IBS_OP);
	CU_ASSERT_EQUAL(sample.event_kind, PRECIS_EVENT_IBS_OP);
	CU_ASSERT_EQUAL(sample.payload_error, 0);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_EVENT), 0);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_PID), 77);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_TID), -1);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_CPU), 3);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_TIME), 1000);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_PERIOD), 100000);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_IP), 0x401234);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_IP_EXACT), 1);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_CPUMODE), PRECIS_CPUMODE_USER);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_ADDR), 0x7fff1000);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_DCACHE_MISS_LATENCY), 345);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_MEM_LEVEL), PRECIS_MEM_LEVEL_DRAM);
	check_absent(&sample, PRECIS_FIELD_PERF_WEIGHT);
	check_absent(&sample, PRECIS_FIELD_FETCH_LATENCY);
	CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
	CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, NULL, &sample), 0);
	CU_ASSERT_EQUAL(sample.source, PRECIS_SOURCE_IBS_FETCH);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_EVENT), 1);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_IP), 0x402000);
	check_absent(&sample, PRECIS_FIELD_ADDR);
	check_absent(&sample, PRECIS_FIELD_DCACHE_MISS_LATENCY);
	precis_file_close(file);
}

static void decodes_what_is_wanted(void)
{
	uint64_t wanted[PRECIS_FIELD_WORDS] = { 0 }, all[PRECIS_FIELD_WORDS];
	struct precis_sample sample;
	struct precis_record record;
	struct precis_file *file;

	memset(all, 0xff, sizeof(all));
	precis_fields_add(wanted, PRECIS_FIELD_TIME);
	precis_fields_add(wanted, PRECIS_FIELD_TAG_TO_RETIRE);
	write_recording();
	file = open_file();
	precis_sample_init(&sample);
	CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
	CU_ASSERT_EQUAL(precis_file_sample(file, &record, all, NULL, &sample), 0);
	CU_ASSERT_EQUAL(precis_file_sample(file, &record, wanted, NULL, &sample), 0);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_TIME), 1000);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_TAG_TO_RETIRE), 0x55);
	CU_ASSERT_FALSE(memcmp(sample.wanted, wanted, sizeof(wanted)));
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		if (!precis_fields_have(wanted, field))
			check_absent(&sample, field);
	}
	precis_file_close(file);
}

static void generic_samples(void)
{
	uint64_t type = PRECIS_SAMPLE_IP | PRECIS_SAMPLE_ADDR | PRECIS_SAMPLE_WEIGHT_STRUCT |
			PRECIS_SAMPLE_DATA_SRC | PRECIS_SAMPLE_PHYS_ADDR | PRECIS_SAMPLE_CGROUP |
			PRECIS_SAMPLE_DATA_PAGE_SIZE | PRECIS_SAMPLE_CODE_PAGE_SIZE;
	static const uint64_t empty[] = { 0x1111, 0, 0, 0x5080021, 0, 0, 0, 0 };
	static const uint64_t full[] = { 0x1111,    0x2222, UINT64_C(0x0006000500000004),
					 0x5080021, 0x3333, 5,
					 4096,      8192 };
	struct precis_writer *writer = create_plain(0, type, 0);
	struct precis_record record;
	struct precis_sample sample;
	struct precis_file *file;

	add_words(writer, PRECIS_RECORD_SAMPLE, PRECIS_CPUMODE_KERNEL, full, 8);
	add_words(writer, PRECIS_RECORD_SAMPLE, 0, empty, 8);
	file = reopen(writer);
	CU_ASSERT_STRING_EQUAL(precis_file_event(file, 0)->name, "cycles:HG");
	precis_sample_init(&sample);
	CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
	CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, NULL, &sample), 0);
	CU_ASSERT_EQUAL(sample.source, PRECIS_SOURCE_NONE);
	CU_ASSERT_EQUAL(sample.event_kind, PRECIS_EVENT_OTHER);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_IP), 0x1111);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_IP_EXACT), 0);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_CPUMODE), PRECIS_CPUMODE_KERNEL);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_ADDR), 0x2222);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_PERF_WEIGHT), 4);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_PERF_WEIGHT2), 5);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_PERF_WEIGHT3), 6);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_PERF_DATA_SRC), 0x5080021);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_PHYS_ADDR), 0x3333);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_CGROUP), 5);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_DATA_PAGE_SIZE), 4096);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_CODE_PAGE_SIZE), 8192);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_PERIOD), 100000); /* the attr's */
	check_absent(&sample, PRECIS_FIELD_TIME);
	CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
	CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, NULL, &sample), 0);
	check_absent(&sample, PRECIS_FIELD_ADDR);
	check_absent(&sample, PRECIS_FIELD_PHYS_ADDR);
	check_absent(&sample, PRECIS_FIELD_DATA_PAGE_SIZE);
	check_absent(&sample, PRECIS_FIELD_CODE_PAGE_SIZE);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_PERF_WEIGHT), 0);
	precis_file_close(file);
}

static void frequency_gives_no_period(void)
{
	static const uint64_t words[] = { 0x1111, 4242 };
	struct precis_record record;
	struct precis_sample sample;

	for (int has_period = 0; has_period < 2; has_period++) {
		uint64_t type = PRECIS_SAMPLE_IP | (has_period ? PRECIS_SAMPLE_PERIOD : 0);
		struct precis_writer *writer = create_plain(0, type, BUILD_ATTR_FREQ);
		struct precis_file *file;

		add_words(writer, PRECIS_RECORD_SAMPLE, 0, words, 1 + (uint32_t)has_period);
		file = reopen(writer);
		CU_ASSERT_EQUAL(precis_file_event(file, 0)->is_frequency, 1);
		precis_sample_init(&sample);
		CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, NULL, &sample), 0);
		if (has_period) {
			CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_PERIOD), 4242);
		} else {
			check_absent(&sample, PRECIS_FIELD_PERIOD);
		}
		precis_file_close(file);
	}
}

static void unreadable_samples(void)
{
	struct precis_writer *writer = create();
	struct precis_sample sample;
	struct precis_record record;
	struct precis_file *file;

	add_event(writer, OP_TYPE, SAMPLE_TYPE, 0, op_ids, 2, NULL);
	CU_ASSERT_EQUAL(precis_writer_pmu(writer, OP_TYPE, "ibs_op"), 0);
	begin_sample(101, 5);
	build_u32(&build, 1000); /* a RAW that is not there */
	build_u32(&build, 0);
	add_record(writer);
	build_begin(&build, PRECIS_RECORD_SAMPLE, 0); /* not even an id */
	add_record(writer);
	add_op_sample(writer, 0, 1);
	add_op_sample(writer, 999, 1);
	file = reopen(writer);
	precis_sample_init(&sample);
	CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
	for (int twice = 0; twice < 2; twice++)
		CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, NULL, &sample),
				PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_TIME), 5);
	CU_ASSERT_EQUAL(counts_of(file).samples_unread, 1);
	for (uint32_t n = 2; n <= 4; n++) {
		CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
		CU_ASSERT_PTR_NULL(precis_file_event_of(file, &record));
		CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, NULL, &sample),
				PRECIS_E_BAD_ID);
		CU_ASSERT_EQUAL(sample.present[0] | sample.present[1], 0);
		CU_ASSERT_EQUAL(counts_of(file).samples_unread, n);
	}
	CU_ASSERT_EQUAL(precis_file_next(file, &record), 0);
	precis_file_close(file);
}

/* Where the id of a sample that is too short would be, the next record begins. */
static void short_samples_have_no_id(void)
{
	struct precis_writer *writer = create();
	struct precis_record record;
	struct precis_file *file;
	uint64_t header;

	begin_sample(0, 1);
	build_end(&build);
	memcpy(&header, build.bytes, 8);
	add_event(writer, OP_TYPE, SAMPLE_TYPE, 0, &header, 1, NULL);
	build_begin(&build, PRECIS_RECORD_SAMPLE, 0);
	add_record(writer);
	begin_sample(0, 1);
	add_record(writer);
	file = reopen(writer);
	CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
	CU_ASSERT_PTR_NULL(precis_file_event_of(file, &record));
	precis_file_close(file);
}

static void records_find_their_event(void)
{
	static const uint64_t trailer[] = { 5, 5, 1, 2, 202 }; /* of SAMPLE_TYPE: TID TIME CPU ID */
	struct precis_record record;
	struct precis_writer *writer;
	struct precis_file *file;

	writer = create();
	add_event(writer, OP_TYPE, SAMPLE_TYPE, BUILD_ATTR_SAMPLE_ID_ALL, op_ids, 2, NULL);
	add_event(writer, FETCH_TYPE, SAMPLE_TYPE, BUILD_ATTR_SAMPLE_ID_ALL, fetch_ids, 2, NULL);
	add_words(writer, PRECIS_RECORD_COMM, 0, trailer, 5);
	add_words(writer, PRECIS_RECORD_COMM, 0, trailer, 4);
	add_words(writer, PRECIS_RECORD_FINISHED_ROUND, 0, trailer, 0);
	file = reopen(writer);
	CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
	CU_ASSERT_PTR_EQUAL(precis_file_event_of(file, &record), precis_file_event(file, 1));
	CU_ASSERT_PTR_EQUAL(precis_file_event_of_id(file, op_ids[1]), precis_file_event(file, 0));
	CU_ASSERT_PTR_EQUAL(precis_file_event_of_id(file, fetch_ids[0]),
			    precis_file_event(file, 1));
	CU_ASSERT_PTR_NULL(precis_file_event_of_id(file, 999));
	CU_ASSERT_PTR_NULL(precis_file_event_of_id(NULL, op_ids[0]));
	CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
	CU_ASSERT_PTR_NULL(precis_file_event_of(file, &record));
	CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
	CU_ASSERT_PTR_NULL(precis_file_event_of(file, &record));
	precis_file_close(file);
}

static void ids_at_different_places(void)
{
	struct precis_writer *writer = create();
	struct precis_file *file;
	int code;

	add_event(writer, OP_TYPE, SAMPLE_TYPE, 0, op_ids, 2, NULL);
	add_event(writer, FETCH_TYPE, PRECIS_SAMPLE_IP | PRECIS_SAMPLE_ID, 0, fetch_ids, 2, NULL);
	add_op_sample(writer, 101, 1);
	file = reopen(writer);
	CU_ASSERT_PTR_NOT_NULL_FATAL(precis_file_warning(file, 0));
	CU_ASSERT_PTR_NOT_NULL(strstr(precis_file_warning(file, 0), "events 0 and 1"));
	CU_ASSERT_EQUAL(drain(file, &code), 1);
	CU_ASSERT_EQUAL(counts_of(file).samples_unread, 1);
	precis_file_close(file);
}

/* More ids than the cache has places, all in one of them */
static void many_ids(void)
{
	struct precis_writer *writer = create();
	static uint64_t ids[2][3000];
	struct precis_record record;
	struct precis_file *file;

	for (uint32_t i = 0; i < 3000; i++) {
		ids[0][i] = UINT64_C(1) << 40 | (uint64_t)(i * 7919 % 3000) * 512;
		ids[1][i] = ids[0][i] + 256;
	}
	add_event(writer, OP_TYPE, SAMPLE_TYPE, 0, ids[0], 3000, NULL);
	add_event(writer, FETCH_TYPE, SAMPLE_TYPE, 0, ids[1], 3000, NULL);
	for (uint32_t i = 0; i < 3000; i++) {
		add_op_sample(writer, ids[i & 1][i], i);
		add_op_sample(writer, ids[0][i] + 1, i);
	}
	file = reopen(writer);
	for (uint32_t i = 0; i < 3000; i++) {
		CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
		CU_ASSERT_PTR_EQUAL(precis_file_event_of(file, &record),
				    precis_file_event(file, i & 1));
		CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
		CU_ASSERT_PTR_NULL(precis_file_event_of(file, &record));
	}
	precis_file_close(file);
}

/* Records of all sizes, more than any buffer holds: each whole, in order, at its offset */
static void slides_over_large_files(void)
{
	struct precis_writer *writer = create_plain(0, PRECIS_SAMPLE_IP, 0);
	uint64_t expected = 104 + BUILD_ATTR_BYTES + 16, seed = 1;
	struct precis_record record;
	struct precis_file *file;

	for (uint32_t n = 0; n < 400; n++) {
		seed = seed * UINT64_C(6364136223846793005) + 1;
		build_begin(&build, PRECIS_RECORD_SAMPLE, 0);
		build_u64(&build, n);
		for (size_t words = n % 50 ? (seed >> 40) % 600 : 8189; words; words--)
			build_u64(&build, n);
		add_record(writer);
	}
	file = reopen(writer);
	CU_ASSERT(slurped_bytes > 3 * 256 * 1024);
	for (uint32_t n = 0; n < 400; n++) {
		uint64_t first, last;

		CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL_FATAL(record.offset, expected);
		memcpy(&first, record.data + 8, 8);
		memcpy(&last, record.data + record.size - 8, 8);
		CU_ASSERT_EQUAL_FATAL(first, n);
		CU_ASSERT_EQUAL_FATAL(last, n);
		expected += record.size;
	}
	CU_ASSERT_EQUAL(precis_file_next(file, &record), 0);
	CU_ASSERT_EQUAL(precis_file_next(file, &record), 0);
	precis_file_close(file);
}

static void options_win(void)
{
	struct precis_file_options options = { .size = sizeof(options) };
	struct precis_file_error error = { .size = sizeof(error) };
	struct precis_file *file;

	write_recording();
	options.cpuid = "AuthenticAMD,23,49,0";
	file = open_with(&options);
	CU_ASSERT_EQUAL(precis_file_cpu(file)->family, 23);
	precis_file_close(file);
	options.cpuid = "nonsense";
	CU_ASSERT_EQUAL(precis_file_open(path, &options, &file, &error), PRECIS_E_ARGUMENT);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.expected, "nonsense"));
	options.cpuid = NULL;
	options.fetch_layout = 3;
	CU_ASSERT_EQUAL(precis_file_open(path, &options, &file, &error), PRECIS_E_ARGUMENT);
	options.size = 4;
	CU_ASSERT_EQUAL(precis_file_open(path, &options, &file, &error), PRECIS_E_ARGUMENT);
}

/* The same 36 bytes are IbsFetchCtlExtd on new kernels and IbsBrTarget on old ones. */
static void fetch_layouts(void)
{
	static const struct {
		uint32_t layout;
		const char *os_release;
		int old;
	} rows[] = {
		{ PRECIS_FETCH_LAYOUT_AUTO, NULL, 0 },
		{ PRECIS_FETCH_LAYOUT_AUTO, "4.15.0", 1 },
		{ PRECIS_FETCH_LAYOUT_OLD, NULL, 1 },
		{ PRECIS_FETCH_LAYOUT_NEW, "4.15.0", 0 },
		{ PRECIS_FETCH_LAYOUT_AUTO, "6.12.1", 0 },
	};

	write_recording();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct precis_file_options options = { .size = sizeof(options) };
		struct precis_sample sample;
		struct precis_record record;
		struct precis_file *file;

		options.fetch_layout = rows[i].layout;
		options.os_release = rows[i].os_release;
		file = open_with(&options);
		precis_sample_init(&sample);
		CU_ASSERT_EQUAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, NULL, &sample), 0);
		CU_ASSERT_EQUAL(sample.registers.ibs_fetch.captured >> PRECIS_IBS_BR_TARGET & 1,
				(uint32_t)rows[i].old);
		precis_file_close(file);
	}
}

static void arguments(void)
{
	struct precis_file_error error = { .size = sizeof(error) };
	struct precis_file_counts counts = { .size = 4 };
	struct precis_event_counts event = { .size = sizeof(event) };
	struct precis_file_info info = { .size = 0 };
	struct precis_sample sample;
	struct precis_record record;
	struct precis_file *file;

	write_recording();
	CU_ASSERT_EQUAL(precis_file_open(NULL, NULL, &file, &error), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_open(path, NULL, NULL, &error), PRECIS_E_ARGUMENT);
	error.size = 4;
	CU_ASSERT_EQUAL(precis_file_open(path, NULL, &file, &error), PRECIS_E_ARGUMENT);
	file = open_file();
	precis_sample_init(&sample);
	CU_ASSERT_EQUAL(precis_file_next(file, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_next(NULL, &record), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_next(file, &record), 1);
	CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, NULL, NULL), PRECIS_E_ARGUMENT);
	record.type = PRECIS_RECORD_MMAP;
	CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, NULL, &sample), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_counts(file, &counts), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_event_counts(file, 2, &event), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_info(file, &info), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_rewind(NULL), PRECIS_E_ARGUMENT);
	precis_file_close(file);
	precis_file_close(NULL);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a recording describes itself", describes_itself },
		{ "events", lists_events },
		{ "counts, and again after rewind", counts_everything },
		{ "samples of ibs_op and ibs_fetch", decodes_samples },
		{ "only what is wanted", decodes_what_is_wanted },
		{ "samples without payload", generic_samples },
		{ "a frequency is no period", frequency_gives_no_period },
		{ "samples that cannot be read", unreadable_samples },
		{ "samples too short for an id", short_samples_have_no_id },
		{ "events of other records", records_find_their_event },
		{ "ids at different places", ids_at_different_places },
		{ "thousands of ids", many_ids },
		{ "a file larger than the window", slides_over_large_files },
		{ "options", options_win },
		{ "old and new fetch layout", fetch_layouts },
		{ "bad arguments", arguments },
	};
	int failed;

	build_path(path);
	failed = tap_main("file", cases, sizeof(cases) / sizeof(cases[0]));
	unlink(path);
	free(slurped);
	return failed;
}
