// SPDX-License-Identifier: BSD-3-Clause
/*
 * From samples and stacks by address to blocks with counts, of code whose executions are known: a kernel that
 * is changed while it is recorded, code that is entered in two ways, and what is no code at all.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

#include "analysis/mix/mix.h"
#include "analysis/mix/program.h"
#include "libdecode/code/instruction.h"
#include "statistics/random.h"
#include "tests/support/symbol_records.h"

#define KERNEL_AT UINT64_C(0xffffffff81000000)
#define ROUNDS 20000u /* each takes a nanosecond */
#define DEPTH 16u
#define BRANCH_ANY 8u

static struct build build;

/* --- a kernel --- */

/*
 *	 0  inc %rax		the loop
 *	 3  nop			of five bytes; later jmp 16
 *	 8  inc %rcx
 *	11  jne 0
 *	13  ret
 *	16  inc %rdx		what the patch jumps to
 *	19  jmp 8
 */
#define NOP5 "\x0f\x1f\x44\x00\x00"
#define JUMP5 "\xe9\x08\x00\x00\x00"
#define LOOP "\x48\xff\xc0" NOP5 "\x48\xff\xc1\x75\xf3\xc3\xcc\xcc\x48\xff\xc2\xeb\xf3"
#define LOOP_BYTES 21

struct place {
	uint64_t offset;
	uint64_t to; /* of a taken branch; 0: none, or back to the start */
	int is_branch;
};

static const struct place before[] = { { 0, 0, 0 }, { 3, 0, 0 }, { 8, 0, 0 }, { 11, 0, 1 } };
static const struct place after[] = { { 0, 0, 0 },   { 3, 16, 1 }, { 16, 0, 0 },
				      { 19, 8, 1 },  { 8, 0, 0 },  { 11, 0, 1 } };

struct recorded {
	struct precis_symbols *symbols;
	struct mix_sightings *sightings;
	struct code_streams streams;
	struct mix_program program;
	struct mix_estimate *estimate;
	struct mix_witness who;
};

static void feed(struct recorded *recorded, uint32_t type, uint16_t misc, uint64_t time)
{
	struct precis_record record = { 0 };

	CU_ASSERT_EQUAL(feed_at(recorded->symbols, &build, type, misc, time), 0);
	CU_ASSERT_EQUAL_FATAL(precis_record_at(build.bytes, build.count, &record), 0);
	CU_ASSERT_EQUAL(mix_sightings_record(recorded->sightings, &record, time), 0);
}

static void poke(struct recorded *recorded, uint64_t time, uint64_t offset, const char *old,
		 uint16_t old_count, const char *new, uint16_t new_count)
{
	build_poke(&build, KERNEL_AT + offset, old, old_count, new, new_count);
	feed(recorded, PRECIS_RECORD_TEXT_POKE, 0, time);
}

static void begin(struct recorded *recorded, const char *code, uint16_t bytes)
{
	memset(recorded, 0, sizeof(*recorded));
	CU_ASSERT_EQUAL_FATAL(precis_symbols_new(NULL, &recorded->symbols), 0);
	CU_ASSERT_EQUAL_FATAL(mix_sightings_new(recorded->symbols, &recorded->sightings), 0);
	code_streams_init(&recorded->streams, BRANCH_ANY);
	recorded->who = (struct mix_witness){ .pid = 7, .cpumode = PRECIS_CPUMODE_KERNEL };
	build_kernel_mapping(&build, KERNEL_AT);
	feed(recorded, PRECIS_RECORD_MMAP, PRECIS_CPUMODE_KERNEL, 0);
	poke(recorded, 0, 0, "", 0, code, bytes);
}

static void estimate(struct recorded *recorded)
{
	const struct mix_program_options options = { 0 };
	const struct mix_options how = { .cutoff = MIX_CUTOFF };

	CU_ASSERT_EQUAL_FATAL(mix_program_build(&recorded->program, recorded->sightings, &options), 0);
	recorded->estimate = mix_estimate_new(&recorded->program.flow, &recorded->program.seen, &how);
	CU_ASSERT_PTR_NOT_NULL_FATAL(recorded->estimate);
}

static void end(struct recorded *recorded)
{
	mix_estimate_free(recorded->estimate);
	mix_program_free(&recorded->program);
	mix_sightings_free(recorded->sightings);
	precis_symbols_free(recorded->symbols);
}

/* --- sampling --- */

struct sampling {
	uint64_t ring[3 * DEPTH], taken, executed, next_stack, next_sample, stack_period, sample_period;
	struct random random;
};

static void see_stack(struct recorded *recorded, const struct sampling *sampling)
{
	uint64_t entries[3 * DEPTH];
	struct precis_perf_sample sample = { .size = sizeof(sample), .present = PRECIS_SAMPLE_BRANCH_STACK,
					     .branch_count = DEPTH,
					     .branches = { (const uint8_t *)entries, sizeof(entries) } };

	for (uint64_t n = 0; n < DEPTH; n++)
		memcpy(entries + 3 * n, sampling->ring + 3 * ((sampling->taken - 1 - n) % DEPTH), 24);
	recorded->who.period = sampling->stack_period;
	recorded->who.cluster++;
	CU_ASSERT_EQUAL(mix_see_stack(recorded->sightings, &recorded->who, &recorded->streams, &sample), 0);
}

static void execute(struct recorded *recorded, struct sampling *sampling, const struct place *what)
{
	if (++sampling->executed == sampling->next_sample) {
		sampling->next_sample += 1 + random_below(&sampling->random, 2 * sampling->sample_period - 1);
		recorded->who.period = sampling->sample_period;
		recorded->who.cluster++;
		CU_ASSERT_EQUAL(mix_see_sample(recorded->sightings, &recorded->who, KERNEL_AT + what->offset),
				0);
	}
	if (!what->is_branch)
		return;
	sampling->ring[3 * (sampling->taken % DEPTH)] = KERNEL_AT + what->offset;
	sampling->ring[3 * (sampling->taken % DEPTH) + 1] = KERNEL_AT + what->to;
	if (++sampling->taken >= sampling->next_stack && sampling->taken >= DEPTH) {
		sampling->next_stack +=
			1 + random_below(&sampling->random, 2 * sampling->stack_period - 1);
		see_stack(recorded, sampling);
	}
}

/*
 * The patch is there from one round up to another. A stack that reaches over it is what hardware has, too.
 * 'is_told': the kernel writes TEXT_POKE records.
 */
static void run(struct recorded *recorded, uint64_t seed, uint64_t patched, uint64_t restored, int is_told)
{
	struct sampling sampling = { .next_stack = 20, .next_sample = 5, .stack_period = 13,
				     .sample_period = 7, .random = random_of(seed) };

	for (uint64_t round = 0; round < ROUNDS; round++) {
		const int is_patched = round >= patched && round < restored;
		const struct place *way = is_patched ? after : before;

		if (is_told && round == patched)
			poke(recorded, round, 3, NOP5, 5, JUMP5, 5);
		if (is_told && round == restored)
			poke(recorded, round, 3, JUMP5, 5, NOP5, 5);
		recorded->who.time = round;
		for (size_t n = 0; n < (is_patched ? 6 : 4); n++)
			execute(recorded, &sampling, &way[n]);
	}
}

static const struct code_form *form_of(const struct mix_program *program, uint32_t step)
{
	return code_blocks_form(program->blocks, CODE_STEP_FORM(step));
}

/* Executions of a mnemonic */
static struct mix_figure executions(const struct recorded *recorded, const char *mnemonic)
{
	const struct mix_program *program = &recorded->program;
	const uint32_t wanted = code_mnemonic_find(mnemonic, strlen(mnemonic));
	double *weights = calloc(program->count + 1, sizeof(*weights));
	struct mix_figure figure;

	CU_ASSERT_FATAL(weights != NULL);
	for (uint32_t n = 0; n < program->count; n++) {
		const struct code_block *block = code_blocks_get(program->blocks, program->node[n].code);
		const uint32_t *steps = block ? code_blocks_steps(program->blocks, block) : NULL;

		for (uint32_t step = 0; block && step < block->count; step++)
			weights[n] += form_of(program, steps[step])->mnemonic == wanted;
	}
	figure = mix_sum(recorded->estimate, MIX_JOINT, weights);
	free(weights);
	return figure;
}

static int check_count(const struct recorded *recorded, const char *mnemonic, double wanted)
{
	const struct mix_figure got = executions(recorded, mnemonic);

	if (fabs(got.value - wanted) > 0.05 * wanted)
		printf("# %s: %g for %g\n", mnemonic, got.value, wanted);
	CU_ASSERT(fabs(got.value - wanted) <= 0.05 * wanted);
	return got.interval.low <= wanted && wanted <= got.interval.high;
}

static int has_code(void)
{
	if (!precis_code_available())
		tap_skip("a build without Zydis");
	return precis_code_available();
}

static void kernel_patched_and_restored(void)
{
	const uint64_t patched = 6000, restored = 15000;
	const double with = (double)(restored - patched), without = ROUNDS - with;
	int held = 0;

	if (!has_code())
		return;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct recorded recorded;

		begin(&recorded, LOOP, LOOP_BYTES);
		run(&recorded, seed, patched, restored, 1);
		estimate(&recorded);
		held += check_count(&recorded, "NOP", without);
		held += check_count(&recorded, "JMP", 2 * with);
		held += check_count(&recorded, "INC", 2 * without + 3 * with);
		held += check_count(&recorded, "JNZ", ROUNDS);
		/* Stacks that reach over the change: some streams are of the other code, no more */
		CU_ASSERT(recorded.program.stale < 2 * DEPTH);
		end(&recorded);
	}
	/* Nine of ten: of 200 states it is 760 of 800 */
	CU_ASSERT(held >= 144);
}

/* Where instructions were not counted, samples tell how many there were; ops are no instructions. */
static void totals_of_samples(void)
{
	const struct mix_program_options by_op = { .is_by_op = 1 };
	const struct mix_program_options counted = { .instructions = 12345,
						     .instructions_error = 0.001 };
	struct mix_program program;
	struct recorded recorded;

	if (!has_code())
		return;
	begin(&recorded, LOOP, LOOP_BYTES);
	run(&recorded, 1, ROUNDS, ROUNDS, 1);
	estimate(&recorded);
	CU_ASSERT(recorded.program.seen.samples > 10000);
	CU_ASSERT_EQUAL(recorded.program.seen.instructions,
			(double)mix_weight_of_samples(&recorded.program.seen));
	CU_ASSERT_EQUAL(recorded.program.seen.instructions,
			7.0 * (double)recorded.program.seen.samples);
	CU_ASSERT(recorded.program.seen.instructions_error > 0.01 &&
		  recorded.program.seen.instructions_error < 0.05);
	CU_ASSERT_EQUAL_FATAL(mix_program_build(&program, recorded.sightings, &by_op), 0);
	CU_ASSERT_EQUAL(program.seen.instructions, 0);
	mix_program_free(&program);
	CU_ASSERT_EQUAL_FATAL(mix_program_build(&program, recorded.sightings, &counted), 0);
	CU_ASSERT_EQUAL(program.seen.instructions, 12345);
	CU_ASSERT_EQUAL(program.seen.instructions_error, 0.001);
	mix_program_free(&program);
	end(&recorded);
}

/* Its text on disk has a jump where a nop ran: streams cross it, and nothing of them is counted. */
static void kernel_patched_in_secret(void)
{
	struct recorded recorded;

	if (!has_code())
		return;
	begin(&recorded, LOOP, LOOP_BYTES);
	poke(&recorded, 0, 3, NOP5, 5, JUMP5, 5);
	run(&recorded, 1, ROUNDS, ROUNDS, 0);
	estimate(&recorded);
	CU_ASSERT(recorded.program.stale > 10000);
	CU_ASSERT_EQUAL(recorded.program.fates[CODE_FATE_CROSSES], recorded.program.stale);
	CU_ASSERT_EQUAL(recorded.program.fates[CODE_FATE_KEPT], 0);
	CU_ASSERT_EQUAL(recorded.program.stale_texts.count, 1);
	end(&recorded);
}

/* --- code that is none, and addresses that are none --- */

/*
 *	0  je 3
 *	2  lock, and
 *	3  cmpxchg %rcx, (%rdi)	with it or without
 *	7  jmp 0
 */
#define PREFIX "\x74\x01\xf0\x48\x0f\xb1\x0f\xeb\xf7"

static const struct place with_prefix[] = { { 0, 0, 0 }, { 2, 0, 0 }, { 7, 0, 1 } };
static const struct place without_prefix[] = { { 0, 3, 1 }, { 3, 0, 0 }, { 7, 0, 1 } };

static double of_locked(const struct recorded *recorded, int is_locked)
{
	const struct mix_program *program = &recorded->program;
	double sum = 0;

	for (uint32_t n = 0; n < program->count; n++) {
		const struct code_block *block = code_blocks_get(program->blocks, program->node[n].code);
		const uint32_t *steps = block ? code_blocks_steps(program->blocks, block) : NULL;

		for (uint32_t step = 0; block && step < block->count; step++) {
			const struct code_form *form = form_of(program, steps[step]);

			if (form->mnemonic == code_mnemonic_find("CMPXCHG", 7) &&
			    !(form->traits & CODE_LOCKED) == !is_locked)
				sum += mix_counts(recorded->estimate, MIX_JOINT)[n];
		}
	}
	return sum;
}

static void overlapping_blocks(void)
{
	struct sampling sampling = { .next_stack = 20, .next_sample = 5, .stack_period = 13,
				     .sample_period = 7, .random = random_of(3) };
	struct recorded recorded;
	double jumps = 0;

	if (!has_code())
		return;
	begin(&recorded, PREFIX, 9);
	for (uint64_t round = 0; round < ROUNDS; round++) {
		const int is_jump = random_below(&sampling.random, 10) < 3;

		jumps += is_jump;
		recorded.who.time = round;
		for (size_t n = 0; n < 3; n++)
			execute(&recorded, &sampling, is_jump ? &without_prefix[n] : &with_prefix[n]);
	}
	estimate(&recorded);
	CU_ASSERT(fabs(of_locked(&recorded, 1) - (ROUNDS - jumps)) < 0.05 * (ROUNDS - jumps));
	CU_ASSERT(fabs(of_locked(&recorded, 0) - jumps) < 0.05 * jumps);
	CU_ASSERT_EQUAL(recorded.program.stale, 0);
	end(&recorded);
}

/* All that was seen is counted somewhere, and what is estimated is a number. */
static void check_sums(const struct recorded *recorded, uint64_t samples, uint64_t streams)
{
	const struct mix_program *program = &recorded->program;
	double seen = 0;
	uint64_t fates = 0;

	for (uint32_t fate = 0; fate < CODE_FATES; fate++)
		fates += program->fates[fate];
	CU_ASSERT_EQUAL(fates, streams);
	for (uint32_t n = 0; n < program->count; n++)
		seen += mix_evidence_of(recorded->estimate, n).samples;
	CU_ASSERT_EQUAL(seen, (double)samples);
	for (int method = 0; method < MIX_METHODS; method++) {
		const double *counts = mix_counts(recorded->estimate, (enum mix_method)method);

		for (uint32_t n = 0; counts && n < program->count; n++)
			CU_ASSERT(isfinite(counts[n]) && counts[n] >= 0);
	}
}

/* 'address' of whatever kind; samples and stacks of as many */
static void see_many(struct recorded *recorded, uint64_t address(struct random *random), uint64_t count)
{
	struct random random = random_of(count);

	recorded->who.period = 1000;
	for (uint64_t n = 0; n < count; n++) {
		uint64_t entries[3 * DEPTH];
		struct precis_perf_sample sample = { .size = sizeof(sample),
						     .present = PRECIS_SAMPLE_BRANCH_STACK,
						     .branch_count = DEPTH,
						     .branches = { (const uint8_t *)entries,
								   sizeof(entries) } };

		for (uint64_t entry = 0; entry < DEPTH; entry++) {
			entries[3 * entry] = address(&random);
			entries[3 * entry + 1] = address(&random);
			entries[3 * entry + 2] = 0;
		}
		recorded->who.cluster++;
		CU_ASSERT_EQUAL(mix_see_stack(recorded->sightings, &recorded->who, &recorded->streams,
					      &sample),
				0);
		CU_ASSERT_EQUAL(mix_see_sample(recorded->sightings, &recorded->who, address(&random)), 0);
	}
	estimate(recorded);
	check_sums(recorded, count, count * (DEPTH - 1));
}

static uint64_t any_address(struct random *random)
{
	return random_next(random) >> random_below(random, 64);
}

static void absurd_addresses(void)
{
	struct recorded recorded;

	begin(&recorded, LOOP, LOOP_BYTES);
	see_many(&recorded, any_address, 3000);
	CU_ASSERT(recorded.program.fates[CODE_FATE_NO_ADDRESS] > 0);
	CU_ASSERT(recorded.program.absent_count > 0);
	end(&recorded);
}

#define DATA_BYTES 4096u

static uint64_t place_in_data(struct random *random)
{
	return KERNEL_AT + random_below(random, DATA_BYTES + 64);
}

static void data_as_code(void)
{
	static char data[DATA_BYTES];
	struct random random = random_of(9);
	struct recorded recorded;

	for (size_t n = 0; n < DATA_BYTES; n++)
		data[n] = (char)random_next(&random);
	begin(&recorded, data, DATA_BYTES);
	see_many(&recorded, place_in_data, 3000);
	CU_ASSERT(recorded.program.count > 1000 || !precis_code_available());
	CU_ASSERT(recorded.program.stale > 0 || !precis_code_available());
	end(&recorded);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a kernel that is patched and restored while it is recorded has each time's own mix",
		  kernel_patched_and_restored },
		{ "a kernel that is patched in secret is found out by its streams",
		  kernel_patched_in_secret },
		{ "code that is entered inside of an instruction is two blocks, each with its own count",
		  overlapping_blocks },
		{ "where instructions were not counted samples tell how many there were",
		  totals_of_samples },
		{ "addresses that are none: all streams and samples have a fate",
		  absurd_addresses },
		{ "data as code: all streams and samples have a fate", data_as_code },
	};

	return tap_main("mix_program", cases, sizeof(cases) / sizeof(cases[0]));
}
