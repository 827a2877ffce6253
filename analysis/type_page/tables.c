/* SPDX-License-Identifier: BSD-3-Clause */
/* How the page of a type is told: its layout, then levels, translation and latencies of its members. */
#include "page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/by/block_keys.h"
#include "analysis/by/figures.h"
#include "analysis/by/own_columns.h"
#include "analysis/by/tables.h"
#include "analysis/model/absences.h"
#include "advice.h"

/* As of code: red from 5% on, green from 0.5% on */
#define HOT 0.05
#define WARM 0.005
/* Types of a name that are told of one event, those with the most samples */
#define PAGES_MOST 4u

static const struct {
	const char *members, *part[PAGE_PARTS], *latencies, *advice;
} names[EVENT_KINDS] = {
	[PRECIS_EVENT_OTHER] = { "type_other",
				 { NULL, "type_other_levels", "type_other_translation" },
				 "type_other_latencies", "type_other_advice" },
	[PRECIS_EVENT_IBS_OP] = { "type_ops",
				  { NULL, "type_ops_levels", "type_ops_translation" },
				  "type_ops_latencies", "type_ops_advice" },
	[PRECIS_EVENT_IBS_FETCH] = { "type_fetches",
				     { NULL, "type_fetches_levels", "type_fetches_translation" },
				     "type_fetches_latencies", "type_fetches_advice" },
	[PRECIS_EVENT_PEBS] = { "type_pebs",
				{ NULL, "type_pebs_levels", "type_pebs_translation" },
				"type_pebs_latencies", "type_pebs_advice" },
};

static const char *const part_titles[PAGE_PARTS] = {
	[PAGE_LEVELS] = "where the data of its members came from",
	[PAGE_TRANSLATION] = "TLBs and buffers of its members",
};

struct telling {
	struct document *document;
	const struct by *by;
	const struct by_event *event;
	const struct type_tally *tally;
	uint32_t kind, place, number; /* of the page, from 1; 0: it is the only one */
};

/* --- rows --- */

/* "64", of a bit field "64:3" */
static void begin_row(struct document *document, const struct shape_row *row)
{
	if (row->bits)
		row_begin(document, "%" PRIu64 ":%" PRIu32, row->offset, row->bit_offset);
	else
		row_begin(document, "%" PRIu64, row->offset);
}

/* "  key: long int", beneath what it is in */
static void cell_member(struct document *document, const struct shape_row *row)
{
	const int indent = (int)(2 * row->depth);
	const char *name = row->is_base ? "(base class)" : row->name;

	if (!row->type)
		cell_text(document, "%*s%s", indent, "", name);
	else if (!*name)
		cell_text(document, "%*s%s", indent, "", row->type);
	else if (row->bits)
		cell_text(document, "%*s%s: %s, %" PRIu32 " bits", indent, "", name, row->type,
			  row->bits);
	else
		cell_text(document, "%*s%s: %s", indent, "", name, row->type);
}

/* Columns that programs read: where the row is, and what */
#define PLACE_COLUMNS                                                                              \
	{ "member", NULL, COLUMN_LEFT }, { "offset", NULL, 0 }, { "bytes", NULL, 0 }

static void cells_place(struct document *document, const struct shape_row *row)
{
	by_cell(document, row->path);
	cell_count(document, row->offset);
	if (row->bytes)
		cell_count(document, row->bytes);
	else
		cell_absent(document);
}

/* --- the layout --- */

static const struct column member_columns[] = {
	{ NULL, "size", COLUMN_LEFT },
	{ "samples", "samples", 0 },
	{ "share", "share [95% CI]", 0 },
	{ "threads", "threads", 0 },
	{ "loads", "loads", 0 },
	{ "stores", "stores", 0 },
	{ NULL, "member", COLUMN_LEFT },
	PLACE_COLUMNS,
	{ "bit_offset", NULL, 0 },
	{ "bits", NULL, 0 },
	{ "elements", NULL, 0 },
	{ "depth", NULL, 0 },
	{ "cache_line", NULL, 0 },
	{ "is_hole", NULL, 0 },
	{ "type", NULL, COLUMN_LEFT },
};

static uint64_t line_of(const struct shape_row *row)
{
	return row->offset / SHAPE_LINE_BYTES;
}

/* Is it a part of elements, which lie on many lines? */
static int is_in_array(const struct type_shape *shape, const struct shape_row *row)
{
	for (uint32_t n = row->parent; n != SHAPE_NO_ROW; n = shape->rows[n].parent) {
		if (shape->rows[n].elements != 1)
			return 1;
	}
	return 0;
}

static void cell_flag_share(struct document *document, const struct tally_row *row,
			    const struct by_column *column)
{
	const struct flag *flag = &row->is[column->flag];

	if (flag->known.samples)
		cell_share_by(document, column->field, &flag->yes, &flag->known);
	else
		cell_absent(document);
}

static void cells_kind(struct document *document, const struct by *by, const struct tally_row *row)
{
	for (uint32_t n = 0; n < by->column_count; n++) {
		if (type_page_part(&by->columns[n]) == PAGE_KIND)
			cell_flag_share(document, row, &by->columns[n]);
	}
}

static void cell_threads(struct document *document, const struct tally_row *row)
{
	if (!row->thread_count) {
		cell_absent(document);
		return;
	}
	cell_count(document, row->thread_count);
	if (row->has_more_threads)
		cell_between(document, row->thread_count, NAN);
}

static void cells_samples(const struct telling *telling, const struct tally_row *row)
{
	struct document *document = telling->document;

	cell_count(document, row->samples.samples);
	cell_share(document, &row->samples, &member_tally_whole(telling->tally)->samples);
	cell_threads(document, row);
	cells_kind(document, telling->by, row);
}

static void cells_layout(struct document *document, const struct shape_row *row)
{
	cells_place(document, row);
	if (row->bits) {
		cell_count(document, row->bit_offset);
		cell_count(document, row->bits);
	} else {
		cell_absent(document);
		cell_absent(document);
	}
	if (row->elements)
		cell_count(document, row->elements);
	else
		cell_absent(document);
	cell_count(document, row->depth);
	cell_count(document, line_of(row));
	cell_bool(document, row->kind == PRECIS_PATH_HOLE);
	by_cell(document, row->type);
}

static int heat_of(const struct telling *telling, const struct tally_row *row)
{
	const double share = weighted_share(&row->samples, &member_tally_whole(telling->tally)->samples);

	return !row->samples.samples ? -1 : share >= HOT ? 2 : share >= WARM;
}

/* 'line': the one told last */
static void add_member(const struct telling *telling, uint32_t n, uint64_t *line)
{
	const struct shape_row *row = &telling->tally->shape->rows[n];
	const struct tally_row *counted = &telling->tally->rows[n];
	struct document *document = telling->document;

	begin_row(document, row);
	if (line_of(row) > *line && !is_in_array(telling->tally->shape, row)) {
		*line = line_of(row);
		row_heading(document, "--- cache line %" PRIu64 " ---", *line);
	}
	row_heat(document, heat_of(telling, counted));
	if (row->bytes)
		cell_text(document, "%" PRIu64, row->bytes);
	else
		cell_absent(document);
	cells_samples(telling, counted);
	cell_member(document, row);
	cells_layout(document, row);
}

static void add_whole(const struct telling *telling)
{
	struct document *document = telling->document;
	const struct type_shape *shape = telling->tally->shape;

	row_begin(document, "all");
	row_is_sum(document);
	if (shape->bytes)
		cell_text(document, "%" PRIu64, shape->bytes);
	else
		cell_absent(document);
	cells_samples(telling, member_tally_whole(telling->tally));
	cell_text(document, "%s", shape->name);
}

/* --- notes --- */

static void note_samples(const struct telling *telling)
{
	const struct weighted *all = &telling->event->total->samples;
	const struct weighted *own = &member_tally_whole(telling->tally)->samples;
	struct document *document = telling->document;

	table_note(document,
		   "%" PRIu64 " samples of %s of %s, %.2f%% of all %" PRIu64
		   "; shares are of the type's that touch the member",
		   own->samples, telling->tally->shape->name,
		   model_file_of(telling->tally->shape->file), 100 * weighted_share(own, all),
		   all->samples);
	if (telling->tally->several.samples)
		table_note(document,
			   "%" PRIu64 " of them count in several members: accesses to more than one, and "
			   "of a union all that they may be of",
			   telling->tally->several.samples);
}

static void note_lines(const struct telling *telling)
{
	const struct weighted *own = &member_tally_whole(telling->tally)->samples;

	table_note(telling->document,
		   "cache lines are counted from where an object begins: of %.0f%% of the samples that is "
		   "where a line begins",
		   100 * weighted_share(&telling->tally->aligned, own));
}

static void note_missing(const struct telling *telling)
{
	const struct type_shape *shape = telling->tally->shape;
	struct document *document = telling->document;

	if (shape->is_cut)
		table_note(document, "members behind the first %" PRIu32 " are not listed", shape->count);
	if (shape->absent)
		table_note(document, "not all of its layout is known: %s",
			   precis_data_type_absent_text(shape->absent));
	if (telling->tally->untold.samples)
		table_note(document, "%" PRIu64 " samples are of no member that is listed",
			   telling->tally->untold.samples);
}

/* --- tables --- */

/* 'what' NULL: its layout */
static void begin_table(const struct telling *telling, const char *name, const char *what,
			const struct column *columns, size_t count)
{
	struct document *document = telling->document;

	table_begin(document, name, "", what ? "member" : "offset", columns, count);
	table_titled(document, "%s (%s)%s%s", telling->tally->shape->name,
		     model_file_of(telling->tally->shape->file), what ? ": " : "", what ? what : "");
	by_table_of(document, telling->by, telling->kind, telling->place);
	if (telling->number > 1)
		table_numbered(document, telling->number, ", type");
}

static void add_members(const struct telling *telling)
{
	uint64_t line = 0;

	begin_table(telling, names[telling->kind].members, NULL, member_columns,
		    sizeof(member_columns) / sizeof(member_columns[0]));
	table_is_listing(telling->document);
	for (uint32_t n = 0; n < telling->tally->shape->count; n++)
		add_member(telling, n, &line);
	add_whole(telling);
	note_samples(telling);
	note_lines(telling);
	note_missing(telling);
	by_note_gaps(telling->document, telling->by);
	side_files_notes(telling->document, &telling->by->side_files, 0);
}

/* Levels, and what goes wrong seldom, are told where any sample has it */
static int is_always_told(const struct by_column *column)
{
	return column->field == PRECIS_FIELD_TLB_LEVEL || column->field == PRECIS_FIELD_MEM_REMOTE ||
	       column->field == PRECIS_FIELD_MISS_BUFFER_ALLOCATED;
}

/* Columns of a part that any sample of the type has, in the order of the fields that they are of */
static int is_told(const struct telling *telling, const struct by_column *column, enum page_part part)
{
	const struct flag *flag = &member_tally_whole(telling->tally)->is[column->flag];

	if (type_page_part(column) != part || !flag->known.samples)
		return 0;
	return is_always_told(column) || flag->yes.samples;
}

static void place_columns(struct by_own_columns *columns)
{
	own_columns_add(columns, "member", NULL, COLUMN_LEFT);
	own_columns_add(columns, "offset", NULL, 0);
	own_columns_add(columns, "bytes", NULL, 0);
}

/* The type as a whole is no member, and comes last. */
static void cells_of_place(const struct telling *telling, uint32_t n)
{
	if (n < telling->tally->shape->count)
		cells_place(telling->document, &telling->tally->shape->rows[n]);
}

static void begin_figures(const struct telling *telling, uint32_t n)
{
	const struct type_shape *shape = telling->tally->shape;

	if (n < shape->count) {
		row_begin(telling->document, "%s", *shape->rows[n].path ? shape->rows[n].path : shape->name);
		return;
	}
	row_begin(telling->document, "all");
	row_is_sum(telling->document);
}

/* Of members without samples the layout alone tells. */
static int has_samples(const struct telling *telling, uint32_t row)
{
	return telling->tally->rows[row].samples.samples != 0;
}

/* Of several columns that are of one field all have the same n, which stands before the first. */
static int is_first_of_field(const struct telling *telling, uint32_t n, enum page_part part)
{
	const struct by *by = telling->by;

	while (n-- > 0) {
		if (is_told(telling, &by->columns[n], part))
			return by->columns[n].field != by->columns[n + 1].field;
	}
	return 1;
}

static void add_shares(const struct telling *telling, uint32_t row, enum page_part part)
{
	const struct tally_row *counted = &telling->tally->rows[row];
	const struct by *by = telling->by;

	begin_figures(telling, row);
	for (uint32_t n = 0; n < by->column_count; n++) {
		if (!is_told(telling, &by->columns[n], part))
			continue;
		if (is_first_of_field(telling, n, part))
			cell_count(telling->document, counted->is[by->columns[n].flag].known.samples);
		cell_flag_share(telling->document, counted, &by->columns[n]);
	}
	cells_of_place(telling, row);
}

static void add_part(const struct telling *telling, enum page_part part)
{
	const struct by *by = telling->by;
	struct by_own_columns *columns = NULL;
	char name[OWN_COLUMN_NAME];

	for (uint32_t n = 0; n < by->column_count; n++) {
		const struct by_column *column = &by->columns[n];

		if (!is_told(telling, column, part))
			continue;
		if (!columns && !(columns = own_columns_new(by->own_columns))) {
			telling->document->failed = 1;
			return;
		}
		snprintf(name, sizeof(name), "%s_n", precis_field_name(column->field));
		if (is_first_of_field(telling, n, part))
			own_columns_add(columns, name, "n", COLUMN_N);
		own_columns_add(columns, column->name, column->title, 0);
	}
	if (!columns)
		return;
	place_columns(columns);
	begin_table(telling, names[telling->kind].part[part], part_titles[part], columns->columns,
		    columns->count);
	for (uint32_t n = 0; n <= telling->tally->shape->count; n++) {
		if (has_samples(telling, n))
			add_shares(telling, n, part);
	}
}

/* --- latencies --- */

static void cells_latency(struct document *document, const struct moments *moments)
{
	const struct interval interval = moments_interval(moments, document_confidence(document));

	cell_known(document, moments_mean(moments));
	cell_known(document, interval.low);
	cell_known(document, interval.high);
	if (isnan(interval.low))
		cell_absent(document);
	else
		cell_text(document, "[%.1f,%.1f]", interval.low, interval.high);
	cell_count(document, moments->samples.samples);
}

static void latency_columns(struct by_own_columns *columns, const char *field)
{
	char name[OWN_COLUMN_NAME];

	own_columns_add(columns, field, field, 0);
	snprintf(name, sizeof(name), "%s_low", field);
	own_columns_add(columns, name, NULL, 0);
	snprintf(name, sizeof(name), "%s_high", field);
	own_columns_add(columns, name, NULL, 0);
	own_columns_add(columns, NULL, "[95% CI]", 0);
	snprintf(name, sizeof(name), "%s_n", field);
	own_columns_add(columns, name, "n", COLUMN_N);
}

static int has_latency(const struct telling *telling, uint32_t n)
{
	return member_tally_whole(telling->tally)->latencies[n].samples.samples != 0;
}

static void add_latencies(const struct telling *telling)
{
	struct document *document = telling->document;
	struct by_own_columns *columns = NULL;

	for (uint32_t n = 0; n < telling->tally->latency_count; n++) {
		if (!has_latency(telling, n))
			continue;
		if (!columns && !(columns = own_columns_new(telling->by->own_columns))) {
			document->failed = 1;
			return;
		}
		latency_columns(columns, precis_field_name((uint32_t)type_page_latency(n)));
	}
	if (!columns)
		return;
	place_columns(columns);
	begin_table(telling, names[telling->kind].latencies, "mean latencies of its members, in cycles",
		    columns->columns, columns->count);
	for (uint32_t row = 0; row <= telling->tally->shape->count; row++) {
		if (!has_samples(telling, row))
			continue;
		begin_figures(telling, row);
		for (uint32_t n = 0; n < telling->tally->latency_count; n++) {
			if (has_latency(telling, n))
				cells_latency(document, &telling->tally->rows[row].latencies[n]);
		}
		cells_of_place(telling, row);
	}
	table_note(document, "each latency is of those samples that have it (n), by the definition of its "
			     "field in precis-fields(7): none of them adds up with another");
}

/* --- advice --- */

static const struct column advice_columns[] = {
	{ "share", "share [95% CI]", 0 },
	{ "advice", "", COLUMN_LEFT },
};

static void add_advice(const struct telling *telling)
{
	struct document *document = telling->document;
	struct advice advice[ADVICE_IDS];
	int count;

	begin_table(telling, names[telling->kind].advice, "advice", advice_columns,
		    sizeof(advice_columns) / sizeof(advice_columns[0]));
	count = advice_of(telling->tally, &telling->event->total->samples,
			  document_confidence(document), 1, advice);
	document->failed |= count < 0;
	for (int n = 0; n < count; n++) {
		row_begin(document, "%s", advice[n].name);
		cell_share(document, &advice[n].part, &advice[n].whole);
		cell_text(document, "%s", advice[n].text);
		free(advice[n].text);
	}
	if (!count)
		table_note(document, "none that its samples support");
	else
		table_note(document, "shares are what each stands on: precis-annotate(1), \"Advice\"");
}

/* --- pages --- */

static void add_page(const struct telling *telling)
{
	add_members(telling);
	add_advice(telling);
	add_part(telling, PAGE_LEVELS);
	add_part(telling, PAGE_TRANSLATION);
	add_latencies(telling);
}

/* The one with the most samples of those not told so far; 'told' has bits of them */
static uint32_t next_page(const struct by_event *event, uint32_t told)
{
	uint32_t found = event->type_count;
	uint64_t most = 0;

	for (uint32_t n = 0; n < event->type_count; n++) {
		const uint64_t samples = member_tally_whole(event->types[n])->samples.samples;

		if (told >> n & 1 || samples <= most)
			continue;
		found = n;
		most = samples;
	}
	return found;
}

static void add_event(struct document *document, const struct by *by, uint32_t kind, uint32_t place)
{
	const struct by_event *event = &by->own.list[kind][place];
	struct telling telling = {
		.document = document, .by = by, .event = event, .kind = kind, .place = place,
	};
	uint32_t told = 0, page;

	_Static_assert(SHAPES_MOST <= 32, "a bit for each");
	for (uint32_t n = 1; n <= PAGES_MOST && (page = next_page(event, told)) < event->type_count; n++) {
		told |= 1u << page;
		telling.tally = event->types[page];
		telling.number = n;
		add_page(&telling);
	}
	if (event->type_count > PAGES_MOST)
		table_note(document, "and %" PRIu32 " other types of that name: see --dso",
			   event->type_count - PAGES_MOST);
	if (event->untold_types.samples)
		table_note(document, "%" PRIu64 " samples are of further types of that name",
			   event->untold_types.samples);
}

void type_page_tables(struct document *document, const struct by *by)
{
	by_each_event(document, by, add_event);
}
