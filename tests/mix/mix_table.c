// SPDX-License-Identifier: BSD-3-Clause
/*
 * How far each estimate is from the truth, in percent of all instructions executed: programs by models of
 * sampling, several random states of each.
 *
 *	mix_table [--states N] [--samples N] [--stacks N] [--demands] [--cutoffs] TRACE...
 *	mix_table --counts TRACE
 *	mix_table --published MODEL TRACE
 *
 * A trace is one of tests/mix/plugin.c. A line for each program and model, then the means, then what is
 * demanded of them (demands.def): exit code 1 if one is missed; and which cutoff of the rule suits each model
 * best, learnt of these programs. Or of each instruction its address, how
 * often it ran, and its mnemonic. Or of each block its first instruction's address, its last one's, how many
 * it has, and its count by EBS and by LBR, of the samples that mix_recording writes of that model. Exit code
 * 77 in a build that decodes no instructions.
 */
#include <inttypes.h>
#include <math.h>
#include <precis/code.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cutoffs.h"
#include "demands.h"
#include "simulate.h"
#include "truth.h"

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
		       const double *wanted, struct mix_errors *errors)
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
			    struct mix_errors *errors)
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
		  struct mix_errors *errors, struct cutoffs *cutoffs)
{
	const struct mix_options options = simulated_options(&model->how);
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
	cutoffs_add(cutoffs, truth, mix_counts(estimate, MIX_EBS), mix_counts(estimate, MIX_LBR),
		    wanted);
	judge_intervals(truth, estimate, wanted, errors);
	bias = mix_bias_of(&seen);
	errors->excess += bias.excess / states;
	errors->baseline += bias.baseline / states;
	errors->flagged += (double)bias.is_flagged / states;
	mix_estimate_free(estimate);
	mix_observations_free(&seen);
	free(wanted);
}

static void print(const char *program, const char *model, const struct mix_errors *errors, double of)
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

static void add(struct mix_errors *to, const struct mix_errors *from)
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

/* A row for each model of each program */
struct table {
	struct mix_row *rows;
	struct cutoffs *cutoffs; /* by model */
	uint32_t count, models;
};

static void judge_program(const char *path, struct table *table)
{
	struct truth truth;

	if (truth_read(&truth, path) < 0)
		exit(1);
	printf("# %s: %llu instructions, %llu taken branches, %u blocks, %llu broken, %llu unequal\n",
	       name_of(path), (unsigned long long)truth.executed, (unsigned long long)truth.taken,
	       truth.flow.block_count, (unsigned long long)truth.broken, (unsigned long long)truth.unequal);
	table->rows = realloc(table->rows, (table->count + table->models) * sizeof(*table->rows));
	if (!table->rows)
		abort();
	for (uint32_t n = 0; n < table->models; n++) {
		struct mix_row *row = &table->rows[table->count++];

		*row = (struct mix_row){ name_of(path), simulated_models[n].name, { .held = 0 } };
		for (uint32_t state = 0; state < states; state++)
			judge(&truth, &simulated_models[n], state, &row->errors,
			      &table->cutoffs[n]);
		print(row->program, row->model, &row->errors, 1);
	}
	truth_free(&truth);
}

static void print_means(const struct table *table)
{
	for (uint32_t model = 0; model < table->models; model++) {
		struct mix_errors mean = { .held = 0 };

		for (uint32_t n = model; n < table->count; n += table->models)
			add(&mean, &table->rows[n].errors);
		print("mean", simulated_models[model].name, &mean, table->count / table->models);
	}
}

static void print_cutoffs(const struct table *table)
{
	cutoffs_print_head();
	for (uint32_t n = 0; n < table->models; n++)
		cutoffs_print(simulated_models[n].name, &table->cutoffs[n]);
}

static int print_counts(const char *path)
{
	struct truth truth;

	if (truth_read(&truth, path) < 0)
		return 1;
	for (uint32_t n = 0; n < truth.instruction_count; n++)
		printf("%" PRIx64 " %" PRIu64 " %s\n", truth.instructions[n].address,
		       truth.instructions[n].count, truth.mnemonics[truth.instructions[n].mnemonic]);
	truth_free(&truth);
	return 0;
}

static int print_published(const char *name, const char *path)
{
	const struct simulated_model *model = simulated_find(name);
	const struct mix_options options = { .cutoff = MIX_CUTOFF };
	struct mix_observations seen = { 0 };
	struct mix_estimate *estimate;
	struct simulated how;
	struct truth truth;

	if (!model || truth_read(&truth, path) < 0)
		return 1;
	how = model->how;
	how.seed = 1;
	how.samples = samples;
	how.stacks = stacks;
	if (simulate_observations(&truth, &how, &seen) < 0)
		abort();
	estimate = mix_estimate_new(&truth.flow, &seen, &options);
	if (!estimate)
		abort();
	for (uint32_t block = 0; block < truth.flow.block_count; block++) {
		const uint32_t first = truth.first[block], end = truth.first[block + 1];

		printf("%" PRIx64 " %" PRIx64 " %u %.9g %.9g\n", truth.instructions[first].address,
		       truth.instructions[end - 1].address, end - first,
		       mix_counts(estimate, MIX_EBS)[block], mix_counts(estimate, MIX_LBR)[block]);
	}
	mix_estimate_free(estimate);
	mix_observations_free(&seen);
	truth_free(&truth);
	return 0;
}

static void print_head(void)
{
	printf("# modeled: samples and stacks are drawn by a simulator, of no processor\n");
	printf("# %% of instructions that are wrong, by mnemonic / by block; intervals that hold; bias\n");
	printf("# %-12s %-13s", "program", "model");
	for (int method = 0; method < MIX_METHODS; method++)
		printf(" %11s", methods[method]);
	printf("  joint's intervals  excess baseline flagged\n");
}

/* @return 1: the text is the name of an option with a number, which is taken */
static int take_number(const char *name, const char *number)
{
	uint32_t *const numbers[] = { &states, &samples, &stacks };
	static const char *const names[] = { "--states", "--samples", "--stacks" };

	for (size_t n = 0; number && n < sizeof(names) / sizeof(names[0]); n++) {
		if (strcmp(name, names[n]) == 0) {
			*numbers[n] = (uint32_t)strtoul(number, NULL, 10);
			return 1;
		}
	}
	return 0;
}

int main(int count, char **texts)
{
	struct table table = { 0 };
	int is_judged = 0, has_cutoffs = 0, missed = 0;

	if (!precis_code_available())
		return 77;
	if (count == 3 && strcmp(texts[1], "--counts") == 0)
		return print_counts(texts[2]);
	if (count == 4 && strcmp(texts[1], "--published") == 0)
		return print_published(texts[2], texts[3]);
	while (simulated_models[table.models].name)
		table.models++;
	table.cutoffs = cleared(table.models, sizeof(*table.cutoffs));
	print_head();
	for (int n = 1; n < count; n++) {
		if (take_number(texts[n], texts[n + 1]))
			n++;
		else if (strcmp(texts[n], "--demands") == 0)
			is_judged = 1;
		else if (strcmp(texts[n], "--cutoffs") == 0)
			has_cutoffs = 1;
		else
			judge_program(texts[n], &table);
	}
	if (table.count)
		print_means(&table);
	if (table.count && has_cutoffs)
		print_cutoffs(&table);
	if (table.count && is_judged)
		missed = demands_print(table.rows, table.count);
	free(table.rows);
	free(table.cutoffs);
	return !table.count ? 2 : missed ? 1 : 0;
}
