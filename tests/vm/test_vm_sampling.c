/* SPDX-License-Identifier: BSD-3-Clause */
/* The modeled machine's sampling counters and exact totals. */
#include <stdlib.h>

#include "tests/support/tap.h"
#include "tests/vm/model/model.h"

#define EN (1ull << 17)
#define VAL (1ull << 18)
#define CNT_CTL (1ull << 19)
#define CUR_CNT(n) ((vm_u64)(n) << 32)
#define FETCH_EN (1ull << 48)
#define FETCH_VAL (1ull << 49)
#define RAND_EN (1ull << 57)
#define CAPS_ZEN4 0xbffu
#define NEVER 0

/* How many ops, of so many cycles each, until one is tagged; NEVER */
static unsigned int ops_until_tag(struct vm_engine *engine, vm_u64 *cycle, unsigned int cycles)
{
	for (unsigned int n = 1; n <= 1u << 22; n++) {
		struct vm_outcome outcome = { .cycle = *cycle += cycles, .tag_to_retire = 597 };

		if (vm_op_engine_count(engine, &outcome))
			return n;
	}
	return NEVER;
}

static vm_u64 current(const struct vm_engine *engine)
{
	return vm_op_engine_read(engine) >> 32 & 0x7ffffff;
}

static void counting_ops(void)
{
	struct vm_engine engine;
	vm_u64 cycle = 0, count;

	vm_engine_init(&engine, 1);
	CU_ASSERT_EQUAL(ops_until_tag(&engine, &cycle, 1), NEVER);
	vm_op_engine_write(&engine, CAPS_ZEN4, EN | CNT_CTL | 0x40);
	CU_ASSERT_EQUAL(ops_until_tag(&engine, &cycle, 1), 0x400);
	/* another seed: other bits, and the count stays */
	count = current(&engine);
	vm_engine_seed(&engine, 7);
	CU_ASSERT_EQUAL(current(&engine), count);
	/* rolled over, and waits for the driver, who writes the random bits back */
	count = current(&engine);
	CU_ASSERT_TRUE(count < 128);
	CU_ASSERT_EQUAL(vm_op_engine_read(&engine) & 0xffffffff, EN | CNT_CTL | 0x40);
	CU_ASSERT_EQUAL(ops_until_tag(&engine, &cycle, 1), NEVER);
	vm_op_engine_write(&engine, CAPS_ZEN4, EN | CNT_CTL | 0x40 | CUR_CNT(count));
	CU_ASSERT_EQUAL(ops_until_tag(&engine, &cycle, 1), 0x400 - count);
	vm_engine_reset(&engine, 7);
	CU_ASSERT_EQUAL(current(&engine), 0);
	vm_op_engine_write(&engine, CAPS_ZEN4, EN | CNT_CTL | 0x40);
	CU_ASSERT_EQUAL(ops_until_tag(&engine, &cycle, 1), 0x400);
	/* the 27-bit period */
	vm_op_engine_write(&engine, CAPS_ZEN4, EN | CNT_CTL | 1ull << 20);
	CU_ASSERT_EQUAL(ops_until_tag(&engine, &cycle, 1), 1 << 20);
	/* disabled, sample waiting, no period */
	vm_op_engine_write(&engine, CAPS_ZEN4, CNT_CTL | 0x40);
	CU_ASSERT_EQUAL(ops_until_tag(&engine, &cycle, 1), NEVER);
	vm_op_engine_write(&engine, CAPS_ZEN4, EN | VAL | CNT_CTL | 0x40);
	CU_ASSERT_EQUAL(ops_until_tag(&engine, &cycle, 1), NEVER);
	vm_op_engine_write(&engine, CAPS_ZEN4, EN | CNT_CTL);
	CU_ASSERT_EQUAL(ops_until_tag(&engine, &cycle, 1), NEVER);
}

static void counting_cycles(void)
{
	struct vm_engine engine;
	vm_u64 cycle = 1000;

	vm_engine_init(&engine, 1);
	ops_until_tag(&engine, &cycle, 0);
	vm_op_engine_write(&engine, CAPS_ZEN4, EN | 0x40);
	CU_ASSERT_EQUAL(ops_until_tag(&engine, &cycle, 3), (0x400 + 2) / 3);
	/* it counts on until the op retires */
	CU_ASSERT_EQUAL(current(&engine), 597);
	vm_op_engine_write(&engine, CAPS_ZEN4, EN | 0x40 | CUR_CNT(0x200));
	CU_ASSERT_EQUAL(ops_until_tag(&engine, &cycle, 1), 0x200);
	/* cycles while it stands still do not count */
	cycle += 5000;
	ops_until_tag(&engine, &cycle, 0);
	vm_op_engine_write(&engine, CAPS_ZEN4, EN | 0x40);
	CU_ASSERT_EQUAL(ops_until_tag(&engine, &cycle, 1), 0x400);
	/* a core that cannot count ops counts cycles */
	vm_op_engine_write(&engine, CAPS_ZEN4 & ~(1u << 4), EN | CNT_CTL | 0x40);
	CU_ASSERT_EQUAL(ops_until_tag(&engine, &cycle, 2), 0x200);
}

static void filtered_away(void)
{
	struct vm_engine engine;
	vm_u64 cycle = 0, count;

	vm_engine_init(&engine, 1);
	vm_op_engine_write(&engine, CAPS_ZEN4, EN | CNT_CTL | 0x40);
	CU_ASSERT_EQUAL(ops_until_tag(&engine, &cycle, 1), 0x400);
	vm_op_engine_restart(&engine);
	count = current(&engine);
	CU_ASSERT_TRUE(count < 128);
	CU_ASSERT_EQUAL(ops_until_tag(&engine, &cycle, 1), 0x400 - count);
}

static void capabilities_of_the_counter(void)
{
	struct vm_engine engine;
	vm_u64 cycle = 0;

	/* no 27 bits: neither MaxCntExt nor the upper bits of CurCnt */
	vm_engine_init(&engine, 1);
	vm_op_engine_write(&engine, 0x1f, EN | CNT_CTL | 0x40 | 1ull << 20 | CUR_CNT(0x700000));
	CU_ASSERT_EQUAL(ops_until_tag(&engine, &cycle, 1), 0x400);
	/* CurCnt cannot be written: the counter's own value stays */
	vm_engine_init(&engine, 1);
	vm_op_engine_write(&engine, 0x1f & ~8u, EN | CNT_CTL | 0x40 | CUR_CNT(0x300));
	CU_ASSERT_EQUAL(ops_until_tag(&engine, &cycle, 1), 0x400);
}

/* The low bits are random: many values of the 128, the same for the same seed */
static void random_low_bits(void)
{
	bool seen[128] = { false };
	unsigned int different = 0, differs = 0;
	struct vm_engine engines[3];
	vm_u64 cycle = 0;

	for (unsigned int i = 0; i < 3; i++) {
		vm_engine_init(&engines[i], i / 2);
		vm_op_engine_write(&engines[i], CAPS_ZEN4, EN | CNT_CTL | 0x40);
	}
	for (unsigned int n = 0; n < 1000; n++) {
		for (unsigned int i = 0; i < 3; i++)
			vm_op_engine_restart(&engines[i]);
		CU_ASSERT_EQUAL(current(&engines[0]), current(&engines[1]));
		differs += current(&engines[0]) != current(&engines[2]);
		CU_ASSERT_FATAL(current(&engines[0]) < 128);
		seen[current(&engines[0])] = true;
	}
	for (unsigned int i = 0; i < 128; i++)
		different += seen[i];
	CU_ASSERT_TRUE(different > 120);
	CU_ASSERT_TRUE(differs > 900);
	CU_ASSERT_EQUAL(ops_until_tag(&engines[0], &cycle, 1),
			ops_until_tag(&engines[1], &cycle, 1));
}

static unsigned int fetches_until_tag(struct vm_engine *engine)
{
	for (unsigned int n = 1; n <= 1u << 17; n++) {
		struct vm_outcome fetched = { .fetched = true }, none = { .fetched = false };

		if (vm_fetch_engine_count(engine, &none))
			return NEVER;
		if (vm_fetch_engine_count(engine, &fetched))
			return n;
	}
	return NEVER;
}

static void counting_fetches(void)
{
	struct vm_engine engine;
	unsigned int n, shortest = ~0u, longest = 0;

	vm_engine_init(&engine, 1);
	CU_ASSERT_EQUAL(fetches_until_tag(&engine), NEVER);
	vm_fetch_engine_write(&engine, FETCH_EN | 0x40);
	CU_ASSERT_EQUAL(fetches_until_tag(&engine), 0x400);
	CU_ASSERT_EQUAL(vm_fetch_engine_read(&engine), FETCH_EN | 0x400040);
	CU_ASSERT_EQUAL(fetches_until_tag(&engine), NEVER);
	vm_fetch_engine_restart(&engine);
	CU_ASSERT_EQUAL(fetches_until_tag(&engine), 0x400);
	vm_fetch_engine_write(&engine, FETCH_EN | 0x40 | 0x10 << 16);
	CU_ASSERT_EQUAL(fetches_until_tag(&engine), 0x300);
	for (unsigned int i = 0; i < 200; i++) {
		vm_fetch_engine_write(&engine, FETCH_EN | RAND_EN | 0x40);
		n = fetches_until_tag(&engine);
		shortest = n < shortest ? n : shortest;
		longest = n > longest ? n : longest;
	}
	CU_ASSERT_EQUAL(shortest, 0x400 - 15);
	CU_ASSERT_EQUAL(longest, 0x400);
	vm_fetch_engine_write(&engine, FETCH_EN | FETCH_VAL | 0x40);
	CU_ASSERT_EQUAL(fetches_until_tag(&engine), NEVER);
}

/* ---- totals ---------------------------------------------------------------------------- */

static struct vm_totals *make_totals(vm_u32 addresses)
{
	return vm_totals_init(malloc(vm_totals_size(addresses)), addresses);
}

/* Every kind of op once or twice, and the counts that a reader of this list gets */
static vm_u64 values_in(const struct vm_totals *totals, unsigned int histogram)
{
	vm_u32 end = 0;
	const vm_u32 *bins = vm_totals_histogram(totals, histogram, &end);
	vm_u64 values = 0;

	for (vm_u32 i = 0; i < end; i++)
		values += bins[i];
	return values;
}

/* What totals_by_hand() has, by kind, by translation, of buffers and of fetches */
static void distributions_by_hand(const struct vm_totals *totals)
{
	static const struct {
		unsigned int histogram;
		vm_u64 values;
	} rows[] = {
		{ VM_HIST_KIND_TAG_TO_RETIRE + VM_KIND_LOAD, 5 },
		{ VM_HIST_KIND_TAG_TO_RETIRE + VM_KIND_LOAD_STORE, 1 },
		{ VM_HIST_KIND_TAG_TO_COMPLETION + VM_KIND_STORE, 2 },
		{ VM_HIST_KIND_COMPLETION_TO_RETIRE + VM_KIND_PREFETCH, 1 },
		{ VM_HIST_KIND_TAG_TO_RETIRE + VM_KIND_BRANCH, 2 },
		{ VM_HIST_KIND_TAG_TO_RETIRE + VM_KIND_OTHER, 1 },
		{ VM_HIST_DTLB + 3 * VM_TLB_L1 + VM_PAGE_4K, 6 },
		{ VM_HIST_DTLB + 3 * VM_TLB_L2 + VM_PAGE_4K, 1 },
		{ VM_HIST_DTLB + 3 * VM_TLB_WALK + VM_PAGE_4K, 1 },
		{ VM_HIST_ITLB + 3 * VM_TLB_L1 + VM_PAGE_4K, 1 },
		{ VM_HIST_ITLB + 3 * VM_TLB_WALK + VM_PAGE_4K, 1 },
		{ VM_HIST_FETCH, 2 },
		{ VM_HIST_MISS_BUFFERS, 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		CU_ASSERT_EQUAL(values_in(totals, rows[i].histogram), rows[i].values);
	CU_ASSERT_EQUAL(vm_totals_histogram(totals, VM_HIST_MISS_BUFFERS, NULL)[5], 1);
	CU_ASSERT_EQUAL(vm_totals_histogram(totals, VM_HIST_KIND_TAG_TO_COMPLETION, NULL)[397], 1);
}

static void totals_by_hand(void)
{
	static const struct {
		struct vm_operation operation;
		struct vm_outcome outcome;
	} rows[] = {
		{ { .ip = 1 }, { .tag_to_retire = 3, .fetched = true,
				 .fetch = { .ic_miss = true, .op_cache_miss = true, .l2_miss = true,
					    .tlb = VM_TLB_WALK } } },
		{ { .ip = 2, .load = true, .address_known = true },
		  { .tag_to_retire = 10, .level = VM_LEVEL_L1 } },
		{ { .ip = 2, .load = true, .address_known = true },
		  { .tag_to_retire = 400, .level = VM_LEVEL_DRAM, .l1_miss = true, .l2_miss = true,
		    .miss_latency = 360, .tlb = VM_TLB_WALK, .tlb_latency = 47,
		    .miss_buffers_open = 5, .completion_to_retire = 3 } },
		{ { .ip = 2, .load = true, .address_known = true },
		  { .tag_to_retire = 399, .level = VM_LEVEL_MISS_BUFFER, .l1_miss = true,
		    .l2_miss = true, .miss_latency = 350, .miss_buffer_shared = true } },
		{ { .ip = 3, .load = true, .store = true },
		  { .tag_to_retire = 20, .level = VM_LEVEL_L2, .l1_miss = true,
		    .miss_latency = 14 } },
		{ { .ip = 4, .store = true, .address_known = true },
		  { .tag_to_retire = 3, .level = VM_LEVEL_L3, .l1_miss = true, .l2_miss = true,
		    .tlb = VM_TLB_L2, .tlb_latency = 7 } },
		{ { .ip = 5, .load = true, .software_prefetch = true, .address_known = true },
		  { .tag_to_retire = 3, .level = VM_LEVEL_DRAM, .l1_miss = true } },
		{ { .ip = 6, .branch = true, .conditional = true, .taken = true },
		  { .tag_to_retire = 3, .mispredicted = true, .fetched = true } },
		{ { .ip = 6, .branch = true, .conditional = true }, { .tag_to_retire = 3 } },
		{ { .ip = 7, .load = true, .branch = true, .is_return = true, .taken = true,
		    .address_known = true },
		  { .tag_to_retire = 90000, .level = VM_LEVEL_L1 } },
		{ { .ip = 8, .load = true, .uncacheable = true, .address_known = true },
		  { .tag_to_retire = 1303, .level = VM_LEVEL_MMIO, .l1_miss = true,
		    .l2_miss = true, .miss_latency = 1300 } },
		{ { .ip = 8, .store = true, .uncacheable = true, .address_known = true },
		  { .tag_to_retire = 3, .level = VM_LEVEL_MMIO, .l1_miss = true,
		    .l2_miss = true } },
	};
	struct vm_totals *totals = make_totals(16);
	const struct vm_counts *all = vm_totals_all(totals), *two;
	vm_u32 cycles = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		vm_totals_add(totals, &rows[i].operation, &rows[i].outcome);
	CU_ASSERT_EQUAL(all->ops, 12);
	CU_ASSERT_EQUAL(all->loads, 6);
	CU_ASSERT_EQUAL(all->stores, 2);
	CU_ASSERT_EQUAL(all->load_stores, 1);
	CU_ASSERT_EQUAL(all->prefetches, 1);
	CU_ASSERT_EQUAL(all->load_levels[VM_LEVEL_L1], 2);
	CU_ASSERT_EQUAL(all->load_levels[VM_LEVEL_L2], 1);
	CU_ASSERT_EQUAL(all->load_levels[VM_LEVEL_DRAM], 1);
	CU_ASSERT_EQUAL(all->load_levels[VM_LEVEL_MISS_BUFFER], 1);
	CU_ASSERT_EQUAL(all->load_levels[VM_LEVEL_MMIO], 1);
	CU_ASSERT_EQUAL(all->store_levels[VM_LEVEL_L3], 1);
	CU_ASSERT_EQUAL(all->store_levels[VM_LEVEL_MMIO], 1);
	CU_ASSERT_EQUAL(all->load_l1_misses, 4);
	CU_ASSERT_EQUAL(all->misses, 6);
	CU_ASSERT_EQUAL(all->misses_own_buffer, 5);
	CU_ASSERT_EQUAL(all->dtlb_accesses, 8);
	CU_ASSERT_EQUAL(all->dtlb_l1_misses, 2);
	CU_ASSERT_EQUAL(all->dtlb_walks, 1);
	CU_ASSERT_EQUAL(all->branches, 3);
	CU_ASSERT_EQUAL(all->taken, 2);
	CU_ASSERT_EQUAL(all->mispredicted, 1);
	CU_ASSERT_EQUAL(all->taken_mispredicted, 1);
	CU_ASSERT_EQUAL(all->returns, 1);
	CU_ASSERT_EQUAL(all->returns_mispredicted, 0);
	CU_ASSERT_EQUAL(all->prefetch_levels[VM_LEVEL_DRAM], 1);
	CU_ASSERT_EQUAL(all->fetches, 2);
	CU_ASSERT_EQUAL(all->op_cache_misses, 1);
	CU_ASSERT_EQUAL(all->ic_misses, 1);
	CU_ASSERT_EQUAL(all->ic_l2_misses, 1);
	CU_ASSERT_EQUAL(all->ic_l3_misses, 0);
	CU_ASSERT_EQUAL(all->itlb_l1_misses, 1);
	CU_ASSERT_EQUAL(all->itlb_walks, 1);
	CU_ASSERT_EQUAL(all->miss_latency, 360 + 350 + 14 + 1300);
	CU_ASSERT_EQUAL(all->tag_to_retire,
			3 + 10 + 400 + 399 + 20 + 3 + 3 + 3 + 3 + 90000 + 1303 + 3);
	two = vm_totals_at(totals, 2);
	CU_ASSERT_PTR_NOT_NULL_FATAL(two);
	CU_ASSERT_EQUAL(two->ops, 3);
	CU_ASSERT_EQUAL(two->load_l1_misses, 2);
	CU_ASSERT_EQUAL(two->miss_latency, 710);
	CU_ASSERT_EQUAL(two->branches, 0);
	CU_ASSERT_PTR_NULL(vm_totals_at(totals, 9));
	CU_ASSERT_EQUAL(vm_totals_overflow(totals)->ops, 0);
	/* in order: six times 3, then 10 20 399 400 1303, and 90000 in the last bin */
	CU_ASSERT_EQUAL(vm_totals_histogram(totals, VM_HIST_TAG_TO_RETIRE, NULL)[3], 6);
	CU_ASSERT_EQUAL(vm_totals_histogram(totals, VM_HIST_TAG_TO_RETIRE, NULL)[VM_HIST_CYCLES - 1],
			1);
	CU_ASSERT_EQUAL(vm_totals_histogram(totals, VM_HIST_TLB_REFILL, NULL)[7], 1);
	CU_ASSERT_EQUAL(vm_totals_histogram(totals, VM_HIST_TLB_REFILL, NULL)[47], 1);
	CU_ASSERT_EQUAL(vm_totals_histogram(totals, VM_HIST_WALK, NULL)[7], 0);
	CU_ASSERT_EQUAL(vm_totals_histogram(totals, VM_HIST_WALK, NULL)[47], 1);
	CU_ASSERT_EQUAL(vm_totals_histogram(totals, VM_HIST_LEVEL + VM_LEVEL_L2, NULL)[14], 1);
	CU_ASSERT_EQUAL(vm_totals_histogram(totals, VM_HIST_LEVEL + VM_LEVEL_L1, NULL)[0], 0);
	CU_ASSERT_TRUE(vm_totals_quantile(totals, VM_HIST_LOAD_MISS, 500, &cycles));
	CU_ASSERT_EQUAL(cycles, 350);
	CU_ASSERT_TRUE(vm_totals_quantile(totals, VM_HIST_LOAD_MISS, 501, &cycles));
	CU_ASSERT_EQUAL(cycles, 360);
	CU_ASSERT_TRUE(vm_totals_quantile(totals, VM_HIST_LOAD_MISS, 1000, &cycles));
	CU_ASSERT_EQUAL(cycles, 1300);
	CU_ASSERT_TRUE(vm_totals_quantile(totals, VM_HIST_TAG_TO_RETIRE, 1000, &cycles));
	CU_ASSERT_EQUAL(cycles, VM_HIST_CYCLES - 1);
	CU_ASSERT_FALSE(vm_totals_quantile(totals, VM_HIST_LEVEL + VM_LEVEL_PEER, 500, &cycles));
	CU_ASSERT_FALSE(vm_totals_quantile(totals, VM_HIST_COUNT, 500, &cycles));
	distributions_by_hand(totals);
	vm_totals_reset(totals);
	CU_ASSERT_EQUAL(all->ops, 0);
	CU_ASSERT_PTR_NULL(vm_totals_at(totals, 2));
	CU_ASSERT_FALSE(vm_totals_quantile(totals, VM_HIST_TAG_TO_RETIRE, 1000, &cycles));
	free(totals);
}

/* More addresses than there is room for: the rest is counted, and no place twice */
static void totals_overflow(void)
{
	struct vm_totals *totals = make_totals(256);
	const struct vm_counts *counts;
	vm_u64 by_address = 0, slots = 0, ip;

	for (vm_u64 i = 0; i < 3000; i++) {
		struct vm_operation operation = { .ip = 0x401000 + i % 1000 * 4 };
		struct vm_outcome outcome = { .cycle = i };

		vm_totals_add(totals, &operation, &outcome);
	}
	for (vm_u32 i = 0; i < 300; i++) {
		counts = vm_totals_slot(totals, i, &ip);
		if (!counts)
			continue;
		slots++;
		by_address += counts->ops;
		CU_ASSERT_EQUAL(counts->ops, 3);
		CU_ASSERT_PTR_EQUAL(vm_totals_at(totals, ip), counts);
	}
	CU_ASSERT_EQUAL(slots, 256);
	CU_ASSERT_EQUAL(vm_totals_all(totals)->ops, 3000);
	CU_ASSERT_EQUAL(vm_totals_overflow(totals)->ops, 3000 - by_address);
	free(totals);
}

/* As long as there is room each address has a place, wherever its neighbours are */
static void totals_without_overflow(void)
{
	struct vm_totals *totals = make_totals(256);

	for (vm_u64 i = 0; i < 200; i++) {
		struct vm_operation operation = { .ip = 0x401000 + i * i * i };
		struct vm_outcome outcome = { .cycle = i };

		vm_totals_add(totals, &operation, &outcome);
	}
	CU_ASSERT_EQUAL(vm_totals_overflow(totals)->ops, 0);
	for (vm_u64 i = 0; i < 200; i++)
		CU_ASSERT_PTR_NOT_NULL(vm_totals_at(totals, 0x401000 + i * i * i));
	free(totals);
}

/* Totals of a run are the sums of its outcomes, whatever happened */
static void totals_of_a_run(void)
{
	const struct vm_machine *machine = vm_machine_find("zen4");
	struct vm_core *core =
		vm_core_init(aligned_alloc(64, (vm_core_size(machine) + 63) / 64 * 64), machine);
	struct vm_totals *totals = make_totals(64);
	vm_u64 misses = 0, walks = 0, latency = 0, levels = 0;

	for (vm_u64 at = 0; at < 1 << 20; at += 24) {
		struct vm_operation operation = { .ip = 0x401000 + at % 32 * 4, .address = at * 64,
						  .address_known = true, .load = true };
		struct vm_outcome outcome;

		vm_core_step(core, &operation, &outcome);
		vm_totals_add(totals, &operation, &outcome);
		misses += outcome.l1_miss;
		walks += outcome.tlb == VM_TLB_WALK;
		latency += outcome.miss_latency;
	}
	for (unsigned int i = 0; i < VM_LEVEL_COUNT; i++)
		levels += vm_totals_all(totals)->load_levels[i];
	CU_ASSERT_EQUAL(vm_totals_all(totals)->loads, levels);
	CU_ASSERT_EQUAL(vm_totals_all(totals)->load_l1_misses, misses);
	CU_ASSERT_EQUAL(vm_totals_all(totals)->dtlb_walks, walks);
	CU_ASSERT_EQUAL(vm_totals_all(totals)->miss_latency, latency);
	CU_ASSERT_EQUAL(vm_totals_overflow(totals)->ops, 0);
	free(totals);
	free(core);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "counting ops", counting_ops },
		{ "counting cycles", counting_cycles },
		{ "a sample that is filtered away", filtered_away },
		{ "capabilities of the counter", capabilities_of_the_counter },
		{ "random low bits", random_low_bits },
		{ "counting fetches", counting_fetches },
		{ "totals, by hand", totals_by_hand },
		{ "totals: room for all addresses", totals_without_overflow },
		{ "totals: more addresses than room", totals_overflow },
		{ "totals of a run", totals_of_a_run },
	};

	return tap_main("modeled sampling", cases, sizeof(cases) / sizeof(cases[0]));
}
