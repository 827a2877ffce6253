/* SPDX-License-Identifier: BSD-3-Clause */
/* What symbols and names of tasks are made from: lists, records; also broken ones. */
#include <sys/stat.h>

#include <precis/error.h>

#include "symbol_files.h"

#define KERNEL PRECIS_CPUMODE_KERNEL
#define TEXT UINT64_C(0xffffffff81000000)
#define MODULE UINT64_C(0xffffffffc0000000)

/* --- records ----------------------------------------------------------------------------- */

static int ksymbol(struct precis_symbols *symbols, uint64_t time, uint64_t start, uint32_t length,
		   uint16_t flags, const char *name)
{
	struct build build = { .count = 8 };

	build_u64(&build, start);
	build_u32(&build, length);
	build_u32(&build, 1u | (uint32_t)flags << 16);
	build_name(&build, name);
	return feed_at(symbols, &build, PRECIS_RECORD_KSYMBOL, 0, time);
}

static void comm(struct precis_symbols *symbols, uint64_t time, uint16_t misc, uint32_t pid,
		 uint32_t tid, const char *name)
{
	struct build build = { .count = 8 };

	build_u32(&build, pid);
	build_u32(&build, tid);
	build_name(&build, name);
	CU_ASSERT_EQUAL(feed_at(symbols, &build, PRECIS_RECORD_COMM, misc, time), 0);
}

static void task(struct precis_symbols *symbols, uint32_t type, uint64_t time, uint32_t tid,
		 uint32_t parent)
{
	struct build build = { .count = 8 };

	build_u32(&build, tid);
	build_u32(&build, parent);
	build_u32(&build, tid);
	build_u32(&build, parent);
	build_u64(&build, time);
	CU_ASSERT_EQUAL(feed_at(symbols, &build, type, 0, time), 0);
}

/* --- look-ups ---------------------------------------------------------------------------- */

/* 'expected' is "symbol+offset object", or a reason */
static void check(struct precis_symbols *symbols, uint32_t cpumode, uint64_t time, uint64_t address,
		  const char *expected)
{
	struct precis_location location = { .size = sizeof(location) };
	char found[512];

	CU_ASSERT(precis_symbols_find(symbols, 1, cpumode, time, address, &location) >= 0);
	if (location.symbol)
		snprintf(found, sizeof(found), "%s+%llu %s", location.symbol,
			 (unsigned long long)location.symbol_offset, location.object);
	else
		snprintf(found, sizeof(found), "%s",
			 precis_symbol_absent_text(location.symbol_absent));
	if (strcmp(found, expected) != 0)
		printf("# %#llx: %s; expected %s\n", (unsigned long long)address, found, expected);
	CU_ASSERT_STRING_EQUAL(found, expected);
	/* once more, as it is remembered */
	CU_ASSERT(precis_symbols_find(symbols, 1, cpumode, time, address, &location) >= 0);
	CU_ASSERT_EQUAL(location.symbol != NULL, strchr(expected, '+') != NULL);
}

/* --- the kernel -------------------------------------------------------------------------- */

static const char list[] = "0000000000000000 A percpu\n"
			   "ffffffff81000000 T _stext\n"
			   "ffffffff81000000 T _text\n"
			   "ffffffff81000100 t local\n"
			   "ffffffff81000100 W weak_alias\n"
			   "ffffffff81000100 T __alias\n"
			   "ffffffff81000200 T sized\n"
			   "ffffffff81000240 r rodata\n"
			   "ffffffff81000280 D data\n"
			   "ffffffff81003000 t last\n"
			   "ffffffffc0000000 t module_first\t[some_module]\n"
			   "ffffffffc0000010 t module_second\t[some_module]\n"
			   "ffffffffc0005000 t other\t[other]\n"
			   "ffffffff81005000 t cut_sho";

static void map_kernel(struct precis_symbols *symbols, uint64_t moved, const char *reference)
{
	map(symbols, KERNEL, UINT32_MAX, TEXT + moved, 0x10000000, TEXT + moved, reference);
	map(symbols, KERNEL, UINT32_MAX, MODULE, 0x4000, 0,
	    "/lib/modules/6.1/kernel/some-module.ko.xz");
	map(symbols, KERNEL, UINT32_MAX, MODULE + 0x5000, 0x1000, 0, "[other]");
	map(symbols, KERNEL, UINT32_MAX, MODULE + 0x6000, 0x1000, 0, "[third]");
}

static void test_kallsyms(void)
{
	const char *path = in_directory("kallsyms");
	struct precis_symbols *symbols = new_symbols(NULL, path);

	write_file(path, list, sizeof(list) - 1);
	map_kernel(symbols, 0, "[kernel.kallsyms]_text");
	check(symbols, KERNEL, 0, TEXT, "_text+0 [kernel.kallsyms]");
	check(symbols, KERNEL, 0, TEXT + 0xff, "_text+255 [kernel.kallsyms]");
	/* of several the last has the size, and so has the say */
	check(symbols, KERNEL, 0, TEXT + 0x101, "__alias+1 [kernel.kallsyms]");
	/* read-only data end nothing, other data do */
	check(symbols, KERNEL, 0, TEXT + 0x241, "sized+65 [kernel.kallsyms]");
	check(symbols, KERNEL, 0, TEXT + 0x281, "data+1 [kernel.kallsyms]");
	/* the last one reaches to the end of the page behind it */
	check(symbols, KERNEL, 0, TEXT + 0x3fff, "last+4095 [kernel.kallsyms]");
	check(symbols, KERNEL, 0, TEXT + 0x4000, "nothing known of that place in the file");
	check(symbols, KERNEL, 0, TEXT + 0x5001, "nothing known of that place in the file");
	check(symbols, KERNEL, 0, MODULE + 0xf, "module_first+15 [some_module]");
	check(symbols, KERNEL, 0, MODULE + 0x2000, "nothing known of that place in the file");
	check(symbols, KERNEL, 0, MODULE + 0x5001, "other+1 [other]");
	/* a module that the list does not have */
	check(symbols, KERNEL, 0, MODULE + 0x6000, "nothing known of that place in the file");
	check(symbols, KERNEL, 0, MODULE + 0x8000, "nothing mapped there");
	check(symbols, PRECIS_CPUMODE_GUEST_KERNEL, 0, TEXT, "address of a guest or hypervisor");
	check(symbols, PRECIS_CPUMODE_HYPERVISOR, 0, TEXT, "address of a guest or hypervisor");
	check(symbols, PRECIS_CPUMODE_UNKNOWN, 0, TEXT, "nothing mapped there");
	precis_symbols_free(symbols);
	/* another boot: the kernel lies elsewhere, and where modules lie is not known */
	symbols = new_symbols(NULL, path);
	map_kernel(symbols, 0x2200000, "[kernel.kallsyms]_stext");
	check(symbols, KERNEL, 0, TEXT + 0x2200101, "__alias+1 [kernel.kallsyms]");
	check(symbols, KERNEL, 0, MODULE + 0xf, "nothing known of that place in the file");
	precis_symbols_free(symbols);
	/* not even if a module happens to be as far off */
	symbols = new_symbols(NULL, path);
	map(symbols, KERNEL, UINT32_MAX, TEXT + 0x100000, 0x1000, TEXT + 0x100000,
	    "[kernel.kallsyms]_text");
	map(symbols, KERNEL, UINT32_MAX, MODULE + 0x100000, 0x1000, 0, "[some_module]");
	check(symbols, KERNEL, 0, TEXT + 0x100001, "_text+1 [kernel.kallsyms]");
	check(symbols, KERNEL, 0, MODULE + 0x100001, "nothing known of that place in the file");
	precis_symbols_free(symbols);
	/* a module's symbol is not the kernel's, though nothing is told of the module */
	symbols = new_symbols(NULL, path);
	map(symbols, KERNEL, UINT32_MAX, TEXT, 0x70000000, TEXT, "[kernel.kallsyms]_text");
	check(symbols, KERNEL, 0, MODULE + 1, "nothing known of that place in the file");
	precis_symbols_free(symbols);
	/* without a reference, or with one that the list does not have, the list is believed */
	symbols = new_symbols(NULL, path);
	map(symbols, KERNEL, UINT32_MAX, TEXT, 0x10000000, 0, "[kernel.kallsyms]");
	check(symbols, KERNEL, 0, TEXT + 0x101, "__alias+1 [kernel.kallsyms]");
	precis_symbols_free(symbols);
	symbols = new_symbols(NULL, path);
	map_kernel(symbols, 0, "[kernel.kallsyms]_unknown");
	check(symbols, KERNEL, 0, TEXT + 0x101, "__alias+1 [kernel.kallsyms]");
	precis_symbols_free(symbols);
}

static void test_kallsyms_absent(void)
{
	static const char hidden[] = "0000000000000000 T _text\n0000000000000000 T other\n";
	const char *path = in_directory("hidden");
	struct precis_symbols *symbols = new_symbols(NULL, "/nonexistent");

	map_kernel(symbols, 0, "[kernel.kallsyms]_text");
	check(symbols, KERNEL, 0, TEXT, "no symbols of the recorded kernel found");
	precis_symbols_free(symbols);
	/* without an option, nobody knows which kernel it was */
	symbols = new_symbols(NULL, NULL);
	map_kernel(symbols, 0, "[kernel.kallsyms]_text");
	check(symbols, KERNEL, 0, TEXT, "no symbols of the recorded kernel found");
	precis_symbols_free(symbols);
	write_file(path, hidden, sizeof(hidden) - 1);
	symbols = new_symbols(NULL, path);
	map_kernel(symbols, 0, "[kernel.kallsyms]_text");
	check(symbols, KERNEL, 0, TEXT, "kernel addresses hidden by kernel.kptr_restrict");
	precis_symbols_free(symbols);
}

/* The list beside a recording; a list of the recorded kernel in a cache */
static void test_kallsyms_places(void)
{
	static const uint8_t id[24] = { 0xab, 0xcd, 0xef, [19] = 1 };
	const char *caches[] = { directory, NULL };
	struct precis_symbols_options options = { .size = sizeof(options) };
	struct build build = { .count = 8 };
	struct precis_symbols *symbols;

	mkdir(in_directory("kcore_dir"), 0700);
	write_file(in_directory("kcore_dir/kallsyms"), list, sizeof(list) - 1);
	options.recording_directory = directory;
	CU_ASSERT_EQUAL_FATAL(precis_symbols_new(&options, &symbols), 0);
	map_kernel(symbols, 0, "[kernel.kallsyms]_text");
	check(symbols, KERNEL, 0, TEXT + 0x101, "__alias+1 [kernel.kallsyms]");
	precis_symbols_free(symbols);
	unlink(in_directory("kcore_dir/kallsyms"));
	rmdir(in_directory("kcore_dir"));

	mkdir(in_directory(".build-id"), 0700);
	mkdir(in_directory(".build-id/ab"), 0700);
	mkdir(in_directory(".build-id/ab/cdef0000000000000000000000000000000001"), 0700);
	write_file(in_directory(".build-id/ab/cdef0000000000000000000000000000000001/kallsyms"),
		   list, sizeof(list) - 1);
	options.recording_directory = NULL;
	options.build_id_caches = caches;
	CU_ASSERT_EQUAL_FATAL(precis_symbols_new(&options, &symbols), 0);
	build_u32(&build, UINT32_MAX);
	build_bytes(&build, id, sizeof(id));
	build_name(&build, "[kernel.kallsyms]");
	CU_ASSERT_EQUAL(feed_at(symbols, &build, PRECIS_RECORD_HEADER_BUILD_ID, KERNEL, 0), 0);
	map_kernel(symbols, 0, "[kernel.kallsyms]_text");
	check(symbols, KERNEL, 0, TEXT + 0x101, "__alias+1 [kernel.kallsyms]");
	precis_symbols_free(symbols);
}

/* Cut at every byte, and with bytes changed: what is told is what a line says */
static void test_damaged_lists(void)
{
	const char *path = in_directory("damaged");
	char copy[sizeof(list)];
	size_t bytes, round;

	for (round = 0; round < 2 * sizeof(list); round++) {
		struct precis_location location = { .size = sizeof(location) };
		struct precis_symbols *symbols = new_symbols(NULL, path);
		unsigned int changes = round < sizeof(list) ? 0 : 1 + random_below(8);
		uint64_t at;

		bytes = round < sizeof(list) ? round : sizeof(list) - 1;
		memcpy(copy, list, sizeof(list));
		while (changes-- > 0)
			copy[random_below(sizeof(list))] = (char)random_below(256);
		write_file(path, copy, bytes);
		map_kernel(symbols, 0, "[kernel.kallsyms]_text");
		for (at = 0; at < 0x5000; at += 0x7f) {
			CU_ASSERT_EQUAL(
				precis_symbols_find(symbols, 1, KERNEL, 0, TEXT + at, &location),
				1);
			CU_ASSERT_EQUAL(location.symbol != NULL, location.symbol_absent == 0);
			CU_ASSERT(!location.symbol || location.symbol[0] != '\0');
		}
		precis_symbols_free(symbols);
	}
}

static void test_ksymbols(void)
{
	const uint64_t at = UINT64_C(0xffffffffc1000000);
	struct precis_symbols *symbols = new_symbols(NULL, "/nonexistent");
	struct precis_location location = { .size = sizeof(location) };
	struct precis_line line = { .size = sizeof(line) };

	CU_ASSERT_EQUAL(ksymbol(symbols, 0, at, 0x40, 0, "bpf_prog_0001_first"), 0);
	CU_ASSERT_EQUAL(ksymbol(symbols, 100, at + 0x40, 0x40, 0, "bpf_prog_0002_second"), 0);
	CU_ASSERT_EQUAL(ksymbol(symbols, 200, at, 0x40, 1, "bpf_prog_0001_first"), 0);
	CU_ASSERT_EQUAL(ksymbol(symbols, 300, at, 0x80, 0, "bpf_prog_0003_third"), 0);
	CU_ASSERT_EQUAL(ksymbol(symbols, 400, at + 0x1000, 0, 0, "empty"), 0);
	CU_ASSERT_EQUAL(ksymbol(symbols, 400, at + 0x1000, 8, 0, ""), 0);
	CU_ASSERT_EQUAL(ksymbol(symbols, 400, UINT64_MAX, 8, 0, "beyond"), 0);
	check(symbols, KERNEL, 0, at + 1, "bpf_prog_0001_first+1 bpf_prog_0001_first");
	check(symbols, KERNEL, 99, at + 0x40, "nothing mapped there");
	check(symbols, KERNEL, 100, at + 0x40, "bpf_prog_0002_second+0 bpf_prog_0002_second");
	check(symbols, KERNEL, 199, at + 1, "bpf_prog_0001_first+1 bpf_prog_0001_first");
	check(symbols, KERNEL, 200, at + 1, "nothing mapped there");
	check(symbols, KERNEL, 299, at + 0x41, "bpf_prog_0002_second+1 bpf_prog_0002_second");
	check(symbols, KERNEL, 300, at + 0x41, "bpf_prog_0003_third+65 bpf_prog_0003_third");
	check(symbols, KERNEL, UINT64_MAX, at + 0x80, "nothing mapped there");
	check(symbols, KERNEL, UINT64_MAX, at + 0x1000, "nothing mapped there");
	check(symbols, USER, UINT64_MAX, at, "nothing mapped there");
	precis_symbols_locate(symbols, 1, KERNEL, UINT64_MAX, at, &location);
	CU_ASSERT_EQUAL(precis_symbols_line(symbols, &location, &line), 0);
	CU_ASSERT_EQUAL(line.absent, PRECIS_SYMBOL_NO_DEBUG_INFO);
	precis_symbols_free(symbols);
}

/* A recording may tell of more functions than there is memory for */
static void test_ksymbol_bounds(void)
{
	struct precis_symbols *symbols = new_symbols(NULL, NULL);
	uint32_t n;
	int error = 0;

	for (n = 0; n < 2000000 && !error; n++)
		error = ksymbol(symbols, n + 1, TEXT + (uint64_t)n * 64, 64, 0, "same");
	CU_ASSERT_EQUAL(error, PRECIS_E_NO_MEMORY);
	CU_ASSERT(n > 10000);
	check(symbols, KERNEL, UINT64_MAX, TEXT + 65, "same+1 same");
	precis_symbols_free(symbols);
}

/* --- tasks ------------------------------------------------------------------------------- */

static void check_task(struct precis_symbols *symbols, uint32_t tid, uint64_t time,
		       const char *expected)
{
	const char *name = "unset";

	CU_ASSERT_EQUAL(precis_symbols_task(symbols, tid, time, &name), expected != NULL);
	if (expected) {
		CU_ASSERT_PTR_NOT_NULL_FATAL(name);
		CU_ASSERT_STRING_EQUAL(name, expected);
	} else {
		CU_ASSERT_PTR_NULL(name);
	}
}

static void test_tasks(void)
{
	struct precis_symbols *symbols = new_symbols(NULL, NULL);

	check_task(symbols, 0, 5, "swapper");
	check_task(symbols, 1, 5, NULL);
	comm(symbols, 10, 0, 1, 1, "shell");
	task(symbols, PRECIS_RECORD_FORK, 20, 2, 1);
	comm(symbols, 30, PRECIS_MISC_COMM_EXEC, 2, 2, "program");
	comm(symbols, 40, 0, 2, 3, "thread");
	task(symbols, PRECIS_RECORD_EXIT, 50, 2, 1);
	check_task(symbols, 1, 9, NULL);
	check_task(symbols, 1, 10, "shell");
	check_task(symbols, 2, 19, NULL);
	check_task(symbols, 2, 29, "shell");
	check_task(symbols, 2, 30, "program");
	check_task(symbols, 3, UINT64_MAX, "thread");
	/* what a task does behind its EXIT is its own */
	check_task(symbols, 2, 60, "program");
	/* its number is another one's: the child's of a task that nothing is known of */
	task(symbols, PRECIS_RECORD_FORK, 70, 2, 77);
	check_task(symbols, 2, 69, "program");
	check_task(symbols, 2, 70, NULL);
	comm(symbols, 80, 0, 2, 2, "program");
	check_task(symbols, 2, 79, NULL);
	check_task(symbols, 2, 80, "program");
	/* a parent's later name is not its child's */
	comm(symbols, 90, 0, 1, 1, "renamed");
	task(symbols, PRECIS_RECORD_FORK, 100, 4, 1);
	comm(symbols, 110, 0, 1, 1, "again");
	check_task(symbols, 4, 200, "renamed");
	/* two names at one time: the later counts */
	comm(symbols, 110, 0, 1, 1, "at once");
	check_task(symbols, 1, 110, "at once");
	precis_symbols_free(symbols);
}

static void test_task_bounds(void)
{
	struct precis_symbols *symbols = new_symbols(NULL, NULL);
	struct build build = { .count = 8 };
	char name[16];
	uint32_t n;
	int error = 0;

	for (n = 0; n < 4000000 && !error; n++) {
		snprintf(name, sizeof(name), "%u", n);
		build.count = 8;
		build_u32(&build, n + 1);
		build_u32(&build, n + 1);
		build_name(&build, name);
		error = feed_at(symbols, &build, PRECIS_RECORD_COMM, 0, n);
	}
	CU_ASSERT_EQUAL(error, PRECIS_E_NO_MEMORY);
	CU_ASSERT(n > 100000);
	check_task(symbols, 1, UINT64_MAX, "0");
	precis_symbols_free(symbols);
}

/* --- code made at run time --------------------------------------------------------------- */

static void test_perf_map(void)
{
	static const char text[] = "1000 20 first function\n"
				   "1020 10 second\n"
				   "no line\n"
				   "1030 10\n"
				   "1040 0 without size\n"
				   "1060 10 last";
	struct precis_symbols *symbols = new_symbols(directory, NULL);

	mkdir(in_directory("tmp"), 0700);
	write_file(in_directory("tmp/perf-1.map"), text, sizeof(text) - 1);
	map(symbols, USER, 1, 0x1000, 0x1000, 0, "//anon");
	check(symbols, USER, 0, 0x101f, "first function+31 /tmp/perf-1.map");
	check(symbols, USER, 0, 0x1020, "second+0 /tmp/perf-1.map");
	check(symbols, USER, 0, 0x1030, "nothing known of that place in the file");
	check(symbols, USER, 0, 0x1041, "without size+1 /tmp/perf-1.map");
	/* the last line may have been cut short */
	check(symbols, USER, 0, 0x1061, "without size+33 /tmp/perf-1.map");
	precis_symbols_free(symbols);
	/* anybody can write to /tmp: what is another one's is not believed */
	if (geteuid() == 0 && chown(in_directory("tmp/perf-1.map"), 12345, 12345) == 0) {
		symbols = new_symbols(directory, NULL);
		map(symbols, USER, 1, 0x1000, 0x1000, 0, "//anon");
		/* the superuser reads what is its own; others' it does not */
		check(symbols, USER, 0, 0x1001, "code made at run time, without a perf-PID.map");
		precis_symbols_free(symbols);
	}
}

static void test_reasons(void)
{
	uint32_t reason;

	for (reason = 0; reason <= PRECIS_SYMBOL_KERNEL_CODE; reason++)
		CU_ASSERT(strlen(precis_symbol_absent_text(reason)) > 5);
	CU_ASSERT_STRING_EQUAL(precis_symbol_absent_text(reason), "unknown reason");
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the kernel's list", test_kallsyms },
		{ "no list, or none with addresses", test_kallsyms_absent },
		{ "where lists are found", test_kallsyms_places },
		{ "damaged lists", test_damaged_lists },
		{ "functions that the kernel makes, by time", test_ksymbols },
		{ "more functions than memory", test_ksymbol_bounds },
		{ "names of tasks by time", test_tasks },
		{ "more tasks than memory", test_task_bounds },
		{ "perf maps", test_perf_map },
		{ "reasons in words", test_reasons },
	};

	return run_in_directory("symbol_sources", cases, sizeof(cases) / sizeof(cases[0]));
}
