/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * list_blocks FILE: of file offsets, a line each, the blocks that are reached from there: offset, bytes,
 * instructions, branch, and the offsets of the blocks behind it and at its target, or -1.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <precis/fields.h>

#include "libdecode/code/blocks.h"
#include "tests/support/build.h"

#define PID 1u
#define AT UINT64_C(0x100000000)

static struct build build;

/* All of the file, as if it were mapped at once */
static int map_file(struct precis_symbols *symbols, const char *path)
{
	struct precis_record record = { 0 };

	build_begin(&build, PRECIS_RECORD_MMAP, PRECIS_CPUMODE_USER);
	build_u32(&build, PID);
	build_u32(&build, PID);
	build_u64(&build, AT);
	build_u64(&build, UINT64_C(1) << 32);
	build_u64(&build, 0);
	build_bytes(&build, path, strlen(path) + 1);
	while (build.count % 8)
		build_bytes(&build, "", 1);
	build_end(&build);
	return precis_record_at(build.bytes, build.count, &record) ||
	       precis_symbols_record(symbols, &record, 1);
}

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
	    code_texts_locate(texts, PID, PRECIS_CPUMODE_USER, 1, AT, &place) != 1)
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
