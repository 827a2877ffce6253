/* SPDX-License-Identifier: BSD-3-Clause */
/* See plots.h: which plots there are, where they go, and the words around them. */
#include "plots.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/usage/complain.h"
#include "command/usage/destination.h"
#include "plot_kinds.h"
#include "preflight.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define NAME 192
#define WORDS 640

struct plotting {
	const struct bench_arguments *arguments;
	struct document *document;
	char source[WORDS]; /* the machine, for each of them */
	int has_table, has_failed;
};

int plots_check(const struct bench_arguments *arguments)
{
	const char *directory = arguments->plots;
	struct stat status;
	int error = 0;

	if (!directory)
		return EXIT_OK;
	if (stat(directory, &status))
		error = errno;
	else if (!S_ISDIR(status.st_mode))
		error = ENOTDIR;
	else if (access(directory, W_OK | X_OK))
		error = errno;
	if (!error)
		return EXIT_OK;
	complain(arguments->command, "--plots: %s: %s", directory, strerror(error));
	return EXIT_FAILED;
}

static const struct column columns[] = {
	{ "file", NULL, COLUMN_LEFT },
	{ "what", "what it is", COLUMN_LEFT },
};

static void add_row(struct plotting *plotting, const char *file, const char *what)
{
	if (!plotting->has_table)
		table_begin(plotting->document, "plots", "Plots", "file", columns, COUNT_OF(columns));
	plotting->has_table = 1;
	row_begin(plotting->document, "%s", file);
	row_in(plotting->document, "rows");
	cell_text(plotting->document, "%s", file);
	cell_text(plotting->document, "%s", what);
}

/* One file, whole or not at all */
static void write_plot(struct plotting *plotting, const char *file, const struct chart_words *words,
		       plot_draw *draw, const struct series *series, uint32_t count)
{
	struct output output;
	struct chart chart = { .output = &output };
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", plotting->arguments->plots, file) >= (int)sizeof(path)) {
		complain(plotting->arguments->command, "--plots: the name is too long: %s", file);
		plotting->has_failed = 1;
		return;
	}
	if (destination_open_whole(&output, path, plotting->arguments->command)) {
		plotting->has_failed = 1;
		return;
	}
	draw(&chart, words, series, count);
	if (destination_close(&output, plotting->arguments->command)) {
		plotting->has_failed = 1;
		return;
	}
	add_row(plotting, file, words->title);
}

static uint64_t samples_of(const struct series *series, uint32_t count)
{
	uint64_t sum = 0;

	for (uint32_t n = 0; n < count; n++)
		sum += series_all(&series[n]).samples;
	return sum;
}

/* What they come from: event, kernel, how many samples and runs. 'each': of what there are several */
static void say_source(const struct series *series, uint32_t count, const char *each, char text[WORDS])
{
	const int has_kernel = count == 1 || series[0].kernel == series[1].kernel;
	char threads[THREADS_WORDS];

	snprintf(text, WORDS, "n = %" PRIu64 " samples of %" PRIu32 " runs%s; event %s (%s)%s%s%s",
		 samples_of(series, count), series->count, count > 1 ? each : "", series->event->name,
		 series->event->summary, has_kernel ? ", kernel " : "",
		 has_kernel ? series->kernel->name : "",
		 count > 1 && series[0].threads != series[1].threads ?
			 "" : threads_words(series->threads, threads));
}

/* What a file of a series is called: one of a set has both names */
static void name_file(const char *plot, const struct bench_cell *cell, const struct series *series,
		      const char *more, char file[NAME])
{
	const int is_one_of_several = cell->event != series->event;

	snprintf(file, NAME, "%s-%s%s%s-%s%s.svg", plot, is_one_of_several ? cell->event->name : "",
		 is_one_of_several ? "-" : "", series->event->name, series->kernel->name, more);
}

/* Several threads are in the name; one is not. */
#define MORE_NAME 48
static const char *threads_name(const struct series *series, char more[MORE_NAME])
{
	*more = '\0';
	if (series->threads != 1)
		snprintf(more, MORE_NAME, "-%" PRIu32 "threads", series->threads);
	return more;
}

static void plot_one(struct plotting *plotting, const struct bench_cell *cell, const struct series *series)
{
	char file[NAME], title[WORDS], from[WORDS], threads[MORE_NAME], more[MORE_NAME + 24];
	const struct chart_words words = {
		title,
		"Each of them does it once a turn. Bars: simultaneous 95% intervals (score, Bonferroni)",
		plotting->source,
		from,
	};

	if (!plot_has_shares(series, 1))
		return;
	snprintf(more, sizeof(more), "-%" PRIu64 "%s", series->period, threads_name(series, threads));
	name_file("shares", cell, series, more, file);
	snprintf(title, sizeof(title), "Which instructions samples of %s name (period %" PRIu64 ")",
		 series->event->name, series->period);
	say_source(series, 1, "", from);
	write_plot(plotting, file, &words, plot_shares, series, 1);
}

#define ERROR_SUBTITLE \
	"Events that samples stand for, less those that were made. Mean of runs, 95% intervals"
#define OVERHEAD_SUBTITLE \
	"CPU time of all runs with sampling by that without, less 1. 95% intervals over the runs"

static const struct sweep_plot {
	enum sweep_by by;
	const char *name, *title, *subtitle, *each;
	plot_has *has;
	plot_draw *draw;
} sweep_plots[] = {
	{ SWEEP_PERIODS, "error", "Signed error of samples of %s, by period", ERROR_SUBTITLE,
	  " of each period", plot_has_errors, plot_errors },
	{ SWEEP_PERIODS, "overhead", "What sampling %s costs, by period", OVERHEAD_SUBTITLE,
	  " of each period", plot_has_overheads, plot_overheads },
	{ SWEEP_THREADS, "error-by-threads", "Signed error of samples of %s, by threads", ERROR_SUBTITLE,
	  " of each number of threads", plot_has_errors, plot_errors_by_threads },
	{ SWEEP_THREADS, "overhead-by-threads", "What sampling %s costs, by threads", OVERHEAD_SUBTITLE,
	  " of each number of threads", plot_has_overheads, plot_overheads_by_threads },
	{ SWEEP_LADDER, "ladder", "What a load takes, timed and by samples of %s",
	  "Loads that wait for each other, by the memory they walk through. Means of runs, 95% intervals",
	  " of each kernel", plot_has_ladder, plot_ladder },
};

/* By what series of a sweep differ in: one of them is the same */
static int compare_series(const void *a, const void *b)
{
	const struct series *one = a, *other = b;

	if (one->period != other->period)
		return one->period < other->period ? -1 : 1;
	return one->threads < other->threads ? -1 : one->threads > other->threads;
}

/* Of several kernels */
static void name_ladder(const struct bench_cell *cell, const struct series *series, const char *more,
			char file[NAME])
{
	const int is_one_of_several = cell->event != series->event;

	snprintf(file, NAME, "ladder-%s%s%s-%" PRIu64 "%s.svg", is_one_of_several ? cell->event->name : "",
		 is_one_of_several ? "-" : "", series->event->name, series->period, more);
}

static void plot_sweep(struct plotting *plotting, const struct bench_cell *cell,
		       const struct sweep_plot *plot, const struct series *sweep, uint32_t count)
{
	char file[NAME], title[WORDS], from[WORDS], more[MORE_NAME];
	const struct chart_words words = { title, plot->subtitle, plotting->source, from };

	if (!plot->has(sweep, count))
		return;
	if (plot->by == SWEEP_THREADS)
		snprintf(more, sizeof(more), "-%" PRIu64, sweep->period);
	else
		threads_name(sweep, more);
	if (plot->by == SWEEP_LADDER)
		name_ladder(cell, sweep, more, file);
	else
		name_file(plot->name, cell, sweep, more, file);
	snprintf(title, sizeof(title), plot->title, sweep->event->name);
	say_source(sweep, count, plot->each, from);
	write_plot(plotting, file, &words, plot->draw, sweep, count);
}

/* Of the first cell of each sweep */
static void plot_sweeps(struct plotting *plotting, const struct bench_cells *cells,
			const struct bench_cell *cell, const struct bench_event *const *members,
			uint32_t member)
{
	for (size_t n = 0; n < COUNT_OF(sweep_plots); n++) {
		const enum sweep_by by = sweep_plots[n].by;
		struct series sweep[SWEEP_MOST], sorted[SWEEP_MOST];
		uint32_t count;

		if (!cell_is_first(cells, cell, by))
			continue;
		count = cell_sweep(cells, cell, by, members, member, sweep);
		for (uint32_t k = 0; k < count; k++) {
			sorted[k] = sweep[k];
			sorted[k].sweep = by == SWEEP_PERIODS ? sweep : NULL;
			sorted[k].sweep_count = by == SWEEP_PERIODS ? count : 0;
		}
		qsort(sorted, count, sizeof(sorted[0]), compare_series);
		plot_sweep(plotting, cell, &sweep_plots[n], sorted, count);
	}
}

static void plot_cell(struct plotting *plotting, const struct bench_cells *cells,
		      const struct bench_cell *cell)
{
	const struct bench_event *members[EVENTS_MOST];
	const uint32_t count = (uint32_t)event_members(cell->event, members);

	for (uint32_t member = 0; member < count; member++) {
		const struct series series = cell_series(cell, members, member);

		plot_one(plotting, cell, &series);
		plot_sweeps(plotting, cells, cell, members, member);
	}
}

static void write_deviations(struct plotting *plotting, const struct series *series, uint32_t count,
			     uint32_t number)
{
	char file[NAME], from[WORDS];
	const struct chart_words words = {
		"Deviation of runs against what chance makes of it",
		"Above the line: more than chance. 95% intervals; triangles: no deviation at all",
		plotting->source, from,
	};

	if (!plot_has_deviations(series, count))
		return;
	snprintf(file, sizeof(file), "deviation-%" PRIu32 ".svg", number);
	snprintf(from, sizeof(from), "%" PRIu32 " runs of each; n = %" PRIu64 " samples", series->count,
		 samples_of(series, count));
	write_plot(plotting, file, &words, plot_deviations, series, count);
}

/* All series in one plot, or in so many that each has a key */
static void plot_all(struct plotting *plotting, const struct bench_cells *cells)
{
	struct series series[PLOT_KEY_MOST];
	uint32_t count = 0, number = 1;

	for (size_t n = 0; n < cells->count; n++) {
		const struct bench_event *members[EVENTS_MOST];
		const uint32_t all = (uint32_t)event_members(cells->cells[n].event, members);

		for (uint32_t member = 0; member < all; member++) {
			series[count++] = cell_series(&cells->cells[n], members, member);
			if (count < PLOT_KEY_MOST)
				continue;
			write_deviations(plotting, series, count, number++);
			count = 0;
		}
	}
	if (count)
		write_deviations(plotting, series, count, number);
}

int plots_write(const struct bench_cells *cells, const struct bench_arguments *arguments,
		struct document *document)
{
	const struct table *machine = preflight_table(document);
	const char *cpu = preflight_finding(machine, "CPU"), *kernel = preflight_finding(machine, "kernel");
	const char *is_virtual = preflight_finding(machine, "virtual machine");
	struct plotting plotting = { .arguments = arguments, .document = document };

	if (!arguments->plots)
		return EXIT_OK;
	snprintf(plotting.source, sizeof(plotting.source), "%s, Linux %s%s; precis %s",
		 cpu ? cpu : "CPU not known", kernel ? kernel : "of unknown release",
		 is_virtual && strcmp(is_virtual, "yes") == 0 ? ", in a virtual machine" : "",
		 precis_version());
	for (size_t n = 0; n < cells->count; n++)
		plot_cell(&plotting, cells, &cells->cells[n]);
	plot_all(&plotting, cells);
	if (!plotting.has_table && !plotting.has_failed)
		complain(arguments->command, "--plots: nothing that was measured has a plot");
	return plotting.has_failed ? EXIT_FAILED : EXIT_OK;
}
