/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kernel_text FILE: the kernel's code as it is in memory now, as /proc/kcore has it: its own text, and the
 * pages that tracers and probes have made. In FILE, for each range: address, bytes, both as 64-bit numbers,
 * and the code. Prints the times (CLOCK_MONOTONIC, in nanoseconds) before and after it was read.
 */
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096u
#define SEGMENTS_MOST 64

static Elf64_Phdr segment[SEGMENTS_MOST];
static int segments, kcore;
static FILE *out;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void read_segments(void)
{
	Elf64_Ehdr head;

	kcore = open("/proc/kcore", O_RDONLY);
	if (kcore < 0 || pread(kcore, &head, sizeof(head), 0) != (ssize_t)sizeof(head))
		die("/proc/kcore");
	segments = head.e_phnum < SEGMENTS_MOST ? head.e_phnum : SEGMENTS_MOST;
	if (pread(kcore, segment, (size_t)segments * sizeof(*segment), (off_t)head.e_phoff) < 0)
		die("/proc/kcore: segments");
}

static void save(uint64_t start, uint64_t end)
{
	static uint8_t bytes[256 * PAGE];
	const uint64_t range[2] = { start, end - start };
	int n = 0;

	while (n < segments && (segment[n].p_type != PT_LOAD || start < segment[n].p_vaddr ||
				start - segment[n].p_vaddr >= segment[n].p_memsz))
		n++;
	if (n == segments) {
		fprintf(stderr, "kernel_text: nothing in /proc/kcore is at %" PRIx64 "\n", start);
		exit(1);
	}
	fwrite(range, sizeof(range), 1, out);
	for (uint64_t at = start; at < end;) {
		const size_t wanted = end - at < sizeof(bytes) ? (size_t)(end - at) : sizeof(bytes);
		const ssize_t got = pread(kcore, bytes, wanted,
					  (off_t)(segment[n].p_offset + at - segment[n].p_vaddr));

		if (got <= 0)
			die("/proc/kcore: code");
		fwrite(bytes, 1, (size_t)got, out);
		at += (uint64_t)got;
	}
}

/* What kallsyms names: [_stext, _etext), and the page of each symbol that is of no module, but made */
static void save_all(void)
{
	FILE *symbols = fopen("/proc/kallsyms", "r");
	uint64_t address, text = 0, page = 0;
	char line[512], name[256], module[256];

	if (!symbols)
		die("/proc/kallsyms");
	while (fgets(line, sizeof(line), symbols)) {
		module[0] = 0;
		if (sscanf(line, "%" SCNx64 " %*c %255s %255s", &address, name, module) < 2)
			continue;
		if (!strcmp(name, "_stext"))
			text = address;
		else if (!strcmp(name, "_etext"))
			save(text, address);
		else if (!strncmp(module, "[__builtin__", 12) && address / PAGE != page) {
			page = address / PAGE;
			save(page * PAGE, (page + 1) * PAGE);
		}
	}
	fclose(symbols);
}

int main(int count, char **arguments)
{
	const uint64_t before = now();

	if (count != 2)
		return 2;
	out = fopen(arguments[1], "w");
	if (!out)
		die(arguments[1]);
	read_segments();
	save_all();
	if (fclose(out))
		die(arguments[1]);
	printf("%" PRIu64 " %" PRIu64 "\n", before, now());
	return 0;
}
