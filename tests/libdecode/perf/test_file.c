/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading perf.data: what is in it, what is counted, what is refused and where. */
#include <errno.h>
#include <sys/stat.h>

#include <precis/precis.h>

#include "tests/support/build.h"
#include "tests/support/tap.h"

#define OP_TYPE 10
#define FETCH_TYPE 9
#define SAMPLE_TYPE                                                                                \
	(PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME |    \
	 PRECIS_SAMPLE_CPU | PRECIS_SAMPLE_RAW)
#define BPF_DROPPED (1u << 15)

/* Offsets in the file header */
enum {
	AT_HEADER_SIZE = 8,
	AT_ATTR_SIZE = 16,
	AT_ATTRS = 24,
	AT_ATTRS_BYTES = 32,
	AT_DATA = 40,
	AT_DATA_BYTES = 48,
	AT_FEATURES = 72
};

static char path[64];
static struct build build;

static uint8_t *slurped; /* the recording under test, to be changed and written again */
static size_t slurped_bytes;

static uint64_t word_of(size_t at)
{
	uint64_t word;

	memcpy(&word, slurped + at, sizeof(word));
	return word;
}

static void slurp(void)
{
	free(slurped);
	slurped = build_slurp(path, &slurped_bytes);
}

static void rewrite(void)
{
	build_file(path, slurped, slurped_bytes);
}

static struct precis_writer *create(void)
{
	struct precis_writer *writer;

	CU_ASSERT_EQUAL_FATAL(precis_writer_open(path, &writer), 0);
	return writer;
}

static void add_event(struct precis_writer *writer, uint32_t type, uint64_t sample_type,
		      uint64_t flags, const uint64_t *ids, uint32_t id_count, const char *name)
{
	uint8_t attr[BUILD_ATTR_BYTES];

	build_attr(attr, type, sample_type, flags);
	build_put_u64(attr, BUILD_ATTR_PERIOD, 100000);
	CU_ASSERT_EQUAL_FATAL(precis_writer_event(writer, attr, sizeof(attr), ids, id_count, name),
			      0);
}

static void add_record(struct precis_writer *writer)
{
	build_end(&build);
	CU_ASSERT_EQUAL_FATAL(precis_writer_record(writer, build.bytes, build.count), 0);
}

static void add_words(struct precis_writer *writer, uint32_t type, uint16_t misc,
		      const uint64_t *words, uint32_t count)
{
	build_begin(&build, type, misc);
	build_bytes(&build, words, count * 8);
	add_record(writer);
}

static uint32_t op_payload(uint8_t *payload)
{
	struct precis_ibs_op op = { .size = sizeof(op), .caps = 0xbff };

	op.op_ctl = UINT64_C(3) << 17 | 1u << 19 | 0x186a;
	op.op_rip = 0x401234;
	op.op_data = 0x00550011;
	op.op_data2 = 3;
	op.op_data3 = 1 | 1u << 7 | UINT64_C(3) << 17 | 1u << 20 | UINT64_C(345) << 32;
	op.dc_lin_ad = 0x7fff1000;
	op.dc_phys_ad = 0x1000;
	return (uint32_t)precis_ibs_op_encode(&op, payload);
}

static uint32_t fetch_payload(uint8_t *payload)
{
	struct precis_ibs_fetch fetch = { .size = sizeof(fetch), .caps = 0xbff };

	fetch.fetch_ctl = UINT64_C(0x17) << 48 | 0x186a;
	fetch.fetch_lin_ad = 0x402000;
	fetch.fetch_phys_ad = 0x2000;
	return (uint32_t)precis_ibs_fetch_encode(&fetch, 0, payload);
}

/* A sample of SAMPLE_TYPE */
static void begin_sample(uint64_t id, uint64_t time)
{
	build_begin(&build, PRECIS_RECORD_SAMPLE, PRECIS_MISC_EXACT_IP | PRECIS_CPUMODE_USER);
	build_u64(&build, id);
	build_u64(&build, 0x401234);
	build_u32(&build, 77);
	build_u32(&build, UINT32_MAX); /* no thread */
	build_u64(&build, time);
	build_u32(&build, 3);
	build_u32(&build, 0);
}

static void add_sample(struct precis_writer *writer, uint64_t id, uint64_t time,
		       const uint8_t *payload, uint32_t bytes)
{
	begin_sample(id, time);
	build_u32(&build, bytes);
	build_bytes(&build, payload, bytes);
	add_record(writer);
}

static void add_op_sample(struct precis_writer *writer, uint64_t id, uint64_t time)
{
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];

	add_sample(writer, id, time, payload, op_payload(payload));
}

static const uint64_t op_ids[] = { 101, 102 }, fetch_ids[] = { 201, 202 };

static void add_features(struct precis_writer *writer)
{
	static const uint32_t cpus[2] = { 8, 4 };
	static const uint64_t times[2] = { 1000, 5000 };

	CU_ASSERT_EQUAL(precis_writer_string(writer, PRECIS_FEATURE_HOSTNAME, "host"), 0);
	CU_ASSERT_EQUAL(precis_writer_string(writer, PRECIS_FEATURE_OSRELEASE, "6.1.0"), 0);
	CU_ASSERT_EQUAL(precis_writer_string(writer, PRECIS_FEATURE_VERSION, "6.1.7"), 0);
	CU_ASSERT_EQUAL(precis_writer_string(writer, PRECIS_FEATURE_ARCH, "x86_64"), 0);
	CU_ASSERT_EQUAL(precis_writer_string(writer, PRECIS_FEATURE_CPUDESC, "AMD EPYC"), 0);
	CU_ASSERT_EQUAL(precis_writer_string(writer, PRECIS_FEATURE_CPUID, "AuthenticAMD,25,17,1"),
			0);
	CU_ASSERT_EQUAL(precis_writer_feature(writer, PRECIS_FEATURE_NRCPUS, cpus, 8), 0);
	CU_ASSERT_EQUAL(precis_writer_feature(writer, PRECIS_FEATURE_SAMPLE_TIME, times, 16), 0);
	CU_ASSERT_EQUAL(precis_writer_pmu(writer, FETCH_TYPE, "ibs_fetch"), 0);
	CU_ASSERT_EQUAL(precis_writer_pmu(writer, OP_TYPE, "ibs_op"), 0);
	CU_ASSERT_EQUAL(precis_writer_pmu_cap(writer, "ibs_op", "zen4_ibs_extensions", "1"), 0);
	CU_ASSERT_EQUAL(precis_writer_pmu_cap(writer, "ibs_fetch", "fetchlat", "2"), 0);
	CU_ASSERT_EQUAL(precis_writer_pmu_cap(writer, "ibs_op", "ldlat", "3"), 0);
	CU_ASSERT_EQUAL(precis_writer_command(writer, "perf"), 0);
	CU_ASSERT_EQUAL(precis_writer_command(writer, "record"), 0);
}

/* Two events, three samples, one of each record that is counted */
static void write_recording(void)
{
	static const uint64_t lost[] = { 102, 40, 0 }, lost_samples[] = { 7, 0 };
	static const uint64_t throttle[] = { 1200, 201, 201, 201 };
	struct precis_writer *writer = create();
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];

	add_event(writer, OP_TYPE, SAMPLE_TYPE, BUILD_ATTR_SAMPLE_ID_ALL, op_ids, 2, "ibs_op//");
	add_event(writer, FETCH_TYPE, SAMPLE_TYPE, BUILD_ATTR_SAMPLE_ID_ALL, fetch_ids, 2, NULL);
	add_features(writer);
	add_op_sample(writer, 101, 1000);
	add_sample(writer, 202, 2000, payload, fetch_payload(payload));
	add_words(writer, PRECIS_RECORD_LOST, 0, lost, 3);
	add_words(writer, PRECIS_RECORD_LOST_SAMPLES, 0, lost_samples, 2);
	add_words(writer, PRECIS_RECORD_LOST_SAMPLES, BPF_DROPPED, lost_samples, 2);
	add_words(writer, PRECIS_RECORD_THROTTLE, 0, throttle, 4);
	add_words(writer, PRECIS_RECORD_UNTHROTTLE, 0, throttle, 4);
	add_words(writer, 50, 0, lost, 1); /* a type that the kernel has not yet */
	add_words(writer, 1000, 0, lost, 2); /* nor the tool */
	add_op_sample(writer, 102, 3000);
	CU_ASSERT_EQUAL_FATAL(precis_writer_close(writer), 0);
	slurp();
}

static struct precis_file *open_with(const struct precis_file_options *options)
{
	struct precis_file_error error = { .size = sizeof(error) };
	struct precis_file *file;

	CU_ASSERT_EQUAL_FATAL(precis_file_open(path, options, &file, &error), 0);
	return file;
}

static struct precis_file *open_file(void)
{
	return open_with(NULL);
}

/* Open what cannot be opened; the error is checked against itself. */
static struct precis_file_error refused(const char *what)
{
	struct precis_file_error error = { .size = sizeof(error) };
	struct precis_file *file = (void *)1;
	int code = precis_file_open(what, NULL, &file, &error);

	CU_ASSERT_FATAL(code < 0);
	CU_ASSERT_EQUAL(error.code, code);
	CU_ASSERT_PTR_NULL(file);
	CU_ASSERT_EQUAL(precis_file_open(what, NULL, &file, NULL), code);
	return error;
}

static void check_refused(int code, int64_t offset, const char *part)
{
	struct precis_file_error error = refused(path);

	CU_ASSERT_EQUAL(error.code, code);
	CU_ASSERT_EQUAL(error.has_offset, offset >= 0);
	CU_ASSERT_EQUAL(error.offset, offset >= 0 ? (uint64_t)offset : 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.expected, part));
	if (!strstr(error.expected, part))
		printf("# found: %s\n", error.expected);
}

/* Change one word of a good recording, and see it refused. */
static void check_lie(size_t at, uint64_t value, int code, int64_t offset, const char *part)
{
	uint64_t honest = word_of(at);

	build_put_u64(slurped, at, value);
	rewrite();
	check_refused(code, offset, part);
	build_put_u64(slurped, at, honest);
}

/* Read to the end or to the error; how many records there were. */
static uint64_t drain(struct precis_file *file, int *code)
{
	struct precis_record record;
	uint64_t count = 0;

	while ((*code = precis_file_next(file, &record)) > 0)
		count++;
	return count;
}

static struct precis_file_counts counts_of(struct precis_file *file)
{
	struct precis_file_counts counts = { .size = sizeof(counts) };

	CU_ASSERT_EQUAL(precis_file_counts(file, &counts), 0);
	return counts;
}

static struct precis_event_counts event_counts_of(struct precis_file *file, uint32_t n)
{
	struct precis_event_counts counts = { .size = sizeof(counts) };

	CU_ASSERT_EQUAL(precis_file_event_counts(file, n, &counts), 0);
	return counts;
}

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

static int64_t field_of(const struct precis_sample *sample, enum precis_field field)
{
	uint64_t value;

	CU_ASSERT_EQUAL(precis_get(sample, field, &value), 1);
	return precis_get(sample, field, &value) ? (int64_t)value : INT64_MIN;
}

static void check_absent(const struct precis_sample *sample, enum precis_field field)
{
	CU_ASSERT_FALSE(precis_fields_have(sample->present, field));
	CU_ASSERT_EQUAL(sample->value[field], UINT64_MAX);
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

/* A recording of one event of a given kind, without features */
static struct precis_writer *create_plain(uint32_t type, uint64_t sample_type, uint64_t flags)
{
	struct precis_writer *writer = create();

	add_event(writer, type, sample_type, flags, NULL, 0, NULL);
	return writer;
}

static struct precis_file *reopen(struct precis_writer *writer)
{
	CU_ASSERT_EQUAL_FATAL(precis_writer_close(writer), 0);
	slurp();
	return open_file();
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

/* Without PMU mappings the first payload that is no filler decides, once and for all. */
static void kind_by_payload(void)
{
	static const struct {
		uint32_t type, is_op, spoil;
		enum precis_event_kind kind;
	} rows[] = {
		{ OP_TYPE, 1, 0, PRECIS_EVENT_IBS_OP }, { OP_TYPE, 0, 0, PRECIS_EVENT_IBS_FETCH },
		{ OP_TYPE, 1, 1, PRECIS_EVENT_OTHER }, /* caps without the valid bit */
		{ OP_TYPE, 1, 2, PRECIS_EVENT_OTHER }, /* control register without Val and En */
		{ 2, 1, 0, PRECIS_EVENT_OTHER }, /* a tracepoint of that size */
		{ 4, 1, 0, PRECIS_EVENT_OTHER },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct precis_writer *writer = create_plain(rows[i].type, SAMPLE_TYPE, 0);
		uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];
		struct precis_record record;
		struct precis_sample sample;
		struct precis_file *file;
		uint32_t bytes;

		add_sample(writer, 1, 10, (const uint8_t *)"\0\0\0", 4);
		bytes = rows[i].is_op ? op_payload(payload) : fetch_payload(payload);
		if (rows[i].spoil == 1)
			payload[0] &= 0xfe;
		if (rows[i].spoil == 2)
			memset(payload + 4, 0, 8);
		add_sample(writer, 1, 20, payload, bytes);
		bytes = op_payload(payload);
		add_sample(writer, 1, 30, payload, bytes);
		file = reopen(writer);
		precis_sample_init(&sample);
		for (uint32_t n = 0; n < 3; n++) {
			enum precis_event_kind kind = n ? rows[i].kind : PRECIS_EVENT_OTHER;

			CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
			CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, NULL, &sample), 0);
			CU_ASSERT_EQUAL(sample.event_kind, kind);
			CU_ASSERT_EQUAL(precis_file_event(file, 0)->kind, kind);
		}
		CU_ASSERT_EQUAL(precis_file_event(file, 0)->kind_source,
				rows[i].kind ? PRECIS_KIND_PAYLOAD : PRECIS_KIND_UNKNOWN);
		precis_file_close(file);
	}
}

static void undecodable_payloads(void)
{
	struct precis_writer *writer = create();
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];
	struct precis_record record;
	struct precis_sample sample;
	struct precis_file *file;
	static const int errors[] = { PRECIS_E_NO_PAYLOAD, PRECIS_E_TRUNCATED, PRECIS_E_BAD_CAPS,
				      PRECIS_E_NOT_A_SAMPLE };

	add_event(writer, OP_TYPE, SAMPLE_TYPE, 0, op_ids, 2, NULL);
	CU_ASSERT_EQUAL(precis_writer_pmu(writer, OP_TYPE, "ibs_op"), 0);
	op_payload(payload);
	add_sample(writer, 101, 1, (const uint8_t *)"\0\0\0", 4);
	add_sample(writer, 101, 2, payload, 44);
	payload[0] = 0;
	add_sample(writer, 101, 3, payload, 68);
	op_payload(payload);
	memset(payload + 4, 0, 8);
	add_sample(writer, 101, 4, payload, 68);
	file = reopen(writer);
	precis_sample_init(&sample);
	for (size_t i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
		for (int twice = 0; twice < 2; twice++)
			CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, NULL, &sample), 0);
		CU_ASSERT_EQUAL(sample.payload_error, errors[i]);
		CU_ASSERT_EQUAL(sample.source, PRECIS_SOURCE_NONE);
		CU_ASSERT_EQUAL(sample.event_kind, PRECIS_EVENT_IBS_OP);
		CU_ASSERT_EQUAL(field_of(&sample, PRECIS_FIELD_IP), 0x401234);
		check_absent(&sample, PRECIS_FIELD_TAG_TO_RETIRE);
		CU_ASSERT_EQUAL(event_counts_of(file, 0).undecodable, i + 1);
	}
	CU_ASSERT_EQUAL(counts_of(file).samples_unread, 0);
	CU_ASSERT_EQUAL(precis_file_rewind(file), 0);
	CU_ASSERT_EQUAL(event_counts_of(file, 0).undecodable, 0);
	for (size_t i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, NULL, &sample), 0);
	}
	CU_ASSERT_EQUAL(precis_file_rewind(file), 0);
	for (size_t i = 0; i < 4; i++)
		CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
	CU_ASSERT_EQUAL(precis_file_sample(file, &record, NULL, NULL, &sample), 0);
	CU_ASSERT_EQUAL(event_counts_of(file, 0).undecodable, 1);
	precis_file_close(file);
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

/* Put bytes behind the n-th record of a plain recording and say that the data have them. */
static void insert(size_t at, size_t count, uint8_t byte)
{
	uint8_t *longer = malloc(slurped_bytes + count);

	CU_ASSERT_PTR_NOT_NULL_FATAL(longer);
	memcpy(longer, slurped, at);
	memset(longer + at, byte, count);
	memcpy(longer + at + count, slurped + at, slurped_bytes - at);
	free(slurped);
	slurped = longer;
	slurped_bytes += count;
	build_put_u64(slurped, AT_DATA_BYTES, word_of(AT_DATA_BYTES) + count);
	rewrite();
}

/* What the writer would not write: make the record at 'at' one of that type. */
static void retype(size_t at, uint32_t type)
{
	memcpy(slurped + at, &type, sizeof(type));
	rewrite();
}

static void steps_over_payloads(void)
{
	static const uint32_t types[] = { PRECIS_RECORD_AUXTRACE,
					  PRECIS_RECORD_HEADER_TRACING_DATA };
	static const uint64_t ip = 9;

	for (size_t i = 0; i < 2; i++) {
		uint64_t payload[5] = { 600000 }; /* larger than the window; u64 and u32 alike */
		struct precis_writer *writer = create_plain(0, PRECIS_SAMPLE_IP, 0);
		size_t behind = 104 + BUILD_ATTR_BYTES + 16 + 48;
		struct precis_record record;
		struct precis_file *file;

		add_words(writer, PRECIS_RECORD_FINISHED_INIT, 0, payload, 5);
		add_words(writer, PRECIS_RECORD_SAMPLE, 0, &ip, 1);
		precis_file_close(reopen(writer));
		retype(behind - 48, types[i]);
		insert(behind, 600000, 0xff);
		file = open_file();
		CU_ASSERT_EQUAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(record.type, types[i]);
		CU_ASSERT_EQUAL(record.data[40], 0); /* the view stays until the next call */
		CU_ASSERT_EQUAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(record.type, PRECIS_RECORD_SAMPLE);
		CU_ASSERT_EQUAL(record.offset, behind + 600000);
		CU_ASSERT_EQUAL(precis_file_next(file, &record), 0);
		precis_file_close(file);
		build_put_u64(slurped, behind - 40, 0xffffffff); /* beyond the end */
		rewrite();
		file = open_file();
		CU_ASSERT_EQUAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(record.type, types[i]);
		CU_ASSERT_EQUAL(precis_file_next(file, &record), PRECIS_E_TRUNCATED);
		CU_ASSERT_EQUAL(precis_file_last_error(file)->offset, behind + 600000 + 16);
		precis_file_close(file);
		if (i)
			continue;
		build_put_u64(slurped, behind - 40, UINT64_MAX);
		rewrite();
		file = open_file();
		CU_ASSERT_EQUAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(precis_file_next(file, &record), PRECIS_E_TRUNCATED);
		precis_file_close(file);
	}
}

static void payload_without_size(void)
{
	struct precis_writer *writer = create_plain(0, PRECIS_SAMPLE_IP, 0);
	struct precis_record record;
	struct precis_file *file;

	add_words(writer, PRECIS_RECORD_FINISHED_INIT, 0, NULL, 0);
	precis_file_close(reopen(writer));
	retype((size_t)word_of(AT_DATA), PRECIS_RECORD_AUXTRACE);
	file = open_file();
	CU_ASSERT_EQUAL(precis_file_next(file, &record), PRECIS_E_BAD_SIZE);
	precis_file_close(file);
}

static void compressed_records_that_are_none(void)
{
	static const uint32_t types[] = { PRECIS_RECORD_COMPRESSED, PRECIS_RECORD_COMPRESSED2 };

	for (size_t i = 0; i < 2; i++) {
		struct precis_writer *writer = create_plain(0, PRECIS_SAMPLE_IP, 0);
		const struct precis_file_error *error;
		const uint64_t words[] = { 8, UINT64_C(0xfeedfacecafebeef) };
		const uint64_t word = 1;
		struct precis_file *file;
		int code;

		add_words(writer, PRECIS_RECORD_SAMPLE, 0, &word, 1);
		add_words(writer, PRECIS_RECORD_FINISHED_INIT, 0, words, 2);
		precis_file_close(reopen(writer));
		retype((size_t)word_of(AT_DATA) + 16, types[i]);
		file = open_file();
		for (int twice = 0; twice < 2; twice++) {
			CU_ASSERT_EQUAL(drain(file, &code), twice ? 0 : 1);
			CU_ASSERT(code == PRECIS_E_COMPRESSION || code == PRECIS_E_UNSUPPORTED);
		}
		error = precis_file_last_error(file);
		CU_ASSERT_EQUAL(error->code, code);
		CU_ASSERT_EQUAL(error->offset, word_of(AT_DATA) + 16);
		CU_ASSERT_PTR_NOT_NULL(strstr(error->expected, "zstd"));
		CU_ASSERT_EQUAL(counts_of(file).records, 1);
		precis_file_close(file);
	}
}

static void record_sizes_that_lie(void)
{
	for (uint8_t size = 0; size < 8; size++) {
		struct precis_record first, record;
		struct precis_file *file;
		size_t second;

		write_recording();
		second = (size_t)word_of(AT_DATA);
		CU_ASSERT_EQUAL_FATAL(precis_record_at(slurped + second, 400, &first), 0);
		second += first.size;
		slurped[second + 6] = size;
		slurped[second + 7] = 0;
		rewrite();
		file = open_file();
		CU_ASSERT_EQUAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(precis_file_next(file, &record), PRECIS_E_BAD_SIZE);
		CU_ASSERT_EQUAL(precis_file_last_error(file)->offset, second + 6);
		precis_file_close(file);
	}
}

/* The recorder died: no sizes, no features, maybe half a record at the end. */
static void recorder_died(void)
{
	struct precis_file_info info = { .size = sizeof(info) };
	struct precis_file *file;
	size_t end;
	int code;

	write_recording();
	end = (size_t)(word_of(AT_DATA) + word_of(AT_DATA_BYTES));
	build_put_u64(slurped, AT_DATA_BYTES, 0);
	slurped_bytes = end;
	rewrite();
	file = open_file();
	CU_ASSERT_EQUAL(precis_file_info(file, &info), 0);
	CU_ASSERT_EQUAL(info.recorder_died, 1);
	CU_ASSERT_EQUAL(info.data_bytes, end - info.data_offset);
	CU_ASSERT_EQUAL(info.features[0], 0);
	CU_ASSERT_PTR_NULL(info.hostname);
	CU_ASSERT_STRING_EQUAL(precis_file_event(file, 0)->name, "event-0");
	CU_ASSERT_EQUAL(drain(file, &code), 10);
	CU_ASSERT_EQUAL(code, 0);
	precis_file_close(file);
	slurped_bytes = end - 8;
	rewrite();
	file = open_file();
	CU_ASSERT_EQUAL(drain(file, &code), 9);
	CU_ASSERT_EQUAL(code, PRECIS_E_TRUNCATED);
	CU_ASSERT(precis_file_last_error(file)->offset < end - 8);
	precis_file_close(file);
	slurped_bytes = end;
	memset(slurped + end - 8, 0, 8); /* the last record is there, and nothing comes after it */
	slurped = realloc(slurped, end + 64);
	CU_ASSERT_PTR_NOT_NULL_FATAL(slurped);
	memset(slurped + end, 0, 64); /* pages that were allocated and never written */
	slurped_bytes = end + 64;
	rewrite();
	file = open_file();
	CU_ASSERT_EQUAL(drain(file, &code), 10);
	CU_ASSERT_EQUAL(code, PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(precis_file_last_error(file)->offset, end + 6);
	precis_file_close(file);
}

/* Every prefix: all complete records come, and the error is where the bytes end. */
static void every_prefix(void)
{
	size_t ends[16], whole, data;
	uint32_t records = 0;
	struct precis_record record;
	struct precis_file *file;

	write_recording();
	whole = slurped_bytes;
	data = (size_t)word_of(AT_DATA);
	file = open_file();
	while (precis_file_next(file, &record) > 0)
		ends[records++] = (size_t)record.offset + record.size;
	precis_file_close(file);
	for (slurped_bytes = 0; slurped_bytes < whole; slurped_bytes++) {
		struct precis_file_error error = { .size = sizeof(error) };
		uint32_t complete = 0;
		int code;

		rewrite();
		code = precis_file_open(path, NULL, &file, &error);
		if (slurped_bytes < data) {
			CU_ASSERT_EQUAL(code, slurped_bytes ? PRECIS_E_TRUNCATED
							    : PRECIS_E_NOT_PERF_DATA);
			CU_ASSERT_EQUAL(error.has_offset, 1);
			CU_ASSERT(error.offset <= data);
			continue;
		}
		CU_ASSERT_EQUAL_FATAL(code, 0);
		while (complete < records && ends[complete] <= slurped_bytes)
			complete++;
		CU_ASSERT_EQUAL(drain(file, &code), complete);
		CU_ASSERT_EQUAL(code, complete < records ? PRECIS_E_TRUNCATED : 0);
		if (code) {
			CU_ASSERT_EQUAL(precis_file_last_error(file)->offset,
					complete ? ends[complete - 1] : data);
		}
		CU_ASSERT_PTR_NOT_NULL(
			precis_file_warning(file, 0)); /* of features that are gone */
		precis_file_close(file);
	}
}

static void refuses_other_files(void)
{
	static const struct {
		const char *bytes;
		uint32_t count;
		int code;
		int64_t offset;
		const char *part;
	} rows[] = {
		{ "", 0, PRECIS_E_NOT_PERF_DATA, 0, "found an empty file" },
		{ "ELF", 3, PRECIS_E_NOT_PERF_DATA, 0, "found only 3 bytes 45 4c 46" },
		{ "PERF", 4, PRECIS_E_TRUNCATED, 0, "found only 4 bytes" },
		{ "\0\0\0\0\0\0\0\0\0", 9, PRECIS_E_NOT_PERF_DATA, 0,
		  "expected the magic PERFILE2, found 8 bytes 00 00 00 00 00 00 00 00" },
		{ "PERFFILE", 8, PRECIS_E_TRUNCATED, 8, "header of 104 bytes" },
		{ "PERFFILE\0\0\0\0\0\0\0\x68", 16, PRECIS_E_ENDIAN, 8, "other byte order" },
		{ "2ELIFREP", 8, PRECIS_E_ENDIAN, 0, "big-endian machine (magic 2ELIFREP" },
		{ "PERFILE2", 8, PRECIS_E_TRUNCATED, 8, "header of 104 bytes" },
		{ "2ELIFREP\0\0\0\0\0\0\0\x10", 16, PRECIS_E_ENDIAN, 0, "big-endian machine" },
		{ "PERFILE2\x67\0\0\0\0\0\0\0", 16, PRECIS_E_BAD_SIZE, 8, "found 103" },
		{ "PERFILE2\x68\0\0\0\0\0\0\0", 16, PRECIS_E_TRUNCATED, 16, "header of 104 bytes" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		build_file(path, rows[i].bytes, rows[i].count);
		check_refused(rows[i].code, rows[i].offset, rows[i].part);
	}
}

static void refuses_what_is_no_file(void)
{
	struct precis_file_error error;
	uid_t user = geteuid();

	error = refused(".");
	CU_ASSERT_EQUAL(error.code, PRECIS_E_DIRECTORY);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.expected, "\"data\" in it"));
	error = refused("/nonexistent/perf.data");
	CU_ASSERT_EQUAL(error.code, PRECIS_E_IO);
	CU_ASSERT_EQUAL(error.sys_errno, ENOENT);
	CU_ASSERT_EQUAL(error.has_offset, 0);
	CU_ASSERT_EQUAL(refused("/dev/null").code, PRECIS_E_NOT_PERF_DATA);
	write_recording();
	CU_ASSERT_EQUAL(chmod(path, 0), 0);
	if (!user && seteuid(65534))
		return; /* root may read everything */
	error = refused(path);
	CU_ASSERT_EQUAL(error.code, PRECIS_E_IO);
	CU_ASSERT_EQUAL(error.sys_errno, EACCES);
	CU_ASSERT_EQUAL(seteuid(user), 0);
	CU_ASSERT_EQUAL(chmod(path, 0600), 0);
}

static void header_lies(void)
{
	uint64_t attrs, bytes;

	write_recording();
	attrs = word_of(AT_ATTRS);
	bytes = slurped_bytes;
	check_lie(AT_HEADER_SIZE, 105, PRECIS_E_BAD_SIZE, AT_HEADER_SIZE, "found 105");
	check_lie(AT_ATTR_SIZE, 0, PRECIS_E_BAD_SIZE, AT_ATTR_SIZE, "at least 80");
	check_lie(AT_ATTR_SIZE, 79, PRECIS_E_BAD_SIZE, AT_ATTR_SIZE, "found 79");
	check_lie(AT_ATTR_SIZE, UINT64_MAX, PRECIS_E_BAD_SIZE, AT_ATTRS_BYTES, "multiple");
	check_lie(AT_ATTR_SIZE, 143, PRECIS_E_BAD_SIZE, AT_ATTRS_BYTES,
		  "multiple of attr_size 143");
	check_lie(AT_ATTRS, bytes + 1, PRECIS_E_TRUNCATED, AT_ATTRS, "the file ends at");
	check_lie(AT_ATTRS, UINT64_MAX - 16, PRECIS_E_TRUNCATED, AT_ATTRS, "the file ends at");
	check_lie(AT_ATTRS_BYTES, bytes, PRECIS_E_TRUNCATED, AT_ATTRS, "the file ends at");
	check_lie(AT_DATA, bytes + 1, PRECIS_E_TRUNCATED, AT_DATA, "data section at");
	check_lie(AT_DATA_BYTES, UINT64_MAX, PRECIS_E_BAD_SIZE, AT_DATA_BYTES, "data section");
	/* attr.size of the second event, and its section of ids */
	attrs += BUILD_ATTR_BYTES + 16;
	check_lie(attrs, FETCH_TYPE | UINT64_C(136) << 32, PRECIS_E_BAD_SIZE, (int64_t)attrs + 4,
		  "from 64 to 128, found 136");
	check_lie(attrs, FETCH_TYPE | UINT64_C(63) << 32, PRECIS_E_BAD_SIZE, (int64_t)attrs + 4,
		  "found 63");
	attrs += BUILD_ATTR_BYTES;
	check_lie(attrs, bytes, PRECIS_E_TRUNCATED, (int64_t)attrs, "ids of event 1");
	check_lie(attrs + 8, UINT64_MAX - 7, PRECIS_E_TRUNCATED, (int64_t)attrs, "ids of event 1");
	check_lie(attrs + 8, 15, PRECIS_E_BAD_SIZE, (int64_t)attrs + 8, "ids of event 1");
	rewrite();
	precis_file_close(open_file());
}

/* All events together may not claim more ids than a file of that size can hold. */
static void ids_that_overlap(void)
{
	struct precis_writer *writer = create();
	uint64_t half;

	for (uint32_t n = 0; n < 4; n++)
		add_event(writer, OP_TYPE, SAMPLE_TYPE, 0, op_ids, 2, NULL);
	CU_ASSERT_EQUAL_FATAL(precis_writer_close(writer), 0);
	slurp();
	half = slurped_bytes / 16 * 8;
	for (uint32_t n = 0; n < 4; n++) {
		size_t entry = (size_t)word_of(AT_ATTRS) + n * (BUILD_ATTR_BYTES + 16);

		build_put_u64(slurped, entry + BUILD_ATTR_BYTES, 0);
		build_put_u64(slurped, entry + BUILD_ATTR_BYTES + 8, half);
	}
	rewrite();
	CU_ASSERT_EQUAL(refused(path).code, PRECIS_E_BAD_SIZE);
}

/* An attr that says 0 or less than its entry: old or careless tools */
static void small_attrs(void)
{
	static const uint32_t sizes[] = { 0, 64, 72, 80, 96, 104, 112, 120, 128 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct precis_file *file;

		write_recording();
		build_put_u64(slurped, (size_t)word_of(AT_ATTRS),
			      OP_TYPE | (uint64_t)sizes[i] << 32);
		rewrite();
		file = open_file();
		CU_ASSERT_EQUAL(precis_file_event(file, 0)->attr_bytes, sizes[i] ? sizes[i] : 64);
		CU_ASSERT_EQUAL(precis_file_event(file, 0)->id_count, 2);
		precis_file_close(file);
	}
}

static size_t feature_entry(uint32_t feature)
{
	size_t at = (size_t)(word_of(AT_DATA) + word_of(AT_DATA_BYTES));
	uint64_t bits = word_of(AT_FEATURES);

	for (uint32_t bit = 0; bit < feature; bit++)
		at += bits >> bit & 1 ? 16 : 0;
	return at;
}

static void check_warning(const char *part)
{
	struct precis_file *file;
	int code;

	rewrite();
	file = open_file();
	CU_ASSERT_PTR_NOT_NULL_FATAL(precis_file_warning(file, 0));
	CU_ASSERT_PTR_NOT_NULL(strstr(precis_file_warning(file, 0), part));
	CU_ASSERT_EQUAL(drain(file, &code), 10);
	CU_ASSERT_EQUAL(code, 0);
	precis_file_close(file);
}

/* A broken feature is a warning, and the records are read nevertheless. */
static void broken_features(void)
{
	static const struct {
		uint32_t feature;
		const char *name;
	} rows[] = {
		{ PRECIS_FEATURE_HOSTNAME, "HOSTNAME" },
		{ PRECIS_FEATURE_NRCPUS, "NRCPUS" },
		{ PRECIS_FEATURE_CPUID, "CPUID" },
		{ PRECIS_FEATURE_CMDLINE, "CMDLINE" },
		{ PRECIS_FEATURE_EVENT_DESC, "EVENT_DESC" },
		{ PRECIS_FEATURE_PMU_MAPPINGS, "PMU_MAPPINGS" },
		{ PRECIS_FEATURE_SAMPLE_TIME, "SAMPLE_TIME" },
		{ PRECIS_FEATURE_PMU_CAPS, "PMU_CAPS" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t offset, bytes;
		size_t entry;

		write_recording();
		entry = feature_entry(rows[i].feature);
		offset = word_of(entry);
		bytes = word_of(entry + 8);
		for (uint64_t cut = 0; cut < bytes; cut += cut < 16 ? 1 : 61) {
			build_put_u64(slurped, entry + 8, cut);
			check_warning(rows[i].name);
		}
		build_put_u64(slurped, entry + 8, bytes);
		build_put_u64(slurped, entry, slurped_bytes);
		check_warning(rows[i].name);
		build_put_u64(slurped, entry, UINT64_MAX - 4);
		check_warning(rows[i].name);
		build_put_u64(slurped, entry, offset);
		if (bytes <= 16)
			continue;
		memset(slurped + offset, 0xff, 4); /* a count or a length */
		check_warning(rows[i].name);
	}
}

/* What is not within the file, or more than it together with others, cannot be had. */
static void features_beyond_the_file(void)
{
	struct precis_file_info info = { .size = sizeof(info) };
	struct precis_bytes section;
	struct precis_file *file;

	write_recording();
	build_put_u64(slurped, feature_entry(PRECIS_FEATURE_ARCH), slurped_bytes - 10);
	rewrite();
	file = open_file();
	CU_ASSERT_EQUAL(precis_file_feature(file, PRECIS_FEATURE_ARCH, &section),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_info(file, &info), 0);
	CU_ASSERT_EQUAL(info.features[0] >> PRECIS_FEATURE_ARCH & 1, 0);
	precis_file_close(file);
	write_recording();
	for (uint32_t n = 0; n < 2; n++) {
		size_t entry = feature_entry(n ? PRECIS_FEATURE_CPUID : PRECIS_FEATURE_HOSTNAME);

		build_put_u64(slurped, entry, 0);
		build_put_u64(slurped, entry + 8, slurped_bytes - 100);
	}
	rewrite();
	file = open_file();
	CU_ASSERT_EQUAL(precis_file_feature(file, PRECIS_FEATURE_HOSTNAME, &section), 0);
	CU_ASSERT_EQUAL(section.bytes, slurped_bytes - 100);
	CU_ASSERT_EQUAL(precis_file_feature(file, PRECIS_FEATURE_CPUID, &section),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_info(file, &info), 0);
	CU_ASSERT_EQUAL(info.features[0] >> PRECIS_FEATURE_HOSTNAME & 1, 1);
	CU_ASSERT_EQUAL(info.features[0] >> PRECIS_FEATURE_CPUID & 1, 0);
	precis_file_close(file);
}

static void string_without_end(void)
{
	size_t entry;

	write_recording();
	entry = feature_entry(PRECIS_FEATURE_HOSTNAME);
	memset(slurped + word_of(entry) + 4, 'x', 64);
	check_warning("HOSTNAME");
}

static void feature_bytes(void)
{
	struct precis_bytes section;
	struct precis_file *file;
	uint32_t cpus[2];

	write_recording();
	file = open_file();
	CU_ASSERT_EQUAL(precis_file_feature(file, PRECIS_FEATURE_NRCPUS, &section), 0);
	CU_ASSERT_EQUAL_FATAL(section.bytes, 8);
	memcpy(cpus, section.data, 8);
	CU_ASSERT_EQUAL(cpus[0], 8);
	CU_ASSERT_EQUAL(precis_file_feature(file, PRECIS_FEATURE_BUILD_ID, &section),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_feature(file, 255, &section), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_feature(file, 256, &section), PRECIS_E_ARGUMENT);
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
		{ "kind by the first payload", kind_by_payload },
		{ "payloads that cannot be decoded", undecodable_payloads },
		{ "samples that cannot be read", unreadable_samples },
		{ "samples too short for an id", short_samples_have_no_id },
		{ "events of other records", records_find_their_event },
		{ "ids at different places", ids_at_different_places },
		{ "thousands of ids", many_ids },
		{ "a file larger than the window", slides_over_large_files },
		{ "data behind a record", steps_over_payloads },
		{ "data behind a record, without its size", payload_without_size },
		{ "compressed records", compressed_records_that_are_none },
		{ "record sizes below a header's", record_sizes_that_lie },
		{ "the recorder died", recorder_died },
		{ "every prefix of a file", every_prefix },
		{ "files that are none of ours", refuses_other_files },
		{ "directory, pipe, no file, no permission", refuses_what_is_no_file },
		{ "sizes in header and attrs that lie", header_lies },
		{ "ids that overlap", ids_that_overlap },
		{ "attrs smaller than their entry", small_attrs },
		{ "broken features", broken_features },
		{ "features beyond the file", features_beyond_the_file },
		{ "a string without an end", string_without_end },
		{ "a feature's bytes", feature_bytes },
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
