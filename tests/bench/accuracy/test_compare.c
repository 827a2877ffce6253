/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two samplers that are made up: of each metric the interval of the difference holds the true one in 95
 * of 100 pairs or more, of 100 pairs of equal ones at most 5 have any verdict, and what one has and the
 * other has not is found.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/accuracy/compare.h"
#include "tests/property/random.h"
#include "kernels_here.h"
#include "tests/support/repetitions.h"
#include "tests/support/tap.h"

#define RUNS 5u
#define SAMPLES 2000u
#define PERIOD 1009u

static uint64_t state;

/* What a sampler does: shares of its samples, and in percent by how much that differs from run to run */
struct sampler {
	double dropped, lost; /* not told; told */
	double wrong, far;    /* one instruction behind, three behind */
	double kernel_mode, elsewhere, outside;
	double tagged;        /* go to the first of two instructions */
	double unscheduled;   /* of the time */
	double overhead;      /* of the CPU time */
	double throttled;     /* times in each run */
	double varies;        /* deviation of the dropped share, and of times */
	uint32_t samples;     /* that are expected in each run */
};

static const struct sampler usual = {
	.dropped = 0.02, .lost = 0.01, .wrong = 0.01, .far = 0.004, .kernel_mode = 0.01, .elsewhere = 0.01,
	.outside = 0.01, .tagged = 0.2, .unscheduled = 0.1, .overhead = 0.5, .throttled = 3, .varies = 0.005,
	.samples = SAMPLES,
};

/* What each metric is in the mean, and NAN where that is nothing to be told by these */
static double truth_of(enum metric metric, const struct sampler *sampler)
{
	const double scheduled = 1 - sampler->unscheduled;
	const double there = (1 - sampler->lost) * (1 - sampler->dropped);
	const double seen = there * (1 - sampler->outside);

	switch (metric) {
	case METRIC_accuracy:
		return 100 * scheduled * there;
	case METRIC_error:
		return 100 * (scheduled * seen - 1);
	case METRIC_effective_period:
		return PERIOD / (scheduled * seen);
	case METRIC_unexplained:
		return 100 * scheduled * (1 - sampler->lost - seen);
	case METRIC_wrong_rate:
		return 100 * (sampler->wrong + sampler->far);
	case METRIC_skid_1:
		return 100 * sampler->wrong;
	case METRIC_skid_2:
		return 0;
	case METRIC_skid_more:
		return 100 * sampler->far;
	case METRIC_outside:
		return 100 * sampler->outside;
	case METRIC_wrong_mode:
		return 100 * sampler->kernel_mode;
	case METRIC_wrong_address:
		return 100 * sampler->elsewhere;
	case METRIC_lost:
		return 100 * sampler->lost / (sampler->lost + there);
	case METRIC_time_overhead:
		return 100 * sampler->overhead;
	case METRIC_throttled:
		return sampler->throttled;
	case METRIC_unscheduled:
		return 100 * sampler->unscheduled;
	case METRIC_bias:
		return 50 * sampler->tagged;
	default:
		return NAN;
	}
}

static int happens(double share)
{
	return random_uniform(&state) < share;
}

/* Of two sites that do it, and what a sample says of the others */
struct made {
	const struct kernel *kernel;
	const struct bench_event *event;
	size_t sites[2];
};

static struct made make(void)
{
	struct made made = { .kernel = kernel_named("watch") };
	size_t count = 0;

	made.event = event_named("breakpoint_access", strlen("breakpoint_access"));
	for (size_t n = 0; made.kernel && n < kernel_site_count(made.kernel); n++) {
		if (kernel_site_truth(made.kernel, n, made.event->quantity, 2, 2) && count < 2)
			made.sites[count++] = n;
	}
	return made;
}

static void draw_sample(const struct made *made, const struct sampler *sampler, struct counts *counts)
{
	const size_t site = made->sites[!happens(sampler->tagged) && happens(0.5)];

	counts->all++;
	counts->samples++;
	if (happens(sampler->kernel_mode))
		counts->kernel_mode++;
	else
		counts->user_mode++;
	counts->wrong_address += happens(sampler->elsewhere);
	if (happens(sampler->outside)) {
		counts->outside++;
		return;
	}
	/* of those in the kernel */
	if (happens(sampler->wrong)) {
		counts->wrong++;
		counts->skid[1]++;
		counts->sites[site + 1]++;
	} else if (happens(sampler->far / (1 - sampler->wrong))) {
		counts->wrong++;
		counts->skid[3]++;
		counts->sites[site + 3]++;
	} else {
		counts->right++;
		counts->skid[0]++;
		counts->sites[site]++;
	}
}

static double varied(const struct sampler *sampler, double value)
{
	return value + sampler->varies * random_normal(&state);
}

static uint64_t poisson(double mean)
{
	double time = -log(random_uniform(&state));
	uint64_t count = 0;

	for (; time < mean; count++)
		time -= log(random_uniform(&state));
	return count;
}

static void draw_run(const struct made *made, const struct sampler *sampler, struct run *run,
		     struct run *bare)
{
	struct counts *counts = run_counts(run, 0, 0);
	const double dropped = varied(sampler, sampler->dropped);
	const double unscheduled = varied(sampler, sampler->unscheduled);

	memset(counts, 0, sizeof(*counts));
	counts->truth = (uint64_t)sampler->samples * PERIOD;
	for (uint32_t n = 0; n < sampler->samples; n++) {
		if (happens(unscheduled))
			continue;
		if (happens(sampler->lost))
			counts->lost++;
		else if (!happens(dropped))
			draw_sample(made, sampler, counts);
	}
	counts->enabled_ns = 1000000000;
	counts->running_ns = (uint64_t)(1e9 * (1 - unscheduled));
	counts->throttled = poisson(sampler->throttled);
	bare->thread[0].cpu_ns = 1000000000;
	run->thread[0].cpu_ns = (uint64_t)(1e9 * (1 + varied(sampler, sampler->overhead)));
}

/* --- pairs --- */

struct pair {
	struct made made;
	struct run runs[2][RUNS], bare[2][RUNS];
};

static struct series series_of(const struct pair *pair, uint32_t side)
{
	return (struct series){
		.kernel = pair->made.kernel, .event = pair->made.event, .runs = pair->runs[side],
		.bare = pair->bare[side], .count = RUNS, .period = PERIOD,
	};
}

/* 0: there are no kernels here */
static int pair_open(struct pair *pair)
{
	memset(pair, 0, sizeof(*pair));
	if (!there_are_kernels())
		return 0;
	pair->made = make();
	for (uint32_t n = 0; n < 2 * RUNS; n++) {
		CU_ASSERT_EQUAL_FATAL(run_allocate(&pair->runs[n % 2][n / 2], 1, 1), 0);
		CU_ASSERT_EQUAL_FATAL(run_allocate(&pair->bare[n % 2][n / 2], 1, 0), 0);
	}
	return 1;
}

static void pair_close(struct pair *pair)
{
	for (uint32_t n = 0; n < 2 * RUNS; n++) {
		run_free(&pair->runs[n % 2][n / 2]);
		run_free(&pair->bare[n % 2][n / 2]);
	}
}

static void draw_pair(struct pair *pair, const struct sampler *before, const struct sampler *after)
{
	for (uint32_t n = 0; n < RUNS; n++) {
		draw_run(&pair->made, before, &pair->runs[0][n], &pair->bare[0][n]);
		draw_run(&pair->made, after, &pair->runs[1][n], &pair->bare[1][n]);
	}
}

static struct comparison compared(const struct pair *pair, enum metric metric)
{
	const struct series before = series_of(pair, 0), after = series_of(pair, 1);
	struct comparison comparison;

	metric_compare(metric, &before, &after, &comparison);
	return comparison;
}

static uint32_t seeds(void)
{
	return repetitions(1000, 100);
}

/* Of 100 that miss in 5 of 100 cases each, 10 or more do in 3 of 100: fewer seeds have more room */
static uint32_t most_missed(void)
{
	return seeds() == 100 ? 9 : 60;
}

/* --- what is asked --- */

/* Differences in everything at once, and in nothing: each metric has its truth. */
static void intervals_hold(void)
{
	static const struct sampler other = {
		.dropped = 0.04, .lost = 0.03, .wrong = 0.02, .far = 0.01, .kernel_mode = 0.005,
		.elsewhere = 0.02, .outside = 0.03, .tagged = 0.3, .unscheduled = 0.2, .overhead = 0.8,
		.throttled = 5, .varies = 0.01, .samples = SAMPLES,
	};
	const struct sampler *const others[] = { &usual, &other };
	struct pair pair;

	for (uint32_t which = 0; which < 2; which++) {
		uint32_t missed[METRIC_COUNT] = { 0 }, judged = 0;

		if (!pair_open(&pair))
			return;
		state = 77;
		for (uint32_t seed = 0; seed < seeds(); seed++) {
			draw_pair(&pair, &usual, others[which]);
			for (enum metric metric = 0; metric < METRIC_COUNT; metric++) {
				const double truth = truth_of(metric, others[which]) -
						     truth_of(metric, &usual);
				const struct comparison found = compared(&pair, metric);

				if (isnan(truth))
					continue;
				CU_ASSERT_EQUAL(found.state, COMPARED);
				CU_ASSERT(found.tested.interval.high > found.tested.interval.low);
				missed[metric] += truth < found.tested.interval.low ||
						  truth > found.tested.interval.high;
				judged++;
			}
		}
		CU_ASSERT_EQUAL(judged, seeds() * 16);
		for (enum metric metric = 0; metric < METRIC_COUNT; metric++) {
			if (missed[metric] > most_missed())
				printf("# %s is missed by %u of %u\n", metric_info(metric)->name,
				       missed[metric], seeds());
			CU_ASSERT(missed[metric] <= most_missed());
		}
		pair_close(&pair);
	}
}

/* Has any of them a verdict, if all metrics are judged together? */
static int any_verdict(const struct pair *pair)
{
	double chances[METRIC_COUNT];
	size_t count = 0;
	int any = 0;

	for (enum metric metric = 0; metric < METRIC_COUNT; metric++) {
		const struct comparison found = compared(pair, metric);

		if (found.state == COMPARED)
			chances[count++] = found.tested.p;
	}
	CU_ASSERT_EQUAL(holm_adjust(chances, count), 0);
	for (size_t n = 0; n < count; n++)
		any |= chances[n] <= 0.05;
	return any;
}

static void equal_ones(void)
{
	struct pair pair;
	uint32_t found = 0;

	if (!pair_open(&pair))
		return;
	state = 78;
	for (uint32_t seed = 0; seed < seeds(); seed++) {
		draw_pair(&pair, &usual, &usual);
		found += (uint32_t)any_verdict(&pair);
	}
	if (found > seeds() * 5 / 100)
		printf("# %u of %u equal pairs have a verdict\n", found, seeds());
	CU_ASSERT(found <= seeds() * 5 / 100);
	pair_close(&pair);
}

/* Each fault alone, judged among as many figures as ten events have */
static void faults_are_found(void)
{
#define FAULT(member, value, metric) { offsetof(struct sampler, member), value, METRIC_##metric }
	static const struct {
		size_t member;
		double value;
		enum metric named_by;
	} faults[] = {
		FAULT(dropped, 0.12, error), FAULT(dropped, 0.12, accuracy),
		FAULT(dropped, 0.12, unexplained),
		FAULT(lost, 0.04, lost), FAULT(wrong, 0.04, skid_1), FAULT(wrong, 0.04, wrong_rate),
		FAULT(far, 0.03, skid_more), FAULT(kernel_mode, 0.04, wrong_mode),
		FAULT(elsewhere, 0.04, wrong_address), FAULT(tagged, 0.5, bias),
		FAULT(unscheduled, 0.3, unscheduled), FAULT(overhead, 0.7, time_overhead),
	};
#undef FAULT
	struct pair pair;

	if (!pair_open(&pair))
		return;
	state = 79;
	for (size_t n = 0; n < sizeof(faults) / sizeof(faults[0]); n++) {
		struct sampler other = usual;
		uint32_t worse = 0, better = 0;

		memcpy((char *)&other + faults[n].member, &faults[n].value, sizeof(double));
		for (uint32_t seed = 0; seed < 100; seed++) {
			struct comparison found;

			draw_pair(&pair, &usual, &other);
			found = compared(&pair, faults[n].named_by);
			worse += found.tested.p * 200 <= 0.05 && found.sense == SENSE_WORSE;
			draw_pair(&pair, &other, &usual);
			found = compared(&pair, faults[n].named_by);
			better += found.tested.p * 200 <= 0.05 && found.sense == SENSE_BETTER;
		}
		if (worse < 95 || better < 95)
			printf("# fault %zu is found worse by %u, better by %u of 100\n", n, worse, better);
		CU_ASSERT(worse >= 95);
		CU_ASSERT(better >= 95);
	}
	pair_close(&pair);
}

/* Of a tenth of the samples the same shares are further from being alike by chance: that is no bias. */
static void fewer_samples(void)
{
	struct sampler unbiased = usual, fewer;
	uint32_t missed = 0;
	struct pair pair;

	if (!pair_open(&pair))
		return;
	state = 80;
	unbiased.tagged = 0;
	fewer = unbiased;
	fewer.samples = SAMPLES / 10;
	for (uint32_t seed = 0; seed < 100; seed++) {
		struct comparison found;

		draw_pair(&pair, &unbiased, &fewer);
		found = compared(&pair, METRIC_bias);
		missed += found.tested.interval.low > 0 || found.tested.interval.high < 0;
	}
	CU_ASSERT(missed <= 5);
	pair_close(&pair);
}

/* --- where there is no chance --- */

/* So many samples in each run, of SAMPLES that are expected, no time by chance */
static void set_alike(struct pair *pair, uint32_t side, uint64_t samples)
{
	for (uint32_t n = 0; n < RUNS; n++) {
		struct counts *counts = run_counts(&pair->runs[side][n], 0, 0);

		memset(counts, 0, sizeof(*counts));
		counts->truth = (uint64_t)SAMPLES * PERIOD;
		counts->all = counts->samples = counts->user_mode = counts->right = samples;
		counts->sites[pair->made.sites[0]] = samples / 2;
		counts->sites[pair->made.sites[1]] = samples - samples / 2;
		counts->enabled_ns = counts->running_ns = 1000;
		pair->runs[side][n].thread[0].cpu_ns = pair->bare[side][n].thread[0].cpu_ns = 1000;
	}
}

static void runs_alike(void)
{
	struct comparison found;
	struct pair pair;

	if (!pair_open(&pair))
		return;
	/* one sample fewer, in each run: that is where the last period began, and no difference */
	set_alike(&pair, 0, SAMPLES);
	set_alike(&pair, 1, SAMPLES - 1);
	found = compared(&pair, METRIC_error);
	CU_ASSERT_EQUAL(found.state, COMPARED);
	CU_ASSERT(found.tested.interval.low < -0.05 && found.tested.interval.high > 0);
	CU_ASSERT_EQUAL(found.tested.p, 1);
	found = compared(&pair, METRIC_effective_period);
	CU_ASSERT(found.tested.interval.low < 0 && found.tested.interval.high > 0);
	/* fifty fewer are one, with an interval that has room for a sample */
	set_alike(&pair, 1, SAMPLES - 50);
	found = compared(&pair, METRIC_error);
	CU_ASSERT(found.tested.p < 1e-6);
	CU_ASSERT_EQUAL(found.sense, SENSE_WORSE);
	CU_ASSERT(found.tested.interval.high - found.tested.interval.low > 2 * 100.0 / SAMPLES);
	/* what is not told in samples has no interval, and no verdict */
	found = compared(&pair, METRIC_time_overhead);
	CU_ASSERT_EQUAL(found.state, COMPARED_DEGENERATE);
	CU_ASSERT(isnan(found.tested.interval.low) && isnan(found.tested.p) && isnan(found.before.low));
	CU_ASSERT(*found.says);
	/* the runs of one side alone are alike: the other's variance is the best that is known */
	pair.runs[1][0].thread[0].cpu_ns = 1100;
	found = compared(&pair, METRIC_time_overhead);
	CU_ASSERT_EQUAL(found.state, COMPARED);
	CU_ASSERT(found.before.high > found.before.low && found.tested.interval.low < 0);
	/* none of many is a share with an interval */
	found = compared(&pair, METRIC_wrong_rate);
	CU_ASSERT_EQUAL(found.state, COMPARED);
	CU_ASSERT(found.tested.interval.low < 0 && found.tested.interval.high > 0);
	CU_ASSERT_EQUAL(found.tested.p, 1);
	pair_close(&pair);
}

/* As far on the other side of 0 is another figure, and neither is better. */
static void signs(void)
{
	struct comparison found;
	struct pair pair;

	if (!pair_open(&pair))
		return;
	set_alike(&pair, 0, SAMPLES - 100);
	set_alike(&pair, 1, SAMPLES + 100);
	found = compared(&pair, METRIC_error);
	CU_ASSERT(found.tested.p < 1e-6);
	CU_ASSERT_EQUAL(found.sense, SENSE_DIFFERS);
	set_alike(&pair, 1, SAMPLES + 20);
	CU_ASSERT_EQUAL(compared(&pair, METRIC_error).sense, SENSE_BETTER);
	set_alike(&pair, 1, SAMPLES + 300);
	CU_ASSERT_EQUAL(compared(&pair, METRIC_error).sense, SENSE_WORSE);
	pair_close(&pair);
}

/* What one side lacks is said, and so is what nobody can judge. */
static void states(void)
{
	struct comparison found;
	struct series none;
	struct pair pair;

	for (enum metric metric = 0; metric < METRIC_COUNT; metric++)
		CU_ASSERT(metric_is_told_how_to_judge(metric));
	if (!pair_open(&pair))
		return;
	set_alike(&pair, 0, SAMPLES);
	set_alike(&pair, 1, 0);
	CU_ASSERT_EQUAL(compared(&pair, METRIC_wrong_rate).state, COMPARED_ONLY_BEFORE);
	found = compared(&pair, METRIC_uniformity);
	CU_ASSERT_EQUAL(found.state, COMPARED_ONLY_BEFORE);
	set_alike(&pair, 1, SAMPLES);
	found = compared(&pair, METRIC_uniformity);
	CU_ASSERT_EQUAL(found.state, COMPARED_NOT);
	CU_ASSERT(*found.says);
	none = series_of(&pair, 0);
	none.count = 0;
	metric_compare(METRIC_error, &none, &none, &found);
	CU_ASSERT_EQUAL(found.state, COMPARED_NEITHER);
	none.count = 1;
	metric_compare(METRIC_error, &none, &none, &found);
	CU_ASSERT_EQUAL(found.state, COMPARED_DEGENERATE);
	pair_close(&pair);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "intervals of differences hold the truth", intervals_hold },
		{ "equal samplers have no verdict", equal_ones },
		{ "what one has and the other has not is found", faults_are_found },
		{ "fewer samples are no bias", fewer_samples },
		{ "runs that are all alike have no interval of no width", runs_alike },
		{ "signed figures are better nearer to 0", signs },
		{ "what cannot be compared has a state", states },
	};

	return tap_main("compare", cases, sizeof(cases) / sizeof(cases[0]));
}
