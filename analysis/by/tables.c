/* SPDX-License-Identifier: BSD-3-Clause */
/* See tables.h. */
#include "tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/in_step.h"
#include "analysis/model/absences.h"
#include "analysis/objects/side_files.h"
#include "analysis/topics.h"
#include "analysis/type_page/page.h"
#include "compare.h"
#include "figures.h"
#include "keys.h"
#include "levels.h"
#include "node_matrix.h"
#include "type_tables.h"

/* Of a kind's events; of samples of PEBS that are of no known event where others are of one */
static const struct {
	const char *name, *rest, *title;
	uint32_t topics;
	const char *matrix, *rest_matrix;
} kinds[EVENT_KINDS] = {
	[PRECIS_EVENT_OTHER] = { "by_other", NULL, "Samples of other events", TOPIC_OTHERS,
				  "by_other_nodes", NULL },
	[PRECIS_EVENT_IBS_OP] = { "by_ops", NULL, "Sampled ops", TOPIC_OPS, "by_ops_nodes", NULL },
	[PRECIS_EVENT_IBS_FETCH] = { "by_fetches", NULL, "Sampled fetches", TOPIC_FETCHES,
				      "by_fetches_nodes", NULL },
	[PRECIS_EVENT_PEBS] = { "by_pebs", "by_pebs_rest", "Samples of PEBS",
				TOPIC_PEBS | TOPIC_LATENCY | TOPIC_PLACES, "by_pebs_nodes",
				"by_pebs_rest_nodes" },
};

/* --- columns --- */

static const struct by_column usual[] = {
	{ .name = "samples", .title = "samples", .figure = BY_SAMPLES },
	{ .name = "share", .title = "share [95% CI]", .figure = BY_SHARE },
	{ .name = "cycle_share", .title = "of cycles", .figure = BY_CYCLE_SHARE },
	{ .name = "median", .title = "median", .figure = BY_MEDIAN },
	{ .name = "p99", .title = "p99", .figure = BY_P99 },
	{ .name = "n", .title = "n", .figure = BY_N },
};

/* Of comparisons: figures that have intervals */
static const struct by_column usual_compared[] = {
	{ .name = "events", .title = "events", .figure = BY_EVENTS, .better = -1 },
	{ .name = "share", .title = "share", .figure = BY_SHARE },
	{ .name = "cycle_share", .title = "of cycles", .figure = BY_CYCLE_SHARE },
	{ .name = "median", .title = "median", .figure = BY_MEDIAN, .better = -1 },
};

#define COUNT_OF(columns) (sizeof(columns) / sizeof((columns)[0]))

void by_choose_columns(struct by *by)
{
	const struct by_request *request = by->request;
	const struct by_column *from = request->runs ? usual_compared : usual;

	by->column_count = request->runs ? COUNT_OF(usual_compared) : COUNT_OF(usual);
	by->sort = request->is_sorted ? request->sort : from[0];
	if (request->column_count) {
		from = request->columns;
		by->column_count = request->column_count;
	}
	memcpy(by->columns, from, by->column_count * sizeof(*from));
	for (uint32_t n = 0; n < by->column_count; n++) {
		if (by->columns[n].figure == BY_IS)
			by->columns[n].flag = by->flags++;
		if (by->columns[n].figure == BY_TREND)
			by->parts = BY_TREND_PARTS;
		if (strcmp(by->columns[n].name, by->sort.name) == 0)
			by->sort = by->columns[n];
	}
}

/* Those of events that have no latency lack what nobody asked for by name. */
static int is_told(const struct by *by, const struct by_column *column, int has_latency)
{
	return has_latency || by->request->column_count || column->figure <= BY_SHARE;
}

static uint32_t add_columns(const struct by_column *column, int is_bounded, struct column *to)
{
	const char *const *ends = by_end_names(column);
	uint32_t count = 0;

	to[count++] = (struct column){ column->name, column->title,
				       column->figure == BY_N ? COLUMN_N : 0 };
	if (column->figure == BY_SAMPLES && is_bounded)
		to[count++] = (struct column){ "missed_most", "missed<=", 0 };
	for (size_t n = 0; ends && n < 2; n++)
		to[count++] = (struct column){ ends[n], NULL, 0 };
	return count;
}

static uint32_t variant_number(int has_latency, int is_bounded, int has_estimates)
{
	return 4u * (uint32_t)has_estimates + 2u * (uint32_t)has_latency + (uint32_t)is_bounded;
}

static uint32_t fill_variant(const struct by *by, int has_latency, int is_bounded, int has_estimates)
{
	struct column *columns = by->table_columns +
				 TABLE_COLUMNS_MOST * variant_number(has_latency, is_bounded, has_estimates);
	uint32_t count = 0;

	for (uint32_t n = 0; n < by->column_count; n++) {
		if (is_told(by, &by->columns[n], has_latency))
			count += add_columns(&by->columns[n], is_bounded, columns + count);
	}
	if (has_estimates) {
		columns[count++] = (struct column){ "blocks", "blocks", 0 };
		columns[count++] = (struct column){ "estimate", "estimate [95% CI]", 0 };
	}
	columns[count++] = (struct column){ NULL, by->title, COLUMN_LEFT };
	for (uint32_t n = 0; n < by->request->key_count; n++)
		count += by_key_columns(&by->request->keys[n], columns + count);
	return count;
}

int by_make_table_columns(struct by *by)
{
	size_t length = 0;

	_Static_assert(BY_COLUMNS_MOST + 1 + 4 * 2 + 2 + 1 + BY_KEYS_MOST * BY_KEY_COLUMNS <=
		       TABLE_COLUMNS_MOST, "a table has room for all, and each interval comes once");
	for (uint32_t n = 0; n < by->request->key_count; n++) {
		int written = snprintf(by->title + length, sizeof(by->title) - length, "%s%s",
				       n ? ", " : "", by->request->keys[n].name);

		length += (size_t)written < sizeof(by->title) - length ? (size_t)written : 0;
	}
	by->table_columns = calloc(BY_VARIANTS * TABLE_COLUMNS_MOST, sizeof(*by->table_columns));
	if (!by->table_columns)
		return -1;
	if (by->request->runs)
		by->table_column_count[0] = by_compare_columns(by, by->table_columns);
	for (int n = 0; n < (int)BY_VARIANTS && !by->request->runs; n++)
		by->table_column_count[n] = fill_variant(by, n >> 1 & 1, n & 1, n >> 2);
	return 0;
}

/* --- rows --- */

/* The rows of one depth, and values of their latencies */
struct depth {
	struct by_level level;
	struct by_values_of_rows values;
	struct row_estimates estimates;
};

struct telling {
	const struct by *by;
	struct document *document;
	const struct by_event *event;
	struct depth depths[BY_KEYS_MOST];
	int is_bounded, has_latency, has_estimates;
	struct absences absences;
};

static int is_time(const struct telling *telling, uint32_t depth)
{
	const struct by_request *request = telling->by->request;

	return depth < request->key_count && request->keys[depth].key == BY_TIME;
}

/* Times come one after the other, unless something else is asked for. */
static double order_of(const struct telling *telling, uint32_t depth, const struct by_figures_of *of)
{
	const struct by_value *key = &of->row->key[depth];

	if (is_time(telling, depth) && !telling->by->request->is_sorted)
		return key->b == BY_ABSENT ? NAN : -(double)key->a;
	return by_order_of(telling->event->total, &telling->depths[depth].values, of, &telling->by->sort);
}

static int open_depth(struct telling *telling, uint32_t number)
{
	const struct by_rows *rows = &telling->event->rows[number];
	struct depth *depth = &telling->depths[number];

	if (by_level_open(&depth->level, rows) < 0 || by_values_sort(&depth->values, rows) < 0 ||
	    row_estimates_make(&depth->estimates, &rows->blocks, rows->count) < 0)
		return -1;
	telling->has_estimates |= depth->estimates.rows != NULL;
	for (uint32_t n = 0; n < depth->level.count; n++) {
		struct by_figures_of *of = &depth->level.rows[n];

		of->order = order_of(telling, number, of);
	}
	by_level_sort(&depth->level, number + 1);
	return 0;
}

/* 'values' NULL: figures of values are not known */
static void cells_figures(const struct telling *telling, uint32_t keys, const struct by_figures_of *of,
			  const struct by_values_of_rows *values)
{
	const struct by *by = telling->by;

	for (uint32_t n = 0; n < by->column_count; n++) {
		const struct by_column *column = &by->columns[n];

		if (is_told(by, column, telling->has_latency))
			by_cells(telling->document, by, keys, telling->event->total, column, of, values);
		if (column->figure == BY_SAMPLES && telling->is_bounded)
			by_cell_missed(telling->document, telling->event->total, of->row->missed);
	}
}

/* What the row stands for, where some blocks are not recorded. 'depth' NULL: a row of several others */
static void cells_estimate(const struct telling *telling, const struct depth *depth,
			   const struct by_figures_of *of)
{
	const struct row_estimate *estimate =
		depth && depth->estimates.rows ? &depth->estimates.rows[of->number] : NULL;
	const struct weighted *whole = &telling->event->total->samples;
	struct document *document = telling->document;
	struct interval interval;
	double share;

	if (!telling->has_estimates)
		return;
	if (!estimate || (!estimate->blocks && estimate->unrecorded)) {
		cell_absent(document);
		cell_absent(document);
		cell_why_absent(document, estimate ? "blocks that were not recorded" : "of several rows");
		return;
	}
	interval = row_estimate_share(&depth->estimates, of->number, &of->row->samples, whole,
				      document_confidence(document), &share);
	cell_count(document, estimate->blocks);
	cell_share_estimated(document, share, interval, whole->samples);
}

static void tell_absence(struct telling *telling, uint32_t key, const struct by_value *value)
{
	const struct name *object;

	const enum by_key is = telling->by->request->keys[key].key;

	if ((is != BY_SYMBOL && is != BY_CALLER && is != BY_OBJECT) || value->a || value->b == BY_ABSENT)
		return;
	object = names_get(&telling->by->names, value->b);
	if (object && object->absent)
		absences_tell(&telling->absences, telling->document, object->object, object->absent);
}

static void add_row(struct telling *telling, uint32_t depth, const struct by_figures_of *of,
		    const char *rank)
{
	struct document *document = telling->document;
	const struct by_value *key = of->row->key;
	char *text = by_key_text(telling->by, depth, &key[depth]);

	row_begin(document, "%s", rank);
	cells_figures(telling, depth + 1, of, &telling->depths[depth].values);
	cells_estimate(telling, &telling->depths[depth], of);
	cell_text(document, "%*s%s", (int)(2 * depth), "", text ? text : "");
	document->failed |= !text;
	free(text);
	for (uint32_t n = 0; n <= depth; n++)
		by_key_cells(document, telling->by, n, &key[n]);
	tell_absence(telling, depth, &key[depth]);
}

/* What all others have together: 'shown' rows are told */
static void add_others(struct telling *telling, uint32_t depth, const struct by_row *whole,
		       const struct by_row *shown, uint32_t count, const char *rank)
{
	const struct by_event *event = telling->event;
	struct by_row *rest = calloc(1, event->rows[0].stride);
	const struct by_figures_of of = { .row = rest };

	if (!rest) {
		telling->document->failed = 1;
		return;
	}
	memcpy(rest, whole, event->rows[0].stride);
	rest->missed = 0;
	by_row_subtract(rest, shown, telling->by->flags);
	if (rest->samples.samples) {
		row_begin(telling->document, "%s", rank);
		row_is_sum(telling->document);
		cells_figures(telling, 0, &of, NULL);
		cells_estimate(telling, NULL, &of);
		if (event->rows[depth].dropped)
			cell_text(telling->document, "%*s(others)", (int)(2 * depth), "");
		else
			cell_text(telling->document, "%*s(%" PRIu32 " others)", (int)(2 * depth),
				  "", count);
		for (uint32_t n = 0; n < depth; n++)
			by_key_cells(telling->document, telling->by, n, &whole->key[n]);
	}
	free(rest);
}

#define RANK_ROOM 64u

/* The rows in 'parent', and in each those of the next key; no deeper than keys are */
static void add_rows(struct telling *telling, uint32_t depth, const struct by_row *parent,
		     const char *prefix)
{
	const struct by_level *level = &telling->depths[depth].level;
	const uint32_t first = by_level_first(level, parent, depth);
	const uint32_t count = by_level_count(level, first, parent, depth);
	struct by_row *shown = calloc(1, telling->event->rows[0].stride);
	char rank[RANK_ROOM];
	uint32_t n = 0;

	if (!shown) {
		telling->document->failed = 1;
		return;
	}
	for (; n < count && (is_time(telling, depth) || n < telling->by->about->top); n++) {
		const struct by_figures_of *of = &level->rows[first + n];

		snprintf(rank, sizeof(rank), "%s%" PRIu32, prefix, n + 1);
		add_row(telling, depth, of, rank);
		by_row_combine(shown, of->row, telling->by->flags);
		if (depth + 1 < telling->by->request->key_count) {
			snprintf(rank, sizeof(rank), "%s%" PRIu32 ".", prefix, n + 1);
			add_rows(telling, depth + 1, of->row, rank);
		}
	}
	snprintf(rank, sizeof(rank), "%srest", prefix);
	add_others(telling, depth, parent ? parent : telling->event->total, shown, count - n, rank);
	free(shown);
}

/* --- tables --- */

/* What parts of time are of */
static void add_time_notes(const struct telling *telling)
{
	const struct by *by = telling->by;
	const uint64_t second = UINT64_C(1000000000), first = by->about->first_time;

	if (!by_needs_span(by->request))
		return;
	if (by->parts)
		table_note(telling->document,
			   "trend: what samples weigh in each of %" PRIu32 " equal parts of the time, as "
			   "high as it is of the most in the row", by->parts);
	if (by->about->recordings->count == 1)
		table_note(telling->document,
			   "time is since the first sample, at %" PRIu64 ".%09" PRIu64 " s of the "
			   "recording's clock; the last one is at %" PRIu64 ".%09" PRIu64 " s",
			   first / second, first % second, by->about->last_time / second,
			   by->about->last_time % second);
	else
		table_note(telling->document,
			   "time is since the first sample of each recording; percents are of its own time");
}

void by_note_gaps(struct document *document, const struct by *by)
{
	model_note_gaps(document, &by->model);
	if (by->wants_symbols && !precis_symbols_available())
		table_note(document, "no symbols: this build of precis does not read ELF files");
}

/* What there is to read next */
static void note_types(struct document *document, const struct by *by)
{
	int is_of_types = 0;

	for (uint32_t n = 0; n < by->request->key_count; n++)
		is_of_types |= by->request->keys[n].key == BY_TYPE || by->request->keys[n].key == BY_MEMBER;
	if (is_of_types)
		table_note(document, "all members of one type, as they lie: precis annotate --type NAME");
}

static void note_estimates(const struct telling *telling)
{
	int is_cut = 0;

	for (uint32_t n = 0; n < telling->by->request->key_count; n++)
		is_cut |= telling->event->rows[n].blocks.is_cut;
	if (telling->has_estimates)
		table_note(telling->document,
			   "estimate: the share of all samples that is in blocks like the row's, "
			   "those too that were not recorded; by so many blocks, each of which "
			   "stands for 1 / its chance to be recorded");
	if (is_cut)
		table_note(telling->document,
			   "there are too many rows or blocks to tell what recorded ones stand for");
}

static void add_notes(struct telling *telling, int latency)
{
	const struct by *by = telling->by;
	const struct by_rows *rows = &telling->event->rows[0];
	struct document *document = telling->document;
	const struct weighted *all = &telling->event->total->samples;
	const char *key = by->request->keys[0].name;
	const uint64_t unit = weighted_unit(all);

	if (weighted_are_counted(all))
		table_note(document, "%s%" PRIu32 " rows of %s; %" PRIu64 " samples",
			   rows->dropped ? "more than " : "", rows->count, key, all->samples);
	else
		table_note(document, "%s%" PRIu32 " rows of %s; %" PRIu64 " samples, eff. %.0f",
			   rows->dropped ? "more than " : "", rows->count, key, all->samples,
			   weighted_effective(all));
	if (latency >= 0)
		table_note(document, "cycles: %s", precis_field_name((uint32_t)latency));
	if (telling->is_bounded && unit)
		table_note(document,
			   "there are more rows than are counted at once: one has what it had since it "
			   "was last taken in, and missed at most so much before that (missed)");
	add_time_notes(telling);
	note_types(document, by);
	note_estimates(telling);
	by_note_gaps(document, by);
	side_files_notes(document, &by->side_files, !by->request->runs);
}

int by_event_latency(const struct by *by, const struct by_event *event, uint32_t kind)
{
	int latency = by_latency_of(by->request, kind);

	return latency < 0 && event->latency ? (int)event->latency : latency;
}

void by_table_of(struct document *document, const struct by *by, uint32_t kind, uint32_t place)
{
	const struct event_places *places = by->about->events[kind];

	in_step_tell(document, by->about, kind, place);
	if (place && places->count > 1)
		table_of_event(document, places->number[place - 1]);
	table_about(document, kinds[kind].topics, place ? places->number[place - 1] : TABLE_OF_ALL);
	if (!place && places->count)
		table_note(document, "samples of no known event");
}

static void add_matrix(struct document *document, const struct by *by, uint32_t kind, uint32_t place)
{
	const struct event_places *places = by->about->events[kind];
	const int is_rest = !place && places->count && kinds[kind].rest;

	if (!by_has_node_matrix(by))
		return;
	in_step_tell(document, by->about, kind, place);
	by_add_node_matrix(document, by, &by->own.list[kind][place],
			   is_rest ? kinds[kind].rest_matrix : kinds[kind].matrix);
	table_titled(document, "%s by nodes: of the CPU in rows, of the memory in columns",
		     kinds[kind].title);
	by_table_of(document, by, kind, place);
	table_note(document,
		   "shares are of all samples; those without a physical address (perf record --phys-data), "
		   "or outside of what the recording tells of nodes, are of no known one");
}

static void add_type_tables(struct document *document, const struct by *by, uint32_t kind,
			    uint32_t place)
{
	for (uint32_t n = 0; n < BY_TYPE_TABLES; n++) {
		in_step_tell(document, by->about, kind, place);
		if (by_type_table(document, by, kind, place, n))
			by_table_of(document, by, kind, place);
	}
	in_step_tell(document, by->about, kind, place);
	if (type_advice_table(document, by, kind, place))
		by_table_of(document, by, kind, place);
}

static void add_table(struct document *document, const struct by *by, uint32_t kind, uint32_t place)
{
	const struct event_places *places = by->about->events[kind];
	const struct by_event *event = &by->own.list[kind][place];
	struct telling telling = { .by = by, .document = document, .event = event };
	int latency = by_event_latency(by, event, kind), failed = 0;
	uint32_t number;

	telling.has_latency = latency >= 0;
	for (uint32_t n = 0; n < by->request->key_count; n++) {
		telling.is_bounded |= event->rows[n].dropped != 0;
		failed |= open_depth(&telling, n) < 0;
	}
	number = variant_number(telling.has_latency, telling.is_bounded, telling.has_estimates);
	table_begin(document, !place && places->count && kinds[kind].rest ? kinds[kind].rest :
									    kinds[kind].name,
		    kinds[kind].title, "", by->table_columns + TABLE_COLUMNS_MOST * number,
		    by->table_column_count[number]);
	table_titled(document, "%s by %s", kinds[kind].title, by->title);
	by_table_of(document, by, kind, place);
	add_notes(&telling, latency);
	if (!failed)
		add_rows(&telling, 0, NULL, "");
	document->failed |= failed;
	absences_free(&telling.absences);
	for (uint32_t n = 0; n < by->request->key_count; n++) {
		by_level_free(&telling.depths[n].level);
		by_values_free(&telling.depths[n].values);
		row_estimates_free(&telling.depths[n].estimates);
	}
}

static void tables_of_kind(struct document *document, const struct by *by, uint32_t kind,
			   by_add_fn *add)
{
	const struct event_places *places = by->about->events[kind];

	/* those of no known event come last */
	for (uint32_t place = event_next_place(places, 0), i = 0; i <= places->count;
	     place = event_next_place(places, place), i++) {
		if (place < by->own.count[kind] && by->own.list[kind][place].total &&
		    by->own.list[kind][place].total->samples.samples)
			add(document, by, kind, place);
	}
}

void by_each_event(struct document *document, const struct by *by, by_add_fn *add)
{
	static const uint32_t order[] = { PRECIS_EVENT_IBS_OP, PRECIS_EVENT_IBS_FETCH,
					  PRECIS_EVENT_PEBS, PRECIS_EVENT_OTHER };

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		tables_of_kind(document, by, order[i], add);
	document_depend(document, 1);
}

static void add_tables(struct document *document, const struct by *by, uint32_t kind, uint32_t place)
{
	add_table(document, by, kind, place);
	add_matrix(document, by, kind, place);
	add_type_tables(document, by, kind, place);
}

/* That there is no sample is said, too. */
static void add_none(struct document *document, const struct by *by)
{
	table_begin(document, "by", "Samples", "", by->table_columns, by->table_column_count[0]);
	table_titled(document, "Samples by %s", by->title);
	table_note(document, by->about->is_selected ? "no sample was selected" : "there are no samples");
}

void by_tables(struct document *document, const struct by *by)
{
	const size_t before = document->count;

	by_each_event(document, by, add_tables);
	if (document->count == before)
		add_none(document, by);
}
