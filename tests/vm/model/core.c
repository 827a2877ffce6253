// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * A simple out-of-order core. Time is counted in cycles from 0 and follows from these rules:
 *
 *   dispatch    in program order, 'width' ops a cycle; not before the op's block is fetched, not
 *               before the op 'reorder_buffer' places older has retired. The op is tagged here
 *   start       a cycle after dispatch, and when all registers that it reads are there; locked
 *               operations when all older ops have retired
 *   completion  a cycle after the start; of loads when the data is there: a TLB refill if it
 *               needs one, then the L1's latency, or after a miss the latency of where the data
 *               is (with a wait for a miss buffer if all are in use). Stores and prefetches do
 *               not wait for their line; one that finds no free miss buffer lets nothing be
 *               dispatched before it has one
 *   retirement  in program order, 'width' ops a cycle, a cycle after completion at the earliest
 *
 * A mispredicted branch lets nothing be dispatched before its completion and the penalty, a
 * locked operation nothing before its completion. A fetch that misses the op cache and the L1I,
 * or the L1 ITLB, holds dispatch up for its latency.
 *
 * What is left out: wrong-path instructions, hardware prefetchers, store forwarding, bank
 * conflicts, execution units (all ops but loads take a cycle), the second line of an access
 * that crosses a line. Caches hold what they were filled with on the way in and take no notice of
 * each other (neither inclusive nor exclusive); stores, streaming ones too, allocate.
 * Uncacheable and write-combining accesses go past the caches. Where no physical address is
 * known the linear one is used; where no address is known the access is taken as an L1 hit (a
 * write-combining one as one of address 0).
 */
#include "parts.h"

#define REGISTERS 16

/* A stage that passes 'width' ops a cycle, in order */
struct stage {
	vm_u64 cycle;
	vm_u32 used;
};

struct vm_core {
	const struct vm_machine *machine;
	struct vm_cache cache[VM_ARRAY_COUNT];
	struct vm_tlb dtlb, itlb;
	struct vm_miss_buffers miss_buffers;
	struct vm_predictor predictor;
	struct stage dispatch, retire;
	vm_u64 front_end;             /* nothing is dispatched before */
	vm_u64 ready[REGISTERS];
	vm_u64 *retired;              /* cycles of the last 'reorder_buffer' ops, a ring */
	vm_u32 oldest;                /* its next slot */
	vm_u64 block;                 /* fetched last */
	bool block_known;
	struct vm_lines *lines;       /* NULL: there is no other core */
	vm_u32 number;                /* in 'lines' */
};

/* The core's own struct, rounded up, so that what follows is aligned */
#define CORE_BYTES ((sizeof(struct vm_core) + 63) & ~(vm_size)63)

vm_size vm_core_size(const struct vm_machine *machine)
{
	vm_size size = CORE_BYTES + machine->reorder_buffer * sizeof(vm_u64);

	for (unsigned int i = 0; i < VM_ARRAY_COUNT; i++)
		size += vm_cache_bytes(&machine->array[i]);
	return size;
}

struct vm_core *vm_core_init(void *memory, const struct vm_machine *machine)
{
	struct vm_core *core = memory;
	struct vm_cache *cache = core->cache;
	void *rest = (vm_u8 *)memory + CORE_BYTES;

	memset(core, 0, sizeof(*core));
	core->machine = machine;
	for (unsigned int i = 0; i < VM_ARRAY_COUNT; i++)
		rest = vm_cache_init(&cache[i], &machine->array[i], rest);
	core->retired = rest;
	memset(core->retired, 0, machine->reorder_buffer * sizeof(vm_u64));
	core->dtlb = (struct vm_tlb){
		.first = &cache[VM_DTLB1], .first_large = &cache[VM_DTLB1_LARGE],
		.second = &cache[VM_DTLB2],
		.second_latency = machine->array[VM_DTLB2].latency, .walk = machine->walk,
	};
	core->itlb = (struct vm_tlb){
		.first = &cache[VM_ITLB1], .first_large = &cache[VM_ITLB1],
		.second = &cache[VM_ITLB2],
		.second_latency = machine->array[VM_ITLB2].latency, .walk = machine->walk,
	};
	core->miss_buffers.count = machine->miss_buffers;
	vm_predictor_init(&core->predictor);
	return core;
}

const struct vm_machine *vm_core_machine(const struct vm_core *core)
{
	return core->machine;
}

void vm_core_new_address_space(struct vm_core *core)
{
	vm_tlb_empty(&core->dtlb);
	vm_tlb_empty(&core->itlb);
}

void vm_core_share(struct vm_core *core, struct vm_lines *lines, vm_u32 number, vm_u32 node)
{
	core->lines = lines;
	core->number = number;
	vm_lines_place(lines, number, node);
}

static vm_u64 pass(struct stage *stage, vm_u64 earliest, vm_u32 width)
{
	if (earliest > stage->cycle) {
		stage->cycle = earliest;
		stage->used = 0;
	} else if (stage->used == width) {
		stage->cycle++;
		stage->used = 0;
	}
	stage->used++;
	return stage->cycle;
}

/* What its own caches do not have, or have as it was before another core wrote it */
static enum vm_level elsewhere(const struct vm_core *core, vm_u64 physical, const struct vm_supply *supply)
{
	if (!core->lines)
		return vm_placement(core->machine, physical);
	if (supply->by == VM_SUPPLY_L3)
		return VM_LEVEL_L3;
	if (supply->by == VM_SUPPLY_CORE)
		return vm_lines_are_near(core->lines, core->number, supply->core) ? VM_LEVEL_NEAR_CACHE :
										     VM_LEVEL_FAR_CACHE;
	return vm_placement_memory(core->machine, physical);
}

/* What the L1 does not have: from the L2, the L3 or whoever has it; and how long that takes */
static enum vm_level find_line(struct vm_core *core, vm_u64 physical, const struct vm_supply *supply,
			       vm_u32 *latency)
{
	const struct vm_machine *machine = core->machine;
	vm_u64 line = physical >> VM_LINE_SHIFT;
	bool in_l2 = vm_cache_touch(&core->cache[VM_L2], line);
	bool in_l3 = !in_l2 && vm_cache_touch(&core->cache[VM_L3], line);
	enum vm_level level = in_l2 ? VM_LEVEL_L2 : VM_LEVEL_L3;

	if (supply->by != VM_SUPPLY_OWN || (!in_l2 && !in_l3))
		level = elsewhere(core, physical, supply);
	if (level == VM_LEVEL_L2 || level == VM_LEVEL_L3)
		*latency = machine->array[level == VM_LEVEL_L2 ? VM_L2 : VM_L3].latency;
	else
		*latency = machine->memory_latency[level];
	return level;
}

static void fetch(struct vm_core *core, const struct vm_operation *operation,
		  struct vm_outcome *outcome)
{
	const struct vm_machine *machine = core->machine;
	vm_u64 in_block = machine->fetch_block - 1, linear = operation->ip & ~in_block;
	vm_u64 physical = operation->ip_physical_known ? operation->ip_physical & ~in_block :
							 linear;
	const struct vm_supply own = { .by = VM_SUPPLY_OWN };
	struct vm_fetch *fetch = &outcome->fetch;
	bool in_op_cache, in_l1;
	enum vm_level level;

	if (core->block_known && core->block == linear)
		return;
	core->block_known = true;
	core->block = linear;
	outcome->fetched = true;
	fetch->linear = linear;
	fetch->physical_known = operation->ip_physical_known;
	fetch->physical = operation->ip_physical_known ? physical : 0;
	fetch->page = operation->ip_page;
	fetch->tlb = (vm_u8)vm_tlb_touch(&core->itlb, linear, operation->ip_page);
	fetch->tlb_latency = vm_tlb_latency(&core->itlb, fetch->tlb);
	in_op_cache = vm_cache_touch(&core->cache[VM_OP_CACHE], physical / machine->fetch_block);
	in_l1 = vm_cache_touch(&core->cache[VM_L1I], physical >> VM_LINE_SHIFT);
	fetch->op_cache_miss = !in_op_cache;
	fetch->latency = machine->array[in_op_cache ? VM_OP_CACHE : VM_L1I].latency;
	if (!in_op_cache && !in_l1) {
		level = find_line(core, physical, &own, &fetch->latency);
		fetch->ic_miss = true;
		fetch->l2_miss = level != VM_LEVEL_L2;
		fetch->l3_miss = fetch->l2_miss && level != VM_LEVEL_L3;
		core->front_end += fetch->latency;
	}
	fetch->latency += fetch->tlb_latency;
	core->front_end += fetch->tlb_latency;
}

/* Stores and prefetches do not */
static bool waits_for_data(const struct vm_operation *operation)
{
	return operation->load && !operation->software_prefetch;
}

/* An access that goes past the caches. Returns the cycle in which its data is there */
static vm_u64 bypass(struct vm_core *core, const struct vm_operation *operation, vm_u64 physical,
		     vm_u64 cycle, struct vm_outcome *outcome)
{
	enum vm_level level = operation->uncacheable ? VM_LEVEL_MMIO :
						       vm_placement(core->machine, physical);

	outcome->level = (vm_u8)level;
	outcome->l1_miss = outcome->l2_miss = true;
	return cycle + core->machine->memory_latency[level];
}

/* A miss of the L1: likewise. waits: the instruction waits for its data */
static vm_u64 miss(struct vm_core *core, vm_u64 physical, vm_u64 cycle, bool waits,
		   const struct vm_supply *supply, struct vm_outcome *outcome)
{
	vm_u32 latency;
	enum vm_level level = find_line(core, physical, supply, &latency);
	const struct vm_miss *taken;

	outcome->level = (vm_u8)level;
	outcome->l1_miss = true;
	outcome->l2_miss = level != VM_LEVEL_L2;
	taken = vm_miss_buffers_take(&core->miss_buffers, physical >> VM_LINE_SHIFT, cycle, latency,
				     level);
	outcome->miss_buffers_open = taken->open;
	if (!waits && taken->taken_at > cycle)
		core->front_end = taken->taken_at;
	return taken->free_at;
}

/* A miss whose line is on the way already: likewise */
static vm_u64 join(const struct vm_miss *older, struct vm_outcome *outcome)
{
	outcome->l1_miss = true;
	outcome->l2_miss = older->level != VM_LEVEL_L2;
	outcome->level = outcome->l2_miss ? VM_LEVEL_MISS_BUFFER : VM_LEVEL_L2;
	outcome->miss_buffer_shared = true;
	return older->free_at;
}

/* Is the line in the L1, and not still on the way to it: then 'older' is the miss that brings it */
static bool in_l1(struct vm_core *core, vm_u64 physical, vm_u64 cycle, const struct vm_miss **older)
{
	vm_u64 line = physical >> VM_LINE_SHIFT;
	bool found = vm_cache_touch(&core->cache[VM_L1D], line);

	*older = vm_miss_buffers_find(&core->miss_buffers, line, cycle);
	return found && !*older;
}

static vm_u64 l1_hit(const struct vm_core *core, vm_u64 cycle, struct vm_outcome *outcome)
{
	outcome->level = VM_LEVEL_L1;
	return cycle + core->machine->array[VM_L1D].latency;
}

/* The translation. Returns the cycle in which it is there */
static vm_u64 translate(struct vm_core *core, const struct vm_operation *operation, vm_u64 cycle,
			struct vm_outcome *outcome)
{
	vm_u32 boundary = core->machine->align_boundary;

	outcome->page = operation->page;
	if (!operation->address_known)
		return cycle;
	outcome->misaligned = (operation->address & (boundary - 1)) + operation->bytes > boundary;
	outcome->tlb = (vm_u8)vm_tlb_touch(&core->dtlb, operation->address, operation->page);
	outcome->tlb_latency = vm_tlb_latency(&core->dtlb, outcome->tlb);
	return cycle + outcome->tlb_latency;
}

/* Through the caches. Is it in the L1? Otherwise 'done' is the cycle in which the data is there */
static bool cached(struct vm_core *core, const struct vm_operation *operation, vm_u64 physical,
		   vm_u64 cycle, vm_u64 *done, struct vm_outcome *outcome)
{
	struct vm_supply supply = { .by = VM_SUPPLY_OWN };
	const struct vm_miss *older;
	bool found = in_l1(core, physical, cycle, &older);

	if (core->lines)
		supply = vm_lines_access(core->lines, core->number, physical >> VM_LINE_SHIFT,
					 operation->store);
	outcome->owned = supply.owned;
	if (supply.by == VM_SUPPLY_OWN && found)
		return true;
	*done = supply.by == VM_SUPPLY_OWN && older ?
			join(older, outcome) :
			miss(core, physical, cycle, waits_for_data(operation), &supply, outcome);
	return false;
}

/* A load or store that starts at that cycle. Returns the cycle in which a load has its data */
static vm_u64 access(struct vm_core *core, const struct vm_operation *operation, vm_u64 cycle,
		     struct vm_outcome *outcome)
{
	vm_u64 physical = operation->physical_known ? operation->physical : operation->address;
	bool waits = waits_for_data(operation);
	vm_u64 done;

	cycle = translate(core, operation, cycle, outcome);
	if (operation->uncacheable || operation->write_combining)
		done = bypass(core, operation, physical, cycle, outcome);
	else if (!operation->address_known || cached(core, operation, physical, cycle, &done, outcome))
		return l1_hit(core, cycle, outcome);
	if (!core->lines && outcome->level >= VM_LEVEL_L3 && outcome->level <= VM_LEVEL_FAR_CACHE)
		outcome->owned = vm_placement_owned(physical);
	if (waits)
		outcome->miss_latency = (vm_u32)(done - cycle);
	return done;
}

static vm_u64 start_of(const struct vm_core *core, const struct vm_operation *operation,
		       vm_u64 dispatched)
{
	vm_u64 start = dispatched + 1;

	for (unsigned int i = 0; i < REGISTERS; i++)
		if ((operation->reads >> i & 1) && core->ready[i] > start)
			start = core->ready[i];
	if (operation->locked && core->retire.cycle > start)
		start = core->retire.cycle;
	return start;
}

static vm_u64 execute(struct vm_core *core, const struct vm_operation *operation,
		      struct vm_outcome *outcome)
{
	vm_u64 start = start_of(core, operation, outcome->cycle), completed = start + 1, data;

	if (operation->load || operation->store) {
		data = access(core, operation, start, outcome);
		if (waits_for_data(operation)) {
			completed = data;
			outcome->load_to_use = (vm_u32)(completed - outcome->cycle);
		}
	}
	for (unsigned int i = 0; i < REGISTERS; i++)
		if (operation->writes >> i & 1)
			core->ready[i] = completed;
	return completed;
}

static void retire(struct vm_core *core, vm_u64 completed, struct vm_outcome *outcome)
{
	vm_u64 before = core->retire.cycle;
	vm_u64 retired = pass(&core->retire, completed + 1, core->machine->width);

	outcome->tag_to_retire = (vm_u32)(retired - outcome->cycle);
	outcome->completion_to_retire = (vm_u32)(retired - completed);
	outcome->retire_gap = (vm_u32)(retired - before);
	core->retired[core->oldest] = retired;
	core->oldest = core->oldest + 1 == core->machine->reorder_buffer ? 0 : core->oldest + 1;
}

void vm_core_step(struct vm_core *core, const struct vm_operation *operation,
		  struct vm_outcome *outcome)
{
	vm_u64 room, completed;

	memset(outcome, 0, sizeof(*outcome));
	if (core->front_end < core->dispatch.cycle)
		core->front_end = core->dispatch.cycle;
	fetch(core, operation, outcome);
	room = core->retired[core->oldest];
	outcome->cycle = pass(&core->dispatch, room > core->front_end ? room : core->front_end,
			      core->machine->width);
	completed = execute(core, operation, outcome);
	if (operation->locked && completed > core->front_end)
		core->front_end = completed;
	if (operation->branch && vm_predictor_learn(&core->predictor, operation)) {
		outcome->mispredicted = true;
		core->front_end = completed + core->machine->mispredict_penalty;
	}
	retire(core, completed, outcome);
}
