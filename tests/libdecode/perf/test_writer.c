/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing perf.data: byte by byte, through this library's reader, and through stock perf. */
#include <errno.h>

#include <precis/precis.h>

#include "tests/support/build.h"
#include "tests/support/tap.h"

static char path[64];
static struct build build;
static uint8_t attr[BUILD_ATTR_BYTES];
static const uint64_t ids[] = { 11, 12 };

static struct precis_writer *create(void)
{
	struct precis_writer *writer;

	CU_ASSERT_EQUAL_FATAL(precis_writer_open(path, &writer), 0);
	return writer;
}

static void add_event(struct precis_writer *writer, const char *name)
{
	build_attr(attr, 10, PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_IP, 0);
	CU_ASSERT_EQUAL_FATAL(precis_writer_event(writer, attr, sizeof(attr), ids, 2, name), 0);
}

static void add_sample(struct precis_writer *writer, uint64_t id, uint64_t ip)
{
	build_begin(&build, PRECIS_RECORD_SAMPLE, PRECIS_CPUMODE_USER);
	build_u64(&build, id);
	build_u64(&build, ip);
	build_end(&build);
	CU_ASSERT_EQUAL_FATAL(precis_writer_record(writer, build.bytes, build.count), 0);
}

static uint64_t word(const uint8_t *bytes, size_t at)
{
	uint64_t value;

	memcpy(&value, bytes + at, sizeof(value));
	return value;
}

static uint32_t half(const uint8_t *bytes, size_t at)
{
	return (uint32_t)word(bytes, at);
}

/* magic, sizes, ids, attr and its section, record, table, string: where the format has them */
static void bytes(void)
{
	struct precis_writer *writer = create();
	size_t count, data = 104 + 16 + BUILD_ATTR_BYTES + 16, table = data + 24;
	uint8_t *file;

	add_event(writer, NULL);
	CU_ASSERT_EQUAL(precis_writer_string(writer, PRECIS_FEATURE_ARCH, "x86_64"), 0);
	add_sample(writer, 12, 0x1234);
	CU_ASSERT_EQUAL(precis_writer_feature(writer, 200, "abc", 3), 0);
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	file = build_slurp(path, &count);
	CU_ASSERT_EQUAL_FATAL(count, table + 32 + 68 + 3);
	CU_ASSERT_FALSE(memcmp(file, "PERFILE2", 8));
	CU_ASSERT_EQUAL(word(file, 8), 104);
	CU_ASSERT_EQUAL(word(file, 16), BUILD_ATTR_BYTES + 16);
	CU_ASSERT_EQUAL(word(file, 24), 120);
	CU_ASSERT_EQUAL(word(file, 32), BUILD_ATTR_BYTES + 16);
	CU_ASSERT_EQUAL(word(file, 40), data);
	CU_ASSERT_EQUAL(word(file, 48), 24);
	CU_ASSERT_EQUAL(word(file, 56), 0);
	CU_ASSERT_EQUAL(word(file, 72), 1u << PRECIS_FEATURE_ARCH);
	CU_ASSERT_EQUAL(word(file, 96), 1u << (200 - 192));
	CU_ASSERT_EQUAL(word(file, 112), 12);
	CU_ASSERT_FALSE(memcmp(file + 120, attr, sizeof(attr)));
	CU_ASSERT_EQUAL(word(file, 120 + BUILD_ATTR_BYTES), 104);
	CU_ASSERT_EQUAL(word(file, 128 + BUILD_ATTR_BYTES), 16);
	CU_ASSERT_EQUAL(word(file, data + 16), 0x1234);
	CU_ASSERT_EQUAL(word(file, table), table + 32);
	CU_ASSERT_EQUAL(word(file, table + 8), 68);
	CU_ASSERT_EQUAL(word(file, table + 16), table + 32 + 68);
	CU_ASSERT_EQUAL(word(file, table + 24), 3);
	CU_ASSERT_EQUAL(half(file, table + 32), 64);
	CU_ASSERT_STRING_EQUAL((const char *)file + table + 36, "x86_64");
	CU_ASSERT_FALSE(memcmp(file + table + 100, "abc", 3));
	free(file);
}

static void collected_features(void)
{
	struct precis_writer *writer = create();
	struct precis_bytes section;
	struct precis_file *file;

	add_event(writer, "cycles");
	add_event(writer, NULL);
	CU_ASSERT_EQUAL(precis_writer_pmu(writer, 10, "ibs_op"), 0);
	CU_ASSERT_EQUAL(precis_writer_command(writer, "perf"), 0);
	add_sample(writer, 11, 1);
	CU_ASSERT_EQUAL(precis_writer_command(writer, "top"),
			0); /* after a record: still in time */
	CU_ASSERT_EQUAL(precis_writer_pmu_cap(writer, "ibs_op", "a", "1"), 0);
	CU_ASSERT_EQUAL(precis_writer_pmu_cap(writer, "ibs_fetch", "b", "2"), 0);
	CU_ASSERT_EQUAL(precis_writer_pmu_cap(writer, "ibs_op", "c", "3"), 0);
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	CU_ASSERT_EQUAL_FATAL(precis_file_open(path, NULL, &file, NULL), 0);
	CU_ASSERT_PTR_NULL(precis_file_warning(file, 0));
	CU_ASSERT_STRING_EQUAL(precis_file_event(file, 0)->name, "cycles");
	CU_ASSERT_STRING_EQUAL(precis_file_event(file, 1)->name, "ibs_op");
	CU_ASSERT_STRING_EQUAL(precis_file_command(file, 1), "top");
	CU_ASSERT_EQUAL_FATAL(precis_file_feature(file, PRECIS_FEATURE_PMU_CAPS, &section), 0);
	CU_ASSERT_EQUAL(half(section.data, 0), 2); /* PMUs */
	CU_ASSERT_EQUAL(half(section.data, 4), 2); /* caps of ibs_op */
	CU_ASSERT_EQUAL(section.bytes, 4 + 2 * 4 + 8 * 68);
	CU_ASSERT_EQUAL_FATAL(precis_file_feature(file, PRECIS_FEATURE_EVENT_DESC, &section), 0);
	CU_ASSERT_EQUAL(half(section.data, 0), 2);
	CU_ASSERT_EQUAL(half(section.data, 4), BUILD_ATTR_BYTES);
	CU_ASSERT_EQUAL(half(section.data, 8 + BUILD_ATTR_BYTES), 2);
	precis_file_close(file);
}

static void finished_payload_wins(void)
{
	struct precis_writer *writer = create();
	struct precis_bytes section;
	struct precis_file *file;

	add_event(writer, "cycles");
	CU_ASSERT_EQUAL(precis_writer_pmu(writer, 10, "ibs_op"), 0);
	CU_ASSERT_EQUAL(precis_writer_feature(writer, PRECIS_FEATURE_PMU_MAPPINGS, "\0\0\0", 4), 0);
	CU_ASSERT_EQUAL(precis_writer_string(writer, PRECIS_FEATURE_ARCH, "i386"), 0);
	CU_ASSERT_EQUAL(precis_writer_string(writer, PRECIS_FEATURE_ARCH, "x86_64"), 0);
	CU_ASSERT_EQUAL(precis_writer_feature(writer, PRECIS_FEATURE_EVENT_DESC, NULL, 0), 0);
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	CU_ASSERT_EQUAL_FATAL(precis_file_open(path, NULL, &file, NULL), 0);
	CU_ASSERT_PTR_NULL(precis_file_pmu(file, 0, NULL));
	CU_ASSERT_EQUAL(precis_file_feature(file, PRECIS_FEATURE_EVENT_DESC, &section), 0);
	CU_ASSERT_EQUAL(section.bytes, 0);
	CU_ASSERT_EQUAL(precis_file_feature(file, PRECIS_FEATURE_ARCH, &section), 0);
	CU_ASSERT_STRING_EQUAL((const char *)section.data + 4, "x86_64");
	precis_file_close(file);
}

/* No records: still not a file whose recorder died. No events: still a file. */
static void almost_empty(void)
{
	for (int events = 0; events < 2; events++) {
		struct precis_file_info info = { .size = sizeof(info) };
		struct precis_writer *writer = create();
		struct precis_record record;
		struct precis_file *file;

		if (events)
			add_event(writer, NULL);
		CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
		CU_ASSERT_EQUAL_FATAL(precis_file_open(path, NULL, &file, NULL), 0);
		CU_ASSERT_EQUAL(precis_file_info(file, &info), 0);
		CU_ASSERT_EQUAL(info.recorder_died, 0);
		CU_ASSERT_EQUAL(precis_file_event_count(file), (uint32_t)events);
		CU_ASSERT_EQUAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(record.type, PRECIS_RECORD_FINISHED_ROUND);
		CU_ASSERT_EQUAL(precis_file_next(file, &record), 0);
		precis_file_close(file);
	}
}

/* Larger than the buffer by far, with records of the largest size among them */
static void many_records(void)
{
	struct precis_writer *writer = create();
	struct precis_record record;
	struct precis_file *file;

	add_event(writer, NULL);
	for (uint64_t n = 0; n < 20000; n++) {
		if (n % 1000) {
			add_sample(writer, 11, n);
			continue;
		}
		build_begin(&build, PRECIS_RECORD_SAMPLE, 0);
		build_u64(&build, 11);
		while (build.count < 65528)
			build_u64(&build, n);
		build_end(&build);
		CU_ASSERT_EQUAL_FATAL(precis_writer_record(writer, build.bytes, build.count), 0);
	}
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	CU_ASSERT_EQUAL_FATAL(precis_file_open(path, NULL, &file, NULL), 0);
	for (uint64_t n = 0; n < 20000; n++) {
		CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL_FATAL(record.size, n % 1000 ? 24 : 65528);
		CU_ASSERT_EQUAL_FATAL(word(record.data, 16), n);
	}
	CU_ASSERT_EQUAL(precis_file_next(file, &record), 0);
	precis_file_close(file);
}

/* While records are written the file is one whose recorder died. */
static void unfinished(void)
{
	struct precis_file_info info = { .size = sizeof(info) };
	struct precis_writer *writer = create();
	struct precis_record record;
	struct precis_file *file;
	int code, count = 0;

	add_event(writer, "cycles");
	for (uint64_t n = 0; n < 10000; n++)
		add_sample(writer, 11, n);
	CU_ASSERT_EQUAL_FATAL(precis_file_open(path, NULL, &file, NULL), 0);
	CU_ASSERT_EQUAL(precis_file_info(file, &info), 0);
	CU_ASSERT_EQUAL(info.recorder_died, 1);
	while ((code = precis_file_next(file, &record)) > 0)
		count++;
	CU_ASSERT(code == 0 || code == PRECIS_E_TRUNCATED);
	CU_ASSERT(count > 1000);
	precis_file_close(file);
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
}

static void refused_events(void)
{
	struct precis_writer *writer = create();

	add_event(writer, NULL);
	CU_ASSERT_EQUAL(precis_writer_event(writer, NULL, 128, NULL, 0, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_event(writer, attr, 128, NULL, 1, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_event(writer, attr, 56, NULL, 0, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_event(writer, attr, 112, NULL, 0, NULL), PRECIS_E_ARGUMENT);
	attr[BUILD_ATTR_SIZE] = 112; /* honest, but not of the size of the first */
	CU_ASSERT_EQUAL(precis_writer_event(writer, attr, 112, NULL, 0, NULL), PRECIS_E_ARGUMENT);
	build_attr(attr, 10, PRECIS_SAMPLE_IP, 0);
	attr[BUILD_ATTR_SIZE] = 0; /* perf would take it for 64 */
	CU_ASSERT_EQUAL(precis_writer_event(writer, attr, 128, NULL, 0, NULL), PRECIS_E_ARGUMENT);
	add_sample(writer, 11, 1);
	build_attr(attr, 10, PRECIS_SAMPLE_IP, 0);
	CU_ASSERT_EQUAL(precis_writer_event(writer, attr, 128, NULL, 0, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
}

static void refused_records(void)
{
	struct precis_writer *writer = create();

	add_event(writer, NULL);
	build_begin(&build, PRECIS_RECORD_SAMPLE, 0);
	build_u64(&build, 1);
	build_u32(&build, 1);
	build_end(&build);
	CU_ASSERT_EQUAL(precis_writer_record(writer, build.bytes, 20), PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(precis_writer_record(writer, build.bytes, 16), PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(precis_writer_record(writer, build.bytes, 0), PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(precis_writer_record(writer, build.bytes, 65552), PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(precis_writer_record(writer, NULL, 16), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
}

static void refused_features(void)
{
	struct precis_writer *writer = create();

	CU_ASSERT_EQUAL(precis_writer_string(writer, PRECIS_FEATURE_NRCPUS, "8"),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_string(writer, PRECIS_FEATURE_ARCH, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_feature(writer, 256, "x", 1), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_feature(writer, 3, NULL, 1), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_pmu(writer, 1, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_command(writer, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_pmu_cap(writer, "a", NULL, "b"), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	CU_ASSERT_EQUAL(precis_writer_close(NULL), PRECIS_E_ARGUMENT);
}

static void no_file(void)
{
	struct precis_writer *writer = (void *)1;

	CU_ASSERT_EQUAL(precis_writer_open("/nonexistent/x", &writer), PRECIS_E_IO);
	CU_ASSERT_EQUAL(errno, ENOENT);
	CU_ASSERT_PTR_NULL(writer);
	CU_ASSERT_EQUAL(precis_writer_open(NULL, &writer), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_open(path, NULL), PRECIS_E_ARGUMENT);
}

static void full_disk(void)
{
	struct precis_writer *writer;
	int error = 0;

	if (precis_writer_open("/dev/full", &writer)) {
		tap_skip("no /dev/full");
		return;
	}
	add_event(writer, NULL);
	build_begin(&build, PRECIS_RECORD_SAMPLE, 0);
	build_u64(&build, 11);
	build_u64(&build, 1);
	build_end(&build);
	for (int n = 0; n < 10000 && !error; n++)
		error = precis_writer_record(writer, build.bytes, build.count);
	CU_ASSERT_EQUAL(error, PRECIS_E_IO);
	CU_ASSERT_EQUAL(precis_writer_close(writer), PRECIS_E_IO);
}

/* The oracle: does stock perf see the same samples? */
static void stock_perf(void)
{
	const char *perf = getenv("PERF");
	struct precis_writer *writer;
	char command[256], line[128];
	unsigned long count = 0;
	FILE *output;

	if (!perf || !*perf) {
		tap_skip("perf is not installed");
		return;
	}
	writer = create();
	add_event(writer, "ibs_op//");
	CU_ASSERT_EQUAL(precis_writer_pmu(writer, 10, "ibs_op"), 0);
	CU_ASSERT_EQUAL(precis_writer_pmu_cap(writer, "ibs_op", "zen4_ibs_extensions", "1"), 0);
	CU_ASSERT_EQUAL(precis_writer_string(writer, PRECIS_FEATURE_ARCH, "x86_64"), 0);
	CU_ASSERT_EQUAL(precis_writer_command(writer, "perf"), 0);
	CU_ASSERT_EQUAL(precis_writer_string(writer, PRECIS_FEATURE_CPUID, "AuthenticAMD,25,17,1"),
			0);
	for (uint64_t n = 0; n < 50; n++)
		add_sample(writer, 11 + n % 2, 0x400000 + n);
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	snprintf(command, sizeof(command), "'%s' script -f -i %s -F ip 2>/dev/null", perf, path);
	output = popen(command, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(output);
	while (fgets(line, sizeof(line), output)) {
		char *end;
		unsigned long ip = strtoul(line, &end, 16);

		CU_ASSERT(end > line);
		CU_ASSERT_EQUAL(ip, 0x400000 + count);
		count++;
	}
	CU_ASSERT_EQUAL(pclose(output), 0);
	CU_ASSERT_EQUAL(count, 50);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the file, byte by byte", bytes },
		{ "features given piece by piece", collected_features },
		{ "a finished payload wins", finished_payload_wins },
		{ "no records, no events", almost_empty },
		{ "more than the buffer holds", many_records },
		{ "an unfinished file", unfinished },
		{ "events that are refused", refused_events },
		{ "records that are refused", refused_records },
		{ "features that are refused", refused_features },
		{ "no such directory", no_file },
		{ "a full disk", full_disk },
		{ "read by stock perf", stock_perf },
	};
	int failed;

	build_path(path);
	failed = tap_main("writer", cases, sizeof(cases) / sizeof(cases[0]));
	unlink(path);
	return failed;
}
