/* SPDX-License-Identifier: BSD-3-Clause */
/* The process model against brute force, and symbols of this very program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <precis/error.h>
#include <precis/fields.h>
#include <precis/symbols.h>

#include "tests/support/symbol_records.h"

#define MISC_FORK_EXEC (1u << 13)
#define USER PRECIS_CPUMODE_USER
#define KERNEL PRECIS_CPUMODE_KERNEL

static uint64_t random_state;
static uint64_t record_time; /* of the records that are fed */

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(random_state >> 33) % limit;
}

static int feed(struct precis_symbols *symbols, struct build *build, uint32_t type,
		uint16_t misc)
{
	return feed_at(symbols, build, type, misc, record_time);
}

static int feed_mmap(struct precis_symbols *symbols, uint16_t misc, uint32_t pid, uint64_t start,
		     uint64_t length, uint64_t offset, const char *name)
{
	return feed_mmap_at(symbols, misc, pid, start, length, offset, name, record_time);
}

static int feed_mmap2(struct precis_symbols *symbols, uint16_t misc, uint32_t pid, uint64_t start,
		      uint64_t length, uint64_t offset, const char *name)
{
	static struct build build;

	build.count = 8;
	build_u32(&build, pid);
	build_u32(&build, pid);
	build_u64(&build, start);
	build_u64(&build, length);
	build_u64(&build, offset);
	build_u64(&build, 0);
	build_u64(&build, 0);
	build_u64(&build, 0);
	build_u32(&build, 5);
	build_u32(&build, 2);
	build_name(&build, name);
	return feed(symbols, &build, PRECIS_RECORD_MMAP2, misc);
}

static int feed_comm(struct precis_symbols *symbols, uint16_t misc, uint32_t pid)
{
	static struct build build;

	build.count = 8;
	build_u32(&build, pid);
	build_u32(&build, pid);
	build_name(&build, "name");
	return feed(symbols, &build, PRECIS_RECORD_COMM, misc);
}

static int feed_fork(struct precis_symbols *symbols, uint16_t misc, uint32_t pid, uint32_t parent)
{
	static struct build build;

	build.count = 8;
	build_u32(&build, pid);
	build_u32(&build, parent);
	build_u32(&build, pid);
	build_u32(&build, parent);
	build_u64(&build, 0);
	return feed(symbols, &build, PRECIS_RECORD_FORK, misc);
}

static struct precis_symbols *new_with(const char *symfs, uint32_t flags)
{
	const struct precis_symbols_options options = {
		.size = sizeof(options),
		.flags = flags,
		.symfs = symfs,
	};
	struct precis_symbols *symbols;

	CU_ASSERT_EQUAL_FATAL(precis_symbols_new(&options, &symbols), 0);
	return symbols;
}

static struct precis_symbols *new_symbols(const char *symfs)
{
	return new_with(symfs, 0);
}

/* What lies there is 'object' at 'offset'; NULL: nothing */
static void check_then(struct precis_symbols *symbols, uint32_t pid, uint32_t cpumode, uint64_t time,
		       uint64_t address, const char *object, uint64_t offset)
{
	struct precis_location location = { .size = sizeof(location) };
	int found = precis_symbols_locate(symbols, pid, cpumode, time, address, &location);
	int right = found == (object != NULL) &&
		    (!object || (location.object && strcmp(location.object, object) == 0 &&
				 location.offset == offset));

	if (!right)
		printf("# pid %u, %#llx: %d, %s + %#llx; expected %s + %#llx\n", pid,
		       (unsigned long long)address, found, location.object ? location.object : "-",
		       (unsigned long long)location.offset, object ? object : "-",
		       (unsigned long long)offset);
	CU_ASSERT(right);
	CU_ASSERT_EQUAL(location.cpumode, cpumode);
	CU_ASSERT_PTR_NULL(location.symbol);
	CU_ASSERT_EQUAL(location.symbol_absent,
			found ? PRECIS_SYMBOL_NOT_ASKED : PRECIS_SYMBOL_NOT_MAPPED);
}

/* At the end of the recording */
static void check_at(struct precis_symbols *symbols, uint32_t pid, uint32_t cpumode, uint64_t address,
		     const char *object, uint64_t offset)
{
	check_then(symbols, pid, cpumode, UINT64_MAX, address, object, offset);
}

static void test_mappings(void)
{
	struct precis_symbols *symbols = new_symbols("/nonexistent");

	check_at(symbols, 1, USER, 0x1000, NULL, 0);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, 0x1000, 0x4000, 0x2000, "/a"), 0);
	CU_ASSERT_EQUAL(feed_mmap2(symbols, USER, 1, 0x2000, 0x1000, 0, "//anon"), 0);
	check_at(symbols, 1, USER, 0xfff, NULL, 0);
	check_at(symbols, 1, USER, 0x1000, "/a", 0x2000);
	check_at(symbols, 1, USER, 0x1fff, "/a", 0x2fff);
	check_at(symbols, 1, USER, 0x2010, "/tmp/perf-1.map", 0x2010);
	check_at(symbols, 1, USER, 0x3000, "/a", 0x4000);
	check_at(symbols, 1, USER, 0x4fff, "/a", 0x5fff);
	check_at(symbols, 1, USER, 0x5000, NULL, 0);
	check_at(symbols, 2, USER, 0x1000, NULL, 0);
	/* data and a guest's mappings are not code of ours */
	CU_ASSERT_EQUAL(
		feed_mmap(symbols, USER | PRECIS_MISC_MMAP_DATA, 1, 0x1000, 0x1000, 0, "/d"), 0);
	CU_ASSERT_EQUAL(feed_mmap(symbols, PRECIS_CPUMODE_GUEST_USER, 1, 0x1000, 0x1000, 0, "/g"),
			0);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, 0x1000, 0, 0, "/empty"), 0);
	check_at(symbols, 1, USER, 0x1000, "/a", 0x2000);
	/* up to the last address there is */
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, UINT64_MAX - 15, 0x1000, 0, "/top"), 0);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, UINT64_MAX, 1, 0, "/top"), 0);
	check_at(symbols, 1, USER, UINT64_MAX - 1, "/top", 14);
	precis_symbols_free(symbols);
}

/*
 * Mappings without a file: offsets as perf has them. Linux 3.4 gives the [vdso] of a new
 * program the address as its page offset, perf's own record of a running one 0.
 */
static void test_mappings_without_file(void)
{
	static const uint64_t vdso = 0x7ffff53fe000, vsyscall = 0xffffffffff600000;
	struct precis_symbols *symbols = new_symbols("/nonexistent");

	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, vdso, 0x2000, vdso, "[vdso]"), 0);
	check_at(symbols, 1, USER, vdso + 0x604, "[vdso]", 0x604);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 2, vdso, 0x2000, 0, "[vdso]"), 0);
	check_at(symbols, 2, USER, vdso + 0x604, "[vdso]", 0x604);
	/* the second page of one that was mapped in two parts */
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 3, vdso, 0x1000, 0, "[vdso]"), 0);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 3, vdso + 0x1000, 0x1000, 0x1000, "[vdso]"), 0);
	check_at(symbols, 3, USER, vdso + 0x1604, "[vdso]", 0x1604);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, vsyscall, 0x1000, vsyscall, "[vsyscall]"), 0);
	check_at(symbols, 1, USER, vsyscall + 0x400, "[vsyscall]", 0x400);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, 0x9000, 0x1000, 0x9000, "[uprobes]"), 0);
	check_at(symbols, 1, USER, 0x9080, "[uprobes]", 0x80);
	/* a file that is mapped at its own offset, and memory whose addresses are all there is */
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, 0x400000, 0x1000, 0x400000, "/a"), 0);
	check_at(symbols, 1, USER, 0x400010, "/a", 0x400010);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, 0x5000, 0x1000, 0, "[heap]"), 0);
	check_at(symbols, 1, USER, 0x5010, "/tmp/perf-1.map", 0x5010);
	precis_symbols_free(symbols);
}

/* The kernel's own image and its modules: from the mapping's start on, whatever its page offset */
static void test_mappings_of_kernel(void)
{
	struct precis_symbols *symbols = new_symbols("/nonexistent");
	static const uint64_t module = 0xffffffffa0000000;

	CU_ASSERT_EQUAL(feed_mmap(symbols, KERNEL, UINT32_MAX, module, 0x5000, 0, "/lib/a.ko"), 0);
	check_at(symbols, 1, KERNEL, module + 0x10, "[a]", 0x10);
	/* Linux 3.4: all of memory below the modules, so that an offset is an address, as in perf */
	CU_ASSERT_EQUAL(feed_mmap(symbols, KERNEL, UINT32_MAX, 0, 0xffffffff9fffffff,
				  0xffffffff81000190, "[kernel.kallsyms]_stext"), 0);
	check_at(symbols, 1, KERNEL, 0xffffffff810ae538, "[kernel.kallsyms]", 0xffffffff810ae538);
	precis_symbols_free(symbols);
}

static void test_processes(void)
{
	struct precis_symbols *symbols = new_symbols("/nonexistent");

	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, 0x1000, 0x1000, 0, "/a"), 0);
	CU_ASSERT_EQUAL(feed_fork(symbols, 0, 2, 1), 0);
	check_at(symbols, 2, USER, 0x1000, "/a", 0);
	/* what the child maps is its own, and so is what the parent maps then */
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 2, 0x1000, 0x1000, 0, "/child"), 0);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, 0x3000, 0x1000, 0, "/parent"), 0);
	check_at(symbols, 1, USER, 0x1000, "/a", 0);
	check_at(symbols, 2, USER, 0x1000, "/child", 0);
	check_at(symbols, 2, USER, 0x3000, NULL, 0);
	/* a name is set: nothing happens; exec: all is new */
	CU_ASSERT_EQUAL(feed_comm(symbols, 0, 2), 0);
	check_at(symbols, 2, USER, 0x1000, "/child", 0);
	CU_ASSERT_EQUAL(feed_comm(symbols, PRECIS_MISC_COMM_EXEC, 2), 0);
	check_at(symbols, 2, USER, 0x1000, NULL, 0);
	check_at(symbols, 1, USER, 0x1000, "/a", 0);
	/* a thread is no new process; one that perf found in /proc has its own mappings */
	CU_ASSERT_EQUAL(feed_fork(symbols, 0, 1, 1), 0);
	check_at(symbols, 1, USER, 0x1000, "/a", 0);
	CU_ASSERT_EQUAL(feed_fork(symbols, MISC_FORK_EXEC, 3, 1), 0);
	check_at(symbols, 3, USER, 0x1000, NULL, 0);
	/* a pid that is used again */
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 3, 0x9000, 0x1000, 0, "/old"), 0);
	CU_ASSERT_EQUAL(feed_fork(symbols, 0, 3, 1), 0);
	check_at(symbols, 3, USER, 0x9000, NULL, 0);
	check_at(symbols, 3, USER, 0x3000, "/parent", 0);
	CU_ASSERT_EQUAL(feed_fork(symbols, 0, 3, 77), 0);
	check_at(symbols, 3, USER, 0x3000, NULL, 0);
	precis_symbols_free(symbols);
}

/* A process is asked for at times: each answer is of the program that ran then */
static void test_times(void)
{
	struct precis_symbols *symbols = new_symbols("/nonexistent");

	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, 0x1000, 0x1000, 0, "/shell"), 0);
	record_time = 100;
	CU_ASSERT_EQUAL(feed_fork(symbols, 0, 2, 1), 0);
	record_time = 200;
	CU_ASSERT_EQUAL(feed_comm(symbols, PRECIS_MISC_COMM_EXEC, 2), 0);
	record_time = 210;
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 2, 0x1000, 0x1000, 0, "/first"), 0);
	record_time = 300;
	CU_ASSERT_EQUAL(feed_comm(symbols, PRECIS_MISC_COMM_EXEC, 2), 0);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 2, 0x1000, 0x1000, 0, "/second"), 0);
	/* the pid is used again */
	record_time = 400;
	CU_ASSERT_EQUAL(feed_fork(symbols, 0, 2, 1), 0);
	/* late for its place: taken as of the same time */
	record_time = 350;
	CU_ASSERT_EQUAL(feed_comm(symbols, PRECIS_MISC_COMM_EXEC, 2), 0);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 2, 0x1000, 0x1000, 0, "/third"), 0);
	check_then(symbols, 1, USER, 0, 0x1000, "/shell", 0);
	check_then(symbols, 1, USER, UINT64_MAX, 0x1000, "/shell", 0);
	check_then(symbols, 2, USER, 99, 0x1000, NULL, 0);
	check_then(symbols, 2, USER, 100, 0x1000, "/shell", 0);
	check_then(symbols, 2, USER, 199, 0x1000, "/shell", 0);
	check_then(symbols, 2, USER, 200, 0x1000, "/first", 0);
	check_then(symbols, 2, USER, 299, 0x1000, "/first", 0);
	check_then(symbols, 2, USER, 300, 0x1000, "/second", 0);
	check_then(symbols, 2, USER, 399, 0x1000, "/second", 0);
	check_then(symbols, 2, USER, 400, 0x1000, "/third", 0);
	/* exec of a process that nothing was known of: its mappings are not those before */
	record_time = 500;
	CU_ASSERT_EQUAL(feed_comm(symbols, PRECIS_MISC_COMM_EXEC, 3), 0);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 3, 0x1000, 0x1000, 0, "/new"), 0);
	check_then(symbols, 3, USER, 499, 0x1000, NULL, 0);
	check_then(symbols, 3, USER, 500, 0x1000, "/new", 0);
	record_time = 0;
	precis_symbols_free(symbols);
}

static void test_kernel(void)
{
	const uint64_t text = UINT64_C(0xffffffff81000000), module = UINT64_C(0xffffffffc0000000);
	const uint16_t kernel = PRECIS_CPUMODE_KERNEL;
	struct precis_symbols *symbols = new_symbols(NULL);

	CU_ASSERT_EQUAL(feed_mmap(symbols, kernel, UINT32_MAX, text, 0x1000000, text,
				  "[kernel.kallsyms]_text"),
			0);
	CU_ASSERT_EQUAL(feed_mmap(symbols, kernel, UINT32_MAX, module, 0x1000, 0, "[ext4]"), 0);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 5, text, 0x1000, 0, "[vdso]"), 0);
	check_at(symbols, 5, KERNEL, text + 0x123, "[kernel.kallsyms]", 0x123);
	check_at(symbols, 0, KERNEL, module + 1, "[ext4]", 1);
	check_at(symbols, 5, KERNEL, module + 0x1000, NULL, 0);
	check_at(symbols, 5, USER, text + 0x123, "[vdso]", 0x123);
	check_at(symbols, 6, USER, text, NULL, 0);
	precis_symbols_free(symbols);
}

#define PROCESSES 6
#define PAGES 700

/* Page by page what each process has mapped: the object's number and the page in it */
struct brute {
	uint16_t object[PAGES]; /* 0: nothing */
	uint16_t page[PAGES];
};

static void brute_map(struct brute *brute, uint32_t start, uint32_t pages, uint32_t page,
		      uint32_t object)
{
	uint32_t i;

	for (i = 0; i < pages; i++) {
		brute->object[start + i] = (uint16_t)object;
		brute->page[start + i] = (uint16_t)(page + i);
	}
}

/* What was there at that time */
static void brute_check(struct precis_symbols *symbols, const struct brute *brute, uint64_t time)
{
	uint32_t pid, page;
	char name[16];

	for (pid = 0; pid < PROCESSES; pid++) {
		for (page = 0; page < PAGES; page++) {
			snprintf(name, sizeof(name), "/o%u", brute[pid].object[page]);
			check_then(symbols, pid, USER, time, page * UINT64_C(4096) + 5,
				   brute[pid].object[page] ? name : NULL,
				   brute[pid].page[page] * UINT64_C(4096) + 5);
		}
	}
}

/* Mostly small mappings, so that there are many at once; some that cover them all */
static void test_random(void)
{
	static struct brute brute[PROCESSES];
	struct precis_symbols *symbols = new_symbols("/nonexistent");
	uint32_t step;
	char name[16];

	random_state = 20261120;
	for (step = 0; step < 20000; step++) {
		uint32_t pid = random_below(PROCESSES), kind = random_below(400);

		if (kind == 0) {
			CU_ASSERT_EQUAL(feed_comm(symbols, PRECIS_MISC_COMM_EXEC, pid), 0);
			memset(&brute[pid], 0, sizeof(brute[pid]));
		} else if (kind < 4) {
			uint32_t parent = random_below(PROCESSES);

			CU_ASSERT_EQUAL(feed_fork(symbols, 0, pid, parent), 0);
			brute[pid] = brute[parent];
		} else {
			uint32_t most = random_below(50) ? 3 : PAGES;
			uint32_t start = random_below(PAGES), pages = 1 + random_below(most);
			uint32_t object = 1 + random_below(20), page = random_below(100);

			if (pages > PAGES - start)
				pages = PAGES - start;
			snprintf(name, sizeof(name), "/o%u", object);
			CU_ASSERT_EQUAL(feed_mmap(symbols, USER, pid, start * UINT64_C(4096),
						  pages * UINT64_C(4096), page * UINT64_C(4096),
						  name),
					0);
			brute_map(&brute[pid], start, pages, page, object);
		}
		if (step % 1000 == 999)
			brute_check(symbols, brute, UINT64_MAX);
	}
	precis_symbols_free(symbols);
}

/* What each page is told to be at a time: where nothing was then, what came first */
static struct brute told(const struct brute *then, const struct brute *first)
{
	struct brute told = *then;

	for (uint32_t page = 0; page < PAGES; page++) {
		if (!then->object[page]) {
			told.object[page] = first->object[page];
			told.page[page] = first->page[page];
		}
	}
	return told;
}

/* Of several at the first time the last one */
static void brute_first(struct brute *first, uint64_t times[PAGES], uint32_t start, uint32_t pages,
			uint32_t page, uint32_t object)
{
	for (uint32_t i = start; i < start + pages; i++) {
		if (!first->object[i] || times[i] == record_time)
			brute_map(first, i, 1, page + i - start, object);
		times[i] = times[i] ? times[i] : record_time;
	}
}

/* What is covered stays what it was until then; ten of them at a time have the same time */
static void test_random_past(void)
{
	enum { TIMES = 20, EACH = 300, ALIKE = 10 };
	static struct brute brute[PROCESSES], past[TIMES][PROCESSES], first[PROCESSES];
	static uint64_t times[PROCESSES][PAGES];
	struct precis_symbols *symbols = new_symbols("/nonexistent");
	char name[16];

	random_state = 20261128;
	for (uint32_t step = 0; step < TIMES * EACH; step++) {
		const uint32_t pid = random_below(PROCESSES), start = random_below(PAGES),
			       most = PAGES - start;
		const uint32_t pages = 1 + random_below(random_below(8) && most > 5 ? 5 : most);
		const uint32_t object = 1 + random_below(20), page = random_below(100);

		record_time = 1000 + step / ALIKE;
		snprintf(name, sizeof(name), "/o%u", object);
		CU_ASSERT_EQUAL(feed_mmap(symbols, USER, pid, start * UINT64_C(4096),
					  pages * UINT64_C(4096), page * UINT64_C(4096), name),
				0);
		brute_map(&brute[pid], start, pages, page, object);
		brute_first(&first[pid], times[pid], start, pages, page, object);
		if (step % EACH == EACH - 1)
			memcpy(past[step / EACH], brute, sizeof(brute));
	}
	for (uint32_t time = 0; time < TIMES; time++) {
		struct brute then[PROCESSES];

		for (uint32_t pid = 0; pid < PROCESSES; pid++)
			then[pid] = told(&past[time][pid], &first[pid]);
		brute_check(symbols, then, 1000 + (time * EACH + EACH - 1) / ALIKE);
	}
	brute_check(symbols, brute, UINT64_MAX);
	record_time = 0;
	precis_symbols_free(symbols);
}

/* Memory stays bounded whatever the records say, and what was learnt stays right */
static void test_bounds(void)
{
	struct precis_symbols *symbols = new_symbols("/nonexistent");
	char *name = malloc(60001);
	uint32_t i;
	int error = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(name);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, 0x1000, 0x1000, 0, "/first"), 0);
	memset(name, 'x', 60000);
	name[60000] = '\0';
	for (i = 0; i < 5000 && !error; i++) {
		snprintf(name, 20, "/%u", i);
		name[strlen(name)] = 'x';
		error = feed_mmap(symbols, USER, 2, 0x1000, 0x1000, 0, name);
	}
	CU_ASSERT_EQUAL(error, PRECIS_E_NO_MEMORY);
	CU_ASSERT(i > 500 && i < 2000);
	check_at(symbols, 1, USER, 0x1000, "/first", 0);
	precis_symbols_free(symbols);
	free(name);

	symbols = new_symbols("/nonexistent");
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, 0x1000, 0x1000, 0, "/first"), 0);
	for (i = 2, error = 0; i < 3000000 && !error; i++)
		error = feed_fork(symbols, 0, i * UINT32_C(2654435761), 1);
	CU_ASSERT_EQUAL(error, PRECIS_E_NO_MEMORY);
	check_at(symbols, 1, USER, 0x1000, "/first", 0);
	precis_symbols_free(symbols);
}

/* How many names of 1000 bytes are kept; 'most' is what it may take. */
static uint32_t names_kept(uint64_t most)
{
	const struct precis_symbols_options options = { .size = sizeof(options),
							.memory_most = most };
	struct precis_symbols *symbols;
	char name[1001];
	uint32_t count = 0;

	CU_ASSERT_EQUAL_FATAL(precis_symbols_new(&options, &symbols), 0);
	memset(name, 'x', sizeof(name));
	name[1000] = '\0';
	do {
		snprintf(name, sizeof(name), "/%u", ++count);
		name[strlen(name)] = 'x';
	} while (!feed_mmap(symbols, USER, count, 0x1000, 0x1000, 0, name));
	precis_symbols_free(symbols);
	return count - 1;
}

static void test_less_memory(void)
{
	CU_ASSERT(names_kept(1 << 20) > 500);
	CU_ASSERT(names_kept(1 << 20) < 1049);
	CU_ASSERT(names_kept(4 << 20) > 3 * names_kept(1 << 20));
	CU_ASSERT_EQUAL(names_kept(UINT64_MAX), names_kept(0));
}

static void test_arguments(void)
{
	static struct build build;
	struct precis_symbols_options options = { .size = sizeof(options) };
	struct precis_location location = { .size = 4 };
	struct precis_location whole = { .size = sizeof(whole), .cpumode = USER };
	struct precis_line line = { .size = 4 };
	struct precis_symbols *symbols = new_symbols(NULL), *none;

	CU_ASSERT_EQUAL(precis_symbols_new(NULL, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_symbols_record(symbols, NULL, 0), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_symbols_find(symbols, 1, USER, 0, 0, &location), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_symbols_find(symbols, 1, USER, 0, 0, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_symbols_name(symbols, &location), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_symbols_name(symbols, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_symbols_file(symbols, NULL), PRECIS_E_ARGUMENT);
	options.flags = 1u << 31;
	CU_ASSERT_EQUAL(precis_symbols_new(&options, &none), PRECIS_E_ARGUMENT);
	CU_ASSERT_PTR_NULL(none);
	options.flags = 0;
	options.size = 4;
	CU_ASSERT_EQUAL(precis_symbols_new(&options, &none), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_symbols_line(symbols, &whole, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_symbols_line(symbols, &whole, &line), PRECIS_E_ARGUMENT);
	line.size = sizeof(line);
	CU_ASSERT_EQUAL(precis_symbols_line(symbols, &location, &line), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_symbols_line(symbols, &whole, &line), 0);
	CU_ASSERT_EQUAL(line.absent, PRECIS_SYMBOL_NOT_MAPPED);
	CU_ASSERT_EQUAL(precis_symbols_task(symbols, 1, 0, NULL), PRECIS_E_ARGUMENT);
	build.count = 8;
	build_u64(&build, 0);
	CU_ASSERT_EQUAL(feed(symbols, &build, PRECIS_RECORD_MMAP, USER), PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(feed(symbols, &build, PRECIS_RECORD_MMAP2, USER), PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(feed(symbols, &build, PRECIS_RECORD_FORK, 0), PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(feed(symbols, &build, PRECIS_RECORD_SAMPLE, USER), 0);
	CU_ASSERT_EQUAL(feed(symbols, &build, 12345, USER), 0);
	precis_symbols_free(symbols);
	precis_symbols_free(NULL);
}

/* Two functions that the symbol table must tell apart; the first one is local */
static __attribute__((noinline, used)) int first_landmark(int x)
{
	return x * 3 + 1;
}

__attribute__((noinline, used)) int second_landmark(int x);
int second_landmark(int x)
{
	return first_landmark(x) - 7;
}

/* Tell the model of this process's code as perf does from /proc. */
static void feed_self(struct precis_symbols *symbols, uint32_t pid)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[8192];

	CU_ASSERT_PTR_NOT_NULL_FATAL(maps);
	while (fgets(line, sizeof(line), maps)) {
		unsigned long long start, end, offset;
		char protection[5], name[8192] = "";

		if (sscanf(line, "%llx-%llx %4s %llx %*s %*s %8191[^\n]", &start, &end, protection,
			   &offset, name) >= 4 &&
		    protection[2] == 'x')
			CU_ASSERT_EQUAL(feed_mmap2(symbols, USER, pid, start, end - start, offset,
						   name[0] ? name : "//anon"),
					0);
	}
	fclose(maps);
}

static void check_symbol(struct precis_symbols *symbols, uint32_t pid, uint64_t address,
			 const char *name, uint64_t offset)
{
	struct precis_location location = { .size = sizeof(location) };

	CU_ASSERT_EQUAL(precis_symbols_find(symbols, pid, USER, UINT64_MAX, address, &location), 1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(location.object);
	CU_ASSERT_PTR_NOT_NULL_FATAL(location.symbol);
	CU_ASSERT_STRING_EQUAL(location.symbol, name);
	CU_ASSERT_EQUAL(location.symbol_offset, offset);
}

static void check_self(const char *symfs)
{
	struct precis_location location = { .size = sizeof(location) };
	struct precis_symbols *symbols = new_symbols(symfs);
	uint64_t first = (uint64_t)(uintptr_t)&first_landmark;
	uint64_t second = (uint64_t)(uintptr_t)&second_landmark;

	feed_self(symbols, 42);
	check_symbol(symbols, 42, first, "first_landmark", 0);
	check_symbol(symbols, 42, first + 2, "first_landmark", 2);
	check_symbol(symbols, 42, second, "second_landmark", 0);
	check_symbol(symbols, 42, second + 1, "second_landmark", 1);
	/* a function of a library, whose names may be dynamic ones only; it has aliases */
	CU_ASSERT_EQUAL(precis_symbols_find(symbols, 42, USER, UINT64_MAX, (uint64_t)(uintptr_t)&qsort,
					    &location),
			1);
	CU_ASSERT_PTR_NOT_NULL(location.symbol);
	precis_symbols_free(symbols);
}

static void test_self(void)
{
	if (!precis_symbols_available()) {
		tap_skip("built without elfutils");
		return;
	}
	check_self(NULL);
	check_self("");
	check_self("/");
	check_self("/proc/self/root");
}

/* That there is no symbol, and why; without elfutils there is one answer for files */
static void check_absent(const struct precis_location *location, uint32_t reason)
{
	CU_ASSERT_PTR_NULL(location->symbol);
	CU_ASSERT_EQUAL(location->symbol_absent,
			precis_symbols_available() ? reason : (uint32_t)PRECIS_SYMBOL_NOT_BUILT);
}

/* Without the files there are still objects and offsets */
static void test_no_files(void)
{
	struct precis_location location = { .size = sizeof(location) };
	struct precis_symbols *symbols = new_symbols("/nonexistent");

	feed_self(symbols, 42);
	CU_ASSERT_EQUAL(precis_symbols_find(symbols, 42, USER, UINT64_MAX,
					    (uint64_t)(uintptr_t)&first_landmark, &location),
			1);
	CU_ASSERT_PTR_NOT_NULL(location.object);
	CU_ASSERT_PTR_NULL(location.symbol);
	check_absent(&location, PRECIS_SYMBOL_NO_FILE);
	precis_symbols_free(symbols);
	/* what is no regular file is not opened */
	symbols = new_symbols(NULL);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, 0x1000, 0x1000, 0, "/dev/full"), 0);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, 0x2000, 0x1000, 0, "/"), 0);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, 0x3000, 0x1000, 0, "/proc/self/maps"), 0);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, 0x4000, 0x1000, 0, ""), 0);
	CU_ASSERT_EQUAL(precis_symbols_find(symbols, 1, USER, UINT64_MAX, 0x1000, &location), 1);
	check_absent(&location, PRECIS_SYMBOL_NO_FILE);
	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, 0x5000, 0x1000, 0, "[vdso]"), 0);
	CU_ASSERT_EQUAL(precis_symbols_find(symbols, 1, USER, 0, 0x5000, &location), 1);
	check_absent(&location, PRECIS_SYMBOL_NO_VDSO);
	CU_ASSERT_EQUAL(feed_mmap(symbols, PRECIS_CPUMODE_KERNEL, UINT32_MAX, 0x6000, 0x1000, 0,
				  "/lib/module.ko"),
			0);
	CU_ASSERT_EQUAL(precis_symbols_find(symbols, 1, KERNEL, 0, 0x6000, &location), 1);
	CU_ASSERT_STRING_EQUAL(location.object, "[module]");
	CU_ASSERT_EQUAL(location.symbol_absent, PRECIS_SYMBOL_NO_KALLSYMS);
	check_at(symbols, 1, USER, 0x2000, "/", 0);
	check_at(symbols, 1, USER, 0x3000, "/proc/self/maps", 0);
	check_at(symbols, 1, USER, 0x4000, "", 0);
	precis_symbols_free(symbols);
}

#define BUSY "/usr/bin/busy"
#define BUSY_CHASE 0x1199 /* where its symbol table has 'chase' */

static const uint8_t busy_id[20] = { 0x3f, 0x48, 0x75, 0x36, 0xb8, 0xc8, 0x55, 0xb6, 0xea, 0x11,
				     0xae, 0x65, 0x3d, 0x41, 0xe2, 0xbe, 0x92, 0xc9, 0x93, 0x16 };

static struct precis_symbols *new_busy(uint32_t flags)
{
	const char *srcdir = getenv("srcdir");
	char symfs[4096];

	snprintf(symfs, sizeof(symfs), "%s/tests/recordings/symfs", srcdir ? srcdir : ".");
	return new_with(symfs, flags);
}

/* MMAP2 of busy with a build id; 'bytes' is what the record says of its length */
static int feed_busy(struct precis_symbols *symbols, const uint8_t *id, uint8_t bytes)
{
	static struct build build;
	uint32_t length = bytes;

	build.count = 8;
	build_u32(&build, 1);
	build_u32(&build, 1);
	build_u64(&build, 0);
	build_u64(&build, 0x10000);
	build_u64(&build, 0);
	build_u32(&build, length);
	build_bytes(&build, id, 20);
	build_u32(&build, 5);
	build_u32(&build, 2);
	build_name(&build, BUSY);
	return feed(symbols, &build, PRECIS_RECORD_MMAP2, USER | PRECIS_MISC_MMAP_BUILD_ID);
}

/* HEADER_BUILD_ID: the length of the id if misc says that it has one */
static size_t put_build_id(struct build *build, uint16_t misc, const uint8_t *id,
			   uint8_t length, const char *name)
{
	uint32_t type = PRECIS_RECORD_HEADER_BUILD_ID, room = length;
	size_t start = build->count;
	uint16_t size;

	build->count += 8;
	build_u32(build, 1);
	build_bytes(build, id, 20);
	build_u32(build, room);
	build_name(build, name);
	size = (uint16_t)(build->count - start);
	memcpy(build->bytes + start, &type, 4);
	memcpy(build->bytes + start + 4, &misc, 2);
	memcpy(build->bytes + start + 6, &size, 2);
	return start;
}

static int feed_build_id(struct precis_symbols *symbols, uint16_t misc, const uint8_t *id,
			 uint8_t length)
{
	static struct build build;

	build.count = 0;
	put_build_id(&build, misc, id, length, BUSY);
	return feed(symbols, &build, PRECIS_RECORD_HEADER_BUILD_ID, misc);
}

static void check_busy(struct precis_symbols *symbols, uint32_t reason)
{
	struct precis_location location = { .size = sizeof(location) };

	CU_ASSERT_EQUAL(precis_symbols_find(symbols, 1, USER, 0, BUSY_CHASE + 0x19, &location), 1);
	if (reason) {
		CU_ASSERT_EQUAL(location.symbol_absent, reason);
		CU_ASSERT_PTR_NULL(location.symbol);
	} else {
		CU_ASSERT_EQUAL(location.symbol_absent, PRECIS_SYMBOL_PRESENT);
		CU_ASSERT_PTR_NOT_NULL_FATAL(location.symbol);
		CU_ASSERT_STRING_EQUAL(location.symbol, "chase");
		CU_ASSERT_EQUAL(location.symbol_offset, 0x19);
	}
	precis_symbols_free(symbols);
}

#define MISC_ID_LENGTH (1u << 15)

static void test_build_ids(void)
{
	static const uint8_t zero[20];
	struct precis_location location = { .size = sizeof(location) };
	struct precis_symbols *symbols;
	uint8_t other[20];

	if (!precis_symbols_available()) {
		tap_skip("built without elfutils");
		return;
	}
	memcpy(other, busy_id, sizeof(other));
	other[19] ^= 1;
	/* in the mapping */
	symbols = new_busy(0);
	CU_ASSERT_EQUAL(feed_busy(symbols, busy_id, 20), 0);
	CU_ASSERT_EQUAL(precis_symbols_find(symbols, 1, USER, 0, 0xff00, &location), 1);
	CU_ASSERT_EQUAL(location.symbol_absent, PRECIS_SYMBOL_NONE_THERE);
	check_busy(symbols, PRECIS_SYMBOL_PRESENT);
	symbols = new_busy(0);
	CU_ASSERT_EQUAL(feed_busy(symbols, other, 20), 0);
	check_busy(symbols, PRECIS_SYMBOL_OTHER_BUILD_ID);
	symbols = new_busy(PRECIS_SYMBOLS_ANY_BUILD_ID);
	CU_ASSERT_EQUAL(feed_busy(symbols, other, 20), 0);
	check_busy(symbols, PRECIS_SYMBOL_PRESENT);
	/* none, all zeros: not known; a part of it: another one */
	symbols = new_busy(0);
	CU_ASSERT_EQUAL(feed_busy(symbols, other, 0), 0);
	check_busy(symbols, PRECIS_SYMBOL_PRESENT);
	symbols = new_busy(0);
	CU_ASSERT_EQUAL(feed_busy(symbols, zero, 20), 0);
	check_busy(symbols, PRECIS_SYMBOL_PRESENT);
	symbols = new_busy(0);
	CU_ASSERT_EQUAL(feed_busy(symbols, busy_id, 8), 0);
	check_busy(symbols, PRECIS_SYMBOL_OTHER_BUILD_ID);
	/* two builds of one name */
	symbols = new_busy(0);
	CU_ASSERT_EQUAL(feed_busy(symbols, busy_id, 20), 0);
	CU_ASSERT_EQUAL(feed_busy(symbols, other, 20), 0);
	check_busy(symbols, PRECIS_SYMBOL_OTHER_BUILD_ID);
	/* in a record of its own, before or after the mapping */
	symbols = new_busy(0);
	CU_ASSERT_EQUAL(feed_build_id(symbols, USER, other, 0), 0);
	CU_ASSERT_EQUAL(feed_busy(symbols, zero, 20), 0);
	check_busy(symbols, PRECIS_SYMBOL_OTHER_BUILD_ID);
	symbols = new_busy(0);
	CU_ASSERT_EQUAL(feed_busy(symbols, zero, 20), 0);
	CU_ASSERT_EQUAL(feed_build_id(symbols, USER | MISC_ID_LENGTH, busy_id, 20), 0);
	check_busy(symbols, PRECIS_SYMBOL_PRESENT);
	/* a length that is none: nothing is known */
	symbols = new_busy(0);
	CU_ASSERT_EQUAL(feed_busy(symbols, zero, 20), 0);
	CU_ASSERT_EQUAL(feed_build_id(symbols, USER | MISC_ID_LENGTH, other, 21), 0);
	CU_ASSERT_EQUAL(feed_build_id(symbols, USER | MISC_ID_LENGTH, other, 255), 0);
	check_busy(symbols, PRECIS_SYMBOL_PRESENT);
}

/* What was recorded is told whether there is such a file or not. */
static void test_recorded_build_ids(void)
{
	static const uint8_t zero[20];
	struct precis_location location = { .size = sizeof(location) };
	struct precis_symbols *symbols = new_symbols(NULL);
	struct precis_bytes id = { zero, 7 };
	uint8_t other[20];

	memcpy(other, busy_id, sizeof(other));
	other[0] ^= 1;
	CU_ASSERT_EQUAL(feed_busy(symbols, zero, 20), 0);
	CU_ASSERT_EQUAL_FATAL(precis_symbols_locate(symbols, 1, USER, 0, 0xff00, &location), 1);
	CU_ASSERT_EQUAL(precis_symbols_build_id(symbols, &location, &id), 0);
	CU_ASSERT_EQUAL(id.bytes, 7);
	CU_ASSERT_EQUAL(feed_busy(symbols, busy_id, 20), 0);
	CU_ASSERT_EQUAL(precis_symbols_build_id(symbols, &location, &id), 1);
	CU_ASSERT(id.bytes == 20 && !memcmp(id.data, busy_id, 20));
	CU_ASSERT_EQUAL(feed_busy(symbols, other, 20), 0);
	CU_ASSERT_EQUAL(precis_symbols_build_id(symbols, &location, &id), 0);
	location.object = "/none";
	CU_ASSERT_EQUAL(precis_symbols_build_id(symbols, &location, &id), 0);
	CU_ASSERT_EQUAL(precis_symbols_build_id(NULL, &location, &id), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_symbols_build_id(symbols, NULL, &id), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_symbols_build_id(symbols, &location, NULL), PRECIS_E_ARGUMENT);
	location.size = 4;
	CU_ASSERT_EQUAL(precis_symbols_build_id(symbols, &location, &id), PRECIS_E_ARGUMENT);
	precis_symbols_free(symbols);
}

/* A recording whose BUILD_ID feature has these bytes */
static struct precis_file *recording_with(const struct build *build, char *path)
{
	static const uint64_t attr[16] = { [3] = PRECIS_SAMPLE_IP }; /* sample_type */
	struct precis_file *file = NULL;
	uint64_t at = 104, header[13] = { 0 }, section[2];
	uint64_t nothing = UINT64_C(8) << 48 | PRECIS_RECORD_FINISHED_ROUND;
	int fd = mkstemp(path);

	CU_ASSERT_FATAL(fd >= 0);
	memcpy(header, "PERFILE2", 8);
	header[1] = at;
	header[2] = sizeof(attr) + 16;
	header[3] = at;
	header[4] = sizeof(attr) + 16;
	header[5] = at + header[4];
	header[6] = sizeof(nothing);
	header[9] = UINT64_C(1) << 2;
	section[0] = header[5] + header[6] + sizeof(section);
	section[1] = build->count;
	CU_ASSERT_EQUAL(pwrite(fd, header, sizeof(header), 0), (ssize_t)sizeof(header));
	CU_ASSERT_EQUAL(pwrite(fd, attr, sizeof(attr), 104), (ssize_t)sizeof(attr));
	CU_ASSERT_EQUAL(pwrite(fd, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, 104 + sizeof(attr)), 16);
	CU_ASSERT_EQUAL(pwrite(fd, &nothing, 8, (off_t)header[5]), 8);
	CU_ASSERT_EQUAL(pwrite(fd, section, 16, (off_t)header[5] + 8), 16);
	CU_ASSERT_EQUAL(pwrite(fd, build->bytes, build->count, (off_t)section[0]),
			(ssize_t)build->count);
	close(fd);
	CU_ASSERT_EQUAL(precis_file_open(path, NULL, &file, NULL), 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	unlink(path);
	return file;
}

static int learn_feature(struct precis_symbols *symbols, const struct build *build)
{
	char path[] = "/tmp/test_symbols.XXXXXX";
	struct precis_file *file = recording_with(build, path);
	int error = precis_symbols_file(symbols, file);

	precis_file_close(file);
	return error;
}

static void test_build_id_feature(void)
{
	static struct build build;
	struct precis_symbols *symbols;
	uint8_t other[20] = { 1 };
	size_t bytes, kernel;

	if (!precis_symbols_available()) {
		tap_skip("built without elfutils");
		return;
	}
	build.count = 0;
	kernel = put_build_id(&build, PRECIS_CPUMODE_KERNEL, other, 0, "[kernel.kallsyms]");
	CU_ASSERT_EQUAL(kernel, 0);
	put_build_id(&build, USER | MISC_ID_LENGTH, busy_id, 20, BUSY);
	put_build_id(&build, USER | MISC_ID_LENGTH, other, 20, "/usr/bin/other");
	symbols = new_busy(0);
	CU_ASSERT_EQUAL(learn_feature(symbols, &build), 0);
	CU_ASSERT_EQUAL(feed_mmap2(symbols, USER, 1, 0, 0x10000, 0, BUSY), 0);
	check_busy(symbols, PRECIS_SYMBOL_PRESENT);
	/* cut short anywhere: what is whole counts, the rest is an error and no more */
	build.count = 0;
	put_build_id(&build, USER, other, 0, BUSY);
	put_build_id(&build, USER, other, 0, "/usr/bin/other");
	for (bytes = build.count - 1; bytes > 0; bytes--) {
		build.count = bytes;
		symbols = new_busy(0);
		CU_ASSERT_EQUAL(learn_feature(symbols, &build),
				bytes == 56 ? 0 : PRECIS_E_TRUNCATED);
		CU_ASSERT_EQUAL(feed_mmap2(symbols, USER, 1, 0, 0x10000, 0, BUSY), 0);
		check_busy(symbols,
			   bytes < 56 ? PRECIS_SYMBOL_PRESENT : PRECIS_SYMBOL_OTHER_BUILD_ID);
	}
	/* a record without a name, one without an end, one of no size */
	build.count = 0;
	put_build_id(&build, USER, other, 0, BUSY);
	build.bytes[6] = 36;
	CU_ASSERT_EQUAL(learn_feature(symbols = new_busy(0), &build), PRECIS_E_TRUNCATED);
	precis_symbols_free(symbols);
	build.bytes[6] = 0;
	CU_ASSERT_EQUAL(learn_feature(symbols = new_busy(0), &build), PRECIS_E_TRUNCATED);
	precis_symbols_free(symbols);
	build.bytes[6] = 44; /* "/usr/bin" without its NUL */
	CU_ASSERT_EQUAL(learn_feature(symbols = new_busy(0), &build), PRECIS_E_TRUNCATED);
	precis_symbols_free(symbols);
}

static uint8_t *read_self(size_t *bytes)
{
	FILE *file = fopen("/proc/self/exe", "rb");
	uint8_t *data;
	long end;

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT_EQUAL_FATAL(fseek(file, 0, SEEK_END), 0);
	end = ftell(file);
	CU_ASSERT_FATAL(end > 0);
	rewind(file);
	data = malloc((size_t)end);
	CU_ASSERT_PTR_NOT_NULL_FATAL(data);
	*bytes = fread(data, 1, (size_t)end, file);
	CU_ASSERT_EQUAL(*bytes, (size_t)end);
	fclose(file);
	return data;
}

/* Look everywhere in a file that may be damaged */
static void probe(const char *path)
{
	struct precis_location location = { .size = sizeof(location) };
	struct precis_symbols *symbols = new_symbols(NULL);
	uint64_t address;

	CU_ASSERT_EQUAL(feed_mmap(symbols, USER, 1, 0, UINT64_C(1) << 40, 0, path), 0);
	for (address = 0; address < 0x20000; address += 61) {
		CU_ASSERT_EQUAL_FATAL(
			precis_symbols_find(symbols, 1, USER, UINT64_MAX, address, &location), 1);
		if (location.symbol)
			CU_ASSERT(strlen(location.symbol) > 0 && location.symbol_offset <= address);
	}
	precis_symbols_free(symbols);
}

/* This program with bytes of its headers changed, or cut short: no crash, nothing invented */
static void test_damaged_files(void)
{
	char path[] = "/tmp/test_symbols.XXXXXX";
	int fd = mkstemp(path);
	size_t bytes, round;
	uint8_t *data, *copy;
	uint64_t sections;

	CU_ASSERT_FATAL(fd >= 0);
	data = read_self(&bytes);
	copy = malloc(bytes);
	CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
	memcpy(&sections, data + 40, sizeof(sections)); /* e_shoff */
	CU_ASSERT_FATAL(sections < bytes);
	random_state = 3;
	for (round = 0; round < 150; round++) {
		size_t length = round % 5 ? bytes : random_below((uint32_t)bytes);
		unsigned int changes = 1 + random_below(6);

		memcpy(copy, data, bytes);
		while (changes-- > 0) {
			size_t from = random_below(2) ? sections : 0;
			size_t span = from ? bytes - from : 1024;

			copy[from + random_below((uint32_t)span)] =
				(uint8_t)(random_below(2) ? 0xff : random_below(256));
		}
		CU_ASSERT_EQUAL_FATAL(ftruncate(fd, 0), 0);
		CU_ASSERT_EQUAL_FATAL(pwrite(fd, copy, length, 0), (ssize_t)length);
		probe(path);
	}
	close(fd);
	unlink(path);
	free(copy);
	free(data);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "mappings: the last one wins", test_mappings },
		{ "mappings without a file: [vdso] of old kernels", test_mappings_without_file },
		{ "mappings of the kernel: image and modules", test_mappings_of_kernel },
		{ "fork, exec, threads", test_processes },
		{ "times: the program that ran then", test_times },
		{ "the kernel's mappings", test_kernel },
		{ "random mappings, forks, execs against an array of pages", test_random },
		{ "random mappings over others, and what was there before", test_random_past },
		{ "bounds of memory", test_bounds },
		{ "a lower bound of memory", test_less_memory },
		{ "bad arguments and records", test_arguments },
		{ "symbols of this program", test_self },
		{ "no file, no symbol", test_no_files },
		{ "build ids: another build has no symbols for us", test_build_ids },
		{ "build ids that were recorded", test_recorded_build_ids },
		{ "build ids of the recording", test_build_id_feature },
		{ "damaged ELF files", test_damaged_files },
	};

	return tap_main("symbols", cases, sizeof(cases) / sizeof(cases[0]));
}
