/* SPDX-License-Identifier: BSD-3-Clause */
/* What symbols, lines and names of tasks are made from: lists, ELF files, records; also broken ones. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <precis/error.h>
#include <precis/fields.h>
#include <precis/record.h>
#include <precis/symbols.h>

#include "tests/support/symbol_records.h"

#define USER PRECIS_CPUMODE_USER
#define KERNEL PRECIS_CPUMODE_KERNEL
#define TEXT UINT64_C(0xffffffff81000000)
#define MODULE UINT64_C(0xffffffffc0000000)

static char directory[] = "/tmp/test_symbol_sources.XXXXXX";
static uint64_t random_state = 1;

static uint32_t random_below(size_t limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((random_state >> 33) % limit);
}

static const char *in_directory(const char *name)
{
	static char path[4][256];
	static unsigned int next;
	char *found = path[next++ % 4];

	snprintf(found, sizeof(path[0]), "%s/%s", directory, name);
	return found;
}

static void write_file(const char *path, const void *bytes, size_t count)
{
	FILE *file;

	unlink(path); /* some file systems wait for the disk when a file is written anew */
	file = fopen(path, "wb");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT_EQUAL(fwrite(bytes, 1, count, file), count);
	fclose(file);
}

/* --- records ----------------------------------------------------------------------------- */

static void map(struct precis_symbols *symbols, uint16_t misc, uint32_t pid, uint64_t start,
		uint64_t length, uint64_t offset, const char *name)
{
	CU_ASSERT_EQUAL(feed_mmap_at(symbols, misc, pid, start, length, offset, name, 0), 0);
}

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

static struct precis_symbols *new_symbols(const char *symfs, const char *kallsyms)
{
	static const char *const none[] = { NULL };
	const struct precis_symbols_options options = {
		.size = sizeof(options),
		.symfs = symfs,
		.kallsyms = kallsyms,
		.debug_directories = none,
		.build_id_caches = none,
	};
	struct precis_symbols *symbols;

	CU_ASSERT_EQUAL_FATAL(precis_symbols_new(&options, &symbols), 0);
	return symbols;
}

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

/* --- lines ------------------------------------------------------------------------------- */

/* This program with changes, as /program in the directory; looked at everywhere */
static void probe(const uint8_t *bytes, size_t count)
{
	struct precis_location location = { .size = sizeof(location) };
	struct precis_line line = { .size = sizeof(line) };
	struct precis_symbols *symbols = new_symbols(directory, NULL);
	uint64_t address;

	write_file(in_directory("program"), bytes, count);
	map(symbols, USER, 1, 0, UINT64_C(1) << 40, 0, "/program");
	for (address = 0; address < 0x6000; address += 97) {
		CU_ASSERT_EQUAL_FATAL(precis_symbols_find(symbols, 1, USER, 0, address, &location),
				      1);
		CU_ASSERT(precis_symbols_line(symbols, &location, &line) >= 0);
		CU_ASSERT_EQUAL((line.file != NULL), (line.number != 0));
		CU_ASSERT_EQUAL((line.file == NULL), (line.absent != 0));
	}
	precis_symbols_free(symbols);
}

static uint8_t *read_self(size_t *bytes)
{
	FILE *file = fopen("/proc/self/exe", "rb");
	uint8_t *data = NULL;

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT_EQUAL(fseek(file, 0, SEEK_END), 0);
	*bytes = (size_t)ftell(file);
	rewind(file);
	data = malloc(*bytes);
	CU_ASSERT_PTR_NOT_NULL_FATAL(data);
	CU_ASSERT_EQUAL(fread(data, 1, *bytes, file), *bytes);
	fclose(file);
	return data;
}

/* Where the section of that name is. @return 0 if the file has none */
static size_t find_section(const uint8_t *file, const char *name, size_t *bytes)
{
	Elf64_Ehdr header;
	Elf64_Shdr section, names;
	unsigned int i;

	memcpy(&header, file, sizeof(header));
	memcpy(&names, file + header.e_shoff + header.e_shstrndx * sizeof(names), sizeof(names));
	for (i = 0; i < header.e_shnum; i++) {
		memcpy(&section, file + header.e_shoff + i * sizeof(section), sizeof(section));
		if (strcmp((const char *)file + names.sh_offset + section.sh_name, name) == 0) {
			*bytes = section.sh_size;
			return section.sh_offset;
		}
	}
	return 0;
}

static void test_lines_of_this_program(void)
{
	struct precis_location location = { .size = sizeof(location), .cpumode = USER };
	struct precis_line line = { .size = sizeof(line) };
	struct precis_symbols *symbols = new_symbols(NULL, NULL);
	uint64_t here = 0;
	FILE *maps = fopen("/proc/self/maps", "r");
	char text[8192], name[4096];
	size_t bytes;
	uint8_t *file = read_self(&bytes);
	size_t found = find_section(file, ".debug_line", &bytes);

	free(file);
	if (!found || !precis_symbols_available()) {
		fclose(maps);
		precis_symbols_free(symbols);
		tap_skip("built without elfutils or without -g");
		return;
	}
	while (fgets(text, sizeof(text), maps)) {
		unsigned long long start, end, offset;
		uint64_t address = (uint64_t)(uintptr_t)&test_lines_of_this_program;

		if (sscanf(text, "%llx-%llx %*s %llx %*s %*s %4095s", &start, &end, &offset,
			   name) == 4 &&
		    start <= address && address < end) {
			map(symbols, USER, 1, start, end - start, offset, name);
			here = address;
		}
	}
	fclose(maps);
	CU_ASSERT_EQUAL(precis_symbols_locate(symbols, 1, USER, 0, here, &location), 1);
	CU_ASSERT_EQUAL(precis_symbols_line(symbols, &location, &line), 1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(line.file);
	CU_ASSERT_PTR_NOT_NULL(strstr(line.file, "test_symbol_sources.c"));
	CU_ASSERT(line.number > 500 && line.number < 700);
	precis_symbols_free(symbols);
}

/* A program of two segments with a hand-made .debug_line. Code: offset 0x1000 at 0x401000. */
#define CODE_OFFSET 0x1000u
#define CODE_ADDRESS UINT64_C(0x401000)

static void write_program(const uint8_t *lines, size_t bytes)
{
	static const char names[] = "\0.debug_line\0.shstrtab";
	static uint8_t file[0x3000];
	const size_t names_at = 0x2000 + bytes, sections_at = 0x2800;
	Elf64_Ehdr header = { .e_type = ET_EXEC,
			      .e_machine = EM_X86_64,
			      .e_version = EV_CURRENT,
			      .e_phoff = sizeof(header),
			      .e_shoff = sections_at,
			      .e_ehsize = sizeof(header),
			      .e_phentsize = sizeof(Elf64_Phdr),
			      .e_phnum = 2,
			      .e_shentsize = sizeof(Elf64_Shdr),
			      .e_shnum = 3,
			      .e_shstrndx = 2 };
	/* the first one maps the same bytes to be read, elsewhere */
	const Elf64_Phdr segments[2] = {
		{ .p_type = PT_LOAD,
		  .p_flags = PF_R,
		  .p_vaddr = 0x400000,
		  .p_filesz = 0x1800,
		  .p_memsz = 0x1800 },
		{ .p_type = PT_LOAD,
		  .p_flags = PF_R | PF_X,
		  .p_offset = CODE_OFFSET,
		  .p_vaddr = CODE_ADDRESS + 0x10000,
		  .p_filesz = 0x1000,
		  .p_memsz = 0x1000 },
	};
	const Elf64_Shdr sections[3] = {
		{ .sh_type = SHT_NULL },
		{ .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = 0x2000, .sh_size = bytes },
		{ .sh_name = 13, .sh_type = SHT_STRTAB, .sh_offset = names_at, .sh_size = 24 },
	};

	CU_ASSERT_FATAL(bytes < 0x700);
	memset(file, 0, sizeof(file));
	memcpy(header.e_ident, ELFMAG, SELFMAG);
	header.e_ident[EI_CLASS] = ELFCLASS64;
	header.e_ident[EI_DATA] = ELFDATA2LSB;
	header.e_ident[EI_VERSION] = EV_CURRENT;
	memcpy(file, &header, sizeof(header));
	memcpy(file + sizeof(header), segments, sizeof(segments));
	memcpy(file + 0x2000, lines, bytes);
	memcpy(file + names_at, names, sizeof(names));
	memcpy(file + sections_at, sections, sizeof(sections));
	write_file(in_directory("program"), file, sizeof(file));
}

/* 'expected': "file:number", or NULL for none there */
static void check_line(struct precis_symbols *symbols, uint64_t distance, const char *expected)
{
	struct precis_location location = { .size = sizeof(location) };
	struct precis_line line = { .size = sizeof(line) };
	char found[512] = "";

	CU_ASSERT_EQUAL(
		precis_symbols_locate(symbols, 1, USER, 0, CODE_OFFSET + distance, &location), 1);
	CU_ASSERT_EQUAL(precis_symbols_line(symbols, &location, &line), expected != NULL);
	if (line.file)
		snprintf(found, sizeof(found), "%s:%u", line.file, line.number);
	if (!expected)
		CU_ASSERT_EQUAL(line.absent, precis_symbols_available() ? PRECIS_SYMBOL_NONE_THERE
									: PRECIS_SYMBOL_NOT_BUILT);
	if (strcmp(found, expected ? expected : "") != 0)
		printf("# %#llx: \"%s\"; expected \"%s\"\n", (unsigned long long)distance, found,
		       expected ? expected : "");
	CU_ASSERT_STRING_EQUAL(found, expected ? expected : "");
}

static struct precis_symbols *new_program(const uint8_t *lines, size_t bytes)
{
	struct precis_symbols *symbols = new_symbols(directory, NULL);

	write_program(lines, bytes);
	map(symbols, USER, 1, 0, 0x3000, 0, "/program");
	return symbols;
}

#define SET_ADDRESS(low, high) 0, 9, 2, low, high, 0x41, 0, 0, 0, 0, 0
#define END_SEQUENCE 0, 1, 1

/* Every opcode, with numbers that compilers do not use */
static void test_line_opcodes(void)
{
	static const uint8_t lines[] = {
		/* a unit of a version that nobody knows is passed over */
		6,
		0,
		0,
		0,
		99,
		0,
		0,
		0,
		0,
		0,
		/* length, version 4, header's length, instruction 2, operations 1, is_stmt,
		 * line_base -1, line_range 4, opcode_base 14 */
		0,
		0,
		0,
		0,
		4,
		0,
		45,
		0,
		0,
		0,
		2,
		1,
		1,
		0xff,
		4,
		14,
		/* operands of the standard opcodes; the last is nobody's and has two */
		0,
		1,
		1,
		1,
		1,
		0,
		0,
		0,
		1,
		0,
		0,
		1,
		2,
		/* directories, files */
		'd',
		'i',
		'r',
		0,
		0,
		'a',
		'.',
		'c',
		0,
		1,
		0,
		0,
		'b',
		'.',
		'c',
		0,
		0,
		0,
		0,
		'/',
		'c',
		0,
		1,
		0,
		0,
		0,
		/* 0x411000: line 11, by lines + 10 */
		SET_ADDRESS(0x00, 0x10),
		3,
		10,
		1,
		/* + 2 * ((255 - 14) / 4 = 60) = 0x78: line - 4, file 2 */
		8,
		3,
		0x7c,
		4,
		2,
		1,
		/* + 2 * 3 = 0x7e: special, 14 + 4 * 3 + 2: line + 1; file 3, line 8 */
		4,
		3,
		28,
		/* + 0x100 = 0x17e: not counted in instructions; nobody's opcodes; line 0 */
		9,
		0x00,
		0x01,
		13,
		0x81,
		0x01,
		5,
		0,
		3,
		0x80,
		1,
		2,
		3,
		0x78,
		1,
		/* + 2 * 0x80 = 0x27e: file 0, which is none, line 1 */
		2,
		0x80,
		1,
		3,
		1,
		4,
		0,
		1,
		/* + 2 = 0x280: file 9, which is none */
		2,
		1,
		4,
		9,
		1,
		/* + 2 = 0x282: the end */
		2,
		1,
		END_SEQUENCE,
	};
	struct precis_symbols *symbols;
	uint8_t copy[sizeof(lines)];

	if (!precis_symbols_available()) {
		tap_skip("built without elfutils");
		return;
	}
	memcpy(copy, lines, sizeof(lines));
	copy[10] = (uint8_t)(sizeof(lines) - 14); /* the unit's length */
	symbols = new_program(copy, sizeof(copy));
	check_line(symbols, 0, "dir/a.c:11");
	check_line(symbols, 0x77, "dir/a.c:11");
	check_line(symbols, 0x78, "b.c:7");
	check_line(symbols, 0x7d, "b.c:7");
	check_line(symbols, 0x7e, "/c:8");
	check_line(symbols, 0x17d, "/c:8");
	check_line(symbols, 0x17e, NULL);
	check_line(symbols, 0x27e, NULL);
	check_line(symbols, 0x280, NULL);
	check_line(symbols, 0x282, NULL);
	precis_symbols_free(symbols);
}

static void test_line_sequences(void)
{
	static const uint8_t lines[] = {
		/* version 2: no operations; instruction 1, line_base 0, line_range 1, opcode_base 10 */
		0,
		0,
		0,
		0,
		2,
		0,
		21,
		0,
		0,
		0,
		1,
		1,
		0,
		1,
		10,
		0,
		1,
		1,
		1,
		1,
		0,
		0,
		0,
		1,
		0,
		'x',
		0,
		0,
		0,
		0,
		0,
		/* 0x411000 to 0x411100: line 1; the next one lies in it */
		SET_ADDRESS(0x00, 0x10),
		1,
		2,
		0x80,
		2,
		END_SEQUENCE,
		/* 0x411040 to 0x411060: line 5 */
		SET_ADDRESS(0x40, 0x10),
		3,
		4,
		1,
		2,
		0x20,
		END_SEQUENCE,
		/* thrown away by the linker: at 0; and where nothing can run */
		0,
		9,
		2,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		3,
		7,
		1,
		2,
		0x40,
		END_SEQUENCE,
		0,
		9,
		2,
		0,
		0x10,
		0x40,
		0,
		0,
		0,
		0,
		0,
		3,
		8,
		1,
		2,
		0x40,
		END_SEQUENCE,
		/* goes back: no order, no lines */
		SET_ADDRESS(0x00, 0x12),
		1,
		SET_ADDRESS(0xf0, 0x11),
		1,
		SET_ADDRESS(0x40, 0x12),
		END_SEQUENCE,
		/* without an end */
		SET_ADDRESS(0x00, 0x13),
		1,
		2,
		0x20,
		1,
	};
	struct precis_symbols *symbols;
	uint8_t copy[sizeof(lines)];
	uint32_t length = sizeof(lines) - 4;

	if (!precis_symbols_available()) {
		tap_skip("built without elfutils");
		return;
	}
	memcpy(copy, lines, sizeof(lines));
	memcpy(copy, &length, sizeof(length));
	symbols = new_program(copy, sizeof(copy));
	check_line(symbols, 0x00, "x:1");
	check_line(symbols, 0x3f, "x:1");
	check_line(symbols, 0x40, "x:5");
	check_line(symbols, 0x5f, "x:5");
	/* between the end of the inner one and of the outer one: neither is believed */
	check_line(symbols, 0x60, NULL);
	check_line(symbols, 0x200, NULL);
	check_line(symbols, 0x300, NULL);
	precis_symbols_free(symbols);
}

static void test_damaged_lines(void)
{
	size_t bytes, round, at = 0, length = 0, header_at = 0;
	uint8_t *file = read_self(&bytes);
	uint8_t *copy = malloc(bytes);

	CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
	at = find_section(file, ".debug_line", &length);
	if (!at) {
		at = sizeof(Elf64_Ehdr);
		length = 512;
	}
	for (round = 0; round < 400; round++) {
		unsigned int changes = 1 + random_below(6);

		memcpy(copy, file, bytes);
		/* the headers of units most often, for there the sizes are */
		header_at = at + random_below(length > 4096 ? length - 4096 : 1);
		while (changes-- > 0) {
			size_t place = round % 3 ? at + random_below(length < 400 ? length : 400)
						 : header_at + random_below(400);

			if (place < bytes)
				copy[place] = (uint8_t)(random_below(2) ? 0xff : random_below(256));
		}
		probe(copy, bytes);
	}
	for (round = 0; round < 100; round++)
		probe(file, at + random_below(bytes - at));
	free(copy);
	free(file);
}

/* A whole small program and no more, cut at every byte */
static void test_cut_program(void)
{
	const char *srcdir = getenv("srcdir");
	struct precis_symbols *symbols;
	char path[4096];
	uint8_t data[32768];
	size_t bytes, count;
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/recordings/symfs/usr/bin/busy",
		 srcdir ? srcdir : ".");
	file = fopen(path, "rb");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	count = fread(data, 1, sizeof(data), file);
	fclose(file);
	for (bytes = 0; bytes < count; bytes++) {
		struct precis_location location = { .size = sizeof(location) };

		write_file(in_directory("program"), data, bytes);
		symbols = new_symbols(directory, NULL);
		map(symbols, USER, 1, 0, 0x10000, 0, "/program");
		CU_ASSERT_EQUAL(precis_symbols_find(symbols, 1, USER, 0, 0x1199 + 1, &location), 1);
		/* nothing invented: that place is this function's */
		CU_ASSERT(!location.symbol || strcmp(location.symbol, "chase") == 0);
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
		{ "lines of this program", test_lines_of_this_program },
		{ "opcodes of line programs", test_line_opcodes },
		{ "sequences of line programs", test_line_sequences },
		{ "damaged lines", test_damaged_lines },
		{ "a program cut at every byte", test_cut_program },
		{ "reasons in words", test_reasons },
	};
	char command[64];
	int result;

	if (!mkdtemp(directory))
		return 1;
	result = tap_main("symbol_sources", cases, sizeof(cases) / sizeof(cases[0]));
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	if (system(command) != 0)
		result = 1;
	return result;
}
