/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * list_blocks FILE: of file offsets, a line each, the blocks that are reached from there: offset, bytes,
 * instructions, branch, and the offsets of the blocks behind it and at its target, or -1.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "libdecode/code/blocks.h"
#include "tests/support/mapped_file.h"

static int64_t offset_of(const struct code_blocks *blocks, uint32_t n)
{
	const struct code_block *block = code_blocks_get(blocks, n);

	return block ? (int64_t)block->offset : -1;
}

static void print_blocks(const struct code_blocks *blocks)
{
	for (uint32_t n = 0; n < code_blocks_count(blocks); n++) {
		const struct code_block *block = code_blocks_get(blocks, n);

		printf("%" PRIu64 " %" PRIu32 " %" PRIu32 " %u %" PRId64 " %" PRId64 "\n", block->offset,
		       block->bytes, block->count, block->branch, offset_of(blocks, block->next),
		       offset_of(blocks, block->target));
	}
}

int main(int argc, char **argv)
{
	struct precis_symbols *symbols;
	struct code_blocks *blocks;
	struct code_texts *texts;
	struct code_place place;
	uint64_t offset;
	int error;

	if (argc != 2 || precis_symbols_new(NULL, &symbols) || code_texts_new(symbols, &texts) ||
	    code_blocks_new(&blocks) || map_file(symbols, argv[1]) ||
	    code_texts_locate(texts, MAPPED_PID, PRECIS_CPUMODE_USER, 1, MAPPED_AT, &place) != 1)
		return EXIT_FAILURE;
	while (scanf("%" SCNu64, &offset) == 1)
		code_blocks_add_target(blocks, place.text, offset, 1);
	error = code_blocks_build(blocks);
	print_blocks(blocks);
	code_blocks_free(blocks);
	code_texts_free(texts);
	precis_symbols_free(symbols);
	return error ? EXIT_FAILURE : EXIT_SUCCESS;
}
