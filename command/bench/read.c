/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See read.h. Cells are told first; then the rows of runs stand in the order of cells, runs, threads
 * and events, as they were written. Nothing in the file is believed: a count that contradicts another
 * is an error.
 */
#include "read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_source.h"
#include "preflight.h"
#include "present.h"
#include "raw.h"
#include "command/usage/complain.h"

/* Rows of preflight and of events, and names that are said to be unknown */
#define ROWS_MOST 256u
#define NAMED_MOST 8u
/* Products of positions: what a double holds exactly */
#define PRODUCT_MOST (UINT64_C(1) << 53)

struct reading {
	struct json_source source;
	const struct bench_arguments *arguments;
	struct bench_file *file;
	const json_t *cells, *runs; /* arrays */
	size_t row; /* of 'runs', the next one */
	size_t series, named;
};

static void at_row(struct reading *reading, const char *table, size_t row)
{
	snprintf(reading->source.where, sizeof(reading->source.where), "%s.rows[%zu]", table, row);
}

static void at_whole(struct reading *reading, const char *name)
{
	snprintf(reading->source.where, sizeof(reading->source.where), "%s", name);
}

/* --- what stands before runs --- */

/* The object in a list: NAME.values */
static const json_t *values_of(struct reading *reading, const char *name)
{
	const json_t *list;

	at_whole(reading, "");
	list = json_take_object(&reading->source, reading->source.root, name);
	if (!list)
		return NULL;
	at_whole(reading, name);
	list = json_take_object(&reading->source, list, "values");
	snprintf(reading->source.where, sizeof(reading->source.where), "%s.values", name);
	return list;
}

static const json_t *rows_of(struct reading *reading, const char *name)
{
	const json_t *table;

	at_whole(reading, "");
	table = json_take_object(&reading->source, reading->source.root, name);
	if (!table)
		return NULL;
	at_whole(reading, name);
	return json_take_array(&reading->source, table, "rows");
}

static int read_schema(struct reading *reading)
{
	const json_t *values;
	uint64_t schema;

	if (!json_object_get(reading->source.root, "bench"))
		return json_wrong(&reading->source, NULL, "precis bench --format json has not written it");
	values = values_of(reading, "bench");
	if (!values || json_take_count(&reading->source, values, "schema", 0, UINT32_MAX, &schema))
		return -1;
	if (schema != BENCH_SCHEMA)
		return json_wrong(&reading->source, "schema", "it is %" PRIu64 ", and this precis reads %u%s",
				  schema, BENCH_SCHEMA,
				  schema < BENCH_SCHEMA ? ": it lacks what results are made of" : "");
	at_whole(reading, "");
	if (!json_object_get(reading->source.root, "measured"))
		return json_wrong(&reading->source, NULL, "there are no runs in it: nothing was measured");
	return 0;
}

/* Of the array of that name, which rises */
static int read_threads(const struct json_source *source, const json_t *values, const char *name,
			struct thread_numbers *threads)
{
	const json_t *array = json_take_array(source, values, name);
	const size_t count = json_array_size(array);
	uint64_t numbers[THREAD_COUNTS_MOST];

	if (!array)
		return -1;
	if (!count || count > THREAD_COUNTS_MOST)
		return json_wrong(source, name, "expected 1 to %u numbers, found %zu", THREAD_COUNTS_MOST,
				  count);
	if (json_take_counts(source, values, name, count, THREADS_MOST, numbers))
		return -1;
	threads->count = (uint32_t)count;
	for (size_t n = 0; n < count; n++) {
		if (numbers[n] <= (n ? numbers[n - 1] : 0))
			return json_wrong(source, name, "each number is larger than the one before, and "
					  "than 0");
		threads->numbers[n] = (uint32_t)numbers[n];
	}
	return 0;
}

static int read_settings(struct reading *reading)
{
	const struct json_source *source = &reading->source;
	const json_t *values = values_of(reading, "measured");
	struct bench_file *file = reading->file;
	uint64_t runs, cpu, again = 0;

	if (!values || json_take_count(source, values, "runs", 2, RUNS_MOST, &runs) ||
	    read_threads(source, values, "threads", &file->threads) ||
	    json_take_count(source, values, "seed", 0, INT64_MAX, &file->seed) ||
	    json_take_bool(source, values, "full", &file->is_full) ||
	    json_take_bool(source, values, "interrupted", &file->cells.is_stopped))
		return -1;
	/* where there were any */
	if (json_object_get(values, "runs_again") &&
	    json_take_count(source, values, "runs_again", 1, UINT32_MAX / 2, &again))
		return -1;
	file->cells.again = (uint32_t)again;
	file->runs = (uint32_t)runs;
	file->cpu = -1;
	if (json_is_null(json_object_get(values, "cpu")))
		return 0;
	if (json_take_count(source, values, "cpu", 0, 1023, &cpu))
		return -1;
	file->cpu = (int)cpu;
	return 0;
}

static int read_notes(struct reading *reading, const char *name)
{
	const json_t *notes;

	at_whole(reading, name);
	notes = json_take_array(&reading->source, json_object_get(reading->source.root, name), "notes");
	for (size_t n = 0; notes && n < json_array_size(notes) && n < ROWS_MOST; n++) {
		const char *note = json_string_value(json_array_get(notes, n));

		if (!note)
			return json_wrong(&reading->source, "notes", "one of them is no text");
		table_note(&reading->file->document, "%s", note);
	}
	return notes ? 0 : -1;
}

static int read_preflight(struct reading *reading)
{
	struct document *document = &reading->file->document;
	const json_t *rows = rows_of(reading, "preflight");

	preflight_begin(document);
	for (size_t n = 0; rows && n < json_array_size(rows) && n < ROWS_MOST; n++) {
		const json_t *row = json_array_get(rows, n);
		const char *name;

		at_row(reading, "preflight", n);
		name = json_take_text(&reading->source, row, "row");
		if (!name)
			return -1;
		preflight_row(document, name, json_string_value(json_object_get(row, "finding")),
			      json_string_value(json_object_get(row, "remark")));
	}
	return rows ? read_notes(reading, "preflight") : -1;
}

static int read_events(struct reading *reading)
{
	const json_t *rows = rows_of(reading, "events");

	present_answers_begin(&reading->file->document);
	for (size_t n = 0; rows && n < json_array_size(rows) && n < ROWS_MOST; n++) {
		const json_t *row = json_array_get(rows, n);
		const char *name, *available, *reason;

		at_row(reading, "events", n);
		name = json_take_text(&reading->source, row, "row");
		available = name ? json_take_text(&reading->source, row, "available") : NULL;
		reason = available ? json_take_text(&reading->source, row, "reason") : NULL;
		if (!reason)
			return -1;
		present_answer(&reading->file->document, name, strcmp(available, "yes") == 0, reason);
	}
	return rows ? read_notes(reading, "events") : -1;
}

static int read_plan(struct reading *reading)
{
	const json_t *values = values_of(reading, "plan");
	struct plan plan;

	if (!values || json_take_count(&reading->source, values, "cells", 0, INT64_MAX, &plan.cells) ||
	    json_take_count(&reading->source, values, "runs", 0, INT64_MAX, &plan.runs) ||
	    read_threads(&reading->source, values, "threads", &plan.threads) ||
	    json_take_count(&reading->source, values, "seed", 0, INT64_MAX, &plan.seed) ||
	    json_take_count(&reading->source, values, "seconds", 0, INT64_MAX, &plan.seconds))
		return -1;
	present_plan(&plan, reading->arguments->format == PAGE_TEXT, &reading->file->document);
	return 0;
}

/* --- counts --- */

/* Which cell a row is of */
struct place {
	const char *set, *kernel;
	uint64_t period, threads;
};

static int take_place(struct reading *reading, const json_t *row, struct place *place)
{
	const struct json_source *source = &reading->source;

	place->set = json_take_text(source, row, "set");
	place->kernel = place->set ? json_take_text(source, row, "kernel") : NULL;
	if (!place->kernel)
		return -1;
	return json_take_count(source, row, "period", 1, BENCH_COUNT_MOST, &place->period) ||
		       json_take_count(source, row, "threads", 1, THREADS_MOST, &place->threads) ? -1 : 0;
}

static int is_at(const struct place *place, const struct place *other)
{
	return strcmp(place->set, other->set) == 0 && strcmp(place->kernel, other->kernel) == 0 &&
	       place->period == other->period && place->threads == other->threads;
}

/* Counts of one sample more or less by different names are of the same samples. */
static int check_counts(struct reading *reading, const struct bench_event *event, const struct kernel *kernel,
			const struct counts *counts)
{
	const struct json_source *source = &reading->source;
	const int has_truth = event->quantity == QUANTITY_CPU_TIME || kernel_knows(kernel, event->quantity);
	uint64_t sites = 0, skid = 0;

	for (uint32_t n = 0; n < SITES_MOST; n++)
		sites += counts->sites[n];
	for (uint32_t n = 0; n < SKIDS; n++)
		skid += counts->skid[n];
	if (counts->user_mode + counts->kernel_mode + counts->other_mode != counts->samples)
		return json_wrong(source, "samples", "samples of the modes are not as many");
	if (counts->samples > counts->all)
		return json_wrong(source, "all", "it is less than 'samples'");
	if (sites + counts->between + counts->outside != counts->samples)
		return json_wrong(source, "sites", "'samples' are not those here, 'between' and 'outside'");
	if (counts->right + counts->wrong != (event->place == PLACE_NOWHERE ? 0 : sites))
		return json_wrong(source, "right", "with 'wrong' it is not as many as 'sites'");
	if (skid != counts->right + counts->wrong)
		return json_wrong(source, "skid", "'right' and 'wrong' are not as many");
	if (counts->with_latency > counts->samples)
		return json_wrong(source, "with_latency", "it is more than 'samples'");
	if (counts->wrong_address > counts->samples)
		return json_wrong(source, "wrong_address", "it is more than 'samples'");
	if (!counts->truth && has_truth)
		return json_wrong(source, "truth", "the kernel makes some");
	return 0;
}

static int read_positions(struct reading *reading, const json_t *row, size_t sites, struct counts *counts)
{
	const struct json_source *source = &reading->source;
	uint64_t products[LAGS], first[LAGS], last[LAGS], samples = 0;
	uint16_t ring[LAGS] = { 0 };
	size_t known;

	for (size_t n = 0; n < sites; n++)
		samples += counts->sites[n];
	known = samples < LAGS ? (size_t)samples : LAGS;
	if (json_take_counts(source, row, "products", LAGS, PRODUCT_MOST, products) ||
	    json_take_counts(source, row, "first", known, sites - 1, first) ||
	    json_take_counts(source, row, "last", known, sites - 1, last))
		return -1;
	for (size_t n = 0; n < LAGS; n++)
		counts->positions.products[n] = (double)products[n];
	for (size_t n = 0; n < known; n++) {
		counts->positions.first[n] = (uint16_t)first[n];
		ring[n] = (uint16_t)last[n];
	}
	positions_restore(counts, ring);
	return 0;
}

static int read_counts(struct reading *reading, const json_t *row, const struct bench_event *event,
		       const struct kernel *kernel, struct counts *counts)
{
	const struct json_source *source = &reading->source;
	const size_t sites = kernel_site_count(kernel) < SITES_MOST ? kernel_site_count(kernel) : SITES_MOST;
	const struct {
		const char *name;
		uint64_t *count;
	} rows[] = {
#define COUNT(name, meaning) { #name, &counts->name },
#include "bench/accuracy/counts.def"
#undef COUNT
	};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		const int is_square = rows[n].count == &counts->interval_squares;
		const uint64_t most = is_square ? COUNT_FULL : BENCH_COUNT_MOST;

		if (json_take_count(source, row, rows[n].name, 0, most, rows[n].count))
			return -1;
	}
	if (json_take_counts(source, row, "skid", SKIDS, BENCH_COUNT_MOST, counts->skid) ||
	    json_take_counts(source, row, "sites", sites, BENCH_COUNT_MOST, counts->sites) ||
	    check_counts(reading, event, kernel, counts))
		return -1;
	return read_positions(reading, row, sites, counts);
}

/* Pairs of a value, which is larger than the one before, and how many have it */
static int read_latencies(struct reading *reading, const json_t *row, uint64_t expected,
			  struct histogram *latencies)
{
	const struct json_source *source = &reading->source;
	const json_t *array = json_take_array(source, row, "latencies");
	const size_t count = json_array_size(array);
	uint64_t sum = 0;
	int64_t before = -1;

	for (size_t n = 0; array && n + 1 < count; n += 2) {
		const json_t *cycles = json_array_get(array, n), *times = json_array_get(array, n + 1);
		const json_int_t value = json_integer_value(cycles), number = json_integer_value(times);

		if (!json_is_integer(cycles) || value <= before || value >= HISTOGRAM_VALUES ||
		    !json_is_integer(times) || number < 1 || (uint64_t)number > expected - sum)
			return json_wrong(source, "latencies", "entries %zu and %zu are no cycles, more than "
					  "before, and no number of samples that have a latency", n, n + 1);
		if (!latencies || histogram_add_times(latencies, (uint16_t)value, (uint64_t)number))
			return json_wrong(source, "latencies", latencies ? "out of memory" :
					  "samples of that event with that kernel have none");
		sum += (uint64_t)number;
		before = value;
	}
	if (array && (count % 2 || sum != expected))
		return json_wrong(source, "latencies", "they are not of as many samples as 'with_latency'");
	return array ? 0 : -1;
}

static int read_thread(struct reading *reading, const json_t *row, struct thread_counts *with,
		       struct thread_counts *without)
{
	const struct {
		const char *name;
		uint64_t *count;
	} rows[] = {
		{ "outer", &with->outer }, { "cpu_ns", &with->cpu_ns }, { "wall_ns", &with->wall_ns },
		{ "bare_cpu_ns", &without->cpu_ns }, { "bare_wall_ns", &without->wall_ns },
		{ "clock_ns", &without->clock_ns }, { "clock_cycles", &without->clock_cycles },
		{ "involuntary", &with->involuntary }, { "voluntary", &with->voluntary },
	};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		if (json_take_count(&reading->source, row, rows[n].name, 0, BENCH_COUNT_MOST, rows[n].count))
			return -1;
	}
	without->outer = with->outer;
	return 0;
}

/* --- runs --- */

/* Of the whole run: each of its rows has the same. */
static int read_interrupts(struct reading *reading, const json_t *row, struct run *run, int is_first)
{
	const struct json_source *source = &reading->source;
	const int is_told = !json_is_null(json_object_get(row, "interrupts"));
	uint64_t count = 0;

	if (is_told && json_take_count(source, row, "interrupts", 0, BENCH_COUNT_MOST, &count))
		return -1;
	if (!is_first && (is_told != run->has_interrupts || count != run->interrupts))
		return json_wrong(source, "interrupts", "the run has another number before");
	run->has_interrupts = is_told;
	run->interrupts = count;
	return 0;
}

/* The row of that event of that thread of that run, which is the next one */
static int read_row(struct reading *reading, struct bench_cell *cell, const struct bench_event *event,
		    uint32_t number, uint32_t thread, uint32_t member)
{
	const struct json_source *source = &reading->source;
	const struct place expected = { cell->event->name, cell->kernel->name, cell->period, cell->threads };
	const json_t *row = json_array_get(reading->runs, reading->row);
	struct run *run = &cell->runs[number];
	uint64_t of_run, of_thread, inner;
	struct place place;
	const char *name;

	at_row(reading, "runs", reading->row++);
	name = take_place(reading, row, &place) ? NULL : json_take_text(source, row, "event");
	if (!name || json_take_count(source, row, "run", 0, RUNS_MOST, &of_run) ||
	    json_take_count(source, row, "thread", 0, THREADS_MOST, &of_thread) ||
	    json_take_count(source, row, "inner", 1, BENCH_COUNT_MOST, &inner))
		return -1;
	if (!is_at(&place, &expected) || strcmp(name, event->name) != 0 || of_run != number ||
	    of_thread != thread || inner != cell->inner)
		return json_wrong(source, NULL, "expected %s/%s/%s/%" PRIu64 "/%" PRIu64 ", run %" PRIu32
				  ", thread %" PRIu32 ", inner %" PRIu64, expected.set, event->name,
				  expected.kernel, expected.period, expected.threads, number, thread,
				  cell->inner);
	if (read_thread(reading, row, &run->thread[thread], &cell->bare[number].thread[thread]) ||
	    read_interrupts(reading, row, run, !thread && !member))
		return -1;
	if (read_counts(reading, row, event, cell->kernel, run_counts(run, thread, member)))
		return -1;
	return read_latencies(reading, row, run_counts(run, thread, member)->with_latency,
			      run_latencies(run, thread, member));
}

static int read_runs_of(struct reading *reading, struct bench_cell *cell, uint32_t done,
			const struct bench_event *const *members, uint32_t count)
{
	const uint32_t threads = cell->threads;

	cell->runs = calloc((size_t)done + 1, sizeof(*cell->runs));
	cell->bare = calloc((size_t)done + 1, sizeof(*cell->bare));
	if (!cell->runs || !cell->bare) {
		complain(reading->source.command, "out of memory");
		return -1;
	}
	for (uint32_t number = 0; number < done; number++) {
		struct run *run = &cell->runs[number], *bare = &cell->bare[number];

		cell->done++;
		run->period = bare->period = cell->period;
		run->inner = bare->inner = cell->inner;
		if (run_allocate(run, threads, count) || run_allocate(bare, threads, 0) ||
		    run_allocate_latencies(run, cell->kernel, members)) {
			complain(reading->source.command, "out of memory");
			return -1;
		}
		for (uint32_t at = 0; at < threads * count; at++) {
			if (read_row(reading, cell, members[at % count], number, at / count, at % count))
				return -1;
		}
	}
	return 0;
}

/* --- cells --- */

static size_t number_of_event(const struct bench_event *event)
{
	size_t n = 0;

	while (event_at(n) != event)
		n++;
	return n;
}

static size_t number_of_kernel(const struct kernel *kernel)
{
	size_t n = 0;

	while (kernel_at(n) != kernel)
		n++;
	return n;
}

/* Rows of a cell that is left out are those up to the next one's. */
static int skip_rows(struct reading *reading, const struct place *place, size_t *skipped)
{
	const json_t *row;
	struct place other;

	while ((row = json_array_get(reading->runs, reading->row))) {
		at_row(reading, "runs", reading->row);
		if (take_place(reading, row, &other))
			return -1;
		if (!is_at(&other, place))
			break;
		reading->row++;
		*skipped += 1;
	}
	return 0;
}

static void say_unknown(struct reading *reading, const struct place *place, const struct bench_event *event)
{
	reading->file->skipped_cells++;
	if (reading->named++ < NAMED_MOST)
		complain(reading->source.command,
			 "%s: %s %s is not known to this precis: %s with %s, period %" PRIu64 " is left out",
			 reading->source.path, event ? "the kernel" : "the event",
			 event ? place->kernel : place->set, place->set, place->kernel, place->period);
}

/* Can it be, and is it there only once? */
static int check_cell(struct reading *reading, const struct bench_cell *cell,
		      const struct bench_event *const *members, uint32_t count)
{
	const struct bench_cells *cells = &reading->file->cells;

	for (uint32_t n = 0; n < count; n++) {
		if (!cell_makes_some(members[n], cell->kernel))
			return json_wrong(&reading->source, "kernel", "%s makes no events of %s",
					  cell->kernel->name, members[n]->name);
	}
	for (size_t n = 0; n < cells->count; n++) {
		const struct bench_cell *other = &cells->cells[n];

		if (cell_is_beside(cell, other, SWEEP_PERIODS) && other->period == cell->period)
			return json_wrong(&reading->source, NULL, "it is there twice");
	}
	reading->series += count;
	if (reading->series > BENCH_SERIES_MOST)
		return json_wrong(&reading->source, NULL, "there are more than %u", BENCH_SERIES_MOST);
	return 0;
}

/* Why that period, by its name */
static int read_kind(struct reading *reading, const json_t *row, struct bench_cell *cell)
{
	const char *name = json_take_text(&reading->source, row, "why");

	for (enum period_kind kind = 0; name && kind < PERIOD_KINDS; kind++) {
		cell->kind = kind;
		if (strcmp(name, period_kind_name(kind, cell->event)) == 0)
			return 0;
	}
	return name ? json_wrong(&reading->source, "why", "no period is chosen for that") : -1;
}

/* Is it one of those that were measured with? */
static int check_threads(const struct reading *reading, uint32_t threads)
{
	const struct thread_numbers *all = &reading->file->threads;

	for (uint32_t n = 0; n < all->count; n++) {
		if (all->numbers[n] == threads)
			return 0;
	}
	return json_wrong(&reading->source, "threads", "nothing was measured with %" PRIu32, threads);
}

static int read_cell(struct reading *reading, const json_t *row, struct bench_cell *cell, uint32_t *done,
		     uint64_t *unbound)
{
	const struct json_source *source = &reading->source;
	const char *reason = json_string_value(json_object_get(row, "reason"));
	uint64_t runs;

	if (json_take_count(source, row, "inner", 1, BENCH_COUNT_MOST, &cell->inner) ||
	    json_take_count(source, row, "outer", 0, BENCH_COUNT_MOST, &cell->outer) ||
	    json_take_count(source, row, "runs", 0, reading->file->runs, &runs) ||
	    json_take_count(source, row, "unbound_threads", 0, runs * cell->threads, unbound) ||
	    check_threads(reading, cell->threads) || read_kind(reading, row, cell))
		return -1;
	snprintf(cell->reason, sizeof(cell->reason), "%s", reason ? reason : "");
	*done = (uint32_t)runs;
	return 0;
}

static int take_cell(struct reading *reading, const json_t *row, const struct place *place)
{
	struct bench_cells *cells = &reading->file->cells;
	const struct bench_event *members[EVENTS_MOST];
	struct bench_cell cell = {
		.event = event_named(place->set, strlen(place->set)), .kernel = kernel_named(place->kernel),
		.period = place->period, .threads = (uint32_t)place->threads,
	};
	size_t not_asked = 0;
	uint32_t count, done;
	uint64_t unbound;
	int code;

	if (!cell.event || !cell.kernel) {
		say_unknown(reading, place, cell.event);
		return skip_rows(reading, place, &reading->file->skipped_rows);
	}
	count = (uint32_t)event_members(cell.event, members);
	if (check_cell(reading, &cell, members, count) || read_cell(reading, row, &cell, &done, &unbound))
		return -1;
	if (!is_asked(reading->arguments->events, number_of_event(cell.event)) ||
	    !is_asked(reading->arguments->kernels, number_of_kernel(cell.kernel)))
		return skip_rows(reading, place, &not_asked);
	if ((uint64_t)done * cell.threads * count > json_array_size(reading->runs) - reading->row)
		return json_wrong(&reading->source, "runs", "%" PRIu32 " runs of it are not in the file",
				  done);
	code = read_runs_of(reading, &cell, done, members, count);
	if (cell.done)
		cell.runs[0].unbound = (uint32_t)unbound;
	cells->cells[cells->count++] = cell;
	return code;
}

static int read_cells(struct reading *reading)
{
	struct bench_cells *cells = &reading->file->cells;

	reading->cells = rows_of(reading, "cells");
	reading->runs = reading->cells ? rows_of(reading, "runs") : NULL;
	if (!reading->runs)
		return -1;
	at_whole(reading, "cells");
	if (json_array_size(reading->cells) > BENCH_SERIES_MOST)
		return json_wrong(&reading->source, "rows", "there are more than %u", BENCH_SERIES_MOST);
	cells->cells = calloc(json_array_size(reading->cells) + 1, sizeof(*cells->cells));
	if (!cells->cells) {
		complain(reading->source.command, "out of memory");
		return -1;
	}
	for (size_t n = 0; n < json_array_size(reading->cells); n++) {
		const json_t *row = json_array_get(reading->cells, n);
		struct place place;

		at_row(reading, "cells", n);
		if (take_place(reading, row, &place) || take_cell(reading, row, &place))
			return -1;
	}
	if (reading->row == json_array_size(reading->runs))
		return 0;
	at_row(reading, "runs", reading->row);
	return json_wrong(&reading->source, NULL, "none of the cells has it");
}

/* --- all of it --- */

static int read_all(struct reading *reading)
{
	if (read_schema(reading) || read_settings(reading) || read_preflight(reading) ||
	    read_events(reading) || read_plan(reading) || read_cells(reading))
		return -1;
	if (reading->file->skipped_cells)
		complain(reading->source.command, "%s: %zu cells and %zu rows of runs are left out: this "
			 "precis does not know them", reading->source.path, reading->file->skipped_cells,
			 reading->file->skipped_rows);
	return 0;
}

int bench_file_read(const struct bench_arguments *arguments, const char *path, struct bench_file *file)
{
	struct reading reading = { .arguments = arguments, .file = file };
	int code;

	memset(file, 0, sizeof(*file));
	code = json_source_open(&reading.source, arguments->command, path);
	if (!code)
		code = read_all(&reading);
	json_source_free(&reading.source);
	return code;
}

void bench_file_free(struct bench_file *file)
{
	cells_free(&file->cells);
	document_free(&file->document);
	memset(file, 0, sizeof(*file));
}
