/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of precis bench, and the raw counts that they are made of (present.h). */
#include "present.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "bench/accuracy/judge.h"
#include "bench/accuracy/series.h"
#include "figure.h"

#include "raw.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static void plan_row(const char *name, uint64_t count, struct document *document)
{
	row_begin(document, "%s", name);
	cell_count(document, count);
}

void present_plan(const struct plan *plan, int is_text, struct document *document)
{
	list_begin(document, "plan", "Plan");
	plan_row("cells", plan->cells, document);
	plan_row("runs", plan->runs, document);
	row_begin(document, "threads");
	threads_cell(&plan->threads, is_text, document);
	plan_row("seed", plan->seed, document);
	plan_row("seconds", plan->seconds, document);
}

/* --- results --- */

/* Text has figures with as many digits as they need, programs numbers. */
static const struct column result_columns[] = {
	{ "metric", NULL, COLUMN_LEFT },
	{ "event", NULL, COLUMN_LEFT },
	{ "kernel", NULL, COLUMN_LEFT },
	{ "period", NULL, 0 },
	{ "threads", NULL, 0 },
	{ "value", NULL, 0 },
	{ "low", NULL, 0 },
	{ "high", NULL, 0 },
	{ "floor", NULL, 0 },
	{ NULL, "value", 0 },
	{ NULL, "95% interval", COLUMN_LEFT },
	{ NULL, "chance", 0 },
	{ "unit", "unit", COLUMN_LEFT },
	{ "n", "n", COLUMN_N },
	{ "verdict", "verdict", COLUMN_LEFT },
	{ "says", "why not, or what else", COLUMN_LEFT },
};

/* An event and its cell: what a result is of */
struct place_of_result {
	const struct bench_cell *cell;
	const struct bench_event *event;
};

static void text_cells(const struct metric_result *result, const char *unit, struct document *document)
{
	char low[FIGURE], high[FIGURE], interval[2 * FIGURE + 4];

	figure_text(result->low, unit, low);
	figure_text(result->high, unit, high);
	snprintf(interval, sizeof(interval), "[%s,%s]", low, high);
	figure_cell(document, "", result->is_there ? result->value : NAN, unit);
	words_cell(document, result->is_there && !isnan(result->low) ? interval : NULL);
	figure_cell(document, "", result->is_there ? result->floor : NAN, unit);
}

static void number_cells(const struct metric_result *result, struct document *document)
{
	const double numbers[] = { result->value, result->low, result->high, result->floor };

	for (size_t n = 0; n < COUNT_OF(numbers); n++)
		cell_known(document, result->is_there ? numbers[n] : NAN);
}

/* Each row has a name of its own, but in text, where it stands below what it is of. */
static void result_row(const struct place_of_result *place, enum metric metric,
		       const struct metric_result *result, int is_text, struct document *document)
{
	static const char *const verdicts[] = {
		[VERDICT_NONE] = "", [VERDICT_OK] = "ok", [VERDICT_WORSE] = "worse",
	};
	const struct metric_info *info = metric_info(metric);

	if (is_text)
		row_begin(document, "%s", info->name);
	else
		row_begin(document, "%s/%s/%s/%" PRIu64 "/%" PRIu32 "/%s", place->cell->event->name,
			  place->event->name, place->cell->kernel->name, place->cell->period,
			  place->cell->threads, info->name);
	row_in(document, "rows");
	cell_text(document, "%s", info->name);
	cell_text(document, "%s", place->event->name);
	cell_text(document, "%s", place->cell->kernel->name);
	cell_count(document, place->cell->period);
	cell_count(document, place->cell->threads);
	number_cells(result, document);
	text_cells(result, info->unit, document);
	words_cell(document, result->is_there ? info->unit : NULL);
	if (result->is_there)
		cell_count(document, result->n);
	else
		cell_absent(document);
	words_cell(document, result->is_there ? verdicts[result->verdict] : NULL);
	words_cell(document, result->says);
}

/* How often threads had to give their CPU away while they were measured */
static uint64_t interruptions(const struct bench_cell *cell)
{
	uint64_t sum = 0;

	for (uint32_t n = 0; n < cell->done; n++) {
		for (uint32_t thread = 0; thread < cell->runs[n].threads; thread++)
			sum += cell->runs[n].thread[thread].involuntary;
	}
	return sum;
}

static void heading(const struct place_of_result *place, const struct series *series, uint32_t members,
		    uint32_t member, struct document *document)
{
	char among[64] = "", threads[THREADS_WORDS];

	if (members > 1)
		snprintf(among, sizeof(among), " (%" PRIu32 " of %" PRIu32 " at the same time)", member + 1,
			 members);
	row_heading(document,
		    "%s%s with %s, period %" PRIu64 "%s: %" PRIu32 " runs, %" PRIu64 " samples; threads had "
		    "to wait %" PRIu64 " times", place->event->name, among, place->cell->kernel->name,
		    place->cell->period, threads_words(place->cell->threads, threads), series->count,
		    series_all(series).samples, interruptions(place->cell));
}

static uint32_t present_cell(const struct bench_cells *cells, const struct bench_cell *cell,
			     const struct bench_arguments *arguments, struct document *document)
{
	const struct bench_event *members[EVENTS_MOST];
	const uint32_t count = (uint32_t)event_members(cell->event, members);
	uint32_t worse = 0;

	for (uint32_t member = 0; member < count; member++) {
		struct series series = cell_series(cell, members, member), sweep[SWEEP_MOST];
		const struct place_of_result place = { cell, members[member] };
		int any = 0;

		series.sweep_count = cell_sweep(cells, cell, SWEEP_PERIODS, members, member, sweep);
		series.sweep = sweep;
		for (enum metric metric = 0; metric < METRIC_COUNT; metric++) {
			struct metric_result result;

			if (!is_asked(arguments->metrics, metric))
				continue;
			result = metric_of(metric, &series);
			result.verdict = metric_verdict(metric, &result, arguments->bounds[metric]);
			worse += result.verdict == VERDICT_WORSE;
			result_row(&place, metric, &result, arguments->format == PAGE_TEXT, document);
			if (!any++)
				heading(&place, &series, count, member, document);
		}
	}
	return worse;
}

/* Below it others took so much of the CPUs that times are theirs as well */
#define OWN_SHARE_LEAST 0.9

/* CPU time and that of the clock of all threads of a cell, with events and without */
static void add_times(const struct bench_cell *cell, double *cpu, double *wall)
{
	for (uint32_t n = 0; n < cell->done * cell->threads; n++) {
		const uint32_t run = n / cell->threads, thread = n % cell->threads;
		const struct thread_counts *with = &cell->runs[run].thread[thread];
		const struct thread_counts *without = &cell->bare[run].thread[thread];

		*cpu += (double)with->cpu_ns + (double)without->cpu_ns;
		*wall += (double)with->wall_ns + (double)without->wall_ns;
	}
}

/*
 * Who shares a CPU waits for it. No run is left out for that, but it is told; where nobody had to give a CPU
 * away threads slept.
 */
static void note_waits(const struct bench_cells *cells, struct document *document)
{
	double cpu = 0, wall = 0;
	uint64_t times = 0;

	for (size_t n = 0; n < cells->count; n++) {
		times += interruptions(&cells->cells[n]);
		add_times(&cells->cells[n], &cpu, &wall);
	}
	if (!times || cpu >= OWN_SHARE_LEAST * wall)
		return;
	table_note(document, "Threads had a CPU for %.0f%% of their time, and had to wait %" PRIu64
			     " times in runs with events: others, here or on the host, ran on these CPUs. "
			     "All runs are in the figures.", 100 * cpu / wall, times);
}

static uint32_t unbound_threads(const struct bench_cells *cells)
{
	uint32_t sum = 0;

	for (size_t n = 0; n < cells->count; n++)
		sum += raw_unbound_threads(&cells->cells[n]);
	return sum;
}

static void note_runs_made_again(const struct bench_cells *cells, struct document *document)
{
	const uint32_t again = raw_runs_again(cells);

	if (again)
		table_note(
			document,
			"Made again: %" PRIu32 " runs in which the hypervisor named no cause "
			"for a debug exception. It ends a program with a breakpoint by SIGTRAP, or "
			"loses a hit; at most %u of one run are left out.",
			again, MEASURE_AGAIN_MOST);
}

uint32_t present_results(const struct bench_cells *cells, const struct bench_arguments *arguments,
			 struct document *document)
{
	uint32_t worse = 0;

	table_begin(document, "results", "Results", "metric", result_columns, COUNT_OF(result_columns));
	for (size_t n = 0; n < cells->count; n++)
		worse += present_cell(cells, &cells->cells[n], arguments, document);
	for (size_t n = 0; n < cells->count; n++) {
		if (*cells->cells[n].reason)
			table_note(document, "%s with %s: %s", cells->cells[n].event->name,
				   cells->cells[n].kernel->name, cells->cells[n].reason);
	}
	table_note(document, "Intervals are of 95%% and know of the runs that were made, not of other "
			     "machines; chance: what it, or one sample more or less, makes of the figure. "
			     "Worse is what certainly is beyond its bound (precis bench --list).");
	if (arguments->runs < 20)
		table_note(document, "Of %" PRIu32 " runs a standard deviation is known to a factor of 3 at "
				     "best; --full makes 20.", arguments->runs);
	if (unbound_threads(cells))
		table_note(document, "CPUs from %d on are not all there, not for this process, or went away "
				     "meanwhile: %" PRIu32 " threads ran on any.", arguments->cpu,
			   unbound_threads(cells));
	note_waits(cells, document);
	note_runs_made_again(cells, document);
	if (cells->is_stopped)
		table_note(document, "Interrupted: not all runs were made.");
	return worse;
}

/* --- raw counts --- */

static const struct column run_columns[] = {
	{ "set", NULL, COLUMN_LEFT },
	{ "event", NULL, COLUMN_LEFT },
	{ "kernel", NULL, COLUMN_LEFT },
	{ "period", NULL, 0 },
	{ "threads", NULL, 0 },
	{ "run", NULL, 0 },
	{ "thread", NULL, 0 },
	{ "inner", NULL, 0 },
	{ "outer", NULL, 0 },
	{ "cpu_ns", NULL, 0 },
	{ "wall_ns", NULL, 0 },
	{ "bare_cpu_ns", NULL, 0 },
	{ "bare_wall_ns", NULL, 0 },
	{ "clock_ns", NULL, 0 },
	{ "clock_cycles", NULL, 0 },
	{ "involuntary", NULL, 0 },
	{ "voluntary", NULL, 0 },
	{ "interrupts", NULL, 0 },
#define COUNT(name, meaning) { #name, NULL, 0 },
#include "bench/accuracy/counts.def"
#undef COUNT
	{ "skid", NULL, 0 },
	{ "sites", NULL, 0 },
	{ "products", NULL, 0 },
	{ "first", NULL, 0 },
	{ "last", NULL, 0 },
	{ "latencies", NULL, 0 },
};

static void list_cell(const uint64_t *counts, size_t count, struct document *document)
{
	cell_entries(document);
	for (size_t n = 0; n < count; n++)
		member_count(document, NULL, counts[n]);
	close_nest(document);
}

/* What correlations need besides how many samples name each instruction */
static void position_cells(const struct positions *positions, struct document *document)
{
	uint64_t products[LAGS], first[LAGS], last[LAGS];
	uint16_t of_ring[LAGS];
	const uint32_t count = positions_last(positions, of_ring);

	for (uint32_t n = 0; n < LAGS; n++)
		products[n] = (uint64_t)positions->products[n];
	for (uint32_t n = 0; n < count; n++) {
		first[n] = positions->first[n];
		last[n] = of_ring[n];
	}
	list_cell(products, LAGS, document);
	list_cell(first, count, document);
	list_cell(last, count, document);
}

/* Cycles, and how many loads took so many, by turns */
static void latency_cell(const struct histogram *latencies, struct document *document)
{
	uint32_t value = latencies ? histogram_next(latencies, 0) : HISTOGRAM_VALUES;

	cell_entries(document);
	for (; value < HISTOGRAM_VALUES; value = histogram_next(latencies, value + 1)) {
		member_count(document, NULL, value);
		member_count(document, NULL, histogram_count(latencies, (uint16_t)value));
	}
	close_nest(document);
}

static void run_row(const struct bench_cell *cell, const struct bench_event *event, uint32_t number,
		    uint32_t thread, const struct counts *counts, const struct histogram *latencies,
		    struct document *document)
{
	const struct thread_counts *with = &cell->runs[number].thread[thread];
	const struct thread_counts *without = &cell->bare[number].thread[thread];
	const size_t sites = kernel_site_count(cell->kernel);
	const uint64_t numbers[] = {
		cell->period, cell->threads, number, thread, cell->inner, with->outer, with->cpu_ns,
		with->wall_ns, without->cpu_ns, without->wall_ns, without->clock_ns, without->clock_cycles,
		with->involuntary, with->voluntary,
	};
	const uint64_t sums[] = {
#define COUNT(name, meaning) counts->name,
#include "bench/accuracy/counts.def"
#undef COUNT
	};

	row_begin(document, "%s/%s/%s/%" PRIu64 "/%" PRIu32 "/%" PRIu32 "/%" PRIu32, cell->event->name,
		  event->name, cell->kernel->name, cell->period, cell->threads, number, thread);
	row_in(document, "rows");
	cell_text(document, "%s", cell->event->name);
	cell_text(document, "%s", event->name);
	cell_text(document, "%s", cell->kernel->name);
	for (size_t n = 0; n < COUNT_OF(numbers); n++)
		cell_count(document, numbers[n]);
	/* of the whole run, not of a thread */
	if (cell->runs[number].has_interrupts)
		cell_count(document, cell->runs[number].interrupts);
	else
		cell_absent(document);
	for (size_t n = 0; n < COUNT_OF(sums); n++)
		cell_count(document, sums[n]);
	list_cell(counts->skid, SKIDS, document);
	list_cell(counts->sites, sites < SITES_MOST ? sites : SITES_MOST, document);
	position_cells(&counts->positions, document);
	latency_cell(latencies, document);
}

/* Events of threads of runs: all runs of a cell have as many of both. */
static void make_run_row(struct document *document, size_t n, const void *data)
{
	const struct bench_cell *cell = data;
	const struct bench_event *members[EVENTS_MOST];
	const size_t count = event_members(cell->event, members);
	const uint32_t member = (uint32_t)(n % count);
	const uint32_t thread = (uint32_t)(n / count % cell->threads);
	const uint32_t run = (uint32_t)(n / count / cell->threads);

	run_row(cell, members[member], run, thread, run_counts(&cell->runs[run], thread, member),
		run_latencies(&cell->runs[run], thread, member), document);
}

void present_runs(const struct bench_cells *cells, struct document *document)
{
	table_begin(document, "runs", NULL, "event", run_columns, COUNT_OF(run_columns));
	for (size_t n = 0; n < cells->count; n++) {
		const struct bench_cell *cell = &cells->cells[n];
		const struct bench_event *members[EVENTS_MOST];
		const size_t count = event_members(cell->event, members);

		table_makes_rows(document, count * cell->threads * cell->done, make_run_row, cell);
	}
}
