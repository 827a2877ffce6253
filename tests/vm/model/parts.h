/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* What the model's files share; users include model.h. */
#ifndef VM_MODEL_PARTS_H
#define VM_MODEL_PARTS_H

#include "model.h"

#define VM_LINE_SHIFT 6

/* Capability word (CPUID Fn8000_001B EAX) */
#define CAPS_RD_WR_OP_CNT VM_BIT(3)
#define CAPS_OP_CNT VM_BIT(4)
#define CAPS_BRN_TRGT VM_BIT(5)
#define CAPS_OP_CNT_EXT VM_BIT(6)
#define CAPS_FETCH_CTL_EXTD VM_BIT(9)
#define CAPS_OP_DATA4 VM_BIT(10)
#define CAPS_ZEN4_EXT VM_BIT(11)
#define CAPS_LOAD_LATENCY VM_BIT(12)
#define CAPS_FETCH_LATENCY VM_BIT(14)
#define CAPS_ADDR_BIT63 VM_BIT(15)
#define CAPS_STRM_ST_RMT_SOCKET VM_BIT(16)
#define CAPS_DTLB_PAGE_SIZE VM_BIT(19)

/* IbsOpCtl: MaxCntExt, where CurCnt begins and how wide it is */
#define OP_MAX_CNT_EXT (0x7full << 20)
#define OP_CUR_CNT_SHIFT 32

static inline vm_u64 vm_op_cur_cnt_mask(vm_u32 caps)
{
	return caps & CAPS_OP_CNT_EXT ? 0x7ffffffull : 0xfffffull;
}

/* ---- cache.c: a set-associative array of numbers, the least recently used leaves --------- */

struct vm_cache {
	vm_u64 *entries; /* ways of set 0 with the latest used first, of set 1, ... */
	vm_u32 sets, ways; /* sets: a power of two; 0: there is no such array */
};

vm_size vm_cache_bytes(const struct vm_geometry *geometry);
/* Takes vm_cache_bytes() from 'memory'; returns what follows them */
void *vm_cache_init(struct vm_cache *cache, const struct vm_geometry *geometry, void *memory);
void vm_cache_empty(struct vm_cache *cache);
/* Is 'number' there? It is afterwards, as the latest used. An array without sets has nothing */
bool vm_cache_touch(struct vm_cache *cache, vm_u64 number);

/* ---- tlb.c -------------------------------------------------------------------------------- */

struct vm_tlb {
	struct vm_cache *first, *first_large, *second;
	vm_u32 second_latency, walk;
};

/* Which TLB translates the address; all of them do afterwards */
enum vm_tlb_level vm_tlb_touch(const struct vm_tlb *tlb, vm_u64 address, enum vm_page page);
/* Cycles that it takes */
vm_u32 vm_tlb_latency(const struct vm_tlb *tlb, enum vm_tlb_level level);
void vm_tlb_empty(struct vm_tlb *tlb);

/* ---- engine.c ----------------------------------------------------------------------------- */

vm_u64 vm_random(vm_u64 *state);

/* ---- miss_buffers.c ----------------------------------------------------------------------- */

#define VM_MISS_BUFFERS_MAX 32

struct vm_miss_buffers {
	vm_u32 count;
	struct vm_miss {
		vm_u64 line;
		vm_u64 taken_at, free_at; /* cycles of its use; at the end the line is there */
		vm_u32 open;              /* buffers in use at its start, its own included */
		vm_u8 level;              /* enum vm_level that supplies the line */
	} buffer[VM_MISS_BUFFERS_MAX];
};

/* The miss that brings that line after that cycle; NULL: none */
const struct vm_miss *vm_miss_buffers_find(const struct vm_miss_buffers *buffers, vm_u64 line,
					   vm_u64 cycle);
/* Take a buffer at 'cycle', or as soon as one is free, for 'latency' cycles */
const struct vm_miss *vm_miss_buffers_take(struct vm_miss_buffers *buffers, vm_u64 line,
					   vm_u64 cycle, vm_u32 latency, enum vm_level level);

/* ---- predictor.c -------------------------------------------------------------------------- */

#define VM_PREDICTOR_ENTRIES 4096
#define VM_TARGET_ENTRIES 512

struct vm_predictor {
	vm_u8 counter[VM_PREDICTOR_ENTRIES]; /* 0 and 1: not taken, 2 and 3: taken */
	struct {
		vm_u64 ip, target;
	} last[VM_TARGET_ENTRIES];
};

void vm_predictor_init(struct vm_predictor *predictor);
/* Learn from a branch; was it mispredicted? */
bool vm_predictor_learn(struct vm_predictor *predictor, const struct vm_operation *operation);

/* ---- placement.c -------------------------------------------------------------------------- */

/* Who supplies a line that the caches do not have */
enum vm_level vm_placement(const struct vm_machine *machine, vm_u64 physical);
/* Likewise, where it is known of other caches that they do not have it */
enum vm_level vm_placement_memory(const struct vm_machine *machine, vm_u64 physical);
/* Of a line that the L3 or another cache supplies: was it in state O there? */
bool vm_placement_owned(vm_u64 physical);

/* ---- line_table.c ------------------------------------------------------------------------- */

struct vm_line_table {
	vm_u64 *numbers;
	vm_u64 untold; /* times that there was no room */
	vm_u32 room;   /* a power of two */
	vm_u32 used;
};

vm_size vm_line_table_bytes(vm_u32 room);
/* Takes vm_line_table_bytes() from 'memory'; returns what follows them */
void *vm_line_table_init(struct vm_line_table *table, vm_u32 room, void *memory);
void vm_line_table_empty(struct vm_line_table *table);
/* The slot of a line, which it has from then on. false: there is no room */
bool vm_line_table_find(struct vm_line_table *table, vm_u64 number, vm_u32 *slot);

/* ---- lines.c ------------------------------------------------------------------------------ */

/* Who supplies a line that a core accesses */
struct vm_supply {
	enum {
		VM_SUPPLY_OWN, /* the core's own caches, or memory, if they have no room for all its lines */
		VM_SUPPLY_CORE, /* the cache of 'core' */
		VM_SUPPLY_L3,
		VM_SUPPLY_MEMORY
	} by;
	vm_u32 core;
	bool owned; /* in state O there, otherwise in state M */
};

/* The access has been made then: store, also of what is a load besides */
struct vm_supply vm_lines_access(struct vm_lines *lines, vm_u32 core, vm_u64 number, bool store);
void vm_lines_place(struct vm_lines *lines, vm_u32 core, vm_u32 node);
/* On the same node? */
bool vm_lines_are_near(const struct vm_lines *lines, vm_u32 core, vm_u32 other);

#endif
