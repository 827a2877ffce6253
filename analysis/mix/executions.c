/* SPDX-License-Identifier: BSD-3-Clause */
/* See executions.h. */
#include "executions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct placed {
	uint32_t text; /* its number */
	uint32_t node;
	uint64_t offset;
	const struct code_block *block;
};

/* Blocks that an instruction is in: one, unless code changed, or was entered inside of an instruction */
#define NODES_MOST 64u

struct nodes {
	uint32_t list[NODES_MOST], count;
};

struct mix_executions {
	const struct mix_program *program;
	struct mix_estimate *estimate;
	struct precis_symbols *symbols;
	struct placed *placed; /* by text, then offset */
	uint32_t count;
	uint64_t longest; /* bytes of a block */
	double *weights;  /* zeros between calls */
	struct nodes last; /* whose figure is known: */
	struct mix_figure figure;
};

static int by_place(const void *a, const void *b)
{
	const struct placed *left = a, *right = b;

	if (left->text != right->text)
		return left->text < right->text ? -1 : 1;
	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	return left->node < right->node ? -1 : left->node > right->node;
}

static void place(struct mix_executions *executions)
{
	const struct mix_program *program = executions->program;

	for (uint32_t n = 0; n < program->count; n++) {
		const struct code_block *block = code_blocks_get(program->blocks, program->node[n].code);

		if (!block || !block->text)
			continue;
		executions->placed[executions->count++] = (struct placed){
			code_text_number(block->text), n, block->offset, block
		};
		if (block->bytes > executions->longest)
			executions->longest = block->bytes;
	}
	if (executions->count)
		qsort(executions->placed, executions->count, sizeof(*executions->placed), by_place);
}

struct mix_executions *mix_executions_new(const struct mix_program *program, struct mix_estimate *estimate,
					  struct precis_symbols *symbols)
{
	struct mix_executions *executions = calloc(1, sizeof(*executions));

	if (!executions)
		return NULL;
	*executions = (struct mix_executions){ .program = program, .estimate = estimate,
					       .symbols = symbols };
	executions->placed = calloc((size_t)program->count + 1, sizeof(*executions->placed));
	executions->weights = calloc((size_t)program->count + 1, sizeof(double));
	if (!executions->placed || !executions->weights) {
		mix_executions_free(executions);
		return NULL;
	}
	place(executions);
	return executions;
}

void mix_executions_free(struct mix_executions *executions)
{
	if (!executions)
		return;
	free(executions->placed);
	free(executions->weights);
	free(executions);
}

/* --- texts --- */

static int is_build(const struct mix_executions *executions, const struct precis_location *own,
		    struct precis_symbols *symbols, const struct precis_location *asked)
{
	struct precis_bytes left = { NULL, 0 }, right = { NULL, 0 };

	if (own->cpumode != asked->cpumode || !own->object || !asked->object ||
	    strcmp(own->object, asked->object) != 0)
		return 0;
	if (precis_symbols_build_id(executions->symbols, own, &left) <= 0 ||
	    precis_symbols_build_id(symbols, asked, &right) <= 0)
		return 1;
	return left.bytes == right.bytes && memcmp(left.data, right.data, left.bytes) == 0;
}

const struct code_text *mix_executions_text(const struct mix_executions *executions,
					    struct precis_symbols *symbols,
					    const struct precis_location *location)
{
	const struct mix_program *program = executions->program;
	const struct code_text *last = NULL;

	for (uint32_t n = 0; n < program->count; n++) {
		const struct code_text *text = program->node[n].text;
		struct precis_location own = { .size = sizeof(own) };

		if (!text || text == last)
			continue;
		last = text;
		if (code_text_location(text, location->offset, &own) &&
		    is_build(executions, &own, symbols, location))
			return text;
	}
	return NULL;
}

/* --- instructions --- */

/* Does one of its instructions begin there? */
static int has_instruction(const struct mix_executions *executions, const struct code_block *block,
			   uint64_t offset)
{
	const uint32_t *steps = code_blocks_steps(executions->program->blocks, block);
	uint64_t at = block->offset;

	for (uint32_t n = 0; n < block->count && at <= offset; n++) {
		if (at == offset)
			return 1;
		at += CODE_STEP_LENGTH(steps[n]);
	}
	return 0;
}

/* The first that lies behind an offset */
static uint32_t first_behind(const struct mix_executions *executions, uint32_t text, uint64_t offset)
{
	uint32_t low = 0, high = executions->count;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		const struct placed *placed = &executions->placed[middle];

		if (placed->text < text || (placed->text == text && placed->offset <= offset))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* @return 0: there are more than there is room for */
static int find_nodes(const struct mix_executions *executions, uint32_t text, uint64_t offset,
		      struct nodes *nodes)
{
	nodes->count = 0;
	for (uint32_t n = first_behind(executions, text, offset); n > 0; n--) {
		const struct placed *placed = &executions->placed[n - 1];

		if (placed->text != text || offset - placed->offset > executions->longest)
			break;
		if (!has_instruction(executions, placed->block, offset))
			continue;
		if (nodes->count == NODES_MOST)
			return 0;
		nodes->list[nodes->count++] = placed->node;
	}
	return 1;
}

static int is_last(const struct mix_executions *executions, const struct nodes *nodes)
{
	return executions->last.count == nodes->count &&
	       memcmp(executions->last.list, nodes->list, nodes->count * sizeof(nodes->list[0])) == 0;
}

static void sum(struct mix_executions *executions, const struct nodes *nodes)
{
	for (uint32_t n = 0; n < nodes->count; n++)
		executions->weights[nodes->list[n]] = 1;
	executions->figure = mix_sum(executions->estimate, MIX_JOINT, executions->weights);
	for (uint32_t n = 0; n < nodes->count; n++)
		executions->weights[nodes->list[n]] = 0;
	executions->last = *nodes;
}

/* Why nothing of a text is in a block: there are no bytes of it; or nothing leads there. */
static const char *why_in_none(const struct mix_executions *executions, const struct code_text *text)
{
	const struct mix_program *program = executions->program;

	for (uint32_t n = 0; text && n < program->count; n++) {
		if (program->node[n].text == text && program->node[n].why)
			return program->node[n].why;
	}
	return "nothing that was sampled leads there";
}

int mix_executions_at(struct mix_executions *executions, const struct code_text *text, uint64_t offset,
		      struct mix_figure *figure, const char **why)
{
	struct nodes nodes = { .count = 0 };

	if (executions->program->is_relative) {
		*why = "branch stacks count something else than branches, and no instruction sample says "
		       "how many they stand for";
		return 0;
	}
	if (!mix_counts(executions->estimate, MIX_JOINT)) {
		*why = mix_why_text(mix_why(executions->estimate, MIX_JOINT));
		return 0;
	}
	if (text && !find_nodes(executions, code_text_number(text), offset, &nodes)) {
		*why = "its code changed too often";
		return 0;
	}
	if (!nodes.count) {
		*why = why_in_none(executions, text);
		return 0;
	}
	if (!is_last(executions, &nodes))
		sum(executions, &nodes);
	*figure = executions->figure;
	*why = NULL;
	return 1;
}
