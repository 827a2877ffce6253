/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * write_profile bolt|autofdo-text|ranges PROGRAM: its profile, whose counts are exact: the program,
 * linked to fixed addresses, is run step by step. "ranges" are the same counts by address
 * from the segment on that runs, as llvm-profgen reads them.
 */
#define _GNU_SOURCE /* tdestroy() */
#include <elf.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <precis/code.h>

#include "command/profiles/profile.h"
#include "tests/support/mapped_file.h"

#define STEPS_MOST 3000000u

struct step {
	uint64_t from, to;
	uint64_t count;
};

static struct step *steps; /* each once */
static size_t step_count, step_room;
static void *by_ends;
static Elf64_Phdr text_segment;
static uint64_t entry;

static void fail(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, 2 * sizeof(uint64_t));
}

static void count_step(uint64_t from, uint64_t to)
{
	struct step key = { from, to, 0 }, **found = tsearch(&key, &by_ends, compare);

	if (!found)
		fail("tsearch");
	if (*found == &key) {
		*found = malloc(sizeof(key));
		if (!*found)
			fail("malloc");
		**found = key;
	}
	(*found)->count++;
}

static void collect(const void *node, VISIT visit, int depth)
{
	(void)depth;
	if (visit != postorder && visit != leaf)
		return;
	if (step_count == step_room) {
		step_room = step_room ? 2 * step_room : 4096;
		steps = realloc(steps, step_room * sizeof(*steps));
		if (!steps)
			fail("realloc");
	}
	steps[step_count++] = **(struct step *const *)node;
}

/* The segment that runs */
static void read_segment(const char *path)
{
	FILE *file = fopen(path, "rb");
	Elf64_Ehdr header;

	if (!file || fread(&header, sizeof(header), 1, file) != 1 ||
	    fseek(file, (long)header.e_phoff, SEEK_SET))
		fail(path);
	for (int n = 0; n < header.e_phnum; n++) {
		Elf64_Phdr segment;

		if (fread(&segment, sizeof(segment), 1, file) == 1 && segment.p_type == PT_LOAD &&
		    (segment.p_flags & PF_X))
			text_segment = segment;
		entry = header.e_entry;
	}
	fclose(file);
	if (!text_segment.p_filesz)
		fail("no segment");
}

static int is_text(uint64_t address)
{
	return address - text_segment.p_vaddr < text_segment.p_filesz;
}

static uint64_t offset_of(uint64_t address)
{
	return address - text_segment.p_vaddr + text_segment.p_offset;
}

static void run(char *path)
{
	const pid_t child = fork();
	uint64_t from = 0;
	int status;

	if (child == 0) {
		if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0 || personality(ADDR_NO_RANDOMIZE) < 0 ||
		    ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			_exit(126);
		execl(path, path, (char *)NULL);
		_exit(127);
	}
	for (uint32_t n = 0; waitpid(child, &status, 0) == child && WIFSTOPPED(status); n++) {
		struct user_regs_struct registers;

		if (n == STEPS_MOST || ptrace(PTRACE_GETREGS, child, NULL, &registers))
			fail("steps");
		if (is_text(registers.rip)) {
			/* A repeated instruction stops each time */
			if (from && from != registers.rip)
				count_step(from, registers.rip);
			from = registers.rip;
		}
		if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL))
			fail("step");
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		fail("program");
}

static int is_sequential(struct code_text *text, const struct step *step)
{
	struct precis_instruction instruction = { .size = sizeof(instruction) };
	uint8_t bytes[PRECIS_CODE_BYTES_MOST];
	uint32_t absent;
	const int count = code_text_read(text, offset_of(step->from), 0, bytes, &absent);

	return count > 0 &&
	       precis_code_decode(bytes, (size_t)count, step->from, 64, PRECIS_CODE_ATT, &instruction) > 0 &&
	       step->from + instruction.length == step->to;
}

static void build(struct profile *profile, struct code_text *text, struct code_blocks *blocks)
{
	struct profile_edge *edges = calloc(step_count + 1, sizeof(*edges));
	double *counts;

	if (code_blocks_add_target(blocks, text, offset_of(entry), 0))
		fail("target");
	for (size_t n = 0; n < step_count; n++) {
		if (!is_sequential(text, &steps[n]) &&
		    code_blocks_add_target(blocks, text, offset_of(steps[n].to), 0))
			fail("target");
	}
	counts = code_blocks_build(blocks) ? NULL : calloc(code_blocks_count(blocks) + 1, sizeof(*counts));
	if (!edges || !counts)
		fail("blocks");
	counts[code_blocks_of(blocks, text, offset_of(entry), 0)] = 1;
	for (size_t n = 0; n < step_count; n++) {
		const uint32_t from = code_blocks_of(blocks, text, offset_of(steps[n].from), 0);
		const uint32_t into = code_blocks_of(blocks, text, offset_of(steps[n].to), 0);
		const int is_taken = !is_sequential(text, &steps[n]);

		if (from == CODE_NO_BLOCK || into == CODE_NO_BLOCK)
			fail("code of no block");
		if (from == into && !is_taken)
			continue;
		counts[into] += (double)steps[n].count;
		edges[profile->edge_count++] =
			(struct profile_edge){ from, into, is_taken, (double)steps[n].count };
	}
	profile->edges = edges;
	profile->counts = counts;
	profile->blocks = blocks;
}

static uint64_t from_segment(const struct code_block *block)
{
	return code_text_address(block->text, block->offset) - text_segment.p_vaddr;
}

static void print_ranges(const struct profile *profile)
{
	size_t taken = 0, ranges = 0;

	for (uint32_t n = 0; n < code_blocks_count(profile->blocks); n++)
		ranges += profile->counts[n] > 0;
	printf("%zu\n", ranges);
	for (uint32_t n = 0; n < code_blocks_count(profile->blocks); n++) {
		const struct code_block *block = code_blocks_get(profile->blocks, n);
		const uint64_t start = from_segment(block);

		if (profile->counts[n] > 0)
			printf("%" PRIx64 "-%" PRIx64 ":%.0f\n", start,
			       start + block->bytes - block->last_bytes, profile->counts[n]);
	}
	for (size_t n = 0; n < profile->edge_count; n++)
		taken += profile->edges[n].is_taken != 0;
	printf("%zu\n", taken);
	for (size_t n = 0; n < profile->edge_count; n++) {
		const struct profile_edge *edge = &profile->edges[n];
		const struct code_block *from = code_blocks_get(profile->blocks, edge->from);
		const struct code_block *into = code_blocks_get(profile->blocks, edge->to);

		if (edge->is_taken)
			printf("%" PRIx64 "->%" PRIx64 ":%.0f\n",
			       from_segment(from) + from->bytes - from->last_bytes,
			       from_segment(into), edge->count);
	}
}

int main(int argc, char **argv)
{
	struct profile profile = { 0 };
	struct profile_result result = { 0 };
	struct code_blocks *blocks = NULL;
	struct code_texts *texts = NULL;
	struct code_place place;
	int error = 0;

	if (argc != 3 || precis_symbols_new(NULL, &profile.symbols) ||
	    code_texts_new(profile.symbols, &texts) || code_blocks_new(&blocks) ||
	    map_file(profile.symbols, argv[2]) ||
	    code_texts_locate(texts, MAPPED_PID, PRECIS_CPUMODE_USER, 1, MAPPED_AT, &place) != 1)
		fail("begin");
	read_segment(argv[2]);
	run(argv[2]);
	twalk(by_ends, collect);
	build(&profile, place.text, blocks);
	if (strcmp(argv[1], "bolt") == 0)
		error = profile_write_bolt(stdout, &profile, &result);
	else if (strcmp(argv[1], "autofdo-text") == 0)
		error = profile_write_autofdo(stdout, &profile, &result);
	else
		print_ranges(&profile);
	fprintf(stderr, "%.0f written, %.0f of other objects, %.0f without functions, of %s\n",
		result.written, result.other_objects, result.no_functions,
		result.object ? result.object : "all");
	code_blocks_free(blocks);
	code_texts_free(texts);
	precis_symbols_free(profile.symbols);
	tdestroy(by_ends, free);
	free((void *)(uintptr_t)profile.counts);
	free((void *)(uintptr_t)profile.edges);
	free(steps);
	return error || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
