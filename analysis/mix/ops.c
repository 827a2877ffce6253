/* SPDX-License-Identifier: BSD-3-Clause */
/* See ops.h. */
#include "ops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "libdecode/code/instruction.h"

#define ROUNDS 30u
#define PRIOR 20.0 /* samples that would say one op */
#define NONE 0.01 /* ops of what is not sampled by itself: of no weight, but not none */
#define SURE 3.5 /* standard deviations beyond which a number of ops is not what it is taken for */

/* Of an execution of a block as a whole, and of each of its units: an instruction, or a fused pair */
struct learning {
	const struct code_blocks *blocks;
	uint32_t forms;    /* classes: forms, and behind these pairs by the form of their comparison */
	double *ops;       /* by class */
	double *seen;      /* samples, by class */
	double *expected;  /* what they would be if each had one op, by class */
	double *of_block;  /* samples, by block ... */
	double *at_last;   /* ... and of its last unit */
	uint8_t *is_simple; /* by form */
	uint32_t compare, test;
};

static const struct code_form *form_of(const struct learning *learning, const struct code_block *block,
				       uint32_t step)
{
	const uint32_t *steps = code_blocks_steps(learning->blocks, block);

	return code_blocks_form(learning->blocks, CODE_STEP_FORM(steps[step]));
}

static int is_comparison(const struct learning *learning, const struct code_block *block, uint32_t step)
{
	const uint32_t mnemonic = form_of(learning, block, step)->mnemonic;

	return mnemonic && (mnemonic == learning->compare || mnemonic == learning->test);
}

static int ends_in_pair(const struct learning *learning, const struct code_block *block)
{
	return block->branch == CODE_BRANCH_CONDITIONAL && block->count > 1 &&
	       is_comparison(learning, block, block->count - 2);
}

/* The jump that is fused with a block's last instruction, but is a block by itself as something led to it */
static const struct code_block *jump_behind(const struct learning *learning, const struct code_block *block)
{
	const struct code_block *next;

	if (block->branch != CODE_BRANCH_NONE || !block->count || block->next == CODE_NO_BLOCK ||
	    !is_comparison(learning, block, block->count - 1))
		return NULL;
	next = code_blocks_get(learning->blocks, block->next);
	return next->count == 1 && next->branch == CODE_BRANCH_CONDITIONAL ? next : NULL;
}

/* Units of a block: the pair is its last one */
static uint32_t units_of(const struct learning *learning, const struct code_block *block)
{
	return block->count - (ends_in_pair(learning, block) ? 1 : 0);
}

static uint32_t class_of(const struct learning *learning, const struct code_block *block, uint32_t unit)
{
	const uint32_t *steps = code_blocks_steps(learning->blocks, block);
	const int is_pair = unit + 1 == units_of(learning, block) && ends_in_pair(learning, block);

	return CODE_STEP_FORM(steps[unit]) + (is_pair ? learning->forms : 0);
}

static double ops_of(const struct learning *learning, const struct code_block *block)
{
	double ops = 0;

	for (uint32_t unit = 0; unit < units_of(learning, block); unit++)
		ops += learning->ops[class_of(learning, block, unit)];
	return ops;
}

/* What has one op on every core */
static int is_simple(const struct code_form *form)
{
	static const char *const names[] = { "add", "and", "cmp", "dec", "inc", "lea", "mov", "movsx",
					     "movsxd", "movzx", "or", "sub", "test", "xor" };
	const char *name = code_mnemonic_name(form->mnemonic);

	if (!name || code_read_bytes(form) || code_written_bytes(form) || form->traits)
		return 0;
	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		if (strcmp(name, names[n]) == 0)
			return 1;
	}
	return 0;
}

static void count(struct learning *learning, const struct op_samples *samples, size_t count)
{
	for (size_t n = 0; n < count; n++) {
		const struct code_block *block = code_blocks_get(learning->blocks, samples[n].code);
		const uint32_t last = units_of(learning, block) - 1;
		const uint32_t unit = samples[n].step < last ? samples[n].step : last;

		learning->seen[class_of(learning, block, unit)] += (double)samples[n].count;
		learning->of_block[samples[n].code] += (double)samples[n].count;
		if (unit == last)
			learning->at_last[samples[n].code] += (double)samples[n].count;
	}
}

/* Executions of a block, in samples that one op of it has, are spread over its units. */
static void expect(struct learning *learning)
{
	memset(learning->expected, 0, 2 * (size_t)learning->forms * sizeof(*learning->expected));
	for (uint32_t n = 0; n < code_blocks_count(learning->blocks); n++) {
		const struct code_block *block = code_blocks_get(learning->blocks, n);
		double executions;

		if (learning->of_block[n] == 0)
			continue;
		executions = learning->of_block[n] / ops_of(learning, block);
		for (uint32_t unit = 0; unit < units_of(learning, block); unit++)
			learning->expected[class_of(learning, block, unit)] += executions;
	}
}

static void improve(struct learning *learning)
{
	double seen = PRIOR, expected = PRIOR;

	expect(learning);
	for (uint32_t form = 0; form < learning->forms; form++) {
		if (learning->is_simple[form]) {
			seen += learning->seen[form];
			expected += learning->expected[form];
		}
	}
	for (uint32_t n = 0; n < 2 * learning->forms; n++)
		learning->ops[n] = (learning->seen[n] * expected / seen + PRIOR) /
				   (learning->expected[n] + PRIOR);
}

/*
 * An instruction has a whole number of ops, mostly one: where samples do not contradict that it is it. What
 * chance makes of a few samples would be an error of all blocks with the instruction.
 */
static void settle(struct learning *learning)
{
	for (uint32_t n = 0; n < 2 * learning->forms; n++) {
		const double whole = fmax(round(learning->ops[n]), 1), expected = learning->expected[n];

		if ((learning->ops[n] - 1) * expected <= SURE * sqrt(expected))
			learning->ops[n] = 1;
		else if (fabs(learning->ops[n] - whole) * expected <= SURE * sqrt(whole * expected))
			learning->ops[n] = whole;
	}
}

static int begin(struct learning *learning)
{
	const size_t classes = 2 * (size_t)learning->forms + 1;

	learning->ops = malloc(classes * sizeof(*learning->ops));
	learning->seen = calloc(classes, sizeof(*learning->seen));
	learning->expected = calloc(classes, sizeof(*learning->expected));
	learning->of_block = calloc(code_blocks_count(learning->blocks) + 1, sizeof(*learning->of_block));
	learning->at_last = calloc(code_blocks_count(learning->blocks) + 1, sizeof(*learning->at_last));
	learning->is_simple = calloc(learning->forms + 1, sizeof(*learning->is_simple));
	if (!learning->ops || !learning->seen || !learning->expected || !learning->of_block ||
	    !learning->at_last || !learning->is_simple)
		return -1;
	for (size_t n = 0; n < classes; n++)
		learning->ops[n] = 1;
	for (uint32_t form = 0; form < learning->forms; form++)
		learning->is_simple[form] = (uint8_t)is_simple(code_blocks_form(learning->blocks, form));
	return 0;
}

/*
 * Of a pair that is of two blocks one has the op: samples tell which. If neither has any nothing is told
 * by either.
 */
static void split_pairs(const struct learning *learning, double *ops)
{
	for (uint32_t n = 0; n < code_blocks_count(learning->blocks); n++) {
		const struct code_block *block = code_blocks_get(learning->blocks, n);

		if (!jump_behind(learning, block))
			continue;
		if (learning->at_last[n] >= learning->at_last[block->next])
			ops[block->next] = NONE;
		else
			ops[n] = fmax(ops[n] - learning->ops[class_of(learning, block, block->count - 1)],
				      NONE);
	}
}

int ops_learn(const struct code_blocks *blocks, const struct op_samples *samples, size_t sample_count,
	      double *ops)
{
	struct learning learning = { .blocks = blocks, .forms = code_blocks_forms(blocks),
				     .compare = code_mnemonic_find("CMP", 3),
				     .test = code_mnemonic_find("TEST", 4) };
	const int failed = begin(&learning) < 0;

	if (!failed) {
		count(&learning, samples, sample_count);
		for (uint32_t round = 0; round < ROUNDS; round++)
			improve(&learning);
		settle(&learning);
		for (uint32_t n = 0; n < code_blocks_count(blocks); n++)
			ops[n] = ops_of(&learning, code_blocks_get(blocks, n));
		split_pairs(&learning, ops);
	}
	free(learning.ops);
	free(learning.seen);
	free(learning.expected);
	free(learning.of_block);
	free(learning.at_last);
	free(learning.is_simple);
	return failed ? -1 : 0;
}
