/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks by address, beside an array of what each granule of a small address space belongs to. */
#include <stdlib.h>
#include <string.h>

#include "analysis/objects/live_blocks.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

static uint64_t state = 20261126;

static uint64_t below(uint64_t n)
{
	return random_next(&state) % n;
}

/* The memory: so many units, of each the number of its block, and where that begins */
#define UNITS (1u << 16)

struct memory {
	uint64_t base, unit;
	uint32_t owner[UNITS], first[UNITS],
		length[UNITS]; /* 'length' where a block begins, or 0 */
	uint32_t count, next;
};

static int is_free(const struct memory *memory, uint32_t at, uint32_t length)
{
	for (uint32_t n = 0; n < length; n++) {
		if (at + n >= UNITS || memory->owner[at + n])
			return 0;
	}
	return 1;
}

static void allocate(struct memory *memory, struct live_blocks *blocks)
{
	/* lengths by a power law, of whole units but for the last one */
	const uint32_t length = 1 + (uint32_t)below(UINT64_C(1) << below(13));
	const uint32_t at = (uint32_t)below(UNITS);
	const uint64_t slack = below(memory->unit);
	struct live_block block = { memory->base + at * memory->unit, length * memory->unit - slack,
				    0 };

	if (!is_free(memory, at, length))
		return;
	block.what = ++memory->next;
	CU_ASSERT_EQUAL_FATAL(live_blocks_add(blocks, &block), 0);
	for (uint32_t n = 0; n < length; n++) {
		memory->owner[at + n] = block.what;
		memory->first[at + n] = at;
	}
	memory->length[at] = length;
	memory->count++;
}

static void release(struct memory *memory, struct live_blocks *blocks)
{
	uint32_t at = (uint32_t)below(UNITS);
	struct live_block removed = { 0, 0, 0 };
	const uint32_t is = memory->owner[at];
	const int begins = is && memory->first[at] == at;

	CU_ASSERT_EQUAL_FATAL(
		live_blocks_remove(blocks, memory->base + at * memory->unit, &removed), begins);
	if (!begins)
		return;
	CU_ASSERT_EQUAL(removed.what, is);
	for (uint32_t n = memory->length[at]; n > 0; n--)
		memory->owner[at++] = 0;
	memory->count--;
}

static void look(const struct memory *memory, const struct live_blocks *blocks)
{
	const uint64_t address = memory->base + below(UNITS * memory->unit);
	const uint32_t at = (uint32_t)((address - memory->base) / memory->unit),
		       is = memory->owner[at];
	struct live_block found = { 0, 0, 0 };
	const int has = live_blocks_find(blocks, address, &found);

	/* what is left of a block's last unit is nobody's */
	if (!has && is) {
		const uint64_t end =
			memory->base +
			(memory->first[at] + memory->length[memory->first[at]]) * memory->unit;

		CU_ASSERT_FATAL(end - address <= memory->unit);
		return;
	}
	CU_ASSERT_EQUAL_FATAL(has, is != 0);
	if (has) {
		CU_ASSERT_EQUAL(found.what, is);
		CU_ASSERT_EQUAL(found.start, memory->base + memory->first[at] * memory->unit);
	}
}

static void compare(uint64_t base, uint64_t unit)
{
	struct memory *memory = calloc(1, sizeof(*memory));
	struct live_blocks blocks = { 0 };

	CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
	memory->base = base;
	memory->unit = unit;
	for (uint32_t n = 0; n < 400000; n++) {
		switch (below(4)) {
		case 0:
		case 1:
			allocate(memory, &blocks);
			break;
		case 2:
			release(memory, &blocks);
			break;
		default:
			look(memory, &blocks);
		}
	}
	CU_ASSERT_EQUAL(blocks.count, memory->count);
	CU_ASSERT(memory->next > 20000 && memory->count > 500);
	live_blocks_free(&blocks);
	free(memory);
}

/* Units from a byte to 64 GiB: each length of granules is met. */
static void any_lengths(void)
{
	compare(0x1000, 1);
	compare(0x555555554000, 16);
	compare(0x7f0000000010, 4096);
	compare(0, UINT64_C(1) << 24);
	compare(UINT64_C(1) << 52, UINT64_C(1) << 36);
}

/* Of many small ones, as nodes of a tree are: how much memory they take */
static void memory(void)
{
	struct live_blocks blocks = { 0 };
	struct live_block found;

	for (uint64_t n = 0; n < 3000000; n++) {
		const struct live_block block = { 0x10000 + 64 * n, 48, (uint32_t)n };

		CU_ASSERT_EQUAL_FATAL(live_blocks_add(&blocks, &block), 0);
	}
	CU_ASSERT(live_blocks_bytes(&blocks) <= 48 * UINT64_C(3000000));
	CU_ASSERT_EQUAL(live_blocks_find(&blocks, 0x10000 + 64 * 1234567 + 47, &found), 1);
	CU_ASSERT_EQUAL(found.what, 1234567);
	CU_ASSERT_EQUAL(live_blocks_find(&blocks, 0x10000 + 64 * 1234567 + 48, &found), 0);
	/* what has gone makes room */
	for (uint64_t n = 0; n < 3000000; n++)
		CU_ASSERT_EQUAL_FATAL(live_blocks_remove(&blocks, 0x10000 + 64 * n, NULL), 1);
	const size_t bytes = live_blocks_bytes(&blocks);

	for (uint64_t n = 0; n < 3000000; n++) {
		const struct live_block block = { 0x90000000 + 32 * n, 32, (uint32_t)n };

		CU_ASSERT_EQUAL_FATAL(live_blocks_add(&blocks, &block), 0);
	}
	CU_ASSERT_EQUAL(live_blocks_bytes(&blocks), bytes);
	live_blocks_free(&blocks);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "blocks of any length, beside an array", any_lengths },
		{ "memory of many", memory },
	};

	return tap_main("live_blocks", cases, sizeof(cases) / sizeof(cases[0]));
}
