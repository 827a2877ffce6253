/* SPDX-License-Identifier: BSD-3-Clause */
/* Tallies of types, saved and loaded with the shapes that they are of. See page.h. */
#include <stdlib.h>
#include <string.h>

#include "analysis/saving/fields.h"
#include "page.h"

#define DEPTH_MOST 64u

/* Loaded it is a copy, to be freed */
static void own(struct saving *saving, char **text, int is_needed)
{
	const char *is = *text;

	saved_text(saving, &is);
	if (!saving->is_loading || saving_failed(saving))
		return;
	*text = is ? strdup(is) : NULL;
	if (is && !*text)
		saving_no_memory(saving);
	else if (!is && is_needed)
		saving_damaged(saving, "expected the name of a type or a member");
}

/* --- shapes --- */

/* What is around a row, and where it ends, follows from how deep it is. */
static void row(struct saving *saving, struct type_shape *shape, uint32_t n,
		uint32_t open[DEPTH_MOST])
{
	struct shape_row *row = &shape->rows[n];

	own(saving, &row->name, 1);
	own(saving, &row->path, 1);
	own(saving, &row->type, 0);
	saved_u64(saving, &row->offset);
	saved_u64(saving, &row->bytes);
	saved_u64(saving, &row->elements);
	saved_u64(saving, &row->stride);
	saved_u32(saving, &row->bit_offset);
	saved_u32(saving, &row->bits);
	saved_below(saving, &row->depth, n ? shape->rows[n - 1].depth + 2 : 1, "a depth");
	saved_below(saving, &row->kind, PRECIS_PATH_UNKNOWN + 1, "a kind of member");
	saved_int(saving, &row->is_base);
	if (!saving->is_loading || saving_failed(saving))
		return;
	if (row->depth >= DEPTH_MOST) {
		saving_damaged(saving, "expected a depth");
		return;
	}
	row->parent = row->depth ? open[row->depth - 1] : SHAPE_NO_ROW;
	row->end = n + 1;
	open[row->depth] = n;
	for (uint32_t around = row->parent; around != SHAPE_NO_ROW;
	     around = shape->rows[around].parent)
		shape->rows[around].end = n + 1;
}

static void shape(struct saving *saving, struct type_shape *shape)
{
	uint32_t open[DEPTH_MOST] = { 0 };
	uint32_t count;

	own(saving, &shape->file, 1);
	own(saving, &shape->name, 1);
	saved_u64(saving, &shape->bytes);
	saved_int(saving, &shape->is_cut);
	saved_u32(saving, &shape->absent);
	count = saved_count(saving, shape->count, SHAPE_ROWS_MOST, 50, "members");
	if (saving->is_loading && count) {
		shape->rows = calloc(count, sizeof(*shape->rows));
		if (!shape->rows) {
			saving_no_memory(saving);
			return;
		}
		shape->count = count;
	}
	for (uint32_t n = 0; n < count && !saving_failed(saving); n++)
		row(saving, shape, n, open);
}

/* --- tallies --- */

static void functions_of_row(struct saving *saving, const struct type_tally *tally,
			     struct tally_row *row)
{
	if (!saved_is_there(saving, row->functions != NULL))
		return;
	if (saving->is_loading)
		row->functions = calloc(TALLY_FUNCTIONS_MOST, sizeof(*row->functions));
	if (!row->functions) {
		saving_no_memory(saving);
		return;
	}
	for (uint32_t n = 0; n < tally->function_count; n++)
		saved_weighted(saving, &row->functions[n]);
}

static void counts(struct saving *saving, struct type_tally *tally)
{
	uint32_t functions =
		saved_count(saving, tally->function_count, TALLY_FUNCTIONS_MOST, 4, "functions");
	uint32_t starts;

	for (uint32_t n = 0; n < functions && !saving_failed(saving); n++) {
		own(saving, &tally->functions[n], 1);
		if (saving->is_loading && tally->functions[n])
			tally->function_count = n + 1;
	}
	starts = saved_count(saving, tally->start_count, TALLY_STARTS_MOST, 8, "objects");
	for (uint32_t n = 0; n < starts; n++)
		saved_u64(saving, &tally->starts[n]);
	tally->start_count = starts;
	saved_weighted(saving, &tally->untold);
	saved_weighted(saving, &tally->aligned);
	saved_weighted(saving, &tally->straddling);
	saved_weighted(saving, &tally->several);
	for (uint32_t n = 0; n <= tally->shape->count && !saving_failed(saving); n++) {
		saved_weighted(saving, &tally->rows[n].samples);
		functions_of_row(saving, tally, &tally->rows[n]);
	}
}

/* The tally that a shape was loaded for; it goes over. NULL: failed */
static struct type_tally *loaded(struct saving *saving, struct by *by, struct by_event *event,
				 struct type_shape *loaded)
{
	const struct type_shape *is =
		saving_failed(saving) ? NULL : shapes_own(&by->shapes, loaded);
	const uint32_t before = event->type_count;
	struct type_tally *tally;

	if (!is) {
		if (saving_failed(saving))
			shape_free(loaded);
		else
			saving_damaged(saving, "expected at most %u types", SHAPES_MOST);
		return NULL;
	}
	tally = type_page_have_tally(by, event, is);
	if (!tally)
		saving_no_memory(saving);
	else if (event->type_count == before)
		saving_damaged(saving, "expected each type once");
	return saving_failed(saving) ? NULL : tally;
}

void type_tallies_saved(struct saving *saving, struct by *by, struct by_event *event)
{
	uint32_t count;

	if (saving->version < 3) /* they came with that */
		return;
	count = saved_count(saving, event->type_count, SHAPES_MOST, 30, "types");
	for (uint32_t n = 0; n < count && !saving_failed(saving); n++) {
		struct type_tally *tally = saving->is_loading ? NULL : event->types[n];
		struct type_shape *of = tally ? (struct type_shape *)(uintptr_t)tally->shape
					      : calloc(1, sizeof(*of));

		if (!of) {
			saving_no_memory(saving);
			return;
		}
		shape(saving, of);
		if (saving->is_loading)
			tally = loaded(saving, by, event, of);
		if (tally)
			counts(saving, tally);
	}
	saved_weighted(saving, &event->untold_types);
}
