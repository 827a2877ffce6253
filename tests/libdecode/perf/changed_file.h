/* SPDX-License-Identifier: BSD-3-Clause */
/* A small recording that is written, read whole, changed byte by byte and written again. */
#ifndef TESTS_LIBDECODE_PERF_CHANGED_FILE_H
#define TESTS_LIBDECODE_PERF_CHANGED_FILE_H

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

static inline uint64_t word_of(size_t at)
{
	uint64_t word;

	memcpy(&word, slurped + at, sizeof(word));
	return word;
}

static inline void slurp(void)
{
	free(slurped);
	slurped = build_slurp(path, &slurped_bytes);
}

static inline void rewrite(void)
{
	build_file(path, slurped, slurped_bytes);
}

static inline struct precis_writer *create(void)
{
	struct precis_writer *writer;

	CU_ASSERT_EQUAL_FATAL(precis_writer_open(path, &writer), 0);
	return writer;
}

static inline void add_event(struct precis_writer *writer, uint32_t type, uint64_t sample_type,
		      uint64_t flags, const uint64_t *ids, uint32_t id_count, const char *name)
{
	uint8_t attr[BUILD_ATTR_BYTES];

	build_attr(attr, type, sample_type, flags);
	build_put_u64(attr, BUILD_ATTR_PERIOD, 100000);
	CU_ASSERT_EQUAL_FATAL(precis_writer_event(writer, attr, sizeof(attr), ids, id_count, name),
			      0);
}

static inline void add_record(struct precis_writer *writer)
{
	build_end(&build);
	CU_ASSERT_EQUAL_FATAL(precis_writer_record(writer, build.bytes, build.count), 0);
}

static inline void add_words(struct precis_writer *writer, uint32_t type, uint16_t misc,
		      const uint64_t *words, uint32_t count)
{
	build_begin(&build, type, misc);
	build_bytes(&build, words, count * 8);
	add_record(writer);
}

static inline uint32_t op_payload(uint8_t *payload)
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

static inline uint32_t fetch_payload(uint8_t *payload)
{
	struct precis_ibs_fetch fetch = { .size = sizeof(fetch), .caps = 0xbff };

	fetch.fetch_ctl = UINT64_C(0x17) << 48 | 0x186a;
	fetch.fetch_lin_ad = 0x402000;
	fetch.fetch_phys_ad = 0x2000;
	return (uint32_t)precis_ibs_fetch_encode(&fetch, 0, payload);
}

/* A sample of SAMPLE_TYPE */
static inline void begin_sample(uint64_t id, uint64_t time)
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

static inline void add_sample(struct precis_writer *writer, uint64_t id, uint64_t time,
		       const uint8_t *payload, uint32_t bytes)
{
	begin_sample(id, time);
	build_u32(&build, bytes);
	build_bytes(&build, payload, bytes);
	add_record(writer);
}

static inline void add_op_sample(struct precis_writer *writer, uint64_t id, uint64_t time)
{
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];

	add_sample(writer, id, time, payload, op_payload(payload));
}

static const uint64_t op_ids[] = { 101, 102 }, fetch_ids[] = { 201, 202 };

static inline void add_features(struct precis_writer *writer)
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
static inline void write_recording(void)
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

static inline struct precis_file *open_with(const struct precis_file_options *options)
{
	struct precis_file_error error = { .size = sizeof(error) };
	struct precis_file *file;

	CU_ASSERT_EQUAL_FATAL(precis_file_open(path, options, &file, &error), 0);
	return file;
}

static inline struct precis_file *open_file(void)
{
	return open_with(NULL);
}

/* Open what cannot be opened; the error is checked against itself. */
static inline struct precis_file_error refused(const char *what)
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

static inline void check_refused(int code, int64_t offset, const char *part)
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
static inline void check_lie(size_t at, uint64_t value, int code, int64_t offset, const char *part)
{
	uint64_t honest = word_of(at);

	build_put_u64(slurped, at, value);
	rewrite();
	check_refused(code, offset, part);
	build_put_u64(slurped, at, honest);
}

/* Read to the end or to the error; how many records there were. */
static inline uint64_t drain(struct precis_file *file, int *code)
{
	struct precis_record record;
	uint64_t count = 0;

	while ((*code = precis_file_next(file, &record)) > 0)
		count++;
	return count;
}

static inline struct precis_file_counts counts_of(struct precis_file *file)
{
	struct precis_file_counts counts = { .size = sizeof(counts) };

	CU_ASSERT_EQUAL(precis_file_counts(file, &counts), 0);
	return counts;
}

static inline struct precis_event_counts event_counts_of(struct precis_file *file, uint32_t n)
{
	struct precis_event_counts counts = { .size = sizeof(counts) };

	CU_ASSERT_EQUAL(precis_file_event_counts(file, n, &counts), 0);
	return counts;
}

/* A recording of one event of a given kind, without features */
static inline struct precis_writer *create_plain(uint32_t type, uint64_t sample_type, uint64_t flags)
{
	struct precis_writer *writer = create();

	add_event(writer, type, sample_type, flags, NULL, 0, NULL);
	return writer;
}

static inline struct precis_file *reopen(struct precis_writer *writer)
{
	CU_ASSERT_EQUAL_FATAL(precis_writer_close(writer), 0);
	slurp();
	return open_file();
}

static inline int64_t field_of(const struct precis_sample *sample, enum precis_field field)
{
	uint64_t value;

	CU_ASSERT_EQUAL(precis_get(sample, field, &value), 1);
	return precis_get(sample, field, &value) ? (int64_t)value : INT64_MIN;
}

static inline void check_absent(const struct precis_sample *sample, enum precis_field field)
{
	CU_ASSERT_FALSE(precis_fields_have(sample->present, field));
	CU_ASSERT_EQUAL(sample->value[field], UINT64_MAX);
}

#endif
