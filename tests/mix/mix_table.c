// SPDX-License-Identifier: BSD-3-Clause
/*
 * How far each estimate is from the truth, in percent of all instructions executed: programs by models of
 * sampling, several random states of each.
 *
 *	mix_table [--states N] [--samples N] [--stacks N] TRACE...
 *	mix_table --counts TRACE
 *
 * A trace is one of tests/mix/plugin.c. A line for each program and model, then the means; or of each
 * instruction its address and how often it ran. Exit code 77 in a build that decodes no instructions.
 */
#include <inttypes.h>
#include <math.h>
#include <precis/code.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/mix/mix.h"
#include "simulate.h"
#include "truth.h"

#define MODELS_MOST 16

struct errors {
	double mnemonic[MIX_METHODS], block[MIX_METHODS];
	double held, judged; /* intervals of the joint estimate, of shares of 0.1 % and more */
	double excess, baseline, flagged;
};

static const char *const methods[] = { "EBS", "LBR", "rule", "joint" };

static uint32_t states = 5, samples = 14000, stacks = 11000;

static void *cleared(size_t count, size_t size)
{
	void *array = calloc(count + 1, size);

	if (!array)
		abort();
	return array;
}

/* By block, how often it has a mnemonic */
static double *weights_of(const struct truth *truth, uint32_t mnemonic)
{
	double *weights = cleared(truth->flow.block_count, sizeof(*weights));

	for (uint32_t n = 0; n < truth->instruction_count; n++)
		weights[truth->instructions[n].block] += truth->instructions[n].mnemonic == mnemonic;
	return weights;
}

static double *true_mnemonics(const struct truth *truth)
{
	double *counts = cleared(truth->mnemonic_count, sizeof(*counts));

	for (uint32_t n = 0; n < truth->instruction_count; n++)
		counts[truth->instructions[n].mnemonic] += (double)truth->instructions[n].count;
	return counts;
}

static void add_errors(const struct truth *truth, const struct mix_estimate *estimate, int method,
		       const double *wanted, struct errors *errors)
{
	const double *counts = mix_counts(estimate, (enum mix_method)method);
	double *found, off = 0;

	if (!counts) {
		errors->mnemonic[method] = errors->block[method] = NAN;
		return;
	}
	found = cleared(truth->mnemonic_count, sizeof(*found));

	for (uint32_t n = 0; n < truth->instruction_count; n++)
		found[truth->instructions[n].mnemonic] += counts[truth->instructions[n].block];
	for (uint32_t n = 0; n < truth->mnemonic_count; n++)
		off += fabs(found[n] - wanted[n]);
	errors->mnemonic[method] += 100 * off / (double)truth->executed / states;
	off = 0;
	for (uint32_t block = 0; block < truth->flow.block_count; block++)
		off += fabs(counts[block] - (double)truth->counts[block]) *
		       truth->flow.blocks[block].instructions;
	errors->block[method] += 100 * off / (double)truth->executed / states;
	free(found);
}

static void judge_intervals(const struct truth *truth, struct mix_estimate *estimate, const double *wanted,
			    struct errors *errors)
{
	for (uint32_t n = 0; n < truth->mnemonic_count; n++) {
		double *weights;
		struct mix_figure figure;

		if (wanted[n] < 0.001 * (double)truth->executed)
			continue;
		weights = weights_of(truth, n);
		figure = mix_sum(estimate, MIX_JOINT, weights);
		errors->judged++;
		errors->held += figure.interval.low <= wanted[n] && wanted[n] <= figure.interval.high;
		free(weights);
	}
}

static void judge(struct truth *truth, const struct simulated_model *model, uint32_t state,
		  struct errors *errors)
{
	const struct mix_options options = {
		.cutoff = MIX_CUTOFF, .skid = model->how.source == SIMULATED_SHADOW ? MIX_SKID : 0,
		.by_op = model->how.source == SIMULATED_IBS
	};
	struct simulated how = model->how;
	struct mix_observations seen = { 0 };
	struct mix_estimate *estimate;
	struct mix_bias bias;
	double *wanted = true_mnemonics(truth);

	how.seed = state + 1;
	how.samples = samples;
	how.stacks = stacks;
	if (simulate_observations(truth, &how, &seen) < 0)
		abort();
	estimate = mix_estimate_new(&truth->flow, &seen, &options);
	if (!estimate)
		abort();
	for (int method = 0; method < MIX_METHODS; method++)
		add_errors(truth, estimate, method, wanted, errors);
	judge_intervals(truth, estimate, wanted, errors);
	bias = mix_bias_of(&seen);
	errors->excess += bias.excess / states;
	errors->baseline += bias.baseline / states;
	errors->flagged += (double)bias.is_flagged / states;
	mix_estimate_free(estimate);
	mix_observations_free(&seen);
	free(wanted);
}

static void print(const char *program, const char *model, const struct errors *errors, double of)
{
	printf("%-14s %-13s", program, model);
	for (int method = 0; method < MIX_METHODS; method++) {
		if (isnan(errors->mnemonic[method]))
			printf("     -/    -");
		else
			printf(" %5.2f/%5.2f", errors->mnemonic[method] / of, errors->block[method] / of);
	}
	printf("  %5.1f%% of %4.0f  %.3f %.3f %.2f\n", 100 * errors->held / errors->judged,
	       errors->judged, errors->excess / of, errors->baseline / of, errors->flagged / of);
	fflush(stdout);
}

static void add(struct errors *to, const struct errors *from)
{
	double *sums = (double *)to;
	const double *more = (const double *)from;

	for (size_t n = 0; n < sizeof(*to) / sizeof(*sums); n++)
		sums[n] += more[n];
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void judge_program(const char *path, struct errors means[MODELS_MOST])
{
	struct truth truth;

	if (truth_read(&truth, path) < 0)
		exit(1);
	printf("# %s: %llu instructions, %llu taken branches, %u blocks, %llu broken, %llu unequal\n",
	       name_of(path), (unsigned long long)truth.executed, (unsigned long long)truth.taken,
	       truth.flow.block_count, (unsigned long long)truth.broken, (unsigned long long)truth.unequal);
	for (size_t n = 0; simulated_models[n].name; n++) {
		struct errors errors = { 0 };

		for (uint32_t state = 0; state < states; state++)
			judge(&truth, &simulated_models[n], state, &errors);
		print(name_of(path), simulated_models[n].name, &errors, 1);
		add(&means[n], &errors);
	}
	truth_free(&truth);
}

static int print_counts(const char *path)
{
	struct truth truth;

	if (truth_read(&truth, path) < 0)
		return 1;
	for (uint32_t n = 0; n < truth.instruction_count; n++)
		printf("%" PRIx64 " %" PRIu64 "\n", truth.instructions[n].address,
		       truth.instructions[n].count);
	truth_free(&truth);
	return 0;
}

int main(int count, char **texts)
{
	struct errors means[MODELS_MOST] = { 0 };
	uint32_t *const numbers[] = { &states, &samples, &stacks };
	static const char *const names[] = { "--states", "--samples", "--stacks" };
	int programs = 0;

	if (!precis_code_available())
		return 77;
	if (count == 3 && strcmp(texts[1], "--counts") == 0)
		return print_counts(texts[2]);
	printf("# %% of instructions that are wrong, by mnemonic / by block; intervals that hold; bias\n");
	printf("# %-12s %-13s", "program", "model");
	for (int method = 0; method < MIX_METHODS; method++)
		printf(" %11s", methods[method]);
	printf("  joint's intervals  excess baseline flagged\n");
	for (int n = 1; n < count; n++) {
		int is_option = 0;

		for (size_t option = 0; option < 3 && n + 1 < count; option++) {
			if (strcmp(texts[n], names[option]) == 0) {
				*numbers[option] = (uint32_t)strtoul(texts[++n], NULL, 10);
				is_option = 1;
				break;
			}
		}
		if (!is_option) {
			judge_program(texts[n], means);
			programs++;
		}
	}
	for (size_t n = 0; programs && simulated_models[n].name; n++)
		print("mean", simulated_models[n].name, &means[n], programs);
	return programs ? 0 : 2;
}
