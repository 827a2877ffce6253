/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lines FILE [ROUNDS]: what source lines of addresses cost, by precis_symbols_line(), which reads
 * .debug_line by itself, and by libdw's dwfl_module_getsrc(). Each look-up list is worked off by
 * a process of its own, from opening the file on; the two take turns. CPU time and what the process
 * grew by, medians over the rounds; and how often both say the same line.
 */
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <precis/precis.h>

#define LOOKUPS_MOST 100000u
#define ROUNDS_MOST 101u
#define MAPPED_AT UINT64_C(0x100000000)
#define PID 1u

static const uint32_t lengths[] = { 1, 100, 10000, LOOKUPS_MOST };
enum { LENGTHS = sizeof(lengths) / sizeof(lengths[0]) };

/* The part of the file that is code: its place in the file and in memory */
struct code {
	uint64_t offset, bytes, address;
};

/* What a process leaves behind, in memory that is shared with it */
struct outcome {
	double seconds;
	long kib;
	int32_t line[LOOKUPS_MOST]; /* 0: none */
};

static uint64_t offsets[LOOKUPS_MOST];

static int find_code(const char *path, struct code *code)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	GElf_Phdr segment;
	size_t count = 0;

	memset(code, 0, sizeof(*code));
	elf_getphdrnum(elf, &count);
	for (size_t n = 0; n < count; n++) {
		if (!gelf_getphdr(elf, (int)n, &segment) || segment.p_type != PT_LOAD ||
		    !(segment.p_flags & PF_X) || segment.p_filesz <= code->bytes)
			continue;
		*code = (struct code){ segment.p_offset, segment.p_filesz, segment.p_vaddr };
	}
	elf_end(elf);
	close(fd);
	return code->bytes != 0;
}

/* Anywhere in the code, the same each time */
static void choose(const struct code *code)
{
	uint64_t state = 1;

	for (uint32_t n = 0; n < LOOKUPS_MOST; n++) {
		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		offsets[n] = code->offset + (state >> 20) % code->bytes;
	}
}

/* The whole file, mapped in one piece */
static void map_file(struct precis_symbols *symbols, const char *path)
{
	struct {
		uint32_t type;
		uint16_t misc, size;
		uint32_t pid, tid;
		uint64_t start, bytes, offset;
		char name[4096];
	} body = { .type = PRECIS_RECORD_MMAP,
		   .misc = PRECIS_CPUMODE_USER,
		   .size = sizeof(body),
		   .pid = PID,
		   .tid = PID,
		   .start = MAPPED_AT,
		   .bytes = MAPPED_AT };
	struct precis_record record;

	snprintf(body.name, sizeof(body.name), "%s", path);
	if (!precis_record_at((const uint8_t *)&body, sizeof(body), &record))
		precis_symbols_record(symbols, &record, 0);
}

static void look_up_ours(const char *path, const struct code *code, uint32_t count, int32_t *found)
{
	struct precis_location location = { .size = sizeof(location) };
	struct precis_line line = { .size = sizeof(line) };
	struct precis_symbols *symbols;

	(void)code;
	if (precis_symbols_new(NULL, &symbols))
		exit(1);
	map_file(symbols, path);
	for (uint32_t n = 0; n < count; n++) {
		precis_symbols_locate(symbols, PID, PRECIS_CPUMODE_USER, 1, MAPPED_AT + offsets[n],
				      &location);
		if (precis_symbols_line(symbols, &location, &line) == 1)
			found[n] = (int32_t)line.number;
	}
	precis_symbols_free(symbols);
}

static int no_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			const char *file, const char *link, GElf_Word crc, char **found)
{
	(void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc;
	(void)found;
	return -1;
}

static void look_up_libdw(const char *path, const struct code *code, uint32_t count, int32_t *found)
{
	static const Dwfl_Callbacks callbacks = { .find_elf = dwfl_build_id_find_elf,
						  .find_debuginfo = no_debuginfo,
						  .section_address = dwfl_offline_section_address };
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *module = dwfl_report_offline(dwfl, path, path, -1);
	Dwarf_Addr bias = 0;

	dwfl_report_end(dwfl, NULL, NULL);
	if (!module || !dwfl_module_getelf(module, &bias))
		exit(1);
	for (uint32_t n = 0; n < count; n++) {
		uint64_t address = bias + code->address + (offsets[n] - code->offset);
		Dwfl_Line *line = dwfl_module_getsrc(module, address);
		int number = 0;

		if (line && dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL))
			found[n] = number;
	}
	dwfl_end(dwfl);
}

typedef void look_up(const char *path, const struct code *code, uint32_t count, int32_t *found);

static double cpu_seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static long peak_kib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

static void in_process(look_up *work, const char *path, const struct code *code, uint32_t count,
		       struct outcome *outcome)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		exit(1);
	if (child == 0) {
		long before = peak_kib();
		double start = cpu_seconds();

		work(path, code, count, outcome->line);
		outcome->seconds = cpu_seconds() - start;
		outcome->kib = peak_kib() - before;
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || status)
		exit(1);
}

static int compare(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static double median(double *values, unsigned int count)
{
	qsort(values, count, sizeof(*values), compare);
	return values[count / 2];
}

static void compare_lengths(const char *path, const struct code *code, uint32_t count,
			    unsigned int rounds, struct outcome *outcomes)
{
	static look_up *const work[2] = { look_up_ours, look_up_libdw };
	double seconds[2][ROUNDS_MOST], kib[2][ROUNDS_MOST];
	uint32_t found[2] = { 0, 0 }, same = 0;

	for (unsigned int round = 0; round < rounds; round++) {
		for (int n = 0; n < 2; n++) {
			memset(&outcomes[n], 0, sizeof(outcomes[n]));
			in_process(work[n], path, code, count, &outcomes[n]);
			seconds[n][round] = outcomes[n].seconds;
			kib[n][round] = (double)outcomes[n].kib;
		}
	}
	for (uint32_t n = 0; n < count; n++) {
		found[0] += outcomes[0].line[n] != 0;
		found[1] += outcomes[1].line[n] != 0;
		same += outcomes[0].line[n] == outcomes[1].line[n];
	}
	printf("%8u %9.2f %9.2f %7.2f %9.0f %9.0f %8u %8u %8u\n", count,
	       median(seconds[0], rounds) * 1e3, median(seconds[1], rounds) * 1e3,
	       median(seconds[1], rounds) / median(seconds[0], rounds), median(kib[0], rounds),
	       median(kib[1], rounds), found[0], found[1], same);
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc > 2 ? (unsigned int)strtoul(argv[2], NULL, 10) : 5;
	struct outcome *outcomes = mmap(NULL, 2 * sizeof(*outcomes), PROT_READ | PROT_WRITE,
					MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char path[4096];
	struct code code;

	elf_version(EV_CURRENT);
	if (argc < 2 || rounds == 0 || rounds > ROUNDS_MOST || outcomes == MAP_FAILED ||
	    !realpath(argv[1], path) || !find_code(path, &code)) {
		fprintf(stderr, "usage: lines ELF-FILE [ROUNDS, up to %u]\n", ROUNDS_MOST);
		return 1;
	}
	choose(&code);
	printf("%s, %u rounds\n%8s %9s %9s %7s %9s %9s %8s %8s %8s\n", path, rounds, "look-ups",
	       "ours ms", "libdw ms", "ratio", "ours KiB", "libdw KiB", "found", "by libdw",
	       "the same");
	for (size_t n = 0; n < LENGTHS; n++)
		compare_lengths(path, &code, lengths[n], rounds, outcomes);
	return 0;
}
