/* SPDX-License-Identifier: BSD-3-Clause */
/* See symbol_table.h. */
#include "symbol_table.h"

#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

/* When two names fit one address, no more of them is looked at */
#define NAME_COMPARED 1024u
/* A symbol without a size that nothing follows ends behind its page and one more */
#define PAGE 4096u
#define NO_SYMBOL UINT32_MAX

int precis_symbol_table_adopt(struct symbol_table *table, char *block)
{
	size_t i = 0;

	while (i < SYMBOL_STRINGS && table->strings[i])
		i++;
	if (i == SYMBOL_STRINGS) {
		free(block);
		return PRECIS_E_NO_MEMORY;
	}
	table->strings[i] = block;
	return 0;
}

char *precis_symbol_table_strings(struct symbol_table *table, const char *bytes, size_t count)
{
	char *kept = count < SIZE_MAX ? calloc(1, count + 1) : NULL;

	if (!kept || precis_symbol_table_adopt(table, kept))
		return NULL;
	if (bytes)
		memcpy(kept, bytes, count);
	return kept;
}

int precis_symbol_table_add(struct symbol_table *table, const struct symbol *symbol)
{
	if (table->count == NO_SYMBOL)
		return PRECIS_E_NO_MEMORY;
	if (table->count == table->room) {
		size_t room = table->room ? table->room * 2 : 256;
		struct symbol *larger = reallocarray(table->symbol, room, sizeof(*larger));

		if (!larger)
			return PRECIS_E_NO_MEMORY;
		table->symbol = larger;
		table->room = room;
	}
	table->symbol[table->count] = *symbol;
	table->symbol[table->count].order = (uint32_t)table->count;
	table->count++;
	return 0;
}

static size_t underscores(const char *name)
{
	size_t count = 0;

	while (count < NAME_COMPARED && name[count] == '_')
		count++;
	return count;
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int by_start(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;
	int result = COMPARE(a->start, b->start);

	return result ? result : COMPARE(a->order, b->order);
}

static void find_ends(struct symbol_table *table)
{
	size_t i;

	for (i = 0; i < table->count; i++) {
		struct symbol *symbol = &table->symbol[i];

		if (symbol->end > symbol->start)
			continue;
		if (i + 1 < table->count)
			symbol->end = symbol[1].start;
		else if (__builtin_add_overflow(symbol->start | (PAGE - 1), PAGE + 1, &symbol->end))
			symbol->end = UINT64_MAX;
	}
}

/* Of two at one address (perf: choose_best_symbol()) */
static int is_better(const struct symbol *a, const struct symbol *than)
{
	/* one that has a size */
	int result = COMPARE(a->end > a->start, than->end > than->start);

	if (result == 0) /* not weak, then global */
		result = COMPARE(a->binding, than->binding);
	if (result == 0) /* fewer underscores in front */
		result = COMPARE(underscores(than->name), underscores(a->name));
	if (result == 0) /* the longer name */
		result = COMPARE(strnlen(a->name, NAME_COMPARED),
				 strnlen(than->name, NAME_COMPARED));
	return result > 0;
}

static void keep_best_of_each_address(struct symbol_table *table)
{
	size_t i, kept = 0;

	for (i = 0; i < table->count; i++) {
		struct symbol *last = kept ? &table->symbol[kept - 1] : NULL;

		if (!last || last->start != table->symbol[i].start)
			table->symbol[kept++] = table->symbol[i];
		else if (is_better(&table->symbol[i], last))
			*last = table->symbol[i];
	}
	table->count = kept;
}

/* Lead from each symbol to the nearest earlier one that reaches beyond its start */
static void find_surrounding(struct symbol_table *table)
{
	uint32_t i, around;

	for (i = 0; i < table->count; i++) {
		around = i ? i - 1 : NO_SYMBOL;
		while (around != NO_SYMBOL && table->symbol[around].end <= table->symbol[i].start)
			around = table->symbol[around].order;
		table->symbol[i].order = around;
	}
}

void precis_symbol_table_sort(struct symbol_table *table)
{
	if (table->count == 0)
		return;
	qsort(table->symbol, table->count, sizeof(*table->symbol), by_start);
	/* In this order, as perf: of several without a size the last one gets it, and is kept */
	find_ends(table);
	keep_best_of_each_address(table);
	find_surrounding(table);
}

const struct symbol *precis_symbol_table_find(const struct symbol_table *table, uint64_t offset)
{
	size_t low = 0, high = table->count;
	uint32_t at;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->symbol[middle].start <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	at = low ? (uint32_t)low - 1 : NO_SYMBOL;
	while (at != NO_SYMBOL && table->symbol[at].end <= offset)
		at = table->symbol[at].order;
	return at == NO_SYMBOL ? NULL : &table->symbol[at];
}

void precis_symbol_table_free(struct symbol_table *table)
{
	size_t i;

	for (i = 0; i < SYMBOL_STRINGS; i++)
		free(table->strings[i]);
	free(table->symbol);
	memset(table, 0, sizeof(*table));
}
