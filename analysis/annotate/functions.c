/* SPDX-License-Identifier: BSD-3-Clause */
/* See functions.h. */
#include "functions.h"

#include <stdlib.h>
#include <string.h>

#include "asked.h"

int function_has_line(const struct by *by, const struct name *object, uint64_t offset)
{
	const struct by_annotated *asked = &by->request->annotated;
	struct precis_location location = {
		.size = sizeof(location), .cpumode = object->cpumode, .object = object->object,
		.offset = offset,
	};
	struct precis_line line = { .size = sizeof(line) };

	if (!asked->file)
		return 1;
	return by->about->symbols && precis_symbols_line(object->symbols, &location, &line) > 0 &&
	       asked_is_line(asked, line.file, line.number);
}

/* --- rows of instructions, by their functions --- */

static int by_place(const void *a, const void *b)
{
	const struct by_row *left = *(const struct by_row *const *)a;
	const struct by_row *right = *(const struct by_row *const *)b;

	for (uint32_t n = 0; n < 2; n++) {
		if (left->key[n].a != right->key[n].a)
			return left->key[n].a < right->key[n].a ? -1 : 1;
		if (left->key[n].b != right->key[n].b)
			return left->key[n].b < right->key[n].b ? -1 : 1;
	}
	return 0;
}

static int by_function(const void *a, const void *b)
{
	const struct by_value *key = a;
	const struct by_row *row = *(const struct by_row *const *)b;

	if (key->a != row->key[0].a)
		return key->a < row->key[0].a ? -1 : 1;
	return key->b < row->key[0].b ? -1 : key->b > row->key[0].b;
}

static uint32_t sort_rows(struct annotated_functions *functions, const struct by_rows *rows)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < rows->count; n++) {
		const struct by_row *row = by_row(rows, n);

		/* what has no place, or lies in no file, has no code */
		if (row->key[0].b != BY_ABSENT && row->key[1].b != BY_ABSENT && row->key[1].a)
			functions->rows[count++] = row;
	}
	qsort(functions->rows, count, sizeof(*functions->rows), by_place);
	return count;
}

static void find_rows(struct annotated_function *function, const struct by_row **rows, uint32_t count)
{
	const struct by_row **found =
		bsearch(&function->row->key[0], rows, count, sizeof(*rows), by_function);
	const struct by_row **end = rows + count;

	if (!found)
		return;
	while (found > rows && by_function(&function->row->key[0], found - 1) == 0)
		found--;
	function->rows = found;
	while (found < end && by_function(&function->row->key[0], found) == 0)
		found++;
	function->count = (uint32_t)(found - function->rows);
}

/* --- functions --- */

/* The name first, so that equal ones come in the same order in every run */
static int by_samples(const void *a, const void *b)
{
	const struct annotated_function *left = a, *right = b;
	int names;

	if (left->samples.weight != right->samples.weight)
		return left->samples.weight < right->samples.weight ? 1 : -1;
	if (left->samples.samples != right->samples.samples)
		return left->samples.samples < right->samples.samples ? 1 : -1;
	names = strcmp(left->name ? left->name : "", right->name ? right->name : "");
	return names ? names : strcmp(left->object->text, right->object->text);
}

/* What there is of the line in it. 0: nothing */
static int keep_line(const struct by *by, struct annotated_function *function)
{
	if (!by->request->annotated.file)
		return 1;
	memset(&function->samples, 0, sizeof(function->samples));
	for (uint32_t n = 0; n < function->count; n++) {
		if (function_has_line(by, function->object, function->rows[n]->key[1].b))
			weighted_add(&function->samples, &function->rows[n]->samples);
	}
	return function->samples.samples > 0;
}

static int take_function(const struct by *by, const struct by_row *row,
			 struct annotated_function *function)
{
	const struct name *symbol;

	if (row->key[0].b == BY_ABSENT)
		return 0;
	symbol = names_get(&by->names, row->key[0].a);
	function->object = names_get(&by->names, row->key[0].b);
	if (!function->object || !function->object->symbols ||
	    (!symbol && by->request->annotated.symbol) ||
	    !asked_is_function(&by->request->annotated, symbol ? symbol->text : "",
			       function->object->text))
		return 0;
	function->name = symbol ? symbol->text : NULL;
	function->row = row;
	function->samples = row->samples;
	return 1;
}

int functions_open(struct annotated_functions *functions, const struct by *by,
		   const struct by_event *event)
{
	const struct by_rows *rows = &event->rows[0];
	uint32_t sorted;

	memset(functions, 0, sizeof(*functions));
	functions->list = calloc((size_t)rows->count + 1, sizeof(*functions->list));
	functions->rows = calloc((size_t)event->rows[1].count + 1, sizeof(struct by_row *));
	if (!functions->list || !functions->rows)
		return -1;
	sorted = sort_rows(functions, &event->rows[1]);
	for (uint32_t n = 0; n < rows->count; n++) {
		struct annotated_function *function = &functions->list[functions->count];

		memset(function, 0, sizeof(*function));
		if (!take_function(by, by_row(rows, n), function))
			continue;
		find_rows(function, functions->rows, sorted);
		functions->without_rows += !function->count && !by->request->annotated.file;
		functions->count += function->count && keep_line(by, function);
	}
	qsort(functions->list, functions->count, sizeof(*functions->list), by_samples);
	return 0;
}

void functions_free(struct annotated_functions *functions)
{
	free(functions->list);
	free(functions->rows);
}
