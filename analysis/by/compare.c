/* SPDX-License-Identifier: BSD-3-Clause */
/* See compare.h. */
#include "compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compared.h"
#include "analysis/in_step.h"
#include "analysis/topics.h"
#include "keys.h"
#include "levels.h"
#include "statistics/quantiles.h"

static const struct {
	const char *name, *title;
	uint32_t topics;
} kinds[EVENT_KINDS] = {
	[PRECIS_EVENT_OTHER] = { "diff_other", "Samples of other events", TOPIC_OTHERS },
	[PRECIS_EVENT_IBS_OP] = { "diff_ops", "Sampled ops", TOPIC_OPS },
	[PRECIS_EVENT_IBS_FETCH] = { "diff_fetches", "Sampled fetches", TOPIC_FETCHES },
	[PRECIS_EVENT_PEBS] = { "diff_pebs", "Samples of PEBS",
				TOPIC_PEBS | TOPIC_LATENCY | TOPIC_PLACES },
};

/* One event in one recording */
struct source {
	const struct by_event *event; /* NULL: no sample */
	double effect; /* of its samples, which depend on each other: struct confidence */
	struct recording_gaps gaps;
	double missed; /* recording_events_missed() */
	struct by_values_of_rows values[BY_KEYS_MOST];
};

/* An event in all runs of two sides */
struct comparison {
	const struct by *by;
	struct document *document;
	struct source *sources[2]; /* of each side request->runs */
	struct by_rows rows[BY_KEYS_MOST]; /* what either has */
	struct by_level levels[BY_KEYS_MOST];
	uint64_t figures; /* that are compared */
	double chance, z; /* of each interval: that the truth is beyond one of its ends */
};

static const struct by_events *events_of(const struct by *by, uint32_t recording)
{
	return recording ? &by->others[recording - 1] : &by->own;
}

const struct by_event *by_compared_event(const struct by *by, uint32_t recording, uint32_t kind,
					 uint32_t place)
{
	const struct by_events *events = events_of(by, recording);
	const struct by_event *event;

	if (place >= events->count[kind])
		return NULL;
	event = &events->list[kind][place];
	return event->total && event->total->samples.samples ? event : NULL;
}

/* --- figures --- */

static const struct estimate unknown = { NAN, { NAN, NAN } };

static struct estimate share_of(const struct weighted *part, const struct weighted *whole,
				struct confidence confidence)
{
	struct estimate found = { weighted_share(part, whole), { NAN, NAN } };

	if (!whole->samples)
		return unknown;
	if (weighted_are_counted(whole) || weighted_effective(whole) >= WEIGHTED_FEWEST)
		found.interval = weighted_interval_at(part, whole, confidence);
	return found;
}

/* All or nothing of a sum has no interval: cell_share_of_sum() */
static struct estimate share_of_sum(const struct weighted *part, const struct weighted *whole,
				    struct confidence confidence)
{
	struct estimate found = share_of(part, whole, confidence);

	if (!part->samples || part->samples == whole->samples)
		found.interval = unknown.interval;
	return found;
}

static struct estimate estimate_of(const struct source *source, uint32_t depth,
				   const struct by_row *row, const struct by_column *column,
				   struct confidence confidence)
{
	const struct by_rows *rows = &source->event->rows[depth];
	const int is_total = row == source->event->total;
	const struct by_figures_of of = {
		.row = row,
		.number = is_total ? BY_ALL_ROWS :
				     (uint32_t)(((const unsigned char *)row - rows->bytes) /
						(ptrdiff_t)rows->stride),
	};

	return by_estimate(source->event->total, &source->values[depth], &of, column,
			   confidence);
}

/* 'row' NULL: there is none of its keys, which are no samples */
static struct estimate figure_of(const struct source *source, uint32_t depth,
				 const struct by_row *row, const struct by_column *column,
				 struct confidence confidence)
{
	static const struct by_row none;
	const struct by_row *total, *found = row ? row : &none;

	if (!source->event)
		return unknown;
	total = source->event->total;
	switch (column->figure) {
	case BY_EVENTS:
		return weighted_unit(&total->samples) ?
			       estimate_of_total(&found->samples, weighted_unit(&total->samples),
						 total->samples.most, confidence) : unknown;
	case BY_SHARE:
		return found == total ? unknown : share_of(&found->samples, &total->samples, confidence);
	case BY_CYCLE_SHARE:
		return found == total || !weighted_unit(&total->samples) ?
			       unknown : share_of_sum(&found->cycles, &total->cycles, confidence);
	case BY_IS:
		return row ? share_of(&row->is[column->flag].yes, &row->is[column->flag].known, confidence) :
			     unknown;
	default:
		return row && by_end_names(column) ? estimate_of(source, depth, row, column, confidence) :
						     unknown;
	}
}

static int is_in_step(const struct comparison *comparison)
{
	for (uint32_t n = 0; n < 2 * comparison->by->request->runs; n++) {
		if (isnan(comparison->sources[n % 2][n / 2].effect))
			return 1;
	}
	return 0;
}

/* How many events a side may have beyond those that its samples stand for, as its runs have in the mean */
static double missed_of(const struct comparison *comparison, uint32_t side)
{
	const uint32_t runs = comparison->by->request->runs;
	double sum = 0;

	for (uint32_t n = 0; n < runs; n++)
		sum += comparison->sources[side][n].missed;
	return sum / runs;
}

/* Is it not known of a side how much it lacks? */
static int lacks_some(const struct comparison *comparison)
{
	return isnan(missed_of(comparison, 0) + missed_of(comparison, 1));
}

/* The row of these keys in one run; those of all samples: 'key' NULL */
static const struct by_row *row_of(const struct source *source, uint32_t depth,
				   const struct by_value *key)
{
	if (!source->event)
		return NULL;
	return key ? by_rows_find(&source->event->rows[depth], key) : source->event->total;
}

static struct estimate side_of(const struct comparison *comparison, uint32_t side, uint32_t depth,
			       const struct by_value *key, const struct by_column *column)
{
	const uint32_t runs = comparison->by->request->runs;
	struct estimate *found = calloc(runs, sizeof(*found)), sum = unknown;

	for (uint32_t n = 0; found && n < runs; n++) {
		const struct source *source = &comparison->sources[side][n];

		found[n] = figure_of(source, depth, row_of(source, depth, key), column,
				     (struct confidence){ comparison->z, source->effect });
	}
	if (found)
		sum = estimate_of_runs(found, runs, comparison->chance);
	else
		comparison->document->failed = 1;
	free(found);
	return sum;
}

static struct compared compare(const struct comparison *comparison, uint32_t depth,
			       const struct by_value *key, const struct by_column *column)
{
	struct compared found = {
		.side = { side_of(comparison, 0, depth, key, column),
			  side_of(comparison, 1, depth, key, column) },
		/* A sum of what was sampled, and not all was */
		.refused = column->figure == BY_EVENTS && lacks_some(comparison) ? "samples lost" : NULL,
		.unknown = is_in_step(comparison) ? "in step" : "too few samples",
	};

	found.difference = found.refused ? unknown.interval :
					   difference_of(&found.side[0], &found.side[1]);
	if (column->figure == BY_EVENTS && !found.refused) {
		/* no error of chance, which squares would add: all of it may be in this row */
		found.difference.low -= missed_of(comparison, 0);
		found.difference.high += missed_of(comparison, 1);
	}
	return found;
}

/* --- rows --- */

static int add_keys(struct comparison *comparison, uint32_t depth, const struct by_rows *from)
{
	struct by_rows *rows = &comparison->rows[depth];

	for (uint32_t n = 0; n < from->count; n++) {
		if (!by_rows_add(rows, by_row(from, n)->key, by_row(from, n)->weight))
			return -1;
	}
	return 0;
}

static int open_sources(struct comparison *comparison, uint32_t side, uint32_t first, uint32_t kind,
			uint32_t place)
{
	const struct by *by = comparison->by;

	comparison->sources[side] = calloc(by->request->runs, sizeof(struct source));
	if (!comparison->sources[side])
		return -1;
	for (uint32_t n = 0; n < by->request->runs; n++) {
		struct source *source = &comparison->sources[side][n];
		const struct precis_file *file =
			precis_input_file(by->about->recordings->list[first + n].input);
		const struct serial_effect in_step =
			in_step_of_recording(by->about, first + n, kind, place);

		source->event = by_compared_event(by, first + n, kind, place);
		source->effect = serial_dependence(&in_step);
		source->gaps = recording_gaps_of(file, PRECIS_LOSS_ANY);
		source->missed = recording_events_missed(file, kind);
		for (uint32_t i = 0; source->event && i < by->depths; i++) {
			const struct by_rows *rows = &source->event->rows[i];

			if (by_values_sort(&source->values[i], rows) < 0 ||
			    (i < by->request->key_count && add_keys(comparison, i, rows) < 0))
				return -1;
		}
	}
	return 0;
}

static void close_sources(struct comparison *comparison, uint32_t side)
{
	for (uint32_t n = 0; comparison->sources[side] && n < comparison->by->request->runs; n++) {
		for (uint32_t i = 0; i < BY_KEYS_MOST; i++)
			by_values_free(&comparison->sources[side][n].values[i]);
	}
	free(comparison->sources[side]);
}

/* How many figures of such a row can be compared at all */
static uint32_t count_figures(const struct comparison *comparison, uint32_t depth,
			      const struct by_value *key)
{
	const struct by *by = comparison->by;
	uint32_t count = 0;

	for (uint32_t n = 0; n < by->column_count; n++) {
		const struct compared found = compare(comparison, depth, key, &by->columns[n]);

		count += (uint32_t)compared_has_both(&found);
	}
	return count;
}

/* What differs most comes first. */
static int open_levels(struct comparison *comparison)
{
	const struct by *by = comparison->by;

	comparison->figures = count_figures(comparison, 0, NULL);
	for (uint32_t n = 0; n < by->request->key_count; n++) {
		struct by_level *level = &comparison->levels[n];

		if (by_level_open(level, &comparison->rows[n]) < 0)
			return -1;
		for (uint32_t i = 0; i < level->count; i++) {
			const struct by_value *key = level->rows[i].row->key;
			const struct compared found = compare(comparison, n, key, &by->sort);

			comparison->figures += count_figures(comparison, n, key);
			level->rows[i].order =
				fabs(found.side[1].value - found.side[0].value);
		}
		by_level_sort(level, n + 1);
	}
	return 0;
}

/* --- what is told --- */

static int is_share(const struct by_column *column)
{
	return column->figure == BY_SHARE || column->figure == BY_CYCLE_SHARE ||
	       column->figure == BY_IS;
}

/* Events and percentiles are whole. */
static int digits_of(const struct by_column *column)
{
	return is_share(column) ? 2 : column->figure == BY_MEAN ? 1 : 0;
}

_Static_assert(COMPARED_COLUMNS + 1 + BY_KEYS_MOST * BY_KEY_COLUMNS <= TABLE_COLUMNS_MOST,
	       "a table has room for them");

/* 'depth' of a row of keys; its place is told once, and its keys in each of its lines */
static void add_figures(const struct comparison *comparison, uint32_t depth,
			const struct by_value *key, const char *rank)
{
	const struct by *by = comparison->by;
	struct document *document = comparison->document;
	char *text = key ? by_key_text(by, depth, &key[depth]) : strdup("all");
	int is_first = 1;

	document->failed |= !text;
	for (uint32_t n = 0; text && n < by->column_count; n++) {
		const struct compared found = compare(comparison, depth, key, &by->columns[n]);

		if (!compared_has_both(&found))
			continue;
		row_begin(document, "%s/%s", rank, by->columns[n].name);
		compared_cells(document, &found,
			       &(struct compared_as){ .name = by->columns[n].name,
						      .is_share = is_share(&by->columns[n]),
						      .digits = digits_of(&by->columns[n]),
						      .better = by->columns[n].better });
		cell_text(document, "%*s%s", (int)(2 * depth), "", is_first ? text : "");
		is_first = 0;
		for (uint32_t i = 0; key && i <= depth; i++)
			by_key_cells(document, by, i, &key[i]);
	}
	free(text);
}

#define RANK_ROOM 64u

static void add_rows(const struct comparison *comparison, uint32_t depth,
		     const struct by_row *parent, const char *prefix)
{
	const struct by_level *level = &comparison->levels[depth];
	const uint32_t first = by_level_first(level, parent, depth);
	const uint32_t count = by_level_count(level, first, parent, depth);
	char rank[RANK_ROOM];

	for (uint32_t n = 0; n < count && n < comparison->by->about->top; n++) {
		const struct by_row *row = level->rows[first + n].row;

		snprintf(rank, sizeof(rank), "%s%" PRIu32, prefix, n + 1);
		add_figures(comparison, depth, row->key, rank);
		if (depth + 1 < comparison->by->request->key_count) {
			snprintf(rank, sizeof(rank), "%s%" PRIu32 ".", prefix, n + 1);
			add_rows(comparison, depth + 1, row, rank);
		}
	}
}

/* --- tables --- */

/* What a sum lacks is not known, and a share's population is what came. What is 0 may be not known. */
static void note_gaps(const struct comparison *comparison)
{
	static const char *const names[2] = { "before", "after" };
	struct document *document = comparison->document;

	for (uint32_t n = 0; n < 2 * comparison->by->request->runs; n++) {
		const struct recording_gaps *gaps = &comparison->sources[n % 2][n / 2].gaps;

		if (gaps->lost)
			table_note(document, "%s: %" PRIu64 " samples were lost", names[n % 2], gaps->lost);
		if (gaps->throttled_ns)
			table_note(document, "%s: sampling was throttled %" PRIu64 " times, %.1f ms",
				   names[n % 2], gaps->throttled, (double)gaps->throttled_ns / 1e6);
		else if (gaps->throttled)
			table_note(document, "%s: sampling was throttled %" PRIu64 " times, how long is "
				   "not known", names[n % 2], gaps->throttled);
	}
	if (lacks_some(comparison))
		table_note(document,
			   "events have no verdict, and other figures are of the samples that came");
	else if (missed_of(comparison, 0) + missed_of(comparison, 1) > 0)
		table_note(document,
			   "intervals of events are wider by what was lost, a period each, which any row may "
			   "have had; other figures are of the samples that came");
}

static void add_notes(const struct comparison *comparison, uint32_t kind)
{
	const struct by *by = comparison->by;
	struct document *document = comparison->document;
	int latency = by_latency_of(by->request, kind);
	int is_dropped = 0;

	table_note(document,
		   "intervals of all %" PRIu64 " figures that are compared hold together with %.4g%% "
		   "(Bonferroni: each with %.6g%%); a verdict is one where 0 is outside",
		   comparison->figures, 100 * by->request->level,
		   100 * (1 - 2 * comparison->chance));
	if (by->request->runs > 1)
		table_note(document,
			   "%" PRIu32 " runs of each: their mean, and what they differ by where that is "
			   "more than the error of sampling (Student's t)", by->request->runs);
	else
		table_note(document,
			   "one run of each: intervals are of the error of sampling alone, not of what "
			   "runs differ by (--runs)");
	for (uint32_t side = 0; side < 2; side++) {
		const struct by_event *event = comparison->sources[side]->event;

		if (latency < 0 && event && event->latency)
			latency = (int)event->latency;
		for (uint32_t n = 0; event && n < by->request->key_count; n++)
			is_dropped |= event->rows[n].dropped != 0;
	}
	note_gaps(comparison);
	if (latency >= 0)
		table_note(document, "cycles: %s", precis_field_name((uint32_t)latency));
	if (is_dropped)
		table_note(document,
			   "there are more rows than are counted at once: light ones may be compared "
			   "with less than they had");
}

/* Of one interval among so many */
static void set_level(struct comparison *comparison)
{
	const double beyond = 1 - comparison->by->request->level;

	comparison->chance = beyond / 2 / (double)(comparison->figures ? comparison->figures : 1);
	comparison->z = normal_upper(comparison->chance);
}

static int open_comparison(struct comparison *comparison, uint32_t kind, uint32_t place,
			   uint32_t side)
{
	const struct by *by = comparison->by;

	for (uint32_t n = 0; n < by->request->key_count; n++) {
		if (by_rows_init(&comparison->rows[n], n + 1, 0, 0) < 0)
			return -1;
	}
	comparison->figures = 1;
	set_level(comparison);
	if (open_sources(comparison, 0, 0, kind, place) < 0 ||
	    open_sources(comparison, 1, side * by->request->runs, kind, place) < 0 ||
	    open_levels(comparison) < 0)
		return -1;
	set_level(comparison);
	return 0;
}

static void close_comparison(struct comparison *comparison)
{
	close_sources(comparison, 0);
	close_sources(comparison, 1);
	for (uint32_t n = 0; n < BY_KEYS_MOST; n++) {
		by_rows_free(&comparison->rows[n]);
		by_level_free(&comparison->levels[n]);
	}
}

static int is_sampled(const struct by *by, uint32_t side, uint32_t kind, uint32_t place)
{
	for (uint32_t n = 0; n < by->request->runs; n++) {
		if (by_compared_event(by, side * by->request->runs + n, kind, place))
			return 1;
	}
	return 0;
}

static void compare_event(struct document *document, const struct by *by, uint32_t kind,
			  uint32_t place, uint32_t side)
{
	const struct event_places *places = by->about->events[kind];
	struct comparison comparison = { .by = by, .document = document };
	const int is_in[2] = { is_sampled(by, 0, kind, place), is_sampled(by, side, kind, place) };

	if (!is_in[0] && !is_in[1])
		return;
	table_begin(document, kinds[kind].name, kinds[kind].title, "", by->table_columns,
		    by->table_column_count[0]);
	if (by->request->key_count)
		table_titled(document, "%s by %s, compared", kinds[kind].title, by->title);
	else
		table_titled(document, "%s, compared", kinds[kind].title);
	if (place && places->count > 1)
		table_of_event(document, places->number[place - 1]);
	if (by->other_count + 1 > 2 * by->request->runs)
		table_numbered(document, side, ", comparison");
	table_about(document, kinds[kind].topics, place ? places->number[place - 1] : TABLE_OF_ALL);
	if (!is_in[0] || !is_in[1]) {
		table_note(document, "%s has samples of it: there is nothing to compare with",
			   is_in[0] ? "only the first side" : "only the second side");
		return;
	}
	if (open_comparison(&comparison, kind, place, side) < 0) {
		document->failed = 1;
	} else {
		add_notes(&comparison, kind);
		add_figures(&comparison, 0, NULL, "all");
		if (by->request->key_count)
			add_rows(&comparison, 0, NULL, "");
	}
	close_comparison(&comparison);
}

uint32_t by_compared_places(const struct by *by, uint32_t kind)
{
	uint32_t most = by->own.count[kind];

	for (uint32_t n = 0; n < by->other_count; n++)
		most = by->others[n].count[kind] > most ? by->others[n].count[kind] : most;
	return most;
}

void by_compare(struct document *document, const struct by *by)
{
	static const uint32_t order[] = { PRECIS_EVENT_IBS_OP, PRECIS_EVENT_IBS_FETCH,
					  PRECIS_EVENT_PEBS, PRECIS_EVENT_OTHER };
	const uint32_t sides = (by->other_count + 1) / by->request->runs;

	for (uint32_t side = 1; side < sides; side++) {
		for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
			for (uint32_t place = 0; place < by_compared_places(by, order[i]); place++)
				compare_event(document, by, order[i], place, side);
		}
	}
}

uint32_t by_compare_columns(const struct by *by, struct column *columns)
{
	uint32_t count = COMPARED_COLUMNS;

	memcpy(columns, compared_columns, sizeof(compared_columns));
	columns[count++] = (struct column){ NULL, by->title, COLUMN_LEFT };
	for (uint32_t n = 0; n < by->request->key_count; n++)
		count += by_key_columns(&by->request->keys[n], columns + count);
	return count;
}
