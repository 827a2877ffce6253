/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recordings that are large, or say that they are, where perf writes little:
 * time and memory stay those of a recording.
 *
 * Files are sparse: a lie of a gigabyte costs its author nothing.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <precis/precis.h>

#include "tests/fuzz/target.h"
#include "tests/hostile/worker.h"
#include "tests/support/build.h"

#define GIB (UINT64_C(1) << 30)
#define HEADER_BYTES 104u
#define ATTR_ENTRY_BYTES (BUILD_ATTR_BYTES + 16u)
#define DATA_AT 4096u
#define LARGE_SECTION (60u << 20) /* of 64 MiB, the most that is read */
#define MANY 400000u
#define SORT_MEMORY (8u << 20)

struct section {
	uint64_t offset, bytes;
};

static int fd;
static char path[64];

static void put(uint64_t at, const void *bytes, size_t count)
{
	if (pwrite(fd, bytes, count, (off_t)at) != (ssize_t)count)
		abort();
}

static void put_u64(uint64_t at, uint64_t value)
{
	put(at, &value, sizeof(value));
}

static void put_u32(uint64_t at, uint32_t value)
{
	put(at, &value, sizeof(value));
}

/* A file of one event and one record */
static void begin(uint64_t bytes)
{
	uint8_t attr[BUILD_ATTR_BYTES];
	uint64_t round = PRECIS_RECORD_FINISHED_ROUND | UINT64_C(8) << 48;

	fd = memfd_create("perf.data", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, (off_t)bytes))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	put(0, "PERFILE2", 8);
	put_u64(8, HEADER_BYTES);
	put_u64(16, ATTR_ENTRY_BYTES);
	put_u64(24, HEADER_BYTES);
	put_u64(32, ATTR_ENTRY_BYTES);
	put_u64(40, DATA_AT);
	put_u64(48, 8);
	build_attr(attr, 1, PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME, BUILD_ATTR_SAMPLE_ID_ALL);
	put(HEADER_BYTES, attr, sizeof(attr));
	put_u64(DATA_AT, round);
}

/* What reading it all gives: the error of opening or of reading, or 0 */
static int read_all(uint32_t order, uint64_t *records)
{
	struct precis_file_options options = { .size = sizeof(options),
					       .order = order,
					       .sort_memory = SORT_MEMORY,
					       .temporary_directory = "/dev/shm" };
	struct precis_record record;
	struct precis_symbols *symbols;
	struct precis_file *file;
	int code = precis_file_open(path, &options, &file, NULL);

	*records = 0;
	if (code)
		return code;
	PROMISE(precis_symbols_new(NULL, &symbols) == 0);
	precis_symbols_file(symbols, file);
	while ((code = precis_file_next(file, &record)) == 1) {
		*records += 1;
		precis_symbols_record(symbols, &record, *records);
	}
	precis_symbols_free(symbols);
	precis_file_close(file);
	return code;
}

static void end(void)
{
	uint64_t records, sorted;
	int code = read_all(PRECIS_ORDER_FILE, &records);

	printf("#   %s, %llu records\n", precis_strerror(code), (unsigned long long)records);
	PROMISE(code != PRECIS_E_NO_MEMORY);
	PROMISE(read_all(PRECIS_ORDER_TIME, &sorted) == code && sorted == records);
	close(fd);
}

static void attrs(void)
{
	begin(4 * GIB);
	put_u64(24, GIB);
	put_u64(32, GIB / ATTR_ENTRY_BYTES * ATTR_ENTRY_BYTES);
	end();
}

static void ids(void)
{
	begin(4 * GIB);
	put_u64(HEADER_BYTES + BUILD_ATTR_BYTES, GIB);
	put_u64(HEADER_BYTES + BUILD_ATTR_BYTES + 8, GIB);
	end();
}

/* A section for a feature, which starts with these two numbers, and behind them is all 0 */
static void feature(uint32_t number, uint64_t bytes, uint32_t first, uint32_t second)
{
	begin(4 * GIB);
	put_u64(72, UINT64_C(1) << number);
	put_u64(DATA_AT + 8, 2 * GIB);
	put_u64(DATA_AT + 16, bytes);
	put_u32(2 * GIB, first);
	put_u32(2 * GIB + 4, second);
	end();
}

static void feature_string(void)
{
	feature(PRECIS_FEATURE_HOSTNAME, GIB, GIB - 8, 0);
}

static void feature_command(void)
{
	feature(PRECIS_FEATURE_CMDLINE, LARGE_SECTION, LARGE_SECTION / 4 - 2, 0);
}

static void feature_command_of_many(void)
{
	feature(PRECIS_FEATURE_CMDLINE, LARGE_SECTION, 1000000, 0);
}

static void feature_pmu_mappings(void)
{
	feature(PRECIS_FEATURE_PMU_MAPPINGS, LARGE_SECTION, LARGE_SECTION / 8 - 2, 0);
}

static void feature_pmu_caps(void)
{
	feature(PRECIS_FEATURE_PMU_CAPS, LARGE_SECTION, LARGE_SECTION / 8 - 2, 0);
}

static void feature_cpu_pmu_caps(void)
{
	feature(PRECIS_FEATURE_CPU_PMU_CAPS, LARGE_SECTION, LARGE_SECTION / 8 - 2, 0);
}

static void feature_event_names(void)
{
	feature(PRECIS_FEATURE_EVENT_DESC, LARGE_SECTION, 1, LARGE_SECTION - 64);
}

static void feature_build_ids(void)
{
	feature(PRECIS_FEATURE_BUILD_ID, LARGE_SECTION, 0, 64u << 16);
}

static void data_section(void)
{
	begin(4 * GIB);
	put_u64(48, UINT64_MAX / 2);
	end();
}

typedef size_t make_record(uint32_t n, struct build *build);

/* Append MANY records; number n is made by 'make'. @return where they end */
static uint64_t append(uint64_t at, make_record *make)
{
	static struct build build;

	for (uint32_t n = 0; n < MANY; n++) {
		make(n, &build);
		put(at, build.bytes, build.count);
		at += build.count;
	}
	return at;
}

static void stream(make_record *make)
{
	begin(DATA_AT);
	put_u64(48, append(DATA_AT, make) - DATA_AT);
	end();
}

static void stream_pipe(make_record *make)
{
	begin(0);
	if (ftruncate(fd, 16))
		abort();
	put_u64(8, 16);
	append(16, make);
	end();
}

static void put_sample_id(struct build *build, uint32_t n)
{
	build_u32(build, n);
	build_u32(build, n);
	build_u64(build, n);
	build_end(build);
}

static size_t make_mmap(uint32_t n, struct build *build)
{
	char name[256];

	memset(name, 'x', sizeof(name));
	snprintf(name, sizeof(name), "/%u", n);
	name[strlen(name)] = 'x';
	name[sizeof(name) - 1] = '\0';
	build_begin(build, PRECIS_RECORD_MMAP, 2);
	build_u32(build, n % 4 ? 100 : n);
	build_u32(build, n);
	build_u64(build, (uint64_t)n << 12);
	build_u64(build, 4096);
	build_u64(build, 0);
	build_bytes(build, name, sizeof(name));
	put_sample_id(build, n);
	return build->count;
}

/* Each maps over the half of all that is there: ranges are cut again and again. */
static size_t make_overlap(uint32_t n, struct build *build)
{
	build_begin(build, PRECIS_RECORD_MMAP, 2);
	build_u32(build, 100);
	build_u32(build, 100);
	build_u64(build, (uint64_t)n * 0x9e3779b9u % MANY << 12);
	build_u64(build, UINT64_C(1) << (12 + n % 8));
	build_u64(build, 0);
	build_u64(build, '/' | 'a' << 8);
	put_sample_id(build, n);
	return build->count;
}

static size_t put_fork(uint32_t n, uint32_t child, uint32_t parent, struct build *build)
{
	build_begin(build, PRECIS_RECORD_FORK, 0);
	build_u32(build, child);
	build_u32(build, parent);
	build_u32(build, child);
	build_u32(build, parent);
	build_u64(build, n);
	put_sample_id(build, n);
	return build->count;
}

/* Each process is a child of the one before. */
static size_t make_fork(uint32_t n, struct build *build)
{
	return n ? put_fork(n, n + 100, n + 99, build) : make_overlap(n, build);
}

/* A process with many mappings, forked again and again. */
static size_t make_fork_of_many(uint32_t n, struct build *build)
{
	return n > 1000 ? put_fork(n, n, 100, build) : make_overlap(n, build);
}

static size_t make_exec(uint32_t n, struct build *build)
{
	build_begin(build, PRECIS_RECORD_COMM, PRECIS_MISC_COMM_EXEC);
	build_u32(build, n % 2 ? 100 : n);
	build_u32(build, n);
	build_u64(build, 'a' + n % 26);
	put_sample_id(build, n);
	return build->count;
}

static size_t make_build_id(uint32_t n, struct build *build)
{
	build_begin(build, PRECIS_RECORD_HEADER_BUILD_ID, 0);
	build_u32(build, n);
	for (uint32_t i = 0; i < 6; i++)
		build_u32(build, n + 1);
	build_u32(build, 0x6161612f); /* "/aaa" */
	build_u64(build, n | UINT64_C(0x0101010101010101));
	build_u64(build, 0);
	build_end(build);
	return build->count;
}

static size_t put_header_attr(uint64_t id, struct build *build)
{
	uint8_t attr[BUILD_ATTR_BYTES];

	build_attr(attr, 1, PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME, BUILD_ATTR_SAMPLE_ID_ALL);
	build_begin(build, PRECIS_RECORD_HEADER_ATTR, 0);
	build_bytes(build, attr, sizeof(attr));
	build_u64(build, id);
	build_end(build);
	return build->count;
}

static size_t put_event_name(uint64_t id, uint64_t name, struct build *build)
{
	build_begin(build, PRECIS_RECORD_EVENT_UPDATE, 0);
	build_u64(build, 2); /* PERF_EVENT_UPDATE__NAME */
	build_u64(build, id);
	build_u64(build, name % 0xffff | UINT64_C(0x6161) << 16);
	build_end(build);
	return build->count;
}

static size_t make_attr(uint32_t n, struct build *build)
{
	return put_header_attr(n, build);
}

/* Names for the last of many events, and for one that is none */
static size_t make_name(uint32_t n, struct build *build)
{
	if (n < 20000)
		return put_header_attr(n, build);
	return put_event_name(n % 2 ? n : 19999, n, build);
}

static size_t make_feature(uint32_t n, struct build *build)
{
	build_begin(build, PRECIS_RECORD_HEADER_FEATURE, 0);
	build_u64(build, n % 400);
	for (uint32_t i = 0; i < 20; i++)
		build_u64(build, n);
	build_end(build);
	return build->count;
}

static size_t make_tracing_data(uint32_t n, struct build *build)
{
	uint64_t round = PRECIS_RECORD_FINISHED_ROUND | UINT64_C(8) << 48;

	(void)n;
	build_begin(build, PRECIS_RECORD_HEADER_TRACING_DATA, 0);
	build_u64(build, 8);
	build_end(build);
	build_u64(build, round);
	return build->count;
}

static size_t make_late_attr(uint32_t n, struct build *build)
{
	if (n != 1)
		return put_header_attr(n, build);
	build_begin(build, PRECIS_RECORD_FINISHED_INIT, 0);
	build_end(build);
	return build->count;
}

static size_t make_throttle(uint32_t n, struct build *build)
{
	build_begin(build, n % 3 ? PRECIS_RECORD_THROTTLE : PRECIS_RECORD_UNTHROTTLE, 0);
	build_u64(build, n);
	build_u64(build, (uint64_t)n << 20);
	build_u64(build, n);
	put_sample_id(build, n);
	return build->count;
}

/* Each time before the one before: nothing is in order. */
static size_t make_backwards(uint32_t n, struct build *build)
{
	build_begin(build, PRECIS_RECORD_LOST, 0);
	build_u64(build, n);
	build_u64(build, 1);
	put_sample_id(build, MANY - n);
	return build->count;
}

static void throttles(void)
{
	stream(make_throttle);
}

static void backwards(void)
{
	stream(make_backwards);
}

static void pipe_attrs(void)
{
	stream_pipe(make_attr);
}

static void pipe_names(void)
{
	stream_pipe(make_name);
}

static void pipe_features(void)
{
	stream_pipe(make_feature);
}

static void pipe_tracing_data(void)
{
	stream_pipe(make_tracing_data);
}

static void pipe_late_attrs(void)
{
	stream_pipe(make_late_attr);
}

static void mmaps(void)
{
	stream(make_mmap);
}

static void overlaps(void)
{
	stream(make_overlap);
}

static void forks(void)
{
	stream(make_fork);
}

static void forks_of_many(void)
{
	stream(make_fork_of_many);
}

static void execs(void)
{
	stream(make_exec);
}

static void build_ids(void)
{
	stream(make_build_id);
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "attrs of a gigabyte", attrs },
	{ "ids of a gigabyte", ids },
	{ "a string of a gigabyte", feature_string },
	{ "a command line of many words, all empty", feature_command },
	{ "a command line of a million words", feature_command_of_many },
	{ "many PMU mappings", feature_pmu_mappings },
	{ "many PMUs with capabilities", feature_pmu_caps },
	{ "many capabilities of a PMU", feature_cpu_pmu_caps },
	{ "a large event description", feature_event_names },
	{ "many build ids in the header", feature_build_ids },
	{ "a data section beyond all files", data_section },
	{ "many mappings of many files", mmaps },
	{ "mappings over mappings", overlaps },
	{ "many forks", forks },
	{ "many forks of a process with many mappings", forks_of_many },
	{ "many execs", execs },
	{ "many build ids", build_ids },
	{ "many throttles, each of another id", throttles },
	{ "times that go backwards", backwards },
	{ "a pipe: many attrs", pipe_attrs },
	{ "a pipe: many names of many events", pipe_names },
	{ "a pipe: many features", pipe_features },
	{ "a pipe: many tracing data", pipe_tracing_data },
	{ "a pipe: many attrs behind the first records", pipe_late_attrs },
};
#define CASES (sizeof(cases) / sizeof(cases[0]))

static int one_case(void *data, uint64_t number, uint64_t tally[4])
{
	(void)data;
	(void)tally;
	cases[number].run();
	return 0;
}

int main(int argc, char **argv)
{
	int good = 1;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%zu\n", CASES);
	for (size_t n = 0; n < CASES; n++) {
		struct worker_result result;
		int passed;

		if (argc > 1 && strtoul(argv[1], NULL, 0) != n + 1)
			continue;
		worker_run(one_case, NULL, n, n + 1, &result);
		passed = !result.failures && result.peak <= WORKER_MEMORY;
		printf("%s %zu - %s: %llu MiB\n", passed ? "ok" : "not ok", n + 1, cases[n].name,
		       (unsigned long long)(result.peak >> 20));
		if (result.failures)
			printf("# %s\n", result.reason);
		good &= passed;
	}
	return !good;
}
