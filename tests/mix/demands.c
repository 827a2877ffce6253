// SPDX-License-Identifier: BSD-3-Clause
/* The table of demands: which model, which figure, at most or at least how much. */
#include "demands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A figure of all programs under a model */
typedef double figure_of(const struct mix_row *rows, uint32_t count, const char *model);

static int is_of(const struct mix_row *row, const char *model)
{
	return strcmp(row->model, model) == 0;
}

static double mean(const struct mix_row *rows, uint32_t count, const char *model, int method, int by_block)
{
	double sum = 0, programs = 0;

	for (uint32_t n = 0; n < count; n++) {
		if (!is_of(&rows[n], model))
			continue;
		sum += by_block ? rows[n].errors.block[method] : rows[n].errors.mnemonic[method];
		programs++;
	}
	return sum / programs;
}

static double lbr_mnemonics(const struct mix_row *rows, uint32_t count, const char *model)
{
	return mean(rows, count, model, MIX_LBR, 0);
}

static double joint_mnemonics(const struct mix_row *rows, uint32_t count, const char *model)
{
	return mean(rows, count, model, MIX_JOINT, 0);
}

static double joint_blocks(const struct mix_row *rows, uint32_t count, const char *model)
{
	return mean(rows, count, model, MIX_JOINT, 1);
}

static double beside_rule(const struct mix_row *rows, uint32_t count, const char *model)
{
	return joint_mnemonics(rows, count, model) / mean(rows, count, model, MIX_RULE, 0);
}

/* fmin() and fmax() pass over what is NAN */
static double above_best(const struct mix_row *rows, uint32_t count, const char *model)
{
	double most = NAN;

	for (uint32_t n = 0; n < count; n++) {
		const double *of = rows[n].errors.mnemonic;
		const double best = fmin(of[MIX_EBS], fmin(of[MIX_LBR], of[MIX_RULE]));

		if (is_of(&rows[n], model))
			most = fmax(most, of[MIX_JOINT] - best);
	}
	return most;
}

static double intervals_held(const struct mix_row *rows, uint32_t count, const char *model)
{
	double held = 0, judged = 0;

	for (uint32_t n = 0; n < count; n++) {
		held += is_of(&rows[n], model) ? rows[n].errors.held : 0;
		judged += is_of(&rows[n], model) ? rows[n].errors.judged : 0;
	}
	return 100 * held / judged;
}

/* The least of all programs whose windows have a bias that can be told from the baseline */
static double flagged_least(const struct mix_row *rows, uint32_t count, const char *model)
{
	double least = NAN;

	for (uint32_t n = 0; n < count; n++) {
		const struct mix_errors *errors = &rows[n].errors;

		if (is_of(&rows[n], model) && errors->excess > 2 * errors->baseline)
			least = fmin(least, 100 * errors->flagged);
	}
	return least;
}

static double flagged_most(const struct mix_row *rows, uint32_t count, const char *model)
{
	double most = NAN;

	for (uint32_t n = 0; n < count; n++)
		most = is_of(&rows[n], model) ? fmax(most, 100 * rows[n].errors.flagged) : most;
	return most;
}

static const struct demand {
	const char *model;
	figure_of *figure;
	int is_least;
	double limit;
	const char *text;
} demands[] = {
#define DEMAND(model, figure, is_least, limit, text) { model, figure, is_least, limit, text },
#include "demands.def"
#undef DEMAND
};

int demands_print(const struct mix_row *rows, uint32_t count)
{
	int missed = 0;

	printf("# demands, over the programs above\n");
	printf("# %-14s %-54s %10s %8s\n", "model", "figure", "wanted", "got");
	for (size_t n = 0; n < sizeof(demands) / sizeof(demands[0]); n++) {
		const struct demand *demand = &demands[n];
		const double got = demand->figure(rows, count, demand->model);
		/* NAN meets nothing */
		const int is_met = demand->is_least ? got >= demand->limit : got <= demand->limit;

		printf("%-16s %-54s %s %7.2f %8.2f  %s\n", demand->model, demand->text,
		       demand->is_least ? ">=" : "<=", demand->limit, got, is_met ? "MET" : "MISSED");
		missed += !is_met;
	}
	return missed;
}
