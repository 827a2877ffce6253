/* SPDX-License-Identifier: BSD-3-Clause */
/* See node_matrix.h. */
#include "node_matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keys.h"
#include "own_columns.h"

/* Of each side; all further ones are one. No machine has as many. */
#define NODES_MOST 30u

/* Behind the nodes: what the others have together, then what all have */
#define OTHERS NODES_MOST
#define ALL (NODES_MOST + 1)
#define PLACES (NODES_MOST + 2)

_Static_assert(PLACES + 2 + BY_KEY_COLUMNS <= TABLE_COLUMNS_MOST, "a table has room for all");

/* The nodes of one side in their order; what is not known is behind those that are */
struct side {
	uint32_t key; /* its number among those asked for */
	uint32_t count;
	struct by_value list[NODES_MOST];
	int has_others;
};

struct matrix {
	struct side cpu, memory;
	struct weighted cells[PLACES][PLACES];
};

int by_has_node_matrix(const struct by *by)
{
	const struct by_asked_key *keys = by->request->keys;

	return by->request->key_count == 2 &&
	       ((keys[0].key == BY_NODE && keys[1].key == BY_MEMORY_NODE) ||
		(keys[0].key == BY_MEMORY_NODE && keys[1].key == BY_NODE));
}

/* --- what is counted --- */

static int is_before(const struct by_value *a, const struct by_value *b)
{
	return a->b != b->b ? a->b < b->b : a->a < b->a;
}

static int is_same(const struct by_value *a, const struct by_value *b)
{
	return a->a == b->a && a->b == b->b;
}

static uint32_t place_in(const struct side *side, const struct by_value *value)
{
	for (uint32_t n = 0; n < side->count; n++) {
		if (is_same(&side->list[n], value))
			return n;
	}
	return OTHERS;
}

static void add_node(struct side *side, const struct by_value *value)
{
	uint32_t at = side->count;

	if (place_in(side, value) != OTHERS)
		return;
	if (side->count == NODES_MOST) {
		side->has_others = 1;
		return;
	}
	for (; at && is_before(value, &side->list[at - 1]); at--)
		side->list[at] = side->list[at - 1];
	side->list[at] = *value;
	side->count++;
}

static void count_row(struct matrix *matrix, const struct by_row *row)
{
	const uint32_t cpu = place_in(&matrix->cpu, &row->key[matrix->cpu.key]);
	const uint32_t memory = place_in(&matrix->memory, &row->key[matrix->memory.key]);

	weighted_add(&matrix->cells[cpu][memory], &row->samples);
	weighted_add(&matrix->cells[cpu][ALL], &row->samples);
	weighted_add(&matrix->cells[ALL][memory], &row->samples);
	weighted_add(&matrix->cells[ALL][ALL], &row->samples);
}

static void count(struct matrix *matrix, const struct by_rows *rows)
{
	for (uint32_t n = 0; n < rows->count; n++) {
		add_node(&matrix->cpu, &by_row(rows, n)->key[matrix->cpu.key]);
		add_node(&matrix->memory, &by_row(rows, n)->key[matrix->memory.key]);
	}
	for (uint32_t n = 0; n < rows->count; n++)
		count_row(matrix, by_row(rows, n));
}

/* --- how it is told --- */

/* "memory_node_0", "memory_node_NOT_CAPTURED" */
static void name_column(struct by_own_columns *columns, const struct by *by, uint32_t key,
			const struct by_value *value)
{
	char *text = by_key_text(by, key, value);
	const char *why = value->b == BY_ABSENT ? precis_reason_name((uint32_t)value->a) : NULL;
	char name[OWN_COLUMN_NAME];

	if (value->b == BY_ABSENT)
		snprintf(name, sizeof(name), "memory_node_%s", why ? why : "unknown");
	else if (value->a == NODE_UNKNOWN)
		snprintf(name, sizeof(name), "memory_node_unknown");
	else
		snprintf(name, sizeof(name), "memory_node_%u", (unsigned int)value->a);
	own_columns_add(columns, name, text ? text : "", 0);
	free(text);
}

/* NULL if memory is short */
static const struct by_own_columns *make_columns(const struct by *by, const struct matrix *matrix)
{
	struct by_own_columns *columns = own_columns_new(by->own_columns);
	const struct side *memory = &matrix->memory;

	if (!columns)
		return NULL;
	for (uint32_t n = 0; n < memory->count; n++)
		name_column(columns, by, memory->key, &memory->list[n]);
	if (memory->has_others)
		own_columns_add(columns, "memory_node_others", "others", 0);
	own_columns_add(columns, "share", "all memory", 0);
	own_columns_add(columns, NULL, "CPU", COLUMN_LEFT);
	columns->count += by_key_columns(&by->request->keys[matrix->cpu.key],
					 columns->columns + columns->count);
	return columns;
}

/* 'value' NULL: of no node of its own, but what 'label' says */
static void add_row(struct document *document, const struct by *by, const struct matrix *matrix,
		    uint32_t cpu, const struct by_value *value, const char *label)
{
	const struct weighted *cells = matrix->cells[cpu], *whole = &matrix->cells[ALL][ALL];
	char *text = value ? by_key_text(by, matrix->cpu.key, value) : strdup(label);

	if (value)
		row_begin(document, "%u", (unsigned int)cpu + 1);
	else
		row_begin(document, "%s", label);
	for (uint32_t n = 0; n < matrix->memory.count; n++)
		cell_share(document, &cells[n], whole);
	if (matrix->memory.has_others)
		cell_share(document, &cells[OTHERS], whole);
	cell_share(document, &cells[ALL], whole);
	cell_text(document, "%s", text ? text : "");
	document->failed |= !text;
	free(text);
	if (value)
		by_key_cells(document, by, matrix->cpu.key, value);
	else
		row_is_sum(document);
}

void by_add_node_matrix(struct document *document, const struct by *by,
			const struct by_event *event, const char *name)
{
	struct matrix *matrix = calloc(1, sizeof(*matrix));
	const struct by_own_columns *columns = NULL;

	if (matrix) {
		matrix->cpu.key = by->request->keys[0].key == BY_NODE ? 0 : 1;
		matrix->memory.key = 1 - matrix->cpu.key;
		count(matrix, &event->rows[1]);
		columns = make_columns(by, matrix);
	}
	if (!columns) {
		document->failed = 1;
		free(matrix);
		return;
	}
	table_begin(document, name, "", "", columns->columns, columns->count);
	for (uint32_t n = 0; n < matrix->cpu.count; n++)
		add_row(document, by, matrix, n, &matrix->cpu.list[n], NULL);
	if (matrix->cpu.has_others)
		add_row(document, by, matrix, OTHERS, NULL, "others");
	add_row(document, by, matrix, ALL, NULL, "all");
	free(matrix);
}
