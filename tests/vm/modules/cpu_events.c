// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Codes: Intel's event lists of Skylake (SKL), Skylake-SP (SKX) and Sapphire Rapids (SPR), as
 * libpfm4 has them. What counts where the model knows less than the lists: one
 * instruction is one load at most; a line that is on the way already is a hit
 * of the fill buffer, and not of a cache.
 */
#include <linux/kernel.h>

#include "cpu_events.h"

#define SPR 143

enum condition {
	COUNTS_CYCLES,
	COUNTS_INSTRUCTIONS,
	COUNTS_NOTHING,
	COUNTS_LOADS,
	COUNTS_SLOW_LOADS, /* whose latency is the threshold or more */
	COUNTS_STORES,
	COUNTS_LOAD_WALKS,
	COUNTS_STORE_WALKS,
	COUNTS_LOCKED_LOADS,
	COUNTS_LOADS_FROM, /* a level */
	COUNTS_LOADS_BEYOND, /* a level: those that missed it */
	COUNTS_BRANCHES,
	COUNTS_MISPREDICTED
};

struct cpu_event {
	u16 code;
	u16 model; /* 0: all */
	u8 condition; /* enum condition */
	u8 level;     /* enum vm_level */
};

static const struct cpu_event events[] = {
	{ 0x003c, 0, COUNTS_CYCLES },       /* CPU_CLK_UNHALTED.THREAD_P */
	{ 0x00c0, 0, COUNTS_INSTRUCTIONS }, /* INST_RETIRED.ANY_P */
	{ 0x01c0, 0, COUNTS_INSTRUCTIONS }, /* INST_RETIRED.PREC_DIST */
	{ 0x0100, SPR, COUNTS_INSTRUCTIONS }, /* the same, on a fixed counter */
	{ CPU_EVENT_MEM_LOADS, 0, COUNTS_SLOW_LOADS }, /* MEM_TRANS_RETIRED.LOAD_LATENCY */
	{ 0x02cd, SPR, COUNTS_STORES },     /* MEM_TRANS_RETIRED.STORE_SAMPLE */
	{ CPU_EVENT_MEM_LOADS_AUX, SPR, COUNTS_NOTHING },
	{ 0x11d0, 0, COUNTS_LOAD_WALKS },   /* MEM_INST_RETIRED.STLB_MISS_LOADS */
	{ 0x12d0, 0, COUNTS_STORE_WALKS },  /* MEM_INST_RETIRED.STLB_MISS_STORES */
	{ 0x21d0, 0, COUNTS_LOCKED_LOADS }, /* MEM_INST_RETIRED.LOCK_LOADS */
	{ 0x81d0, 0, COUNTS_LOADS },        /* MEM_INST_RETIRED.ALL_LOADS */
	{ 0x82d0, 0, COUNTS_STORES },       /* MEM_INST_RETIRED.ALL_STORES */
	{ 0x01d1, 0, COUNTS_LOADS_FROM, VM_LEVEL_L1 },   /* MEM_LOAD_RETIRED.L1_HIT */
	{ 0x02d1, 0, COUNTS_LOADS_FROM, VM_LEVEL_L2 },   /* MEM_LOAD_RETIRED.L2_HIT */
	{ 0x04d1, 0, COUNTS_LOADS_FROM, VM_LEVEL_L3 },   /* MEM_LOAD_RETIRED.L3_HIT */
	{ 0x08d1, 0, COUNTS_LOADS_BEYOND, VM_LEVEL_L1 }, /* MEM_LOAD_RETIRED.L1_MISS */
	{ 0x10d1, 0, COUNTS_LOADS_BEYOND, VM_LEVEL_L2 }, /* MEM_LOAD_RETIRED.L2_MISS */
	{ 0x20d1, 0, COUNTS_LOADS_BEYOND, VM_LEVEL_L3 }, /* MEM_LOAD_RETIRED.L3_MISS */
	{ 0x40d1, 0, COUNTS_LOADS_FROM, VM_LEVEL_MISS_BUFFER }, /* MEM_LOAD_RETIRED.FB_HIT */
	{ 0x00c4, 0, COUNTS_BRANCHES },     /* BR_INST_RETIRED.ALL_BRANCHES */
	{ 0x00c5, 0, COUNTS_MISPREDICTED }, /* BR_MISP_RETIRED.ALL_BRANCHES */
};

const struct cpu_event *cpu_event_find(const struct vm_machine *machine, u16 code)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(events); i++)
		if (events[i].code == code &&
		    (!events[i].model || events[i].model == machine->model))
			return &events[i];
	return NULL;
}

static bool is_load(const struct vm_operation *operation)
{
	return operation->load && !operation->software_prefetch;
}

u32 cpu_load_latency(const struct vm_machine *machine, const struct vm_operation *operation,
		     const struct vm_outcome *outcome)
{
	u32 data = outcome->miss_latency ?: machine->array[VM_L1D].latency;

	return is_load(operation) ? outcome->tlb_latency + data : 0;
}

unsigned int cpu_event_occurrences(const struct cpu_event *event,
				   const struct vm_operation *operation,
				   const struct vm_outcome *outcome, u32 latency, u32 threshold,
				   unsigned int cycles)
{
	bool load = is_load(operation);
	bool walked = outcome->tlb == VM_TLB_WALK;

	switch ((enum condition)event->condition) {
	case COUNTS_CYCLES:
		return cycles;
	case COUNTS_INSTRUCTIONS:
		return 1;
	case COUNTS_NOTHING:
		return 0;
	case COUNTS_LOADS:
		return load;
	case COUNTS_SLOW_LOADS:
		return load && latency >= threshold;
	case COUNTS_STORES:
		return operation->store;
	case COUNTS_LOAD_WALKS:
		return load && walked;
	case COUNTS_STORE_WALKS:
		return operation->store && walked;
	case COUNTS_LOCKED_LOADS:
		return load && operation->locked;
	case COUNTS_LOADS_FROM:
		return load && outcome->level == event->level;
	case COUNTS_LOADS_BEYOND:
		return load && outcome->level > event->level &&
		       outcome->level != VM_LEVEL_MISS_BUFFER;
	case COUNTS_BRANCHES:
		return operation->branch;
	case COUNTS_MISPREDICTED:
		return operation->branch && outcome->mispredicted;
	}
	return 0;
}
