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
#define MANY 400000u

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
static int read_all(uint64_t *records)
{
	struct precis_record record;
	struct precis_symbols *symbols;
	struct precis_file *file;
	int code = precis_file_open(path, NULL, &file, NULL);

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
	uint64_t records;
	int code = read_all(&records);

	printf("#   %s, %llu records\n", precis_strerror(code), (unsigned long long)records);
	PROMISE(code != PRECIS_E_NO_MEMORY);
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

/* A section of a gigabyte for a feature, which starts with these two numbers */
static void feature(uint32_t number, uint32_t first, uint32_t second)
{
	begin(4 * GIB);
	put_u64(72, UINT64_C(1) << number);
	put_u64(DATA_AT + 8, 2 * GIB);
	put_u64(DATA_AT + 16, GIB);
	put_u32(2 * GIB, first);
	put_u32(2 * GIB + 4, second);
	end();
}

static void feature_string(void)
{
	feature(PRECIS_FEATURE_HOSTNAME, GIB - 8, 0);
}

static void feature_command(void)
{
	feature(PRECIS_FEATURE_CMDLINE, GIB / 4 - 2, 0);
}

static void feature_pmu_mappings(void)
{
	feature(PRECIS_FEATURE_PMU_MAPPINGS, GIB / 8 - 2, 0);
}

static void feature_pmu_caps(void)
{
	feature(PRECIS_FEATURE_PMU_CAPS, GIB / 8 - 2, 0);
}

static void feature_event_names(void)
{
	feature(PRECIS_FEATURE_EVENT_DESC, 1, GIB - 64);
}

static void feature_build_ids(void)
{
	feature(PRECIS_FEATURE_BUILD_ID, 0, 64u << 16);
}

static void data_section(void)
{
	begin(4 * GIB);
	put_u64(48, UINT64_MAX / 2);
	end();
}

/* MANY records in the data section; number n is made by 'make' */
static void stream(size_t (*make)(uint32_t n, struct build *build))
{
	static struct build build;
	uint64_t at = DATA_AT;

	begin(DATA_AT);
	for (uint32_t n = 0; n < MANY; n++) {
		make(n, &build);
		put(at, build.bytes, build.count);
		at += build.count;
	}
	put_u64(48, at - DATA_AT);
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
	{ "a command line of a quarter of a milliard words", feature_command },
	{ "PMU mappings of a gigabyte", feature_pmu_mappings },
	{ "PMU capabilities of a gigabyte", feature_pmu_caps },
	{ "event descriptions of a gigabyte", feature_event_names },
	{ "build ids of a gigabyte", feature_build_ids },
	{ "a data section beyond all files", data_section },
	{ "many mappings of many files", mmaps },
	{ "mappings over mappings", overlaps },
	{ "many forks", forks },
	{ "many forks of a process with many mappings", forks_of_many },
	{ "many execs", execs },
	{ "many build ids", build_ids },
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
