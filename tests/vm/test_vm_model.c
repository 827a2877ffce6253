/* SPDX-License-Identifier: BSD-3-Clause */
/* The modeled core: what small programs of known behaviour do in it. */
#include <stdio.h>
#include <stdlib.h>

#include <precis/amd.h>
#include <precis/cpu.h>

#include "tests/support/tap.h"
#include "tests/vm/model/parts.h"

#define KIB 1024ull
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define PAGE (4 * KIB)
#define LINE 64
#define RAX 1u

/* A node of a chase: the next address depends on what was loaded */
static struct vm_operation load_at(vm_u64 address)
{
	return (struct vm_operation){
		.ip = 0x401000, .address = address, .physical = address, .bytes = 8,
		.address_known = true, .physical_known = true, .load = true,
	};
}

static struct vm_operation chase_at(vm_u64 address)
{
	struct vm_operation operation = load_at(address);

	operation.reads = operation.writes = RAX;
	return operation;
}

static struct vm_core *core;

static const struct vm_machine *start(const struct vm_machine *machine)
{
	free(core);
	core = vm_core_init(aligned_alloc(64, (vm_core_size(machine) + 63) / 64 * 64), machine);
	return machine;
}

static const struct vm_machine *start_named(const char *name)
{
	return start(vm_machine_find(name));
}

static struct vm_outcome step(struct vm_operation operation)
{
	struct vm_outcome outcome;

	vm_core_step(core, &operation, &outcome);
	return outcome;
}

/* A locked operation waits for all that is under way */
static void drain(void)
{
	step((struct vm_operation){ .ip = 0x401000, .locked = true });
}

/* One round over 'size' bytes from address 0; counts outcomes by level and TLB */
struct round {
	unsigned int steps, levels[VM_LEVEL_COUNT], tlbs[3];
};

static struct round chase(vm_u64 size, vm_u64 stride, enum vm_page page)
{
	struct round round = { 0 };

	for (vm_u64 at = 0; at < size; at += stride) {
		struct vm_operation operation = chase_at(at);
		struct vm_outcome outcome;

		operation.page = (vm_u8)page;
		outcome = step(operation);
		round.steps++;
		round.levels[outcome.level]++;
		round.tlbs[outcome.tlb]++;
	}
	return round;
}

static bool power_of_two(vm_u32 n)
{
	return n && !(n & (n - 1));
}

static void machines(void)
{
	const struct vm_machine *machine;
	unsigned int n;

	for (n = 0; (machine = vm_machine_at(n)) != NULL; n++) {
		const vm_u32 *memory = machine->memory_latency;
		const struct vm_geometry *array = machine->array;
		struct precis_cpu cpu = { .size = sizeof(cpu), .vendor = PRECIS_VENDOR_AMD,
					  .family = machine->family, .model = machine->model };

		CU_ASSERT_PTR_EQUAL(vm_machine_find(machine->name), machine);
		for (unsigned int i = 0; i < VM_ARRAY_COUNT; i++) {
			if (!array[i].entries)
				continue;
			CU_ASSERT_EQUAL(array[i].entries % array[i].ways, 0);
			CU_ASSERT_TRUE(power_of_two(array[i].entries / array[i].ways));
		}
		CU_ASSERT_TRUE(array[VM_L1D].latency < array[VM_L2].latency);
		if (array[VM_L3].entries)
			CU_ASSERT_TRUE(array[VM_L2].latency < array[VM_L3].latency);
		if (!(machine->features & VM_HAS_NO_PRODUCT))
			CU_ASSERT_TRUE(array[VM_L3].latency < memory[VM_LEVEL_NEAR_CACHE]);
		CU_ASSERT_TRUE(memory[VM_LEVEL_DRAM] < memory[VM_LEVEL_FAR_DRAM]);
		for (unsigned int i = VM_LEVEL_NEAR_CACHE; i < VM_LEVEL_COUNT; i++)
			CU_ASSERT_NOT_EQUAL(memory[i], 0);
		CU_ASSERT_TRUE(machine->miss_buffers <= VM_MISS_BUFFERS_MAX);
		CU_ASSERT_TRUE(power_of_two(machine->fetch_block) &&
			       power_of_two(machine->align_boundary));
		if (machine->vendor == VM_VENDOR_AMD)
			CU_ASSERT_TRUE(power_of_two(precis_amd_cores_of(&cpu, machine->ibs_caps)));
	}
	CU_ASSERT_EQUAL(n, 12);
	CU_ASSERT_PTR_NULL(vm_machine_find("zen"));
}

/* For all machines that are like a product: a round that fills, then one that is counted */
#define FOR_ALL_MACHINES(machine)                                                                  \
	for (unsigned int n_ = 0; (machine = vm_machine_at(n_)) != NULL; n_++)                     \
		if (!(machine->features & VM_HAS_NO_PRODUCT))

static void chase_in_l1(void)
{
	const struct vm_machine *machine;

	FOR_ALL_MACHINES(machine) {
		start(machine);
		chase(16 * KIB, LINE, VM_PAGE_4K);
		CU_ASSERT_EQUAL(chase(16 * KIB, LINE, VM_PAGE_4K).levels[VM_LEVEL_L1], 256);
	}
}

static void chase_in_l2(void)
{
	const struct vm_machine *machine;

	FOR_ALL_MACHINES(machine) {
		struct round first, later;

		start(machine);
		first = chase(128 * KIB, LINE, VM_PAGE_4K);
		CU_ASSERT_EQUAL(first.levels[VM_LEVEL_L1] + first.levels[VM_LEVEL_L2], 0);
		for (unsigned int i = 0; i < 3; i++) {
			later = chase(128 * KIB, LINE, VM_PAGE_4K);
			CU_ASSERT_EQUAL(later.levels[VM_LEVEL_L2], 2048);
		}
	}
}

/* Half as much again as the L2 has, and the same of the L3 */
static void chase_in_l3_and_memory(void)
{
	const struct vm_machine *machine = start_named("zen1");
	vm_u64 l2 = machine->array[VM_L2].entries * LINE * 3 / 2;
	vm_u64 l3 = machine->array[VM_L3].entries * LINE * 3 / 2;
	struct round round;

	chase(l2, LINE, VM_PAGE_4K);
	round = chase(l2, LINE, VM_PAGE_4K);
	CU_ASSERT_EQUAL(round.levels[VM_LEVEL_L3], round.steps);
	chase(l3, LINE, VM_PAGE_4K);
	round = chase(l3, LINE, VM_PAGE_4K);
	CU_ASSERT_EQUAL(round.levels[VM_LEVEL_L1] + round.levels[VM_LEVEL_L2] +
				round.levels[VM_LEVEL_L3],
			0);
	CU_ASSERT_TRUE(round.levels[VM_LEVEL_DRAM] && round.levels[VM_LEVEL_FAR_DRAM]);
}

/* As many lines of one set as there are ways stay; one more, and none does */
static void associativity(void)
{
	const struct vm_machine *machine;

	FOR_ALL_MACHINES(machine) {
		const struct vm_geometry *l1 = &machine->array[VM_L1D];
		vm_u64 stride = (vm_u64)l1->entries / l1->ways * LINE;

		start(machine);
		chase(l1->ways * stride, stride, VM_PAGE_4K);
		CU_ASSERT_EQUAL(chase(l1->ways * stride, stride, VM_PAGE_4K).levels[VM_LEVEL_L1],
				l1->ways);
		chase((l1->ways + 1) * stride, stride, VM_PAGE_4K);
		CU_ASSERT_EQUAL(
			chase((l1->ways + 1) * stride, stride, VM_PAGE_4K).levels[VM_LEVEL_L1], 0);
	}
}

/* What was used last stays */
static void least_recently_used(void)
{
	vm_u64 entries[4];
	struct vm_geometry geometry = { 4, 4, 0 };
	struct vm_cache cache;

	vm_cache_init(&cache, &geometry, entries);
	for (vm_u64 i = 0; i < 4; i++)
		CU_ASSERT_FALSE(vm_cache_touch(&cache, i));
	CU_ASSERT_TRUE(vm_cache_touch(&cache, 0));
	CU_ASSERT_FALSE(vm_cache_touch(&cache, 4)); /* 1 leaves */
	CU_ASSERT_TRUE(vm_cache_touch(&cache, 0));
	CU_ASSERT_TRUE(vm_cache_touch(&cache, 2));
	CU_ASSERT_TRUE(vm_cache_touch(&cache, 3));
	CU_ASSERT_FALSE(vm_cache_touch(&cache, 1));
	CU_ASSERT_FALSE(vm_cache_touch(&cache, 4));
}

static void page_walks(void)
{
	const struct vm_machine *machine = start_named("zen4");
	struct round round;

	for (unsigned int i = 0; i < 2; i++) {
		round = chase(GIB, PAGE, VM_PAGE_4K);
		CU_ASSERT_EQUAL(round.steps, 262144);
		CU_ASSERT_EQUAL(round.tlbs[VM_TLB_WALK], 262144);
	}
	FOR_ALL_MACHINES(machine) {
		vm_u64 l1 = machine->array[VM_DTLB1].entries, l2 = machine->array[VM_DTLB2].entries;

		start(machine);
		chase(l1 * PAGE, PAGE, VM_PAGE_4K);
		CU_ASSERT_EQUAL(chase(l1 * PAGE, PAGE, VM_PAGE_4K).tlbs[VM_TLB_L1], l1);
		chase(l2 * PAGE, PAGE, VM_PAGE_4K);
		CU_ASSERT_EQUAL(chase(l2 * PAGE, PAGE, VM_PAGE_4K).tlbs[VM_TLB_L2], l2);
		chase(2 * l2 * PAGE, PAGE, VM_PAGE_4K);
		CU_ASSERT_EQUAL(chase(2 * l2 * PAGE, PAGE, VM_PAGE_4K).tlbs[VM_TLB_WALK], 2 * l2);
	}
}

static void large_pages(void)
{
	/* 72 entries for all sizes; 32 for large pages alone */
	start_named("zen4");
	chase(128 * MIB, 2 * MIB, VM_PAGE_2M);
	CU_ASSERT_EQUAL(chase(128 * MIB, 2 * MIB, VM_PAGE_2M).tlbs[VM_TLB_L1], 64);
	CU_ASSERT_EQUAL(chase(128 * MIB, 2 * MIB, VM_PAGE_4K).tlbs[VM_TLB_WALK], 64);
	start_named("skylake");
	chase(128 * MIB, 2 * MIB, VM_PAGE_2M);
	CU_ASSERT_EQUAL(chase(128 * MIB, 2 * MIB, VM_PAGE_2M).tlbs[VM_TLB_L2], 64);
	chase(64 * MIB, 2 * MIB, VM_PAGE_2M);
	CU_ASSERT_EQUAL(chase(64 * MIB, 2 * MIB, VM_PAGE_2M).tlbs[VM_TLB_L1], 32);
}

static void another_address_space(void)
{
	start_named("zen4");
	chase(8 * PAGE, PAGE, VM_PAGE_4K);
	CU_ASSERT_EQUAL(chase(8 * PAGE, PAGE, VM_PAGE_4K).tlbs[VM_TLB_L1], 8);
	vm_core_new_address_space(core);
	CU_ASSERT_EQUAL(chase(8 * PAGE, PAGE, VM_PAGE_4K).tlbs[VM_TLB_WALK], 8);
	CU_ASSERT_EQUAL(chase(8 * PAGE, PAGE, VM_PAGE_4K).levels[VM_LEVEL_L1], 8);
}

/* Each level's latency is that of the table, and a chase has one miss at a time */
static void latencies(void)
{
	const struct vm_machine *machine;

	FOR_ALL_MACHINES(machine) {
		vm_u32 walk = machine->array[VM_DTLB2].latency + machine->walk;
		struct vm_outcome outcome;

		start(machine);
		for (vm_u64 at = 0; at < 64 * MIB; at += 64 * KIB) {
			outcome = step(chase_at(at));
			CU_ASSERT_EQUAL(outcome.miss_latency,
					machine->memory_latency[outcome.level]);
			CU_ASSERT_EQUAL(outcome.miss_buffers_open, 1);
			CU_ASSERT_EQUAL(outcome.tlb_latency, walk);
			CU_ASSERT_TRUE(outcome.l1_miss && outcome.l2_miss);
		}
		/* the locked operation waits for all of them: this one is there */
		drain();
		outcome = step(load_at(64 * MIB - 64 * KIB));
		CU_ASSERT_EQUAL(outcome.level, VM_LEVEL_L1);
		CU_ASSERT_EQUAL(outcome.miss_latency, 0);
	}
}

static void latencies_of_caches(void)
{
	const struct vm_machine *machine;

	FOR_ALL_MACHINES(machine) {
		const struct vm_geometry *l1 = &machine->array[VM_L1D];
		vm_u64 stride = (vm_u64)l1->entries / l1->ways * LINE;
		struct vm_outcome outcome;

		start(machine);
		for (unsigned int i = 0; i < 2; i++)
			chase((l1->ways + 1) * stride, stride, VM_PAGE_4K);
		outcome = step(chase_at(0));
		CU_ASSERT_EQUAL(outcome.level, VM_LEVEL_L2);
		CU_ASSERT_EQUAL(outcome.miss_latency, machine->array[VM_L2].latency);
		CU_ASSERT_FALSE(outcome.l2_miss);
	}
}

static void miss_buffers(void)
{
	const struct vm_machine *machine;

	FOR_ALL_MACHINES(machine) {
		vm_u32 most = 0;
		bool stalled = false;

		start(machine);
		for (vm_u64 at = 0; at < 4 * MIB; at += LINE) {
			struct vm_outcome outcome = step(load_at(at));

			if (outcome.miss_buffers_open > most)
				most = outcome.miss_buffers_open;
			if (outcome.miss_latency > machine->memory_latency[outcome.level]) {
				stalled = true;
				CU_ASSERT_TRUE(outcome.miss_buffers_open > 0);
			}
		}
		CU_ASSERT_EQUAL(most, machine->miss_buffers);
		CU_ASSERT_TRUE(stalled);
	}
}

/* As many misses as there are buffers start at once; the next one waits for the first */
static void miss_buffer_stall(void)
{
	struct vm_miss_buffers buffers = { .count = 4 };
	const struct vm_miss *miss;

	for (vm_u64 i = 0; i < 4; i++) {
		miss = vm_miss_buffers_take(&buffers, i, 10 + i, 100, VM_LEVEL_DRAM);
		CU_ASSERT_EQUAL(miss->taken_at, 10 + i);
		CU_ASSERT_EQUAL(miss->free_at, 110 + i);
		CU_ASSERT_EQUAL(miss->open, i + 1);
	}
	miss = vm_miss_buffers_take(&buffers, 4, 20, 100, VM_LEVEL_DRAM);
	CU_ASSERT_EQUAL(miss->taken_at, 110);
	CU_ASSERT_EQUAL(miss->free_at, 210);
	CU_ASSERT_EQUAL(miss->open, 4);
	CU_ASSERT_PTR_NOT_NULL(vm_miss_buffers_find(&buffers, 1, 110));
	CU_ASSERT_PTR_NULL(vm_miss_buffers_find(&buffers, 1, 111));
	CU_ASSERT_PTR_NULL(vm_miss_buffers_find(&buffers, 5, 20));
	/* what an older instruction will take later is not in the way of a younger one now */
	miss = vm_miss_buffers_take(&buffers, 5, 1000, 100, VM_LEVEL_DRAM);
	CU_ASSERT_EQUAL(miss->open, 1);
	miss = vm_miss_buffers_take(&buffers, 6, 300, 100, VM_LEVEL_DRAM);
	CU_ASSERT_EQUAL(miss->taken_at, 300);
	CU_ASSERT_EQUAL(miss->open, 1);
	CU_ASSERT_PTR_NOT_NULL(vm_miss_buffers_find(&buffers, 5, 300));
}

/* A long chain of misses in flight uses one buffer: an independent miss does not wait */
static void chain_and_independent_miss(void)
{
	const struct vm_machine *machine = start_named("zen4");
	struct vm_outcome outcome;

	chase(machine->reorder_buffer / 2 * PAGE, PAGE, VM_PAGE_4K);
	outcome = step(load_at(4 * MIB));
	CU_ASSERT_EQUAL(outcome.level, VM_LEVEL_DRAM);
	CU_ASSERT_EQUAL(outcome.miss_latency, machine->memory_latency[VM_LEVEL_DRAM]);
}

static void shared_miss(void)
{
	const struct vm_machine *machine = start_named("zen4");
	struct vm_outcome first = step(load_at(8 * MIB)), second = step(load_at(8 * MIB + 8));

	CU_ASSERT_TRUE(first.l1_miss && !first.miss_buffer_shared);
	CU_ASSERT_EQUAL(second.level, VM_LEVEL_MISS_BUFFER);
	CU_ASSERT_TRUE(second.l1_miss && second.l2_miss && second.miss_buffer_shared);
	CU_ASSERT_EQUAL(second.miss_buffers_open, 0);
	CU_ASSERT_TRUE(second.miss_latency > 0);
	/* the second one's TLB hit gets it there earlier: it sees the whole of the first's walk */
	CU_ASSERT_EQUAL(second.cycle + second.miss_latency,
			first.cycle + first.tlb_latency + first.miss_latency);
	/* the same with a line that the L2 has */
	chase(128 * KIB, LINE, VM_PAGE_4K);
	chase(128 * KIB, LINE, VM_PAGE_4K);
	drain();
	first = step(load_at(0));
	second = step(load_at(8));
	CU_ASSERT_EQUAL(first.level, VM_LEVEL_L2);
	CU_ASSERT_EQUAL(second.level, VM_LEVEL_L2);
	CU_ASSERT_TRUE(second.miss_buffer_shared && !second.l2_miss);
	CU_ASSERT_EQUAL(first.miss_latency, machine->array[VM_L2].latency);
}

/* Eight loads of a line: one buffer for each line, whatever joins it */
static void stream(void)
{
	const struct vm_machine *machine;

	FOR_ALL_MACHINES(machine) {
		unsigned int own = 0, walks = 0;

		start(machine);
		for (vm_u64 at = 0; at < MIB; at += 8) {
			struct vm_outcome outcome = step(load_at(at));

			own += outcome.l1_miss && !outcome.miss_buffer_shared;
			walks += outcome.tlb == VM_TLB_WALK;
		}
		CU_ASSERT_EQUAL(own, MIB / LINE);
		CU_ASSERT_EQUAL(walks, MIB / PAGE);
	}
}

static void accesses_past_the_caches(void)
{
	const struct vm_machine *machine = start_named("zen4");
	struct vm_operation operation = load_at(2 * MIB);
	struct vm_outcome outcome;

	operation.uncacheable = true;
	for (unsigned int i = 0; i < 2; i++) {
		outcome = step(operation);
		CU_ASSERT_EQUAL(outcome.level, VM_LEVEL_MMIO);
		CU_ASSERT_EQUAL(outcome.miss_latency, machine->memory_latency[VM_LEVEL_MMIO]);
		CU_ASSERT_EQUAL(outcome.miss_buffers_open, 0);
	}
	operation.uncacheable = false;
	operation.write_combining = true;
	CU_ASSERT_EQUAL(step(operation).level, VM_LEVEL_FAR_DRAM);
	CU_ASSERT_EQUAL(step(operation).level, VM_LEVEL_FAR_DRAM);
	operation.write_combining = false;
	CU_ASSERT_TRUE(step(operation).l1_miss);
	operation = load_at(0);
	operation.address_known = operation.physical_known = false;
	outcome = step(operation);
	CU_ASSERT_EQUAL(outcome.level, VM_LEVEL_L1);
	CU_ASSERT_EQUAL(outcome.tlb, VM_TLB_L1);
}

static void misaligned(void)
{
	static const struct {
		const char *machine;
		vm_u64 address;
		vm_u32 bytes;
		bool misaligned;
	} rows[] = {
		{ "zen4", 60, 4, false }, { "zen4", 61, 4, true }, { "zen4", 30, 4, false },
		{ "zen1", 30, 4, true }, { "bulldozer", 14, 4, true }, { "greyhound", 4, 8, true },
		{ "zen4", 63, 0, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct vm_operation operation = load_at(rows[i].address);

		operation.bytes = rows[i].bytes;
		start_named(rows[i].machine);
		CU_ASSERT_EQUAL(step(operation).misaligned, rows[i].misaligned);
	}
}

/* All levels that the machine can have, and the rules by which memory is placed */
static void placement(void)
{
	const struct vm_machine *zen4 = vm_machine_find("zen4"), *zen3 = vm_machine_find("zen3");
	unsigned int levels[2][VM_LEVEL_COUNT] = { 0 }, owned = 0;
	struct vm_outcome outcome;

	for (vm_u64 at = 0; at < 512 * MIB; at += LINE) {
		enum vm_level level = vm_placement(zen4, at);

		levels[0][level]++;
		owned += vm_placement_owned(at);
		levels[1][vm_placement(zen3, at)]++;
		if (level == VM_LEVEL_FAR_DRAM)
			CU_ASSERT_EQUAL(at >> 21 & 1, 1);
		if (level == VM_LEVEL_DRAM)
			CU_ASSERT_EQUAL(at >> 21 & 1, 0);
	}
	for (unsigned int i = VM_LEVEL_NEAR_CACHE; i < VM_LEVEL_MMIO; i++)
		CU_ASSERT_NOT_EQUAL(levels[0][i], 0);
	CU_ASSERT_EQUAL(levels[1][VM_LEVEL_PMEM] + levels[1][VM_LEVEL_EXTENSION] +
				levels[1][VM_LEVEL_PEER],
			0);
	/* 16 and 8 of 1024, to a tenth */
	CU_ASSERT_DOUBLE_EQUAL(levels[0][VM_LEVEL_NEAR_CACHE], 8388608 / 64., 8388608 / 640.);
	CU_ASSERT_DOUBLE_EQUAL(levels[0][VM_LEVEL_FAR_CACHE], 8388608 / 128., 8388608 / 1280.);
	CU_ASSERT_DOUBLE_EQUAL(owned, 8388608 / 2., 8388608 / 20.);
	/* the state is told of lines that another cache has, and of no others */
	start(zen4);
	for (vm_u64 at = 0; at < 8 * MIB; at += LINE) {
		outcome = step(chase_at(at));
		CU_ASSERT_EQUAL(outcome.owned, (outcome.level == VM_LEVEL_NEAR_CACHE ||
						outcome.level == VM_LEVEL_FAR_CACHE) &&
						       vm_placement_owned(at));
	}
}

static struct vm_operation branch_at(vm_u64 ip, bool taken)
{
	return (struct vm_operation){ .ip = ip, .branch = true, .conditional = true, .taken = taken,
				      .branch_target = 0x402000 };
}

static void branches(void)
{
	const struct vm_machine *machine = start_named("zen4");
	struct vm_operation jump = { .ip = 0x401800, .branch = true, .taken = true };
	unsigned int wrong = 0;
	struct vm_outcome outcome;

	/* from weakly not taken an alternation that begins with taken is never predicted */
	for (unsigned int i = 0; i < 100; i++)
		wrong += step(branch_at(0x401000, !(i & 1))).mispredicted;
	CU_ASSERT_EQUAL(wrong, 100);
	/* one that begins with not taken: half of it */
	for (unsigned int i = wrong = 0; i < 100; i++)
		wrong += step(branch_at(0x401040, i & 1)).mispredicted;
	CU_ASSERT_EQUAL(wrong, 50);
	/* the end of each loop, and the first turn of the first */
	for (unsigned int i = wrong = 0; i < 100; i++)
		wrong += step(branch_at(0x401080, i % 10 != 9)).mispredicted;
	CU_ASSERT_EQUAL(wrong, 11);
	/* a jump whose target changes each second time; a return's does not matter */
	for (unsigned int i = wrong = 0; i < 100; i++) {
		jump.branch_target = 0x402000 + (i / 2 & 1) * 64;
		wrong += step(jump).mispredicted;
	}
	CU_ASSERT_EQUAL(wrong, 49);
	jump.is_return = true;
	jump.ip += 64;
	for (unsigned int i = wrong = 0; i < 100; i++) {
		jump.branch_target = 0x402000 + (i & 1) * 64;
		wrong += step(jump).mispredicted;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	/* what follows a mispredicted branch waits for it and the penalty */
	outcome = step(branch_at(0x401000, true));
	CU_ASSERT_TRUE(outcome.mispredicted);
	CU_ASSERT_EQUAL(step(branch_at(0x401000, true)).cycle,
			outcome.cycle + 2 + machine->mispredict_penalty);
}

static void pipeline(void)
{
	const struct vm_machine *machine;

	FOR_ALL_MACHINES(machine) {
		struct vm_operation plain = { .ip = 0x401000 };
		struct vm_outcome first, missed, last = { 0 };
		vm_u64 load_retires;

		start(machine);
		first = step(plain);
		CU_ASSERT_EQUAL(first.tag_to_retire, 3);
		CU_ASSERT_EQUAL(first.completion_to_retire, 1);
		CU_ASSERT_EQUAL(first.load_to_use, 0);
		for (unsigned int i = 1; i < 10 * machine->width; i++)
			last = step(plain);
		CU_ASSERT_EQUAL(last.cycle, first.cycle + 9);
		/* behind a miss all wait, up to the last place of the reorder buffer */
		missed = step(load_at(4 * MIB));
		load_retires = missed.cycle + missed.tag_to_retire;
		CU_ASSERT_EQUAL(missed.completion_to_retire, 1);
		CU_ASSERT_EQUAL(missed.tag_to_retire,
				missed.load_to_use + missed.completion_to_retire);
		CU_ASSERT_EQUAL(missed.load_to_use, 1 + missed.tlb_latency + missed.miss_latency);
		for (unsigned int i = 1; i < machine->reorder_buffer; i++) {
			last = step(plain);
			CU_ASSERT_TRUE(last.cycle < load_retires);
			CU_ASSERT_EQUAL(last.tag_to_retire - last.completion_to_retire, 2);
		}
		CU_ASSERT_EQUAL(step(plain).cycle, load_retires);
	}
}

static void registers_and_locks(void)
{
	struct vm_operation reader = { .ip = 0x401000, .reads = RAX }, other = { .ip = 0x401000 };
	struct vm_outcome missed, outcome;

	start_named("zen4");
	missed = step(chase_at(4 * MIB));
	outcome = step(other);
	CU_ASSERT_EQUAL(outcome.tag_to_retire - outcome.completion_to_retire, 2);
	outcome = step(reader);
	CU_ASSERT_EQUAL(outcome.cycle + outcome.tag_to_retire - outcome.completion_to_retire,
			missed.cycle + missed.load_to_use + 1);
	other.locked = true;
	outcome = step(other);
	CU_ASSERT_EQUAL(outcome.completion_to_retire, 1);
	CU_ASSERT_TRUE(outcome.tag_to_retire >= missed.load_to_use);
}

static void stores_and_prefetches(void)
{
	const struct vm_machine *machine = start_named("zen4");
	struct vm_operation operation = load_at(4 * MIB);
	unsigned int stalls = 0;
	struct vm_outcome outcome;
	vm_u64 before;

	operation.load = false;
	operation.store = true;
	outcome = step(operation);
	CU_ASSERT_EQUAL(outcome.level, VM_LEVEL_DRAM);
	CU_ASSERT_EQUAL(outcome.tag_to_retire, 3);
	CU_ASSERT_EQUAL(outcome.miss_latency, 0);
	CU_ASSERT_EQUAL(outcome.miss_buffers_open, 1);
	/* more stores than miss buffers: dispatch waits, and nothing piles up */
	for (vm_u64 i = 0; i < 1000; i++) {
		operation.address = operation.physical = 8 * MIB + i * LINE;
		before = outcome.cycle;
		outcome = step(operation);
		CU_ASSERT_TRUE(outcome.miss_buffers_open <= machine->miss_buffers);
		stalls += outcome.cycle > before + 1 && outcome.tlb == VM_TLB_L1;
	}
	CU_ASSERT_TRUE(stalls > 1000 / machine->miss_buffers);
	drain();
	operation = load_at(4 * MIB + LINE);
	operation.software_prefetch = true;
	outcome = step(operation);
	CU_ASSERT_TRUE(outcome.l1_miss);
	CU_ASSERT_EQUAL(outcome.miss_latency + outcome.load_to_use, 0);
	CU_ASSERT_TRUE(outcome.miss_buffers_open > 1);
	CU_ASSERT_TRUE(step(load_at(4 * MIB + LINE)).miss_buffer_shared);
}

static void fetches(void)
{
	const struct vm_machine *machine = start_named("zen4");
	struct vm_operation operation = { .ip = 0x401004, .ip_physical = 0x601004,
					  .ip_physical_known = true };
	struct vm_outcome outcome = step(operation);
	vm_u32 walk = machine->array[VM_ITLB2].latency + machine->walk;
	bool missed;

	CU_ASSERT_TRUE(outcome.fetched && outcome.fetch.op_cache_miss && outcome.fetch.ic_miss);
	CU_ASSERT_TRUE(outcome.fetch.l2_miss && outcome.fetch.l3_miss);
	CU_ASSERT_EQUAL(outcome.fetch.linear, 0x401000);
	CU_ASSERT_EQUAL(outcome.fetch.physical, 0x601000);
	CU_ASSERT_EQUAL(outcome.fetch.tlb, VM_TLB_WALK);
	CU_ASSERT_EQUAL(outcome.fetch.tlb_latency, walk);
	CU_ASSERT_EQUAL(outcome.fetch.latency, walk + machine->memory_latency[VM_LEVEL_FAR_DRAM]);
	CU_ASSERT_EQUAL(outcome.cycle, outcome.fetch.latency);
	operation.ip += 59;
	CU_ASSERT_FALSE(step(operation).fetched);
	operation.ip++;
	operation.ip_physical += 60;
	outcome = step(operation);
	CU_ASSERT_TRUE(outcome.fetched && outcome.fetch.ic_miss);
	CU_ASSERT_EQUAL(outcome.fetch.tlb, VM_TLB_L1);
	operation.ip -= 60;
	operation.ip_physical -= 60;
	outcome = step(operation);
	CU_ASSERT_TRUE(outcome.fetched && !outcome.fetch.op_cache_miss && !outcome.fetch.ic_miss);
	CU_ASSERT_EQUAL(outcome.fetch.latency, machine->array[VM_OP_CACHE].latency);
	/* the very first one, even at address 0 */
	start_named("zen4");
	CU_ASSERT_TRUE(step((struct vm_operation){ .ip = 0 }).fetched);
	/* 64 KiB of code: too much for op cache and L1I, not for the L2 */
	for (unsigned int round = 0; round < 2; round++) {
		for (vm_u64 at = 0; at < 64 * KIB; at += 64) {
			operation.ip = operation.ip_physical = 0x800000 + at;
			outcome = step(operation);
			CU_ASSERT_TRUE(outcome.fetch.ic_miss);
			CU_ASSERT_EQUAL(outcome.fetch.l2_miss, !round);
		}
	}
	CU_ASSERT_EQUAL(outcome.fetch.latency, machine->array[VM_L2].latency);
	/* 2 MiB: too much for the L2 */
	for (unsigned int round = 0; round < 2; round++) {
		for (vm_u64 at = 0; at < 2 * MIB; at += 64) {
			operation.ip = operation.ip_physical = 0x1000000 + at;
			outcome = step(operation);
			CU_ASSERT_TRUE(outcome.fetch.ic_miss && outcome.fetch.l2_miss);
			CU_ASSERT_EQUAL(outcome.fetch.l3_miss, !round);
		}
	}
	/* 24 KiB: in the L1I and in the op cache of 48 KiB */
	for (unsigned int round = 0; round < 2; round++) {
		for (vm_u64 at = 0; at < 24 * KIB; at += 64) {
			operation.ip = operation.ip_physical = 0x800000 + at;
			outcome = step(operation);
			missed = outcome.fetch.ic_miss || outcome.fetch.op_cache_miss;
			CU_ASSERT_TRUE(!round || !missed);
		}
	}
}

/* The same operations, the same outcomes: nothing is left over in the memory */
static void deterministic(void)
{
	const struct vm_machine *machine = vm_machine_find("zen5");
	vm_size size = (vm_core_size(machine) + 63) / 64 * 64;
	struct vm_core *cores[2];
	vm_u64 at = 1;

	for (unsigned int i = 0; i < 2; i++) {
		void *memory = aligned_alloc(64, size);

		memset(memory, i ? 0xff : 0x55, size);
		cores[i] = vm_core_init(memory, machine);
		CU_ASSERT_PTR_EQUAL(vm_core_machine(cores[i]), machine);
	}
	for (unsigned int i = 0; i < 20000; i++) {
		struct vm_outcome outcomes[2];
		struct vm_operation operation;

		at = at * 6364136223846793005ull + 1442695040888963407ull;
		operation = load_at(at >> 38);
		operation.branch = operation.conditional = at >> 20 & 1;
		operation.taken = at >> 21 & 1;
		operation.ip += (at >> 22 & 0xfff) * 16;
		for (unsigned int c = 0; c < 2; c++)
			vm_core_step(cores[c], &operation, &outcomes[c]);
		CU_ASSERT_EQUAL(memcmp(&outcomes[0], &outcomes[1], sizeof(outcomes[0])), 0);
	}
	free(cores[0]);
	free(cores[1]);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the table of machines", machines },
		{ "a chase in the L1 never misses", chase_in_l1 },
		{ "a chase in the L2 misses the L1 always", chase_in_l2 },
		{ "a chase in the L3, and in memory", chase_in_l3_and_memory },
		{ "associativity", associativity },
		{ "the least recently used leaves", least_recently_used },
		{ "TLB levels and page walks", page_walks },
		{ "large pages", large_pages },
		{ "another address space", another_address_space },
		{ "latencies of memory", latencies },
		{ "latencies of the L2", latencies_of_caches },
		{ "as many misses at a time as miss buffers", miss_buffers },
		{ "a miss that finds no buffer waits", miss_buffer_stall },
		{ "a chain of misses and another one", chain_and_independent_miss },
		{ "a miss that finds its line on the way", shared_miss },
		{ "a stream: one miss for each line", stream },
		{ "uncacheable, write-combining, unknown", accesses_past_the_caches },
		{ "misaligned accesses", misaligned },
		{ "where memory is", placement },
		{ "branches", branches },
		{ "dispatch, retirement, reorder buffer", pipeline },
		{ "registers and locks", registers_and_locks },
		{ "stores and prefetches", stores_and_prefetches },
		{ "fetches", fetches },
		{ "deterministic", deterministic },
	};
	int failed = tap_main("modeled core", cases, sizeof(cases) / sizeof(cases[0]));

	free(core);
	return failed;
}
