/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See calibrate.h. The design: pairs of runs of the same work, one of them sampled, in random order, of three
 * programs; periods over a decade and more, a wakeup for each sample or for half a ring, a signal for each,
 * short and long records, a ring that is larger than the cache. A block has each of them once. The longest
 * period has hardly any samples: what events cost that the kernel counts is known by that. What is
 * fitted are differences of the pairs, so that what drifts from pair to pair cancels.
 */
#define _GNU_SOURCE /* M_SQRT2 */
#include "calibrate.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "calibration_file.h"
#include "costs.h"
#include "document/facts.h"
#include "estimates.h"
#include "kernel_event.h"
#include "sampled_run.h"
#include "statistics/quantiles.h"
#include "statistics/random.h"
#include "statistics/regression.h"
#include "statistics/two_samples.h"
#include "command/usage/complain.h"
#include "command/usage/destination.h"
#include "command/usage/interruption.h"

#define PERIODS 4u
#define TRIES 8u /* runs, until an event that fires must have fired */
#define REGISTERS UINT64_C(0xff0fff) /* of x86-64: what the kernel lets be recorded of general ones */

/*
 * Which events, and with which periods. Tracepoint and breakpoint are of what the programs do once a
 * fault. Where events themselves cost little no period is 1: a sample of each event costs less than others
 * do, for which Linux has a shorter way (perf_swevent_event() in kernel/events/core.c), and events would seem
 * to cost more. A breakpoint's trap hides that, and all but many samples.
 */
static const struct source {
	const char *event;
	int is_of_user; /* user mode alone can be sampled */
	uint64_t periods[PERIODS];
} sources[] = {
	{ "page-faults", 1, { 3, 7, 19, 53 } },
	{ "tracepoint", 0, { 3, 7, 19, 53 } },
	{ "breakpoint", 1, { 1, 3, 7, 19 } },
	{ "cpu-clock", 1, { 200003, 400009, 800011, 1600033 } },
	{ "ibs_op", 0, { 16144, 48016, 160112, 480176 } },
	{ "ibs_fetch", 0, { 1616, 4816, 16144, 48016 } },
	{ "mem-loads", 1, { 101, 307, 1009, 3001 } },
};

/* One way of sampling, whatever the event and its period */
static const struct way {
	unsigned int period;
	enum sampled_wakeup wakeup;
	int is_long; /* records have registers */
	int is_large; /* the ring is larger than the cache */
} ways[] = {
	{ 0, WAKEUP_HALF, 0, 0 },   { 1, WAKEUP_HALF, 0, 0 }, { 2, WAKEUP_HALF, 0, 0 },
	{ 3, WAKEUP_HALF, 0, 0 },   { 0, WAKEUP_HALF, 1, 0 }, { 1, WAKEUP_HALF, 1, 0 },
	{ 2, WAKEUP_HALF, 1, 0 },   { 0, WAKEUP_EACH, 0, 0 }, { 1, WAKEUP_EACH, 0, 0 },
	{ 2, WAKEUP_EACH, 0, 0 },   { 0, WAKEUP_EACH, 1, 0 }, { 1, WAKEUP_EACH, 1, 0 },
	{ 0, WAKEUP_SIGNAL, 0, 0 }, { 1, WAKEUP_SIGNAL, 0, 0 }, { 0, WAKEUP_HALF, 1, 1 },
	{ 1, WAKEUP_HALF, 1, 1 },
};
#define WAYS (sizeof(ways) / sizeof(ways[0]))
#define PAIRS (WAYS * WORKS)

struct calibration {
	const struct plan_options *options;
	const struct plan_setting *setting;
	const volatile sig_atomic_t *is_interrupted;
	const struct source *source;
	const struct plan_event *event;
	struct perf_event_attr attr; /* type and config */
	uint64_t ring_large; /* 0: no such ring is allowed here */
	struct works *works;
	struct random random;
	struct regression_row *rows;
	size_t count;
	double *nothing; /* of each block: off against off, as a share */
	uint32_t blocks; /* that are complete */
	double delay_ns;
	uint64_t lost, samples;
	struct regression fit;
};

/* --- a pair of runs --- */

static struct sampled_way way_of(const struct calibration *calibration, const struct way *way)
{
	const struct source *source = calibration->source;
	struct sampled_way sampled = {
		.attr = calibration->attr,
		.wakeup = way->wakeup,
		.ring_bytes = way->is_large ? calibration->ring_large : PERF_RING_BYTES,
		.spin_ns = calibration->options->spin_ns,
	};

	sampled.attr.sample_period = source->periods[way->period];
	sampled.attr.exclude_kernel = sampled.attr.exclude_hv = source->is_of_user & 1;
	sampled.attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	if (way->is_long) {
		sampled.attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR;
		sampled.attr.sample_regs_user = sampled.attr.sample_regs_intr = REGISTERS;
	}
	return sampled;
}

/* How often each cause came: what a prediction is made of, where each costs 1 ns */
static int set_counts(const struct calibration *calibration, const struct way *way,
		      unsigned int program, const struct sampled_outcome *outcome,
		      double x[REGRESSION_COLUMNS])
{
	struct precis_plan_cost cost = { .size = sizeof(cost) };
	struct precis_plan_prediction found = { .size = sizeof(found) };
	struct precis_plan_setup setup = {
		.size = sizeof(setup), .period = 1, .seconds = 1,
		.rate = (double)(outcome->samples + outcome->lost),
		.record_bytes = (uint32_t)(outcome->bytes / outcome->samples),
		.ring_bytes = way->is_large ? calibration->ring_large : PERF_RING_BYTES,
		.watermark_samples = way->wakeup == WAKEUP_HALF ? 0 : 1,
		.is_signalled = way->wakeup == WAKEUP_SIGNAL,
		.working_set_bytes = (double)works_bytes(calibration->works, program),
		.cache_bytes = (double)works_cache(),
	};

	if (calibration->event->pebs_bytes && way->wakeup == WAKEUP_HALF)
		setup.samples_per_interrupt = precis_plan_large_pebs(calibration->event->pebs_bytes);
	for (uint32_t cause = 0; cause < PRECIS_PLAN_CAUSES; cause++) {
		cost.knowledge[cause] = PRECIS_PLAN_KNOWN;
		cost.ns[cause] = 1;
	}
	if (precis_plan_predict(&cost, &setup, &found))
		return -EPROTO;
	for (uint32_t cause = 0; cause < PRECIS_PLAN_CAUSES; cause++)
		x[cause] = found.of_cause[cause] * 1e9;
	x[PRECIS_PLAN_EVENT] = calibration->event->kernel_counts ? outcome->events : 0;
	return 0;
}

/* 0, or -errno; without samples the pair tells nothing, and there is no row */
static int run_pair(struct calibration *calibration, size_t pair, uint32_t block)
{
	const struct way *way = &ways[pair % WAYS];
	const unsigned int program = (unsigned int)(pair / WAYS);
	const struct sampled_way sampled = way_of(calibration, way);
	const int is_first = random_below(&calibration->random, 2) != 0;
	struct regression_row *row = &calibration->rows[calibration->count];
	struct sampled_outcome on, off;
	int error = 0;

	if (way->is_large && !calibration->ring_large)
		return 0;
	if (is_first)
		error = sampled_run(calibration->works, program, &sampled, &on);
	if (!error)
		error = sampled_run(calibration->works, program, NULL, &off);
	if (!error && !is_first)
		error = sampled_run(calibration->works, program, &sampled, &on);
	if (error || !on.samples)
		return error;
	memset(row, 0, sizeof(*row));
	error = set_counts(calibration, way, program, &on, row->x);
	row->y = on.thread_ns - off.thread_ns;
	row->weight = 1 / (off.thread_ns * off.thread_ns);
	row->block = block;
	row->group = program;
	calibration->count++;
	calibration->samples += on.samples + on.lost;
	calibration->lost += on.lost;
	if (way->wakeup == WAKEUP_EACH && on.delay_ns > calibration->delay_ns)
		calibration->delay_ns = on.delay_ns;
	return error;
}

/* Off against off, as pairs are */
static int run_nothing(struct calibration *calibration, uint32_t block)
{
	double sum = 0;

	for (unsigned int program = 0; program < WORKS; program++) {
		struct sampled_outcome a, b;
		const double sign = random_below(&calibration->random, 2) ? 1 : -1;
		int error = sampled_run(calibration->works, program, NULL, &a);

		if (!error)
			error = sampled_run(calibration->works, program, NULL, &b);
		if (error)
			return error;
		sum += sign * (a.thread_ns - b.thread_ns) / b.thread_ns;
	}
	calibration->nothing[block] = sum / WORKS;
	return 0;
}

static int run_block(struct calibration *calibration, uint32_t block)
{
	size_t order[PAIRS];
	int error = run_nothing(calibration, block);

	for (size_t n = 0; n < PAIRS; n++) {
		const size_t other = (size_t)random_below(&calibration->random, n + 1);

		order[n] = order[other];
		order[other] = n;
	}
	for (size_t n = 0; n < PAIRS && !error && !*calibration->is_interrupted; n++)
		error = run_pair(calibration, order[n], block);
	return error;
}

static void show_progress(const struct calibration *calibration, uint32_t block)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K%s: %s, block %u of %u\r", calibration->options->command,
			calibration->event->name, block + 1, calibration->options->blocks);
}

static void end_progress(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

static int run_blocks(struct calibration *calibration)
{
	int error = 0;

	/* what is done for the first time is done */
	for (unsigned int program = 0; program < WORKS; program++)
		works_run(calibration->works, program);
	while (!error && !*calibration->is_interrupted &&
	       calibration->blocks < calibration->options->blocks) {
		const size_t before = calibration->count;

		show_progress(calibration, calibration->blocks);
		error = run_block(calibration, calibration->blocks);
		if (error || *calibration->is_interrupted)
			calibration->count = before;
		else
			calibration->blocks++;
	}
	end_progress();
	return error;
}

/* --- what comes of it --- */

static void set_cost(const struct calibration *calibration, struct precis_plan_cost *cost)
{
	const struct regression *fit = &calibration->fit;
	const time_t now = time(NULL);
	struct tm tm;

	memset(cost, 0, sizeof(*cost));
	cost->size = sizeof(*cost);
	cost->source = PRECIS_PLAN_CALIBRATED;
	for (uint32_t cause = 0; cause < PRECIS_PLAN_CAUSES; cause++) {
		cost->knowledge[cause] =
			fit->verdict[cause] == REGRESSION_SEPARATE ? PRECIS_PLAN_KNOWN
			: fit->verdict[cause] == REGRESSION_MERGED ? PRECIS_PLAN_MERGED
								   : PRECIS_PLAN_UNKNOWN;
		/* a cost that is below 0 by chance is 0 */
		cost->ns[cause] = fmax(fit->coefficient[cause], 0);
		for (uint32_t other = 0; other < PRECIS_PLAN_CAUSES; other++) {
			cost->covariance[cause][other] = fit->covariance[cause][other];
			cost->as[cause][other] = fit->as[cause][other];
		}
	}
	cost->between = regression_between(calibration->rows, calibration->count, WORKS, fit);
	cost->noise = fit->spread / M_SQRT2;
	cost->reach = fit->reach;
	cost->reader_delay_ns = calibration->delay_ns;
	snprintf(cost->event, sizeof(cost->event), "%s", calibration->event->name);
	memcpy(cost->cpu, calibration->setting->cpu, sizeof(cost->cpu));
	memcpy(cost->kernel, calibration->setting->kernel, sizeof(cost->kernel));
	memcpy(cost->governor, calibration->setting->governor, sizeof(cost->governor));
	gmtime_r(&now, &tm);
	strftime(cost->made, sizeof(cost->made), "%Y-%m-%dT%H:%M:%SZ", &tm);
	snprintf(cost->origin, sizeof(cost->origin), "%u programs, %zu pairs of runs in %u blocks", WORKS,
		 calibration->count, calibration->blocks);
}

/* A cause that saves time for sure: something else has changed than what was meant to. -1: none */
static int saves_time(const struct regression *fit)
{
	for (uint32_t cause = 0; cause < PRECIS_PLAN_CAUSES; cause++) {
		if (fit->verdict[cause] == REGRESSION_SEPARATE &&
		    regression_interval(fit, cause).high < 0)
			return (int)cause;
	}
	return -1;
}

/* Of blocks in which nothing was sampled; each is the mean of a pair of each program */
static struct moments moments_of_nothing(const struct calibration *calibration)
{
	struct moments moments = { .count = calibration->blocks };

	for (uint32_t n = 0; n < moments.count; n++)
		moments.mean += calibration->nothing[n] / moments.count;
	for (uint32_t n = 0; n < moments.count && moments.count > 1; n++)
		moments.variance += pow(calibration->nothing[n] - moments.mean, 2) / (moments.count - 1);
	return moments;
}

/*
 * Twice: how far rows are from a fit, by what they cost, is known once there is one. The second says more
 * of a sample, but where each row has something dearer, as the trap at each hit of a breakpoint.
 */
static enum regression_refusal fit_costs(struct calibration *calibration)
{
	enum regression_refusal refusal = regression_fit(calibration->rows, calibration->count,
							 PRECIS_PLAN_CAUSES, &calibration->fit);
	const uint32_t sample = PRECIS_PLAN_SAMPLE;
	struct regression second;

	if (refusal != REGRESSION_FITTED)
		return refusal;
	regression_reweigh(calibration->rows, calibration->count, &calibration->fit,
			   WORKS * moments_of_nothing(calibration).variance);
	refusal =
		regression_fit(calibration->rows, calibration->count, PRECIS_PLAN_CAUSES, &second);
	if (refusal == REGRESSION_FITTED &&
	    second.covariance[sample][sample] < calibration->fit.covariance[sample][sample])
		calibration->fit = second;
	return REGRESSION_FITTED;
}

/* NULL if there is a cost that can be stored; else why not */
static const char *judge(struct calibration *calibration, char room[PLAN_REASON])
{
	int cause;

	if (*calibration->is_interrupted && !calibration->blocks)
		return "interrupted in its first block";
	switch (fit_costs(calibration)) {
	case REGRESSION_FITTED:
		break;
	case REGRESSION_NOISE:
		return "what sampling costs is not above the noise of runs: more --blocks, or a "
		       "quieter machine";
	case REGRESSION_FEW_BLOCKS:
		return "too few blocks were measured";
	default:
		return "no samples came";
	}
	cause = saves_time(&calibration->fit);
	if (cause < 0)
		return NULL;
	snprintf(room, PLAN_REASON, "each %s seems to save time: something else changed meanwhile",
		 precis_plan_cause_name((uint32_t)cause));
	return room;
}

/* --- the page --- */

static void fact_cause(struct document *document, const struct regression *fit, uint32_t cause)
{
	const struct interval interval = regression_interval(fit, cause);
	const struct precis_plan_estimate estimate = { fit->coefficient[cause], interval.low,
						       interval.high };
	const char *name = precis_plan_cause_name(cause);
	char text[ESTIMATE_TEXT];

	if (fit->verdict[cause] == REGRESSION_SEPARATE) {
		fact_estimate(document, name, &estimate, "ns");
		estimate_text(&estimate, 1,
			      cause == PRECIS_PLAN_BYTE || cause == PRECIS_PLAN_DISPLACED ? 3 : 0,
			      text);
		fact_label(document, "  %s", name);
		fact_says(document, "%s ns", text);
		if (fit->coefficient[cause] < 0)
			fact_says(document, "(below 0 by chance: stored as 0)");
		return;
	}
	fact(document, name);
	cell_absent(document);
	cell_why_absent(document, fit->verdict[cause] == REGRESSION_MERGED
					  ? "MERGED: the design does not tell it from others"
					  : "NOT_KNOWN: it did not come");
	fact_label(document, "  %s", name);
	if (fit->verdict[cause] == REGRESSION_ABSENT) {
		fact_says(document, "not known: it did not come");
		return;
	}
	fact_says(document, "cannot be told from:");
	for (uint32_t other = 0; other < PRECIS_PLAN_CAUSES; other++) {
		if (fit->as[cause][other] != 0)
			fact_says(document, "%s (%.3g for each)", precis_plan_cause_name(other),
				  fit->as[cause][other]);
	}
}

static struct precis_plan_estimate off_against_off(const struct calibration *calibration)
{
	const struct moments moments = moments_of_nothing(calibration);
	struct precis_plan_estimate found = { moments.mean, NAN, NAN };

	if (moments.count > 1) {
		const double half = student_upper(0.025, moments.count - 1) *
				    sqrt(moments.variance / moments.count);

		found.low = found.value - half;
		found.high = found.value + half;
	}
	return found;
}

static void describe(struct document *document, const struct calibration *calibration,
		     const struct precis_plan_cost *cost, const char *refusal)
{
	const struct precis_plan_estimate nothing = off_against_off(calibration);
	char text[ESTIMATE_TEXT];

	facts_begin(document, "calibration", 0, 16);
	facts_entry_of(document, "calibration");
	/* "event" is one of the causes */
	fact_text(document, "name", "event", calibration->event->name);
	fact_count(document, "samples", calibration->samples);
	fact_count(document, "lost", calibration->lost);
	fact_count(document, "blocks", calibration->blocks);
	fact_text(document, "refused", refusal ? "refused" : NULL, refusal);
	if (calibration->blocks)
		fact_estimate(document, "off_against_off", &nothing, "share");
	if (calibration->blocks) {
		estimate_text(&nothing, 100, 3, text);
		fact_label(document, "off against off");
		fact_says(document, "%s%%", text);
	}
	if (refusal)
		return;
	for (uint32_t cause = 0; cause < PRECIS_PLAN_CAUSES; cause++)
		fact_cause(document, &calibration->fit, cause);
	fact_known(document, "between_programs", cost->between);
	fact_label(document, "  programs");
	fact_says(document, "another may differ by %.1f%%; runs of one by %.2f%%",
		  100 * cost->reach * cost->between,
		  100 * cost->noise);
	fact_known(document, "noise", cost->noise);
	fact_known(document, "reader_delay_ns", cost->reader_delay_ns);
	fact_label(document, "  reader");
	fact_says(document, "up to %.3g ms late", cost->reader_delay_ns / 1e6);
	fact_text(document, "origin", "  from", cost->origin);
}

/* --- events --- */

/* 0, or -1 and why it cannot be asked for */
static int find_attr(struct calibration *calibration, char reason[PLAN_REASON])
{
	char spec[64];

	if (calibration->event->kind == PLAN_BREAKPOINT)
		snprintf(spec, sizeof(spec), "mem:0x%" PRIxPTR "/8:w",
			 (uintptr_t)works_written(calibration->works));
	else
		snprintf(spec, sizeof(spec), "%s", WORK_TRACEPOINT);
	return plan_kernel_event(calibration->event, spec, calibration->setting, &calibration->attr, reason);
}

/* Can the event be opened, does it fire, and how large may rings be? 0, or -1 and why not */
static int try_event(struct calibration *calibration, char reason[PLAN_REASON])
{
	struct sampled_way way;
	struct sampled_outcome outcome = { 0 };
	uint64_t large = PERF_RING_BYTES;
	int error = 0;

	if (find_attr(calibration, reason))
		return -1;
	way = way_of(calibration, &ways[0]);
	for (uint32_t n = 0; n < TRIES && !error && !outcome.samples; n++)
		error = sampled_run(calibration->works, 0, &way, &outcome);
	if (error) {
		plan_refused(-error, reason);
		return -1;
	}
	if (!outcome.samples) {
		snprintf(reason, PLAN_REASON, "it can be opened, but never fires%s",
			 calibration->event->kind == PLAN_BREAKPOINT ?
				 ": this machine does not deliver debug exceptions" : "");
		return -1;
	}
	while (large <= 2 * works_cache())
		large *= 2;
	way.ring_bytes = large;
	calibration->ring_large =
		works_cache() && !sampled_run(calibration->works, 0, &way, &outcome) ? large : 0;
	return 0;
}

/* 1 if there is a cost to be stored; 0, or -1 if memory is short */
static int calibrate_event(struct calibration *calibration, struct document *document,
			   struct precis_plan_cost *cost)
{
	const size_t blocks = calibration->options->blocks;
	char room[PLAN_REASON];
	const char *refusal = NULL;
	int error;

	calibration->rows = calloc(blocks * PAIRS, sizeof(*calibration->rows));
	calibration->nothing = calloc(blocks, sizeof(*calibration->nothing));
	if (!calibration->rows || !calibration->nothing)
		return -1;
	if (try_event(calibration, room)) {
		refusal = room;
	} else if ((error = run_blocks(calibration))) {
		plan_refused(-error, room);
		refusal = room;
	} else {
		refusal = judge(calibration, room);
	}
	if (!refusal)
		set_cost(calibration, cost);
	describe(document, calibration, cost, refusal);
	return !refusal;
}

static int calibrate_all(const struct plan_options *options, const struct plan_setting *setting,
			 const volatile sig_atomic_t *is_interrupted, struct works *works,
			 struct document *document, struct precis_plan_cost *costs)
{
	int count = 0;

	for (size_t n = 0; n < sizeof(sources) / sizeof(sources[0]) && !*is_interrupted; n++) {
		struct calibration calibration = {
			.options = options, .setting = setting, .is_interrupted = is_interrupted,
			.source = &sources[n], .works = works,
			.event = plan_event_find(sources[n].event), .random = random_of(20171112 + n),
		};
		int found;

		if (options->event && strcmp(options->event, sources[n].event) != 0)
			continue;
		found = calibrate_event(&calibration, document, &costs[count]);
		free(calibration.rows);
		free(calibration.nothing);
		if (found < 0) {
			document->failed = 1;
			return -1;
		}
		count += found;
	}
	return count;
}

/* What came of it, stored and told; the document is freed. An exit code */
static int store(const struct plan_options *options, const char *path, int is_interrupted,
		 struct document *document, const struct precis_plan_cost *costs, int count)
{
	int code = EXIT_OK;

	facts_begin(document, "file", 0, 16);
	if (count > 0 && calibration_write(path, costs, (uint32_t)count)) {
		complain(options->command, "%s: %s", path, strerror(errno));
		code = EXIT_FAILED;
		count = -1;
	}
	fact_text(document, "file", "stored in", count > 0 ? path : NULL);
	if (is_interrupted)
		complain(options->command, "interrupted: %s", count > 0 ? "what was measured is stored" :
									  "nothing is stored");
	if (!count || is_interrupted)
		code = EXIT_FAILED;
	if (page_print(options->command, document, options->output, options->format, "events"))
		return EXIT_FAILED;
	return code;
}

/* It takes minutes: where what comes of it cannot go is said before. */
static int find_places(const struct plan_options *options, char path[PATH_MAX])
{
	if (plan_calibration_path(options, path)) {
		complain(options->command, "where to? --calibration FILE says it");
		return -1;
	}
	if (calibration_check(path)) {
		complain(options->command, "%s: %s", path, strerror(errno));
		return -1;
	}
	return destination_check(options->output, options->command);
}

int plan_calibrate(const struct plan_options *options, const struct plan_setting *setting)
{
	struct precis_plan_cost costs[sizeof(sources) / sizeof(sources[0])];
	struct document document = { .is_bare = 1, .absent_means = "it is not known" };
	const volatile sig_atomic_t *is_interrupted;
	struct works *works;
	char path[PATH_MAX];
	int count = -1, code = EXIT_FAILED;

	if (find_places(options, path))
		return EXIT_FAILED;
	is_interrupted = interruption_await();
	works = works_open();
	if (works) {
		count = calibrate_all(options, setting, is_interrupted, works, &document, costs);
		if (count >= 0)
			code = store(options, path, *is_interrupted, &document, costs, count);
		works_close(works);
	}
	if (!works || (count < 0 && document.failed))
		complain(options->command, "out of memory");
	if (count < 0)
		document_free(&document);
	return code;
}
