/* SPDX-License-Identifier: BSD-3-Clause */
/* See plot_kinds.h. Each datum has in its attributes what the raw counts make of it. */
#include "plot_kinds.h"

#include <inttypes.h>
#include <stdio.h>

#include "bench/accuracy/judge.h"
#include "statistics/quantiles.h"

/* Which of both ends of 95% intervals is missed */
#define TAIL 0.025

/* A figure with its interval, and what chance makes of it; NAN: there is none */
struct figure {
	double value, low, high, floor;
};

static void datum(struct chart *chart, const struct series *series, const char *metric,
		  const struct figure *figure)
{
	chart_datum(chart);
	chart_datum_text(chart, "metric", metric);
	chart_datum_text(chart, "event", series->event->name);
	chart_datum_text(chart, "kernel", series->kernel->name);
	chart_datum_number(chart, "period", (double)series->period);
	chart_datum_number(chart, "threads", (double)series->threads);
	chart_datum_number(chart, "value", figure->value);
	chart_datum_number(chart, "low", figure->low);
	chart_datum_number(chart, "high", figure->high);
	chart_datum_number(chart, "floor", figure->floor);
}

/* --- shares --- */

struct bars {
	size_t sites[SITES_MOST];
	uint64_t counts[SITES_MOST], n;
	uint32_t count;
	double expected; /* the share that each should have, in percent */
};

static struct bars bars_of(const struct series *series)
{
	const struct counts all = series_all(series);
	double shares[SITES_MOST];
	struct bars bars = { .n = 0 };

	series_shares(series, shares);
	for (size_t site = 0; site < SITES_MOST; site++) {
		if (!(shares[site] > 0))
			continue;
		bars.sites[bars.count] = site;
		bars.counts[bars.count++] = all.sites[site];
		bars.n += all.sites[site];
	}
	bars.expected = bars.count ? 100.0 / bars.count : 0;
	return bars;
}

int plot_has_shares(const struct series *series, uint32_t count)
{
	struct metric_result why;
	struct fit fit;

	return count == 1 && series->count && series_fit(series, &fit, &why);
}

/* Bonferroni: all of them hold their share in 95 of 100 cases. */
static struct figure share_of(const struct bars *bars, uint32_t n)
{
	const struct interval interval =
		interval_of_share_at(bars->counts[n], bars->n, normal_upper(TAIL / bars->count));

	return (struct figure){ 100 * (double)bars->counts[n] / (double)bars->n, 100 * interval.low,
				100 * interval.high, NAN };
}

static void draw_bar(struct chart *chart, const struct series *series, const struct bars *bars, uint32_t n)
{
	const double slot = (chart->right - chart->left) / bars->count, half = slot * 0.32;
	const double middle = chart->left + (n + 0.5) * slot;
	const uint32_t offset = series->kernel->sites[bars->sites[n]].offset;
	const uint32_t each = 1 + (uint32_t)(52 / slot); /* as many labels as there is room for */
	const struct figure share = share_of(bars, n);
	char text[64];

	datum(chart, series, "share", &share);
	chart_datum_number(chart, "site", (double)bars->sites[n]);
	chart_datum_number(chart, "samples", (double)bars->counts[n]);
	chart_datum_title(chart,
			  "instruction at +0x%" PRIx32 ": %" PRIu64 " of %" PRIu64
			  " samples, %.2f%% [%.2f, %.2f]",
			  offset, bars->counts[n], bars->n, share.value, share.low, share.high);
	chart_box(chart, CHART_FIRST, middle - (half < 34 ? half : 34), chart_y(chart, share.value),
		  middle + (half < 34 ? half : 34), chart_y(chart, 0));
	chart_interval(chart, middle, share.low, share.high);
	chart_datum_end(chart);
	if (n % each)
		return;
	snprintf(text, sizeof(text), "+0x%" PRIx32, offset);
	chart_text(chart, CHART_INK, 12, CHART_MIDDLE, slot * each, middle, chart->bottom + 19, text);
	if (slot < 44)
		return;
	snprintf(text, sizeof(text), "%.1f", share.value);
	chart_text(chart, CHART_INK, 12, CHART_MIDDLE, slot, middle, chart_y(chart, share.high) - 7, text);
}

void plot_shares(struct chart *chart, const struct chart_words *words, const struct series *series,
		 uint32_t count)
{
	const struct bars bars = bars_of(series);
	char label[96], expected[64];
	double y;

	(void)count;
	snprintf(label, sizeof(label), "instruction that counts as %s (offset in the kernel)",
		 quantity_name(series->event->quantity));
	chart->x = (struct chart_axis){ label, 0, NAN, NAN, 0 };
	chart->y = (struct chart_axis){ "share of samples (%)", 0, NAN, NAN, 0 };
	chart_hold(&chart->y, 0);
	chart_hold(&chart->y, 1.2 * bars.expected);
	for (uint32_t n = 0; n < bars.count; n++)
		chart_hold(&chart->y, share_of(&bars, n).high);
	chart_settle(&chart->y);
	chart->y.high = chart->y.high < 100 ? chart->y.high : 100;
	chart_begin(chart, words, 96, 0);
	for (uint32_t n = 0; n < bars.count; n++)
		draw_bar(chart, series, &bars, n);
	y = chart_y(chart, bars.expected);
	chart_line(chart, CHART_EXPECTED, chart->left, y, chart->right, y);
	snprintf(expected, sizeof(expected), "%.3g%% expected", bars.expected);
	chart_text(chart, CHART_INK, 12, CHART_START, 108, chart->right + 6, y + 4, expected);
	chart_end(chart);
}

/* --- by period --- */

/* As the results have it */
static struct figure figure_of(enum metric metric, const struct series *series)
{
	const struct metric_result result = metric_of(metric, series);
	const struct figure none = { NAN, NAN, NAN, NAN };

	if (!result.is_there)
		return none;
	return (struct figure){ result.value, result.low, result.high, result.floor };
}

static struct figure error_of(const struct series *series)
{
	return figure_of(METRIC_error, series);
}

static struct figure overhead_of(const struct series *series)
{
	return figure_of(METRIC_time_overhead, series);
}

typedef struct figure figure_function(const struct series *series);

static int has_several(const struct series *series, uint32_t count, figure_function *figure)
{
	uint32_t there = 0;

	for (uint32_t n = 0; n < count; n++)
		there += series[n].count && !isnan(figure(&series[n]).value);
	return there > 1;
}

int plot_has_errors(const struct series *series, uint32_t count)
{
	return has_several(series, count, error_of);
}

int plot_has_overheads(const struct series *series, uint32_t count)
{
	return has_several(series, count, overhead_of);
}

/* A figure by what series of a sweep differ in */
struct curve {
	figure_function *figure;
	const char *metric, *y_label;
	int by_threads; /* or by period */
	int is_error;   /* which has what chance makes of it, and may be in step */
};

static double place_of(const struct curve *curve, const struct series *series)
{
	return curve->by_threads ? (double)series->threads : (double)series->period;
}

/* Axes that hold all intervals, no change, and what chance makes of it */
static void hold_figures(struct chart *chart, const struct series *series, uint32_t count,
			 const struct curve *curve)
{
	chart_hold(&chart->y, 0);
	for (uint32_t n = 0; n < count; n++) {
		const struct figure at = curve->figure(&series[n]);

		if (!series[n].count || isnan(at.value))
			continue;
		chart_hold(&chart->x, place_of(curve, &series[n]));
		chart_hold(&chart->y, at.value);
		chart_hold(&chart->y, at.low);
		chart_hold(&chart->y, at.high);
		chart_hold(&chart->y, at.floor);
		chart_hold(&chart->y, -at.floor);
	}
	chart_settle(&chart->x);
	chart_settle(&chart->y);
}

static void draw_figure(struct chart *chart, const struct series *series, const struct figure *at,
			const struct curve *curve)
{
	const double x = chart_x(chart, place_of(curve, series)), y = chart_y(chart, at->value);
	const int is_in_step = metric_of(METRIC_resonance, series).verdict == VERDICT_WORSE;

	datum(chart, series, curve->metric, at);
	chart_datum_text(chart, "resonance", is_in_step ? "in step" : "not in step");
	chart_datum_title(chart, "%s %.0f: %.4g%% [%.4g, %.4g]%s", curve->by_threads ? "threads" : "period",
			  place_of(curve, series), at->value, at->low, at->high,
			  is_in_step ? ", in step with the loop" : "");
	if (!isnan(at->floor))
		chart_box(chart, CHART_BAND, x - 7, chart_y(chart, -at->floor), x + 7,
			  chart_y(chart, at->floor));
	chart_interval(chart, x, at->low, at->high);
	if (is_in_step && curve->is_error)
		chart_mark(chart, CHART_SECOND, CHART_DIAMOND, x, y);
	else
		chart_mark(chart, CHART_FIRST, CHART_DISC, x, y);
	chart_datum_end(chart);
}

/* From one to the next, where a figure has no other key */
static void draw_lines(struct chart *chart, const struct series *series, uint32_t count,
		       const struct curve *curve)
{
	double x = NAN, y = NAN;

	for (uint32_t n = 0; n < count; n++) {
		const struct figure at = curve->figure(&series[n]);

		if (!series[n].count || isnan(at.value))
			continue;
		if (!isnan(x))
			chart_line(chart, CHART_CURVE, x, y, chart_x(chart, place_of(curve, &series[n])),
				   chart_y(chart, at.value));
		x = chart_x(chart, place_of(curve, &series[n]));
		y = chart_y(chart, at.value);
	}
}

static void draw_figures(struct chart *chart, const struct series *series, uint32_t count,
			 const struct curve *curve)
{
	chart_line(chart, CHART_MUTED, chart->left, chart_y(chart, 0), chart->right, chart_y(chart, 0));
	if (!curve->is_error)
		draw_lines(chart, series, count, curve);
	for (uint32_t n = 0; n < count; n++) {
		const struct figure at = curve->figure(&series[n]);

		if (series[n].count && !isnan(at.value))
			draw_figure(chart, &series[n], &at, curve);
	}
}

/* What marks mean, on the right */
static void draw_marks_key(struct chart *chart)
{
	const double x = chart->right + 18;

	chart_mark(chart, CHART_FIRST, CHART_DISC, x, chart->top + 10);
	chart_text(chart, CHART_INK, 12, CHART_START, 96, x + 12, chart->top + 14, "not in step");
	chart_mark(chart, CHART_SECOND, CHART_DIAMOND, x, chart->top + 32);
	chart_text(chart, CHART_INK, 12, CHART_START, 96, x + 12, chart->top + 36, "in step");
	chart_box(chart, CHART_BAND, x - 6, chart->top + 48, x + 6, chart->top + 60);
	chart_text(chart, CHART_INK, 12, CHART_START, 96, x + 12, chart->top + 58, "by chance");
}

static void plot_curve(struct chart *chart, const struct chart_words *words, const struct series *series,
		       uint32_t count, const struct curve *curve)
{
	const int is_time = series->event->quantity == QUANTITY_CPU_TIME;

	chart->x = (struct chart_axis){ curve->by_threads ? "threads at the same time" :
					is_time ? "period (ns, logarithmic)" : "period (events, logarithmic)",
					!curve->by_threads, NAN, NAN, 0 };
	chart->y = (struct chart_axis){ curve->y_label, 0, NAN, NAN, 0 };
	hold_figures(chart, series, count, curve);
	chart_begin(chart, words, curve->is_error ? 104 : 0, 1);
	draw_figures(chart, series, count, curve);
	if (curve->is_error)
		draw_marks_key(chart);
	chart_end(chart);
}

#define ERROR_LABEL "signed error (% of the events)"
#define OVERHEAD_LABEL "time overhead (% of the CPU time)"

void plot_errors(struct chart *chart, const struct chart_words *words, const struct series *series,
		 uint32_t count)
{
	static const struct curve curve = { error_of, "error", ERROR_LABEL, 0, 1 };

	plot_curve(chart, words, series, count, &curve);
}

void plot_errors_by_threads(struct chart *chart, const struct chart_words *words, const struct series *series,
			    uint32_t count)
{
	static const struct curve curve = { error_of, "error", ERROR_LABEL, 1, 1 };

	plot_curve(chart, words, series, count, &curve);
}

void plot_overheads(struct chart *chart, const struct chart_words *words, const struct series *series,
		    uint32_t count)
{
	static const struct curve curve = { overhead_of, "overhead", OVERHEAD_LABEL, 0, 0 };

	plot_curve(chart, words, series, count, &curve);
}

void plot_overheads_by_threads(struct chart *chart, const struct chart_words *words,
			       const struct series *series, uint32_t count)
{
	static const struct curve curve = { overhead_of, "overhead", OVERHEAD_LABEL, 1, 0 };

	plot_curve(chart, words, series, count, &curve);
}

/* --- ladder --- */

static struct figure timed_of(const struct series *series)
{
	return figure_of(METRIC_load_cycles, series);
}

static struct figure sampled_of(const struct series *series)
{
	return figure_of(METRIC_sampled_latency, series);
}

int plot_has_ladder(const struct series *series, uint32_t count)
{
	return has_several(series, count, timed_of);
}

static void hold_ladder(struct chart *chart, const struct series *series, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++) {
		const struct figure figures[] = { timed_of(&series[n]), sampled_of(&series[n]) };

		chart_hold(&chart->x, (double)series[n].kernel->bytes / 1024);
		for (uint32_t k = 0; k < 2; k++) {
			chart_hold(&chart->y, figures[k].value);
			chart_hold(&chart->y, figures[k].low);
			chart_hold(&chart->y, figures[k].high);
		}
	}
	chart_settle(&chart->x);
	chart_settle(&chart->y);
}

static void draw_rung(struct chart *chart, const struct series *series, figure_function *figure,
		      const char *metric, int is_sampled)
{
	const struct figure at = figure(series);
	const double kib = (double)series->kernel->bytes / 1024;

	if (!series->count || isnan(at.value))
		return;
	datum(chart, series, metric, &at);
	chart_datum_number(chart, "kib", kib);
	chart_datum_title(chart, "%s, %.0f KiB: %s %.4g cycles [%.4g, %.4g]", series->kernel->name, kib,
			  is_sampled ? "sampled" : "timed", at.value, at.low, at.high);
	chart_interval(chart, chart_x(chart, kib), at.low, at.high);
	chart_mark(chart, is_sampled ? CHART_SECOND : CHART_FIRST, is_sampled ? CHART_DIAMOND : CHART_DISC,
		   chart_x(chart, kib), chart_y(chart, at.value));
	chart_datum_end(chart);
}

void plot_ladder(struct chart *chart, const struct chart_words *words, const struct series *series,
		 uint32_t count)
{
	double x;

	chart->x = (struct chart_axis){ "memory that is walked through (KiB, logarithmic)", 1, NAN, NAN, 0 };
	chart->y = (struct chart_axis){ "cycles of a load (logarithmic)", 1, NAN, NAN, 0 };
	hold_ladder(chart, series, count);
	chart_begin(chart, words, 104, 1);
	for (uint32_t n = 0; n < count; n++) {
		draw_rung(chart, &series[n], timed_of, "load_cycles", 0);
		draw_rung(chart, &series[n], sampled_of, "sampled_latency", 1);
	}
	x = chart->right + 18;
	chart_mark(chart, CHART_FIRST, CHART_DISC, x, chart->top + 10);
	chart_text(chart, CHART_INK, 12, CHART_START, 96, x + 12, chart->top + 14, "timed");
	chart_mark(chart, CHART_SECOND, CHART_DIAMOND, x, chart->top + 32);
	chart_text(chart, CHART_INK, 12, CHART_START, 96, x + 12, chart->top + 36, "sampled");
	chart_end(chart);
}

/* --- deviations --- */

static struct figure deviation_figure(const struct series *series)
{
	struct deviation at;

	if (!series_deviation(series, &at))
		return (struct figure){ NAN, NAN, NAN, NAN };
	return (struct figure){ at.value, at.low, at.high, at.floor };
}

int plot_has_deviations(const struct series *series, uint32_t count)
{
	uint32_t there = 0;

	for (uint32_t n = 0; n < count; n++)
		there += !isnan(deviation_figure(&series[n]).value);
	return there > 0;
}

/* Both axes are the same, so that what chance makes is the diagonal. */
static void hold_deviations(struct chart *chart, const struct series *series, uint32_t count)
{
	struct chart_axis axis = { NULL, 1, NAN, NAN, 0 };

	for (uint32_t n = 0; n < count; n++) {
		const struct figure at = deviation_figure(&series[n]);

		if (isnan(at.value))
			continue;
		chart_hold(&axis, at.floor);
		chart_hold(&axis, at.low);
		chart_hold(&axis, at.high);
	}
	chart_settle(&axis);
	chart->x = chart->y = axis;
	chart->x.label = "what chance makes of the error of a run (%)";
	chart->y.label = "standard deviation of the runs (%)";
}

static void draw_deviation(struct chart *chart, const struct series *series, const struct figure *at,
			   uint32_t number)
{
	const double x = chart_x(chart, at->floor), y = chart_y(chart, at->value);
	const int is_zero = !(at->value > 0), is_more = at->low > at->floor;
	char text[160];

	datum(chart, series, "deviation", at);
	chart_datum_title(chart,
			  "%" PRIu32 ": %s with %s, period %" PRIu64 ": %.4g%% [%.4g, %.4g], chance %.4g%%",
			  number, series->event->name, series->kernel->name, series->period, at->value,
			  at->low, at->high, at->floor);
	if (!is_zero)
		chart_interval(chart, x, at->low, at->high);
	chart_mark(chart, is_more ? CHART_SECOND : CHART_FIRST,
		   is_zero ? CHART_BELOW : is_more ? CHART_DIAMOND : CHART_DISC, x, y);
	snprintf(text, sizeof(text), "%" PRIu32, number);
	/* those without any deviation are many at one place, and in the key */
	if (!is_zero)
		chart_text(chart, CHART_INK, 11, number % 2 ? CHART_START : CHART_END, 30,
			   x + (number % 2 ? 8 : -8), y + (number % 4 < 2 ? -6 : 12), text);
	chart_datum_end(chart);
	snprintf(text, sizeof(text), "%" PRIu32 "  %s, %s, %" PRIu64 "%s", number, series->event->name,
		 series->kernel->name, series->period, is_zero ? ": none" : "");
	chart_text(chart, CHART_INK, 10.5, CHART_START, CHART_WIDTH - chart->right - 18, chart->right + 12,
		   chart->top + 8 + 14.5 * (number - 1), text);
}

void plot_deviations(struct chart *chart, const struct chart_words *words, const struct series *series,
		     uint32_t count)
{
	uint32_t number = 0;

	hold_deviations(chart, series, count);
	chart_begin(chart, words, 232, 1);
	chart_line(chart, CHART_EXPECTED, chart->left, chart->bottom, chart->right, chart->top);
	for (uint32_t n = 0; n < count; n++) {
		const struct figure at = deviation_figure(&series[n]);

		if (!isnan(at.value))
			draw_deviation(chart, &series[n], &at, ++number);
	}
	chart_end(chart);
}
