// SPDX-License-Identifier: BSD-3-Clause
/*
 * Floating-point operations and bytes of a function, as the true counts of its instructions have them and as
 * samples do.
 *
 *	mix_figures [--states N] TRACE FIRST END
 *
 * FIRST and END are addresses. Lines "MODEL STATE FIGURE HOW VALUE LOW HIGH": 'true' has the value thrice;
 * HOW is how far it is known: exact, masked (at most), or unknown, which counts executions. Exit code 77 in
 * a build that decodes no instructions.
 */
#include <precis/code.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdecode/code/instruction.h"
#include "simulate.h"
#include "truth.h"

enum figure { FLOPS, READ, WRITTEN, FIGURES };
enum known { EXACT, MASKED, UNKNOWN, KNOWNS };

static const char *const figure_names[] = { "flops", "read", "written" };
static const char *const known_names[] = { "exact", "masked", "unknown" };

/* By block, what one execution adds */
struct weights {
	double *of[FIGURES][KNOWNS];
};

static enum known known_as(uint32_t figure)
{
	return figure == CODE_FIGURE_EXACT ? EXACT : figure == CODE_FIGURE_MASKED ? MASKED : UNKNOWN;
}

static void add_instruction(const struct truth_instruction *what, struct weights *weights)
{
	struct code_instruction instruction;
	const struct code_form *form = &instruction.form;
	enum known flops, bytes;

	if (code_instruction_decode(what->bytes, what->length, what->address, 64, &instruction) <= 0)
		abort();
	flops = known_as(form->flops_figure);
	bytes = known_as(form->bytes_figure);
	weights->of[FLOPS][flops][what->block] += flops == UNKNOWN ? 1 : form->flops;
	weights->of[READ][bytes][what->block] += bytes == UNKNOWN ? 1 : code_read_bytes(form);
	weights->of[WRITTEN][bytes][what->block] += bytes == UNKNOWN ? 1 : code_written_bytes(form);
}

static struct weights weigh(const struct truth *truth, uint64_t first, uint64_t end)
{
	struct weights weights;

	for (int figure = 0; figure < FIGURES; figure++) {
		for (int known = 0; known < KNOWNS; known++) {
			weights.of[figure][known] =
				calloc(truth->flow.block_count + 1, sizeof(*weights.of[figure][known]));
			if (!weights.of[figure][known])
				abort();
		}
	}
	for (uint32_t n = 0; n < truth->instruction_count; n++) {
		if (truth->instructions[n].address >= first && truth->instructions[n].address < end)
			add_instruction(&truth->instructions[n], &weights);
	}
	return weights;
}

static int is_empty(const struct truth *truth, const double *weights)
{
	for (uint32_t block = 0; block < truth->flow.block_count; block++) {
		if (weights[block] != 0)
			return 0;
	}
	return 1;
}

static double true_sum(const struct truth *truth, const double *weights)
{
	double sum = 0;

	for (uint32_t block = 0; block < truth->flow.block_count; block++)
		sum += weights[block] * (double)truth->counts[block];
	return sum;
}

static void print_all(const struct truth *truth, const struct weights *weights,
		      struct mix_estimate *estimate, const char *model, uint32_t state)
{
	for (int figure = 0; figure < FIGURES; figure++) {
		for (int known = 0; known < KNOWNS; known++) {
			const double *of = weights->of[figure][known];
			const double sum = true_sum(truth, of);
			struct mix_figure value = { sum, { sum, sum } };

			if (is_empty(truth, of))
				continue;
			if (estimate)
				value = mix_sum(estimate, MIX_JOINT, of);
			printf("%s %u %s %s %.0f %.0f %.0f\n", model, state, figure_names[figure],
			       known_names[known], value.value, value.interval.low, value.interval.high);
		}
	}
}

static void estimate_all(struct truth *truth, const struct weights *weights,
			 const struct simulated_model *model, uint32_t state)
{
	const struct mix_options options = simulated_options(&model->how);
	struct simulated how = model->how;
	struct mix_observations seen = { 0 };
	struct mix_estimate *estimate;

	how.seed = state + 1;
	how.samples = how.stacks = 3000; /* 600 taken branches and more from one stack to the next */
	if (simulate_observations(truth, &how, &seen) < 0)
		abort();
	estimate = mix_estimate_new(&truth->flow, &seen, &options);
	if (!estimate)
		abort();
	print_all(truth, weights, estimate, model->name, state);
	mix_estimate_free(estimate);
	mix_observations_free(&seen);
}

int main(int count, char **texts)
{
	uint32_t states = 1;
	struct weights weights;
	struct truth truth;
	int n = 1;

	if (!precis_code_available())
		return 77;
	if (count == 6 && strcmp(texts[1], "--states") == 0) {
		states = (uint32_t)strtoul(texts[2], NULL, 10);
		n = 3;
	}
	if (count != n + 3) {
		fputs("usage: mix_figures [--states N] TRACE FIRST END\n", stderr);
		return 2;
	}
	if (truth_read(&truth, texts[n]) < 0)
		return 1;
	weights = weigh(&truth, strtoull(texts[n + 1], NULL, 16), strtoull(texts[n + 2], NULL, 16));
	print_all(&truth, &weights, NULL, "true", 0);
	for (const struct simulated_model *model = simulated_models; model->name; model++) {
		for (uint32_t state = 0; state < states; state++)
			estimate_all(&truth, &weights, model, state);
	}
	for (int figure = 0; figure < FIGURES; figure++) {
		for (int known = 0; known < KNOWNS; known++)
			free(weights.of[figure][known]);
	}
	truth_free(&truth);
	return 0;
}
