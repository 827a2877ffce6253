/* SPDX-License-Identifier: BSD-3-Clause */
/* See pivot.h. */
#include "pivot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pivoting {
	struct mix_pivot *pivot;
	uint32_t *of_form[MIX_DIMENSIONS_MOST]; /* labels by form; 0: not asked for yet */
	uint32_t of_node[MIX_DIMENSIONS_MOST];  /* labels of the node at hand */
	uint32_t node, first_entry;             /* ... and its first entry */
	int failed;
};

static uint32_t name(struct pivoting *pivoting, const char *text)
{
	const uint32_t number = names_add(&pivoting->pivot->names, text);

	pivoting->failed |= !number;
	return number;
}

static uint32_t label_of_form(struct pivoting *pivoting, uint32_t n, uint32_t form)
{
	const struct mix_pivot *pivot = pivoting->pivot;
	uint32_t *label = &pivoting->of_form[n][form];
	char text[MIX_CLASS_TEXT];

	if (!*label) {
		mix_class_of(pivot->of.dimension[n], code_blocks_form(pivot->program->blocks, form),
			     pivot->of.groups, text);
		*label = name(pivoting, text);
	}
	return *label;
}

static uint32_t label_of_place(struct pivoting *pivoting, uint32_t n, uint64_t offset)
{
	const struct mix_pivot_of *of = &pivoting->pivot->of;

	return name(pivoting, of->label(of->data, of->dimension[n], pivoting->node, offset));
}

static int grow_cells(struct mix_pivot *pivot, uint32_t cell)
{
	const uint32_t room = pivot->numbering.room;
	struct mix_cell *more;

	if (cell < pivot->cell_room)
		return 0;
	more = realloc(pivot->cell, room * sizeof(*more));
	if (!more)
		return -1;
	pivot->cell = more;
	pivot->cell_room = room;
	return 0;
}

static uint32_t cell_of(struct pivoting *pivoting, const uint32_t label[MIX_DIMENSIONS_MOST])
{
	struct mix_pivot *pivot = pivoting->pivot;
	const uint32_t known = pivot->numbering.count;
	struct numbering_key key = { { 0 } };
	uint32_t cell;

	for (uint32_t n = 0; n < pivot->of.count; n++)
		key.word[n] = label[n];
	cell = numbering_of(&pivot->numbering, &key);
	if (cell == NUMBERING_NONE || grow_cells(pivot, cell) < 0) {
		pivoting->failed = 1;
		return 0;
	}
	if (cell == known) {
		pivot->cell[cell] = (struct mix_cell){ .count = 0 };
		memcpy(pivot->cell[cell].label, label, sizeof(pivot->cell[cell].label));
	}
	return cell;
}

/* That of the node at hand in a cell */
static struct mix_entry *entry_of(struct pivoting *pivoting, uint32_t cell)
{
	struct mix_pivot *pivot = pivoting->pivot;

	for (uint32_t n = pivoting->first_entry; n < pivot->entry_count; n++) {
		if (pivot->entry[n].cell == cell)
			return &pivot->entry[n];
	}
	if (pivot->entry_count == pivot->entry_room) {
		const uint32_t room = pivot->entry_room ? 2 * pivot->entry_room : 1024;
		struct mix_entry *more = room > pivot->entry_room
						 ? realloc(pivot->entry, room * sizeof(*more))
						 : NULL;

		if (!more) {
			pivoting->failed = 1;
			return NULL;
		}
		pivot->entry = more;
		pivot->entry_room = room;
	}
	pivot->entry[pivot->entry_count] = (struct mix_entry){ .cell = cell, .node = pivoting->node };
	return &pivot->entry[pivot->entry_count++];
}

static void add(struct mix_entry *entry, const struct code_form *form, double times)
{
	entry->of[MIX_EXECUTIONS] += times;
	entry->of[MIX_FLOPS] += times * form->flops;
	entry->of[MIX_READ] += times * code_read_bytes(form);
	entry->of[MIX_WRITTEN] += times * code_written_bytes(form);
	entry->flops_known |= form->flops_figure != CODE_FIGURE_UNKNOWN;
	entry->bytes_known |= form->bytes_figure != CODE_FIGURE_UNKNOWN;
	if (form->flops_figure != CODE_FIGURE_EXACT)
		entry->flops_not |= 1u << form->flops_figure;
	if (form->bytes_figure != CODE_FIGURE_EXACT)
		entry->bytes_not |= 1u << form->bytes_figure;
}

static void add_steps(struct pivoting *pivoting, const struct code_block *block)
{
	struct mix_pivot *pivot = pivoting->pivot;
	const struct code_blocks *blocks = pivot->program->blocks;
	const uint32_t *steps = code_blocks_steps(blocks, block);
	uint64_t offset = block->offset;

	for (uint32_t n = 0; n < block->count && !pivoting->failed; n++) {
		const uint32_t form = CODE_STEP_FORM(steps[n]);
		uint32_t label[MIX_DIMENSIONS_MOST] = { 0 };
		struct mix_entry *entry;

		for (uint32_t i = 0; i < pivot->of.count; i++) {
			switch (mix_dimension_info(pivot->of.dimension[i])->of) {
			case MIX_OF_FORM: label[i] = label_of_form(pivoting, i, form); break;
			case MIX_OF_STEP: label[i] = label_of_place(pivoting, i, offset); break;
			default: label[i] = pivoting->of_node[i];
			}
		}
		entry = entry_of(pivoting, cell_of(pivoting, label));
		if (entry)
			add(entry, code_blocks_form(blocks, form), 1);
		offset += CODE_STEP_LENGTH(steps[n]);
	}
}

/* Of code that is not known each class is unknown, for its reason. */
static void add_unknown(struct pivoting *pivoting, const struct mix_node *node)
{
	uint32_t label[MIX_DIMENSIONS_MOST] = { 0 };
	struct code_form form;
	struct mix_entry *entry;
	char text[MIX_CLASS_TEXT];

	code_form_unknown(&form);
	snprintf(text, sizeof(text), "unknown: %s", node->why);
	for (uint32_t n = 0; n < pivoting->pivot->of.count; n++) {
		const enum mix_dimension dimension = pivoting->pivot->of.dimension[n];

		label[n] = mix_dimension_info(dimension)->of == MIX_OF_NODE ? pivoting->of_node[n]
									    : name(pivoting, text);
	}
	entry = entry_of(pivoting, cell_of(pivoting, label));
	if (entry)
		add(entry, &form, MIX_UNKNOWN_LENGTH);
}

static void add_node(struct pivoting *pivoting, uint32_t n)
{
	const struct mix_pivot *pivot = pivoting->pivot;
	const struct mix_node *node = &pivot->program->node[n];
	const struct code_block *block = code_blocks_get(pivot->program->blocks, node->code);

	pivoting->node = n;
	pivoting->first_entry = pivot->entry_count;
	for (uint32_t i = 0; i < pivot->of.count; i++) {
		if (mix_dimension_info(pivot->of.dimension[i])->of == MIX_OF_NODE)
			pivoting->of_node[i] = label_of_place(pivoting, i, block ? block->offset : 0);
	}
	if (block)
		add_steps(pivoting, block);
	else
		add_unknown(pivoting, node);
}

static int by_cell(const void *a, const void *b)
{
	const struct mix_entry *left = a, *right = b;

	if (left->cell != right->cell)
		return left->cell < right->cell ? -1 : 1;
	return left->node < right->node ? -1 : left->node > right->node;
}

static void sum_cells(struct mix_pivot *pivot)
{
	if (pivot->entry_count)
		qsort(pivot->entry, pivot->entry_count, sizeof(*pivot->entry), by_cell);
	for (uint32_t n = 0; n < pivot->entry_count; n++) {
		const struct mix_entry *entry = &pivot->entry[n];
		struct mix_cell *cell = &pivot->cell[entry->cell];

		if (!cell->count++)
			cell->first = n;
		cell->flops_not |= entry->flops_not;
		cell->bytes_not |= entry->bytes_not;
		cell->flops_known |= entry->flops_known;
		cell->bytes_known |= entry->bytes_known;
	}
}

static int begin(struct pivoting *pivoting)
{
	const struct mix_pivot *pivot = pivoting->pivot;
	const size_t forms = code_blocks_forms(pivot->program->blocks);

	for (uint32_t n = 0; n < pivot->of.count; n++) {
		pivoting->of_form[n] = calloc(forms + 1, sizeof(**pivoting->of_form));
		if (!pivoting->of_form[n])
			return -1;
	}
	return 0;
}

int mix_pivot_build(struct mix_pivot *pivot, const struct mix_program *program,
		    const struct mix_pivot_of *of)
{
	struct pivoting pivoting = { .pivot = pivot };

	memset(pivot, 0, sizeof(*pivot));
	pivot->program = program;
	pivot->of = *of;
	pivoting.failed = begin(&pivoting) < 0;
	for (uint32_t n = 0; n < program->count && !pivoting.failed; n++)
		add_node(&pivoting, n);
	if (!pivoting.failed)
		sum_cells(pivot);
	for (uint32_t n = 0; n < MIX_DIMENSIONS_MOST; n++)
		free(pivoting.of_form[n]);
	return pivoting.failed ? -1 : 0;
}

void mix_pivot_free(struct mix_pivot *pivot)
{
	names_free(&pivot->names);
	numbering_free(&pivot->numbering);
	free(pivot->cell);
	free(pivot->entry);
	memset(pivot, 0, sizeof(*pivot));
}

double mix_cell_value(const struct mix_pivot *pivot, uint32_t cell, enum mix_measure measure,
		      const double *counts)
{
	const struct mix_entry *entry = pivot->entry + pivot->cell[cell].first;
	double value = 0;

	for (uint32_t n = 0; n < pivot->cell[cell].count; n++)
		value += entry[n].of[measure] * counts[entry[n].node];
	return value;
}

void mix_cell_weigh(const struct mix_pivot *pivot, uint32_t cell, enum mix_measure measure, double *weights)
{
	const struct mix_entry *entry = pivot->entry + pivot->cell[cell].first;

	for (uint32_t n = 0; n < pivot->cell[cell].count; n++)
		weights[entry[n].node] += entry[n].of[measure];
}
