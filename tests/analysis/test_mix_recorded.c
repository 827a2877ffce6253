/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The joint estimate on branches of a Skylake-SP whose windows are biased, and whose code is not there: each
 * branch is a block, and whatever comes behind it in a stack may come behind it. Six of them are in one loop:
 * as what goes round it takes each once, they are taken equally often, which the stacks' places are far from.
 */
#include <stdio.h>
#include <stdlib.h>

#include <precis/precis.h>

#include "analysis/mix/mix.h"
#include "analysis/mix/numbering.h"
#include "tests/support/tap.h"

#define REAL "google_autofdo__propeller_sample_1.perfdata1"
#define LOOP 6
/* The newest may be a copy of the next one, which then is the newest itself */
#define NEWEST 2u

static struct numbering branches;
static struct mix_observations seen;
static uint64_t taken[1 << 16];

/* Numbers of the branches of a stack, the newest first, as jumps from one to the next */
static void take_stack(const struct precis_event *event, const struct precis_record *record, uint64_t cluster)
{
	struct precis_perf_sample sample = { .size = sizeof(sample) };
	struct mix_jump jumps[MIX_STACK_MOST];
	uint32_t count = 0, newer = FLOW_NONE;

	if (!event || precis_perf_sample_parse(event->layout, record, &sample))
		return;
	for (uint64_t n = NEWEST; n < sample.branch_count && count < MIX_STACK_MOST; n++) {
		struct precis_branch branch = { .size = sizeof(branch) };
		uint32_t number;

		CU_ASSERT_EQUAL_FATAL(precis_branch(&sample, n, &branch), 0);
		number = numbering_of(&branches, &(struct numbering_key){ { branch.from, branch.to } });
		CU_ASSERT_FATAL(number < sizeof(taken) / sizeof(taken[0]));
		taken[number]++;
		if (newer != FLOW_NONE)
			jumps[count++] = (struct mix_jump){ number, newer };
		newer = number;
	}
	CU_ASSERT_EQUAL(mix_add_stack(&seen, jumps, count, 1, cluster), 0);
}

static int read_stacks(const char *path)
{
	struct precis_record record = { 0 };
	struct precis_file *file;
	uint64_t count = 0;

	if (precis_file_open(path, NULL, &file, NULL))
		return 0;
	while (precis_file_next(file, &record) == 1) {
		if (record.type == PRECIS_RECORD_SAMPLE)
			take_stack(precis_file_event_of(file, &record), &record, count++);
	}
	precis_file_close(file);
	return 1;
}

/* The numbers of those that are in stacks most often */
static void find_loop(uint32_t loop[LOOP])
{
	for (uint32_t n = 0; n < LOOP; n++) {
		uint32_t most = FLOW_NONE;

		for (uint32_t branch = 0; branch < branches.count; branch++) {
			int is_known = 0;

			for (uint32_t before = 0; before < n; before++)
				is_known |= loop[before] == branch;
			if (!is_known && (most == FLOW_NONE || taken[branch] > taken[most]))
				most = branch;
		}
		loop[n] = most;
	}
}

/* By how much the largest is more than the least */
static double spread(const double of[LOOP])
{
	double least = of[0], most = of[0];

	for (uint32_t n = 1; n < LOOP; n++) {
		least = of[n] < least ? of[n] : least;
		most = of[n] > most ? of[n] : most;
	}
	return most / least - 1;
}

static void one_loop(void)
{
	const struct flow_block block = { .instructions = 1, .ends = FLOW_JUMPS, .next = FLOW_NONE };
	const struct mix_options options = { .cutoff = MIX_CUTOFF };
	const char *shared = getenv("PRECIS_SHARED");
	struct mix_estimate *estimate;
	struct flow flow = { 0 };
	double stacks[LOOP], joint[LOOP];
	uint32_t loop[LOOP];
	char path[4096];

	snprintf(path, sizeof(path), "%s/perfdata/" REAL, shared ? shared : "");
	if (!read_stacks(path)) {
		tap_skip("no recording " REAL " (PRECIS_SHARED)");
		return;
	}
	for (uint32_t n = 0; n < branches.count; n++)
		CU_ASSERT_EQUAL(flow_add_block(&flow, &block), n);
	estimate = mix_estimate_new(&flow, &seen, &options);
	CU_ASSERT_PTR_NOT_NULL_FATAL(estimate);
	CU_ASSERT_EQUAL_FATAL(mix_why(estimate, MIX_JOINT), MIX_ESTIMATED);
	find_loop(loop);
	for (uint32_t n = 0; n < LOOP; n++) {
		stacks[n] = mix_counts(estimate, MIX_LBR)[loop[n]];
		joint[n] = mix_counts(estimate, MIX_JOINT)[loop[n]];
		printf("# %.1f in stacks, %.1f by the joint estimate\n", stacks[n], joint[n]);
	}
	CU_ASSERT(spread(stacks) > 0.02);
	CU_ASSERT(spread(joint) <= 0.005);
	mix_estimate_free(estimate);
	mix_observations_free(&seen);
	numbering_free(&branches);
	flow_free(&flow);
}

static const struct tap_case cases[] = {
	{ "six branches of one loop of a recording are taken equally often", one_loop },
};

int main(void)
{
	return tap_main("mix_recorded", cases, sizeof(cases) / sizeof(cases[0]));
}
