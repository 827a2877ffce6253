// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Exact totals. By address in an open-addressing table of fixed capacity: what finds no place
 * within PROBES slots is counted as overflow.
 */
#include "parts.h"

#define PROBES 64

struct slot {
	vm_u64 ip;
	struct vm_counts counts; /* ops 0: the slot is empty */
};

struct histogram {
	vm_u32 end; /* bins from here on are 0 */
	vm_u32 bin[VM_HIST_CYCLES];
};

struct vm_totals {
	struct vm_counts all, overflow;
	struct histogram histogram[VM_HIST_COUNT];
	vm_u32 mask; /* addresses - 1 */
	struct slot slots[];
};

vm_size vm_totals_size(vm_u32 addresses)
{
	return sizeof(struct vm_totals) + (vm_size)addresses * sizeof(struct slot);
}

struct vm_totals *vm_totals_init(void *memory, vm_u32 addresses)
{
	struct vm_totals *totals = memory;

	memset(memory, 0, vm_totals_size(addresses));
	totals->mask = addresses - 1;
	return totals;
}

void vm_totals_reset(struct vm_totals *totals)
{
	memset(&totals->all, 0, sizeof(totals->all));
	memset(&totals->overflow, 0, sizeof(totals->overflow));
	for (unsigned int i = 0; i < VM_HIST_COUNT; i++) {
		struct histogram *histogram = &totals->histogram[i];

		memset(histogram->bin, 0, histogram->end * sizeof(*histogram->bin));
		histogram->end = 0;
	}
	memset(totals->slots, 0, (totals->mask + (vm_size)1) * sizeof(*totals->slots));
}

/* The slot of an address or the empty one in which it would be; NULL: neither */
static const struct slot *find_slot(const struct vm_totals *totals, vm_u64 ip)
{
	vm_u32 at = (vm_u32)(ip * 0x9e3779b97f4a7c15ull >> 32);

	for (vm_u32 i = 0; i < PROBES && i <= totals->mask; i++) {
		const struct slot *slot = &totals->slots[(at + i) & totals->mask];

		if (!slot->counts.ops || slot->ip == ip)
			return slot;
	}
	return NULL;
}

static void count_memory(struct vm_counts *counts, const struct vm_operation *operation,
			 const struct vm_outcome *outcome)
{
	bool prefetch = operation->software_prefetch, load = operation->load && !prefetch;
	bool missed = outcome->l1_miss && (operation->load || !operation->uncacheable);

	counts->prefetches += prefetch;
	counts->loads += load;
	counts->load_stores += load && operation->store;
	counts->stores += !operation->load;
	if (load) {
		counts->load_levels[outcome->level]++;
		counts->load_l1_misses += missed;
		counts->miss_latency += outcome->miss_latency;
	} else if (prefetch) {
		counts->prefetch_levels[outcome->level]++;
	} else {
		counts->store_levels[outcome->level]++;
	}
	counts->misses += missed;
	counts->misses_own_buffer += missed && !outcome->miss_buffer_shared;
	counts->dtlb_accesses += operation->address_known;
	counts->dtlb_l1_misses += outcome->tlb != VM_TLB_L1;
	counts->dtlb_walks += outcome->tlb == VM_TLB_WALK;
}

static void count_fetch(struct vm_counts *counts, const struct vm_fetch *fetch)
{
	counts->fetches++;
	counts->op_cache_misses += fetch->op_cache_miss;
	counts->ic_misses += fetch->ic_miss;
	counts->ic_l2_misses += fetch->l2_miss;
	counts->ic_l3_misses += fetch->l3_miss;
	counts->itlb_l1_misses += fetch->tlb != VM_TLB_L1;
	counts->itlb_walks += fetch->tlb == VM_TLB_WALK;
}

void vm_counts_add(struct vm_counts *counts, const struct vm_operation *operation,
		   const struct vm_outcome *outcome)
{
	counts->ops++;
	counts->tag_to_retire += outcome->tag_to_retire;
	if (operation->load || operation->store)
		count_memory(counts, operation, outcome);
	if (operation->branch) {
		counts->branches++;
		counts->taken += operation->taken;
		counts->mispredicted += outcome->mispredicted;
		counts->taken_mispredicted += operation->taken && outcome->mispredicted;
		counts->returns += operation->is_return;
		counts->returns_mispredicted += operation->is_return && outcome->mispredicted;
	}
	if (outcome->fetched)
		count_fetch(counts, &outcome->fetch);
}

/* As far as the hardware counts */
static vm_u32 counted(vm_u32 cycles)
{
	return cycles < VM_HIST_CYCLES ? cycles : VM_HIST_CYCLES - 1;
}

static void distribute(struct vm_totals *totals, unsigned int number, vm_u32 cycles)
{
	struct histogram *histogram = &totals->histogram[number];
	vm_u32 bin = counted(cycles);

	histogram->bin[bin]++;
	if (bin >= histogram->end)
		histogram->end = bin + 1;
}

static enum vm_kind kind_of(const struct vm_operation *operation)
{
	if (operation->software_prefetch)
		return VM_KIND_PREFETCH;
	if (operation->load)
		return operation->store ? VM_KIND_LOAD_STORE : VM_KIND_LOAD;
	if (operation->store)
		return VM_KIND_STORE;
	return operation->branch ? VM_KIND_BRANCH : VM_KIND_OTHER;
}

static void distribute_op(struct vm_totals *totals, const struct vm_operation *operation,
			  const struct vm_outcome *outcome)
{
	enum vm_kind kind = kind_of(operation);
	vm_u32 retire = counted(outcome->tag_to_retire);
	vm_u32 rest = counted(outcome->completion_to_retire);

	distribute(totals, VM_HIST_TAG_TO_RETIRE, retire);
	distribute(totals, VM_HIST_KIND_TAG_TO_RETIRE + kind, retire);
	distribute(totals, VM_HIST_KIND_TAG_TO_COMPLETION + kind, retire - rest);
	distribute(totals, VM_HIST_KIND_COMPLETION_TO_RETIRE + kind, rest);
}

static void distribute_access(struct vm_totals *totals, const struct vm_operation *operation,
			      const struct vm_outcome *outcome)
{
	if (outcome->tlb != VM_TLB_L1)
		distribute(totals, VM_HIST_TLB_REFILL, outcome->tlb_latency);
	if (outcome->tlb == VM_TLB_WALK)
		distribute(totals, VM_HIST_WALK, outcome->tlb_latency);
	if (operation->address_known)
		distribute(totals, VM_HIST_DTLB + 3 * outcome->tlb + outcome->page,
			   outcome->tlb_latency);
	if (outcome->miss_buffers_open)
		distribute(totals, VM_HIST_MISS_BUFFERS, outcome->miss_buffers_open);
	if (operation->load && !operation->software_prefetch && outcome->l1_miss) {
		distribute(totals, VM_HIST_LEVEL + outcome->level, outcome->miss_latency);
		distribute(totals, VM_HIST_LOAD_MISS, outcome->miss_latency);
	}
}

static void distribute_fetch(struct vm_totals *totals, const struct vm_fetch *fetch)
{
	distribute(totals, VM_HIST_FETCH, fetch->latency);
	distribute(totals, VM_HIST_ITLB + 3 * fetch->tlb + fetch->page, fetch->tlb_latency);
}

void vm_totals_add(struct vm_totals *totals, const struct vm_operation *operation,
		   const struct vm_outcome *outcome)
{
	struct slot *slot = (struct slot *)find_slot(totals, operation->ip);

	vm_counts_add(&totals->all, operation, outcome);
	if (slot)
		slot->ip = operation->ip;
	vm_counts_add(slot ? &slot->counts : &totals->overflow, operation, outcome);
	distribute_op(totals, operation, outcome);
	distribute_access(totals, operation, outcome);
	if (outcome->fetched)
		distribute_fetch(totals, &outcome->fetch);
}

const struct vm_counts *vm_totals_all(const struct vm_totals *totals)
{
	return &totals->all;
}

const struct vm_counts *vm_totals_overflow(const struct vm_totals *totals)
{
	return &totals->overflow;
}

const struct vm_counts *vm_totals_at(const struct vm_totals *totals, vm_u64 ip)
{
	const struct slot *slot = find_slot(totals, ip);

	return slot && slot->counts.ops ? &slot->counts : NULL;
}

const struct vm_counts *vm_totals_slot(const struct vm_totals *totals, vm_u32 slot, vm_u64 *ip)
{
	const struct slot *at = slot <= totals->mask ? &totals->slots[slot] : NULL;

	if (!at || !at->counts.ops)
		return NULL;
	*ip = at->ip;
	return &at->counts;
}

const vm_u32 *vm_totals_histogram(const struct vm_totals *totals, unsigned int histogram,
				  vm_u32 *end)
{
	if (histogram >= VM_HIST_COUNT)
		return NULL;
	if (end)
		*end = totals->histogram[histogram].end;
	return totals->histogram[histogram].bin;
}

bool vm_totals_quantile(const struct vm_totals *totals, unsigned int histogram,
			vm_u32 per_mille, vm_u32 *cycles)
{
	const vm_u32 *bins = vm_totals_histogram(totals, histogram, NULL);
	vm_u64 values = 0, below = 0;
	vm_u32 i;

	for (i = 0; bins && i < VM_HIST_CYCLES; i++)
		values += bins[i];
	if (!values)
		return false;
	for (i = 0; i < VM_HIST_CYCLES - 1; i++) {
		below += bins[i];
		if (below && below * 1000 >= values * per_mille)
			break;
	}
	*cycles = i;
	return true;
}
