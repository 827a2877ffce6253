/* SPDX-License-Identifier: BSD-3-Clause */
/* See rows.h. */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

#include "statistics/heavy.h"

#define ROOM_FIRST 64u
#define VALUES_FIRST 1024u

int by_rows_init(struct by_rows *rows, uint32_t keys, uint32_t flags, uint32_t parts)
{
	memset(rows, 0, sizeof(*rows));
	rows->keys = keys;
	rows->parts = parts;
	rows->stride = sizeof(struct by_row) + flags * sizeof(struct flag) + parts * sizeof(uint64_t);
	rows->stride = (rows->stride + _Alignof(struct by_row) - 1) / _Alignof(struct by_row) *
		       _Alignof(struct by_row);
	rows->limit = (uint32_t)(BY_ROWS_BYTES / rows->stride);
	if (rows->limit > BY_ROWS_MOST)
		rows->limit = BY_ROWS_MOST;
	rows->slot_count = 2 * ROOM_FIRST;
	rows->slots = calloc(rows->slot_count, sizeof(*rows->slots));
	return rows->slots ? 0 : -1;
}

void by_rows_free(struct by_rows *rows)
{
	free(rows->bytes);
	free(rows->slots);
	free(rows->values);
	row_blocks_free(&rows->blocks);
	memset(rows, 0, sizeof(*rows));
}

/* --- finding rows --- */

static uint64_t mixed(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static uint32_t home_of(const struct by_rows *rows, const struct by_value *key)
{
	uint64_t hash = 0;

	for (uint32_t n = 0; n < rows->keys; n++)
		hash = mixed(mixed(hash, key[n].a), key[n].b);
	return (uint32_t)(hash >> 32) & (rows->slot_count - 1);
}

static int has_key(const struct by_rows *rows, uint32_t n, const struct by_value *key)
{
	const struct by_row *row = by_row(rows, n);

	for (uint32_t i = 0; i < rows->keys; i++) {
		if (row->key[i].a != key[i].a || row->key[i].b != key[i].b)
			return 0;
	}
	return 1;
}

static uint32_t *slot_of(const struct by_rows *rows, const struct by_value *key)
{
	uint32_t at = home_of(rows, key);

	while (rows->slots[at] && !has_key(rows, rows->slots[at] - 1, key))
		at = (at + 1) & (rows->slot_count - 1);
	return &rows->slots[at];
}

void by_rows_index(struct by_rows *rows)
{
	memset(rows->slots, 0, rows->slot_count * sizeof(*rows->slots));
	for (uint32_t n = 0; n < rows->count; n++)
		*slot_of(rows, by_row(rows, n)->key) = n + 1;
}

/* --- values of latencies --- */

static struct by_latency *value_slot(struct by_latency *values, uint32_t slots, uint32_t row,
				     uint32_t value)
{
	uint32_t at = (uint32_t)(mixed(row, value) >> 20) & (slots - 1);

	while (values[at].samples && (values[at].row != row || values[at].value != value))
		at = (at + 1) & (slots - 1);
	return &values[at];
}

/*
 * The table anew, of that size, for rows that are called otherwise: 'number', by what they were
 * called, from 1; 0 if their values go. NULL: as they are
 */
static int move_values(struct by_rows *rows, uint32_t slots, const uint32_t *number)
{
	struct by_latency *values = calloc(slots, sizeof(*values));

	if (!values)
		return -1;
	rows->value_count = 0;
	for (uint32_t n = 0; n < rows->value_slots; n++) {
		struct by_latency *from = &rows->values[n];

		if (!from->samples || (number && !number[from->row]))
			continue;
		if (number)
			from->row = number[from->row] - 1;
		*value_slot(values, slots, from->row, from->value) = *from;
		rows->value_count++;
	}
	free(rows->values);
	rows->values = values;
	rows->value_slots = slots;
	return 0;
}

static uint64_t upper_of(const struct by_row *row)
{
	return row->weight + row->missed;
}

/* There are too many: the lighter half of the rows that have some loses them. */
static int drop_values(struct by_rows *rows)
{
	uint64_t *uppers = malloc(rows->count * sizeof(*uppers)), cut;
	uint32_t *number = calloc(rows->count, sizeof(*number));
	size_t count = 0, same = 0;
	int failed = -1;

	rows->has_dropped_values = 1;
	for (uint32_t n = 0; uppers && n < rows->count; n++) {
		if (!by_row(rows, n)->is_unlisted)
			uppers[count++] = upper_of(by_row(rows, n));
	}
	if (uppers && number) {
		cut = count ? heavy_cut(uppers, count, &same) : 0;
		for (uint32_t n = 0; n < rows->count; n++) {
			struct by_row *row = by_row(rows, n);

			if (!row->is_unlisted &&
			    (upper_of(row) < cut || (upper_of(row) == cut && same && same--)))
				row->is_unlisted = 1;
			number[n] = row->is_unlisted ? 0 : n + 1;
		}
		failed = move_values(rows, rows->value_slots, number);
	}
	free(uppers);
	free(number);
	return failed;
}

static uint32_t number_of(const struct by_rows *rows, const struct by_row *row)
{
	return (uint32_t)(((const unsigned char *)row - rows->bytes) / (ptrdiff_t)rows->stride);
}

int by_rows_add_block(struct by_rows *rows, const struct by_row *row, uint64_t id, double probability,
		      uint64_t weight)
{
	return row_blocks_add(&rows->blocks, number_of(rows, row), id, probability, weight);
}

int by_rows_add_value(struct by_rows *rows, struct by_row *row, uint32_t value, uint64_t samples,
		      uint64_t weight)
{
	const uint32_t number = number_of(rows, row);
	uint32_t slots = rows->value_slots;
	struct by_latency *found;

	if (4 * rows->value_count >= 3 * slots) {
		if (slots < BY_VALUES_MOST ?
			    move_values(rows, slots ? 2 * slots : VALUES_FIRST, NULL) < 0 :
			    drop_values(rows) < 0)
			return -1;
	}
	if (row->is_unlisted)
		return 0;
	found = value_slot(rows->values, rows->value_slots, number, value);
	rows->value_count += !found->samples;
	found->row = number;
	found->value = value;
	found->samples += samples;
	found->weight += weight;
	return 0;
}

int by_rows_open_values(struct by_rows *rows, uint32_t slots)
{
	if (rows->values || slots > BY_VALUES_MOST || slots < VALUES_FIRST || slots & (slots - 1))
		return -1;
	rows->values = calloc(slots, sizeof(*rows->values));
	rows->value_slots = rows->values ? slots : 0;
	return rows->values ? 0 : -1;
}

int by_rows_put_value(struct by_rows *rows, uint32_t n, const struct by_latency *value)
{
	/* a look-up ends at a free slot */
	if (n >= rows->value_slots || 4 * (rows->value_count + 1) > 3 * rows->value_slots + 4 ||
	    rows->values[n].samples || !value->samples || value->row >= rows->count)
		return -1;
	rows->values[n] = *value;
	rows->value_count++;
	return 0;
}

/* --- rows --- */

/* Half of the rows stay; 'number' gets what they are called then. */
static void keep_heavier(struct by_rows *rows, size_t same, uint32_t *number)
{
	uint32_t kept = 0;

	for (uint32_t n = 0; n < rows->count; n++) {
		uint64_t upper = upper_of(by_row(rows, n));

		if (upper < rows->floor || (upper == rows->floor && same && same--))
			continue;
		memmove(by_row(rows, kept), by_row(rows, n), rows->stride);
		number[n] = ++kept;
	}
	rows->dropped += rows->count - kept;
	rows->count = kept;
}

int by_rows_drop(struct by_rows *rows)
{
	uint64_t *uppers = malloc(rows->count * sizeof(*uppers));
	uint32_t *number = calloc(rows->count, sizeof(*number));
	int failed = -1;
	size_t same;

	if (uppers && number) {
		for (uint32_t n = 0; n < rows->count; n++)
			uppers[n] = upper_of(by_row(rows, n));
		rows->floor = heavy_cut(uppers, rows->count, &same);
		keep_heavier(rows, same, number);
		row_blocks_cut(&rows->blocks);
		failed = rows->values ? move_values(rows, rows->value_slots, number) : 0;
		by_rows_index(rows);
	}
	free(uppers);
	free(number);
	return failed;
}

static int have_room(struct by_rows *rows, uint32_t count)
{
	uint32_t room = rows->room ? rows->room : ROOM_FIRST;
	unsigned char *bytes;
	uint32_t *slots;

	if (count <= rows->room)
		return 0;
	while (room < count)
		room *= 2;
	bytes = realloc(rows->bytes, room * rows->stride);
	if (!bytes)
		return -1;
	rows->bytes = bytes;
	rows->room = room;
	slots = realloc(rows->slots, 2 * (size_t)room * sizeof(*slots));
	if (!slots)
		return -1;
	rows->slots = slots;
	rows->slot_count = 2 * room;
	by_rows_index(rows);
	return 0;
}

static struct by_row *new_row(struct by_rows *rows, const struct by_value *key, uint64_t missed)
{
	struct by_row *row;

	if (have_room(rows, rows->count + 1) < 0)
		return NULL;
	*slot_of(rows, key) = ++rows->count;
	row = by_row(rows, rows->count - 1);
	memset(row, 0, rows->stride);
	memcpy(row->key, key, rows->keys * sizeof(*key));
	row->parts = rows->parts;
	row->missed = missed;
	row->is_unlisted = missed != 0;
	return row;
}

struct by_row *by_rows_add(struct by_rows *rows, const struct by_value *key, uint64_t weight)
{
	uint32_t found = *slot_of(rows, key);
	struct by_row *row = found ? by_row(rows, found - 1) : NULL;

	if (!row && rows->count == rows->limit && by_rows_drop(rows) < 0)
		return NULL;
	if (!row)
		row = new_row(rows, key, rows->floor);
	if (!row)
		return NULL;
	row->weight += weight;
	rows->total += weight;
	return row;
}

const struct by_row *by_rows_find(const struct by_rows *rows, const struct by_value *key)
{
	uint32_t found = *slot_of(rows, key);

	return found ? by_row(rows, found - 1) : NULL;
}

/* No recording has so many samples: where one is damaged it is the most that there can be */
static void add_weight(uint64_t *to, uint64_t weight)
{
	*to = weight < UINT64_MAX - *to ? *to + weight : UINT64_MAX;
}

void by_row_add_part(struct by_row *row, uint32_t flags, uint32_t part, uint64_t weight)
{
	add_weight(&by_row_trend(row, flags)[part], weight);
}

void by_row_combine(struct by_row *to, const struct by_row *from, uint32_t flags)
{
	weighted_add(&to->samples, &from->samples);
	weighted_add(&to->measured, &from->measured);
	weighted_add(&to->cycles, &from->cycles);
	to->is_unlisted |= from->is_unlisted;
	for (uint32_t n = 0; n < flags; n++) {
		weighted_add(&to->is[n].known, &from->is[n].known);
		weighted_add(&to->is[n].yes, &from->is[n].yes);
	}
	to->parts = from->parts;
	for (uint32_t n = 0; n < from->parts; n++)
		add_weight(&by_row_trend(to, flags)[n], by_row_trend(from, flags)[n]);
}

void by_row_subtract(struct by_row *whole, const struct by_row *part, uint32_t flags)
{
	whole->samples = weighted_rest(&whole->samples, &part->samples);
	whole->measured = weighted_rest(&whole->measured, &part->measured);
	whole->cycles = weighted_rest(&whole->cycles, &part->cycles);
	for (uint32_t n = 0; n < flags; n++) {
		whole->is[n].known = weighted_rest(&whole->is[n].known, &part->is[n].known);
		whole->is[n].yes = weighted_rest(&whole->is[n].yes, &part->is[n].yes);
	}
	for (uint32_t n = 0; n < part->parts; n++)
		by_row_trend(whole, flags)[n] -= by_row_trend(part, flags)[n];
}

static int merge_values(struct by_rows *rows, const struct by_rows *others)
{
	for (uint32_t n = 0; n < others->value_slots; n++) {
		const struct by_latency *from = &others->values[n];
		uint32_t to;

		if (!from->samples)
			continue;
		to = *slot_of(rows, by_row(others, from->row)->key);
		if (by_rows_add_value(rows, by_row(rows, to - 1), from->value, from->samples,
				      from->weight) < 0)
			return -1;
	}
	return 0;
}

static int merge_blocks(struct by_rows *rows, const struct by_rows *others)
{
	const struct row_blocks *from = &others->blocks;

	if (from->is_cut)
		row_blocks_cut(&rows->blocks);
	rows->blocks.is_cut |= from->is_cut;
	for (uint32_t n = 0; n < from->slots; n++) {
		const struct row_block *block = &from->list[n];

		if (block->probability > 0 &&
		    row_blocks_add(&rows->blocks, *slot_of(rows, by_row(others, block->row)->key) - 1,
				   block->id, block->probability, block->weight) < 0)
			return -1;
	}
	return 0;
}

/* Not to be dropped before all are in it: what goes would come again. */
int by_rows_merge(struct by_rows *rows, const struct by_rows *others, uint32_t flags)
{
	const uint64_t floor = rows->floor;

	for (uint32_t n = 0; n < rows->count; n++)
		by_row(rows, n)->missed += others->floor;
	for (uint32_t n = 0; n < others->count; n++) {
		const struct by_row *from = by_row(others, n);
		uint32_t found = *slot_of(rows, from->key);
		struct by_row *to = found ? by_row(rows, found - 1) :
					    new_row(rows, from->key, floor + others->floor);

		if (!to)
			return -1;
		to->missed += from->missed - others->floor;
		to->weight += from->weight;
		by_row_combine(to, from, flags);
	}
	for (uint32_t n = 0; n < rows->count; n++)
		by_row(rows, n)->is_unlisted |= by_row(rows, n)->missed != 0;
	rows->floor = floor + others->floor;
	rows->total += others->total;
	rows->dropped += others->dropped;
	if (merge_values(rows, others) < 0 || merge_blocks(rows, others) < 0)
		return -1;
	return rows->count > rows->limit ? by_rows_drop(rows) : 0;
}
