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
	struct live_block block = { .start = memory->base + at * memory->unit,
				    .bytes = length * memory->unit - slack };

	if (!is_free(memory, at, length))
		return;
	block.number = ++memory->next;
	CU_ASSERT_EQUAL_FATAL(live_blocks_add(blocks, &block), 0);
	for (uint32_t n = 0; n < length; n++) {
		memory->owner[at + n] = block.number;
		memory->first[at + n] = at;
	}
	memory->length[at] = length;
	memory->count++;
}

static void release(struct memory *memory, struct live_blocks *blocks)
{
	uint32_t at = (uint32_t)below(UNITS);
	struct live_block removed = { 0 };
	const uint32_t is = memory->owner[at];
	const int begins = is && memory->first[at] == at;

	CU_ASSERT_EQUAL_FATAL(
		live_blocks_remove(blocks, memory->base + at * memory->unit, &removed), begins);
	CU_ASSERT_PTR_NULL(live_blocks_at(blocks, memory->base + at * memory->unit));
	if (!begins)
		return;
	CU_ASSERT_EQUAL(removed.number, is);
	for (uint32_t n = memory->length[at]; n > 0; n--)
		memory->owner[at++] = 0;
	memory->count--;
}

static void look(const struct memory *memory, const struct live_blocks *blocks)
{
	const uint64_t address = memory->base + below(UNITS * memory->unit);
	const uint32_t at = (uint32_t)((address - memory->base) / memory->unit),
		       is = memory->owner[at];
	const struct live_block *found = live_blocks_find(blocks, address);

	/* what it does for what will be asked for changes nothing */
	live_blocks_expect(blocks, address, (int)below(2));

	/* what is left of a block's last unit is nobody's */
	if (!found && is) {
		const uint64_t end =
			memory->base +
			(memory->first[at] + memory->length[memory->first[at]]) * memory->unit;

		CU_ASSERT_FATAL(end - address <= memory->unit);
		return;
	}
	CU_ASSERT_EQUAL_FATAL(found != NULL, is != 0);
	if (found) {
		CU_ASSERT_EQUAL(found->number, is);
		CU_ASSERT_EQUAL(found->start, memory->base + memory->first[at] * memory->unit);
		CU_ASSERT_PTR_EQUAL(live_blocks_at(blocks, found->start), found);
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

/* Of many small ones, as nodes of a tree are: how much memory they take, at any time */
static void memory(void)
{
	struct live_blocks blocks = { 0 };
	const struct live_block *found;

	for (uint64_t n = 0; n < 3000000; n++) {
		CU_ASSERT_FATAL(n < 20000 || live_blocks_bytes(&blocks) <= 48 * n);
		const struct live_block block = { .start = 0x10000 + 64 * n, .bytes = 48,
						  .number = (uint32_t)n };

		CU_ASSERT_EQUAL_FATAL(live_blocks_add(&blocks, &block), 0);
	}
	found = live_blocks_find(&blocks, 0x10000 + 64 * 1234567 + 47);
	CU_ASSERT_PTR_NOT_NULL_FATAL(found);
	CU_ASSERT_EQUAL(found->number, 1234567);
	CU_ASSERT_PTR_NULL(live_blocks_find(&blocks, 0x10000 + 64 * 1234567 + 48));
	/* what has gone makes room */
	for (uint64_t n = 0; n < 3000000; n++)
		CU_ASSERT_EQUAL_FATAL(live_blocks_remove(&blocks, 0x10000 + 64 * n, NULL), 1);
	const size_t bytes = live_blocks_bytes(&blocks);

	for (uint64_t n = 0; n < 3000000; n++) {
		const struct live_block block = { .start = 0x90000000 + 32 * n, .bytes = 32,
						  .number = (uint32_t)n };

		CU_ASSERT_EQUAL_FATAL(live_blocks_add(&blocks, &block), 0);
	}
	CU_ASSERT_EQUAL(live_blocks_bytes(&blocks), bytes);
	live_blocks_free(&blocks);
}

static void overlap(struct live_blocks *blocks, uint64_t bytes, uint64_t apart, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++) {
		const struct live_block block = { .start = 0x10000 + apart * n, .bytes = bytes,
						  .number = n };

		CU_ASSERT_EQUAL_FATAL(live_blocks_add(blocks, &block), 0);
	}
	for (uint32_t n = 0; n < count; n++) {
		const uint64_t address = 0x10000 + apart * n + bytes - 1;
		const struct live_block *found = live_blocks_find(blocks, address);

		CU_ASSERT_PTR_NOT_NULL_FATAL(found);
		CU_ASSERT_FATAL(address - found->start < found->bytes);
	}
}

/*
 * What no allocator gives, but a file may say: as many blocks as there are bytes in a granule, again and
 * again; and blocks within each other, of which one is found
 */
static void crowded(void)
{
	const struct {
		uint64_t bytes, apart;
	} of[] = { { 1, 1 }, { 256, 1 }, { 5000, 16 }, { UINT64_C(1) << 50, 4096 } };
	struct live_blocks blocks = { 0 };
	struct live_block removed;

	for (uint32_t round = 0; round < 4 * sizeof(of) / sizeof(of[0]); round++) {
		const uint64_t apart = of[round / 4].apart;

		overlap(&blocks, of[round / 4].bytes, apart, 4000);
		for (uint32_t n = 0; n < 4000; n++) {
			CU_ASSERT_EQUAL_FATAL(live_blocks_remove(&blocks, 0x10000 + apart * n, &removed), 1);
			CU_ASSERT_EQUAL_FATAL(removed.number, n);
		}
		CU_ASSERT_EQUAL(blocks.count, 0);
		CU_ASSERT_PTR_NULL(live_blocks_find(&blocks, 0x10000 + 100 * apart));
	}
	CU_ASSERT(live_blocks_bytes(&blocks) < 1000000);
	live_blocks_free(&blocks);
}

static void copies(void)
{
	struct live_blocks blocks = { 0 }, copy = { 0 };

	overlap(&blocks, 16, 16, 3000);
	CU_ASSERT_EQUAL(live_blocks_remove(&blocks, 0x10000 + 16 * 77, NULL), 1);
	CU_ASSERT_EQUAL_FATAL(live_blocks_copy(&copy, &blocks), 0);
	live_blocks_free(&blocks);
	CU_ASSERT_EQUAL(copy.count, 2999);
	for (uint64_t n = 0; n < 3000; n++) {
		const struct live_block *found = live_blocks_find(&copy, 0x10000 + 16 * n + 15);

		CU_ASSERT_EQUAL_FATAL(found != NULL, n != 77);
		CU_ASSERT(!found || found->number == n);
	}
	live_blocks_free(&copy);
}

/* One of a family: what it has is known by its own array */
struct forked {
	struct memory memory;
	struct live_blocks blocks;
};

static void work_for(struct forked *forked, uint32_t turns)
{
	for (uint32_t n = 0; n < turns; n++) {
		switch (below(4)) {
		case 0:
			allocate(&forked->memory, &forked->blocks);
			break;
		case 1:
			release(&forked->memory, &forked->blocks);
			break;
		default:
			look(&forked->memory, &forked->blocks);
		}
	}
}

/* Each block, and that there are no others */
static void look_at_all(const struct forked *forked)
{
	uint32_t count = 0;

	for (uint32_t at = 0; at < UNITS; at++) {
		const struct live_block *found = live_blocks_at(
			&forked->blocks, forked->memory.base + at * forked->memory.unit);

		CU_ASSERT_EQUAL_FATAL(found != NULL,
				      forked->memory.owner[at] && forked->memory.first[at] == at);
		CU_ASSERT_FATAL(!found || found->number == forked->memory.owner[at]);
		count += found != NULL;
	}
	CU_ASSERT_EQUAL(count, forked->blocks.count);
}

/* Parents, children and their children go on, each for itself, and end in any order. */
static void families(void)
{
	enum { MOST = 12 };
	struct forked *family[MOST] = { NULL };
	uint32_t forks = 0;

	family[0] = calloc(1, sizeof(*family[0]));
	CU_ASSERT_PTR_NOT_NULL_FATAL(family[0]);
	family[0]->memory.base = 0x10000;
	family[0]->memory.unit = 64;
	for (uint32_t n = 0; n < 20000; n++)
		allocate(&family[0]->memory, &family[0]->blocks);
	for (uint32_t turn = 0; turn < 400; turn++) {
		const uint32_t from = (uint32_t)below(MOST), to = (uint32_t)below(MOST);

		if (family[from])
			work_for(family[from], 1 + (uint32_t)below(300));
		if (from == to || !family[from])
			continue;
		if (family[to]) {
			look_at_all(family[to]);
			live_blocks_free(&family[to]->blocks);
		} else {
			family[to] = malloc(sizeof(*family[to]));
			CU_ASSERT_PTR_NOT_NULL_FATAL(family[to]);
		}
		family[to]->memory = family[from]->memory;
		family[to]->blocks = (struct live_blocks){ .count = 0 };
		CU_ASSERT_EQUAL_FATAL(live_blocks_copy(&family[to]->blocks, &family[from]->blocks),
				      0);
		forks++;
	}
	CU_ASSERT(forks > 100);
	for (uint32_t n = 0; n < MOST; n++) {
		if (!family[n])
			continue;
		look_at_all(family[n]);
		live_blocks_free(&family[n]->blocks);
		free(family[n]);
	}
}

/* What many children of a process with many blocks take: nearly nothing, until they do something. */
static void memory_of_copies(void)
{
	enum { CHILDREN = 1000 };
	struct live_blocks blocks = { 0 }, *copies = calloc(CHILDREN, sizeof(*copies));
	size_t own = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(copies);
	for (uint64_t n = 0; n < 1000000; n++) {
		const struct live_block block = { .start = 0x10000 + 64 * n,
						  .bytes = 48,
						  .number = (uint32_t)n };

		CU_ASSERT_EQUAL_FATAL(live_blocks_add(&blocks, &block), 0);
	}
	const size_t whole = live_blocks_bytes(&blocks);

	CU_ASSERT_EQUAL(live_blocks_own_bytes(&blocks), whole);
	for (uint32_t n = 0; n < CHILDREN; n++) {
		CU_ASSERT_EQUAL_FATAL(live_blocks_copy(&copies[n], &blocks), 0);
		CU_ASSERT_EQUAL(live_blocks_remove(&copies[n], 0x10000 + 64 * n, NULL), 1);
		live_blocks_change(&copies[n], 0x10000 + 64 * CHILDREN)->number = n;
	}
	CU_ASSERT(live_blocks_own_bytes(&blocks) <= SHARED_PAGE_BYTES);
	for (uint32_t n = 0; n < CHILDREN; n++) {
		own += live_blocks_own_bytes(&copies[n]);
		CU_ASSERT_EQUAL(copies[n].count, 999999);
		CU_ASSERT_PTR_NULL(live_blocks_at(&copies[n], 0x10000 + 64 * n));
		CU_ASSERT_EQUAL(live_blocks_at(&copies[n], 0x10000 + 64 * CHILDREN)->number, n);
	}
	CU_ASSERT(own <= CHILDREN * (size_t)3 * SHARED_PAGE_BYTES);
	CU_ASSERT_EQUAL(live_blocks_at(&blocks, 0x10000 + 64 * CHILDREN)->number, CHILDREN);
	for (uint32_t n = 0; n < CHILDREN; n++)
		live_blocks_free(&copies[n]);
	CU_ASSERT_EQUAL(live_blocks_own_bytes(&blocks), whole);
	live_blocks_free(&blocks);
	free(copies);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "blocks of any length, beside an array", any_lengths },
		{ "memory of many", memory },
		{ "more blocks than bytes, and within each other", crowded },
		{ "a copy", copies },
		{ "copies of copies, that go on each for itself", families },
		{ "memory of many copies", memory_of_copies },
	};

	return tap_main("live_blocks", cases, sizeof(cases) / sizeof(cases[0]));
}
