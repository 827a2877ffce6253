/* SPDX-License-Identifier: BSD-3-Clause */
/* See saved.h. */
#include "saved.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/event_places.h"
#include "analysis/saving/fields.h"
#include "analysis/type_page/page.h"
#include "events.h"
#include "keys.h"

/* Rows have no more, in all tables together, than a few times as many as are kept */
#define NAMES_MOST (1u << 22)

/* --- names --- */

static void name(struct saving *saving, struct by *by, uint32_t n)
{
	const uint32_t known = by->names.count;
	struct name of = n < known ? by->names.list[n] : (struct name){ .text = NULL };
	const char *text = of.text;

	saved_text(saving, &text);
	saved_own_text(saving, &of.object);
	saved_u32(saving, &of.cpumode);
	saved_u32(saving, &of.absent);
	if (!saving->is_loading || saving_failed(saving))
		return;
	if (!text)
		saving_damaged(saving, "expected a name");
	else if (!names_add(&by->names, text))
		saving_no_memory(saving);
	else if (by->names.count == known)
		saving_damaged(saving, "expected each name once");
	if (saving_failed(saving))
		return;
	by->names.list[n].object = of.object;
	by->names.list[n].cpumode = of.cpumode;
	by->names.list[n].absent = of.absent;
}

static void names(struct saving *saving, struct by *by)
{
	const uint32_t count = saved_count(saving, by->names.count, NAMES_MOST, 16, "names");

	for (uint32_t n = 0; n < count && !saving_failed(saving); n++)
		name(saving, by, n);
}

/* --- keys --- */

/* An instruction's symbol is asked for when it is told. */
static void symbol(struct saving *saving, struct by *by, const struct by_value *value)
{
	const struct name *object = names_get(&by->names, value->a);
	struct precis_location location = { .size = sizeof(location), .offset = value->b };
	struct known_place place = { .name = (uint32_t)value->a };
	struct known_source source = { NULL, NULL };

	if (!object)
		return;
	location.object = place.object = object->object;
	location.cpumode = object->cpumode;
	if (by->about->symbols)
		source = (struct known_source){ object->symbols, object->known_as };
	saved_known_place(saving, &by->known, &source, &location, &place);
	if (saving->is_loading && !saving_failed(saving) && known_places_add(&by->known, &place) < 0)
		saving_no_memory(saving);
}

/* Numbers of names are those that there are. */
static void check_names(struct saving *saving, const struct by *by, const struct by_asked_key *key,
			struct by_value *value)
{
	uint64_t *numbers[2];

	for (uint32_t n = by_key_names(key, value, numbers); n-- > 0;) {
		if (*numbers[n] > by->names.count)
			saving_damaged(saving, "expected the number of one of %u names", by->names.count);
	}
}

static void keys(struct saving *saving, struct by *by, uint32_t count, struct by_value *values)
{
	for (uint32_t n = 0; n < count && !saving_failed(saving); n++) {
		saved_u64(saving, &values[n].a);
		saved_u64(saving, &values[n].b);
		check_names(saving, by, &by->request->keys[n], &values[n]);
		if (values[n].b != BY_ABSENT && by_key_is_place(&by->request->keys[n]) &&
		    !saving_failed(saving))
			symbol(saving, by, &values[n]);
	}
}

/* --- rows --- */

static void figures(struct saving *saving, const struct by *by, struct by_row *row)
{
	saved_u64(saving, &row->weight);
	saved_u64(saving, &row->missed);
	saved_weighted(saving, &row->samples);
	saved_weighted(saving, &row->measured);
	saved_weighted(saving, &row->cycles);
	saved_int(saving, &row->is_unlisted);
	for (uint32_t n = 0; n < by->flags; n++) {
		saved_weighted(saving, &row->is[n].known);
		saved_weighted(saving, &row->is[n].yes);
	}
	for (uint32_t n = 0; n < by->parts; n++)
		saved_u64(saving, &by_row_trend(row, by->flags)[n]);
}

static void row(struct saving *saving, struct by *by, struct by_rows *rows, uint32_t n)
{
	struct by_value values[BY_KEYS_MOST] = { { 0, 0 } };
	struct by_row *row = saving->is_loading ? NULL : by_row(rows, n);

	if (row)
		memcpy(values, row->key, sizeof(values));
	keys(saving, by, rows->keys, values);
	if (saving_failed(saving))
		return;
	if (saving->is_loading)
		row = by_rows_add(rows, values, 0);
	if (!row)
		saving_no_memory(saving);
	else if (saving->is_loading && rows->count != n + 1)
		saving_damaged(saving, "expected each row once");
	else
		figures(saving, by, row);
}

static void value(struct saving *saving, struct by_rows *rows, uint32_t slot)
{
	struct by_latency value = { .row = 0 };

	if (!saving->is_loading)
		value = rows->values[slot];
	saved_u32(saving, &slot);
	saved_u32(saving, &value.row);
	saved_u32(saving, &value.value);
	saved_u64(saving, &value.samples);
	saved_u64(saving, &value.weight);
	if (saving->is_loading && !saving_failed(saving) && by_rows_put_value(rows, slot, &value) < 0)
		saving_damaged(saving, "expected a value of a row, in a slot of its own");
}

/* Slot by slot: which values go, where there are too many, depends on their order. */
static void values(struct saving *saving, struct by_rows *rows)
{
	uint32_t slots = rows->value_slots, count, slot = 0;

	saved_u32(saving, &slots);
	if (saving->is_loading && slots && by_rows_open_values(rows, slots) < 0)
		saving_damaged(saving, "expected a table of at most %u values, found %u", BY_VALUES_MOST,
			       slots);
	count = saved_count(saving, rows->value_count, BY_VALUES_MOST, 28, "values");
	for (uint32_t n = 0; n < count && !saving_failed(saving); n++, slot++) {
		while (!saving->is_loading && !rows->values[slot].samples)
			slot++;
		value(saving, rows, slot);
	}
	saved_int(saving, &rows->has_dropped_values);
}

static int by_row_and_id(const void *a, const void *b)
{
	const struct row_block *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static void block(struct saving *saving, struct by_rows *rows, struct row_block *block)
{
	saved_below(saving, &block->row, rows->count, "a row");
	saved_u64(saving, &block->id);
	saved_double(saving, &block->probability);
	saved_u64(saving, &block->weight);
	if (!saving->is_loading || saving_failed(saving))
		return;
	if (!(block->probability > 0 && block->probability <= 1))
		saving_damaged(saving, "expected a probability");
	else if (row_blocks_add(&rows->blocks, block->row, block->id, block->probability,
				block->weight) < 0)
		saving_no_memory(saving);
}

/* The order in the table is chance's: here it is that of rows. */
static void blocks(struct saving *saving, struct by_rows *rows)
{
	struct row_block *sorted = NULL, loaded = { .row = 0 };
	uint32_t count = 0;

	if (!saving->is_loading && rows->blocks.count) {
		sorted = malloc(rows->blocks.count * sizeof(*sorted));
		if (!sorted) {
			saving_no_memory(saving);
			return;
		}
		for (uint32_t n = 0; n < rows->blocks.slots; n++) {
			if (rows->blocks.list[n].probability > 0)
				sorted[count++] = rows->blocks.list[n];
		}
		qsort(sorted, count, sizeof(*sorted), by_row_and_id);
	}
	count = saved_count(saving, count, ROW_BLOCKS_MOST, 28, "blocks");
	for (uint32_t n = 0; n < count && !saving_failed(saving); n++)
		block(saving, rows, sorted ? &sorted[n] : &loaded);
	free(sorted);
	if (saving->is_loading && !saving_failed(saving) && rows->blocks.count != count)
		saving_damaged(saving, "expected each block of a row once");
	saved_int(saving, &rows->blocks.is_cut);
}

static void all_rows(struct saving *saving, struct by *by, struct by_rows *rows)
{
	const uint32_t count = saved_count(saving, rows->count, rows->limit, 32, "rows");

	for (uint32_t n = 0; n < count && !saving_failed(saving); n++)
		row(saving, by, rows, n);
	values(saving, rows);
	blocks(saving, rows);
	saved_u64(saving, &rows->floor);
	saved_u64(saving, &rows->total);
	saved_u64(saving, &rows->dropped);
}

/* --- events --- */

static void event(struct saving *saving, struct by *by, struct by_event *event)
{
	saved_below(saving, &event->latency, PRECIS_FIELD_COUNT, "a field");
	if (!saved_is_there(saving, event->total != NULL))
		return;
	if (saving->is_loading && by_event_open(by, event) < 0) {
		saving_no_memory(saving);
		return;
	}
	figures(saving, by, event->total);
	type_methods_saved(saving, &event->methods);
	type_tallies_saved(saving, by, event);
	for (uint32_t n = 0; n < by->depths && !saving_failed(saving); n++)
		all_rows(saving, by, &event->rows[n]);
}

/* No more than are told apart, and all others together */
static void events(struct saving *saving, struct by *by, uint32_t kind)
{
	const uint32_t told = by->about->events[kind]->count + 1;
	uint32_t count = by->own.count[kind] < told ? by->own.count[kind] : told;

	count = saved_count(saving, count, told, 5, "events");
	for (uint32_t n = 0; n < count && !saving_failed(saving); n++) {
		struct by_event *of = by_event_at(&by->own, kind, n);

		if (of)
			event(saving, by, of);
		else
			saving_no_memory(saving);
	}
}

void by_saves(struct saving *saving, void *state)
{
	struct by *by = state;

	model_saved(saving, &by->model);
	saved_int(saving, &by->is_partial);
	names(saving, by);
	side_files_saved(saving, &by->side_files);
	for (uint32_t kind = 0; kind < EVENT_KINDS && !saving_failed(saving); kind++)
		events(saving, by, kind);
}
