/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks in which most instructions are executed, with their code, and what their counts rest on. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <precis/code.h>

#include "libdecode/code/sde_names.h"
#include "sections.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct column block_columns[] = {
	{ "place", "place", COLUMN_LEFT },
	{ "module", NULL, COLUMN_LEFT },
	{ "offset", NULL, 0 },
	{ "bytes", NULL, 0 },
	{ "share", "share [95% CI]", 0 },
	MIX_SUM_COLUMNS("executions", "executions"),
	{ "instructions", "instructions", 0 },
	{ "samples", "samples", 0 },
	{ "streams", "streams", 0 },
	{ "source", "rests on", COLUMN_LEFT },
	{ "biased", NULL, 0 },
};

static const struct column code_columns[] = {
	{ "instruction", "instruction", COLUMN_LEFT },
};

struct hot {
	uint32_t node;
	double instructions;
};

static int by_instructions(const void *a, const void *b)
{
	const struct hot *left = a, *right = b;

	if (left->instructions != right->instructions)
		return left->instructions > right->instructions ? -1 : 1;
	return left->node < right->node ? -1 : left->node > right->node;
}

/* Those whose code is known. @return how many; 0 also if memory is short */
static uint32_t find_hot(const struct mixed *mixed, struct hot *hot)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < mixed->program.count; n++) {
		if (!mixed->program.node[n].why && mixed->counts[n] > 0)
			hot[count++] = (struct hot){ n, mixed->counts[n] * mixed->whole[n] };
	}
	if (count)
		qsort(hot, count, sizeof(*hot), by_instructions);
	return count;
}

static const char *source_of(const struct mix_block *block)
{
	if (block->is_inferred)
		return "what runs around it";
	switch (block->source) {
	case MIX_EBS: return "samples";
	case MIX_LBR: return "stacks";
	default: return "samples and stacks";
	}
}

static void put_block(struct mixed *mixed, struct document *document, uint32_t number,
		      const struct hot *hot)
{
	struct mix_block block;
	struct mix_figure share;

	mix_program_block(&mixed->program, mixed->estimate, mixed->arguments->method, hot->node, &block);
	mixed->weights[hot->node] = mixed->whole[hot->node];
	share = mix_share(mixed->estimate, mixed->arguments->method, mixed->weights, mixed->whole);
	mixed->weights[hot->node] = 0;
	row_begin(document, "%" PRIu32, number);
	cell_text(document, "%s", mix_label_place(&mixed->labels, block.text, block.start, 1));
	cell_text(document, "%s", code_text_name(block.text));
	cell_address(document, block.start);
	cell_count(document, block.end - block.start);
	cell_share_between(document, share.value, share.interval.low, share.interval.high, mixed->seen);
	mix_cells_sum(document, block.count, mixed->program.is_relative, 1);
	cell_count(document, block.instructions);
	cell_count(document, (uint64_t)llround(block.samples));
	cell_count(document, (uint64_t)llround(block.streams));
	cell_text(document, "%s", source_of(&block));
	if (mixed->program.seen.stacks)
		cell_bool(document,
			  biased_between(&mixed->biased, block.text, block.start, block.end));
	else
		cell_absent(document);
}

static void put_instruction(const struct mixed *mixed, struct document *document,
			    const struct mix_node *node, const struct code_block *block, uint64_t offset)
{
	struct precis_instruction instruction = { .size = sizeof(instruction) };
	const uint64_t address = code_text_address(node->text, offset);
	uint8_t bytes[PRECIS_CODE_BYTES_MOST];
	uint32_t absent;
	const int count = code_text_read(node->text, offset, block->since, bytes, &absent);
	const int length = count > 0 ? precis_code_decode(bytes, (size_t)count, address,
							  code_text_bits(node->text),
							  mixed->arguments->syntax, &instruction)
				     : 0;

	row_begin(document, "0x%" PRIx64, address);
	cell_text(document, "%s", length > 0 ? instruction.text : code_absence_text(absent));
}

static void put_code(const struct mixed *mixed, struct document *document, uint32_t number,
		     const struct hot *hot)
{
	const struct mix_node *node = &mixed->program.node[hot->node];
	const struct code_block *block = code_blocks_get(mixed->program.blocks, node->code);
	const uint32_t *steps = code_blocks_steps(mixed->program.blocks, block);
	struct mix_labels labels = mixed->labels;
	uint64_t offset = block->offset;

	table_begin(document, "code", NULL, "address", code_columns, COUNT_OF(code_columns));
	table_is_listing(document);
	table_titled(document, "%" PRIu32 ". %s%s", number,
		     mix_label_place(&labels, node->text, offset, 1),
		     biased_between(&mixed->biased, node->text, block->offset,
				    block->offset + block->bytes)
			     ? ": windows of branch stacks prefer its branch"
			     : "");
	for (uint32_t n = 0; n < block->count; n++) {
		put_instruction(mixed, document, node, block, offset);
		offset += CODE_STEP_LENGTH(steps[n]);
	}
	if (number > 1)
		table_numbered(document, number, ", block");
}

void section_blocks(struct mixed *mixed, struct document *document)
{
	struct hot *hot = malloc((mixed->program.count + 1) * sizeof(*hot));
	uint32_t count;

	if (!hot) {
		document->failed = 1;
		return;
	}
	count = mixed->counts ? find_hot(mixed, hot) : 0;
	count = count < mixed->arguments->blocks ? count : mixed->arguments->blocks;
	table_begin(document, "blocks", "Blocks in which most instructions are executed", "", block_columns,
		    COUNT_OF(block_columns));
	if (!mixed->counts)
		table_note(document, "%s", mix_why_text(mix_why(mixed->estimate, mixed->arguments->method)));
	for (uint32_t n = 0; n < count; n++)
		put_block(mixed, document, n + 1, &hot[n]);
	for (uint32_t n = 0; n < count; n++)
		put_code(mixed, document, n + 1, &hot[n]);
	free(hot);
}
