/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels are noted to do is what they do: the table, the disassembler, single steps. */
#include <stdio.h>
#include <string.h>

#include "bench/accuracy/truth.h"
#include "kernels_here.h"
#include "tests/support/tap.h"

/* Every kernel must be told about; the first that cannot be asked says why. */
static void ask_all(struct truth (*ask)(const struct kernel *kernel))
{
	static char why[TRUTH_TEXT];
	const struct kernel *kernel;

	if (!there_are_kernels())
		return;
	for (size_t n = 0; (kernel = kernel_at(n)); n++) {
		const struct truth truth = ask(kernel);

		CU_ASSERT_NOT_EQUAL(truth.verdict, TRUTH_DISAGREES);
		if (truth.verdict == TRUTH_DISAGREES)
			printf("# %s: %s\n", kernel->name, truth.why);
		if (truth.verdict == TRUTH_UNKNOWN) {
			snprintf(why, sizeof(why), "%s", truth.why);
			tap_skip(why);
		}
	}
}

static struct truth by_steps(const struct kernel *kernel)
{
	return truth_by_steps(kernel, kernel->memory == KERNEL_MEMORY_PAGES ? 1 : 2, 3);
}

static void table(void)
{
	ask_all(truth_by_table);
}

static void disassembly(void)
{
	ask_all(truth_by_disassembly);
}

static void steps(void)
{
	ask_all(by_steps);
}

/* Kernel and copies of its notes, of which one is changed */
struct changed {
	struct kernel kernel;
	struct kernel_site sites[256];
};

static void change(struct changed *changed, const char *name)
{
	const struct kernel *kernel = kernel_named(name);

	CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
	CU_ASSERT_FATAL(kernel_site_count(kernel) <= 256);
	changed->kernel = *kernel;
	memcpy(changed->sites, kernel->sites, kernel_site_count(kernel) * sizeof(changed->sites[0]));
	changed->kernel.sites = changed->sites;
	changed->kernel.sites_end = changed->sites + kernel_site_count(kernel);
}

/* A load that is noted as none, and one that is none: each site in turn, two of the three ways see it. */
static void wrong_class(void)
{
	static struct changed changed;
	const int has_disassembler = kernel_at(0) &&
				     truth_by_disassembly(kernel_at(0)).verdict != TRUTH_UNKNOWN;

	if (!there_are_kernels())
		return;
	change(&changed, "multi_event");
	for (size_t n = 0; n < kernel_site_count(&changed.kernel); n++) {
		changed.sites[n].class ^= CLASS_LOAD;
		if (changed.sites[n].part == PART_TURN)
			CU_ASSERT_EQUAL(truth_by_table(&changed.kernel).verdict, TRUTH_DISAGREES);
		if (has_disassembler)
			CU_ASSERT_EQUAL(truth_by_disassembly(&changed.kernel).verdict, TRUTH_DISAGREES);
		changed.sites[n].class ^= CLASS_LOAD;
	}
}

/* A line that is noted to be fetched and is not, or the other way round: each site in turn */
static void wrong_fetch(void)
{
	static struct changed changed;

	if (!there_are_kernels())
		return;
	change(&changed, "jumps");
	if (truth_by_disassembly(&changed.kernel).verdict == TRUTH_UNKNOWN) {
		tap_skip("this build has no disassembler");
		return;
	}
	for (size_t n = 0; n < kernel_site_count(&changed.kernel); n++) {
		changed.sites[n].class ^= CLASS_FETCH;
		CU_ASSERT_EQUAL(truth_by_disassembly(&changed.kernel).verdict, TRUTH_DISAGREES);
		changed.sites[n].class ^= CLASS_FETCH;
	}
	/* of a kernel whose code runs on from line to line it is not known how often that is fetched */
	CU_ASSERT_FALSE(kernel_knows(kernel_named("alu100"), QUANTITY_FETCHES));
	CU_ASSERT_EQUAL(kernel_truth(kernel_named("jumps"), QUANTITY_FETCHES, 3, 10), 3 * (10 * 8 + 1) + 1);
}

static void wrong_length(void)
{
	static struct changed changed;

	if (!there_are_kernels())
		return;
	change(&changed, "alu20");
	for (size_t n = 0; n < kernel_site_count(&changed.kernel); n++) {
		changed.sites[n].length++;
		CU_ASSERT_NOT_EQUAL(truth_by_disassembly(&changed.kernel).verdict, TRUTH_AGREES);
		changed.sites[n].length--;
	}
}

/* What is noted as of each turn and is of each outer turn, and a branch that is not always taken */
static void wrong_part(void)
{
	static struct changed changed;
	size_t n;

	if (!there_are_kernels())
		return;
	if (truth_by_steps(kernel_named("mixed"), 2, 3).verdict == TRUTH_UNKNOWN) {
		tap_skip("no process may be stepped through here");
		return;
	}
	change(&changed, "mixed");
	for (n = 0; changed.sites[n].part != PART_TURN; n++)
		;
	changed.sites[n].part = PART_OUTER;
	CU_ASSERT_EQUAL(truth_by_steps(&changed.kernel, 2, 3).verdict, TRUTH_DISAGREES);
	changed.sites[n].part = PART_TURN;
	for (n = 0; !(changed.sites[n].class & CLASS_LOOP); n++)
		;
	changed.sites[n].class ^= CLASS_LOOP | CLASS_TAKEN;
	CU_ASSERT_EQUAL(truth_by_steps(&changed.kernel, 2, 3).verdict, TRUTH_DISAGREES);
}

/* In the paper: 10^9 misses, 20.004 10^9 instructions in the 1/20 case; 4 stores, 2 locked a turn of 10^8 */
static void papers_counts(void)
{
	const struct kernel *accuracy, *multi;

	if (!there_are_kernels())
		return;
	accuracy = kernel_named("accuracy20");
	multi = kernel_named("multi_event");
	CU_ASSERT_EQUAL(kernel_truth(accuracy, QUANTITY_L1_MISSES, accuracy->paper_outer, accuracy->inner),
			INT64_C(1000000000));
	/* and 5 that begin and end the kernel: loads of what to do, a jump, the return */
	CU_ASSERT_EQUAL(kernel_truth(accuracy, QUANTITY_INSTRUCTIONS, accuracy->paper_outer,
				     accuracy->inner), INT64_C(20004000005));
	CU_ASSERT_EQUAL(kernel_truth(multi, QUANTITY_STORES, 10000, 10000), INT64_C(400000000));
	CU_ASSERT_EQUAL(kernel_truth(multi, QUANTITY_LOCKED, 10000, 10000), INT64_C(200000000));
}

/* Every kernel begins at a cache line, and its loop does */
static void alignment(void)
{
	const struct kernel *kernel;

	if (!there_are_kernels())
		return;
	for (size_t n = 0; (kernel = kernel_at(n)); n++) {
		size_t site = 0;

		CU_ASSERT_EQUAL((uintptr_t)kernel->code % 64, 0);
		while (kernel->sites[site].part == PART_FIXED)
			site++;
		CU_ASSERT_EQUAL(kernel->sites[site].offset % 64, 0);
		/* addresses are found, others are not */
		for (site = 0; site < kernel_site_count(kernel); site++) {
			const uint64_t at = (uintptr_t)kernel->code + kernel->sites[site].offset;

			CU_ASSERT_EQUAL(kernel_site_at(kernel, at), site);
			if (kernel->sites[site].length > 1)
				CU_ASSERT_EQUAL(kernel_site_at(kernel, at + 1), SIZE_MAX);
		}
	}
}

/* A random cycle comes by every element before it is back at the first. */
static void cycles(void)
{
	const struct kernel *kernel = kernel_named("chase20");
	struct kernel_state state;

	if (!there_are_kernels())
		return;
	for (uint64_t seed = 0; seed < 20; seed++) {
		uint32_t at = 0;
		size_t length = 0;

		CU_ASSERT_EQUAL_FATAL(kernel_prepare(kernel, &state, kernel->inner, seed), 0);
		do {
			CU_ASSERT_FATAL(at < kernel->bytes && at % KERNEL_ELEMENT == 0);
			memcpy(&at, state.memory + at, sizeof(at));
			length++;
		} while (at && length <= kernel->bytes);
		CU_ASSERT_EQUAL(length, kernel->bytes / KERNEL_ELEMENT);
		kernel_free(&state);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the table says of a turn what its instructions do", table },
		{ "the disassembler says of each instruction what is noted", disassembly },
		{ "single steps execute each instruction as often as is noted", steps },
		{ "a class that is wrong is seen", wrong_class },
		{ "a fetch that is wrong is seen", wrong_fetch },
		{ "a length that is wrong is seen", wrong_length },
		{ "a part, or a branch, that is wrong is seen", wrong_part },
		{ "the paper's counts", papers_counts },
		{ "kernels and their loops begin at cache lines", alignment },
		{ "a chase comes by everything", cycles },
	};

	return tap_main("bench_kernels", cases, sizeof(cases) / sizeof(cases[0]));
}
