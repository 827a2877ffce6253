/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * A modeled core: what would have happened to each instruction in caches, TLBs,
 * miss buffers and branch predictor, in how many cycles; the registers in which
 * AMD's sampling hardware would have told it; and the exact totals over all
 * instructions, against which what was sampled can be checked.
 *
 * The order of calls, for each instruction that ran:
 *
 *   vm_core_step(core, &operation, &outcome)           what happened
 *   vm_totals_add(totals, &operation, &outcome)        the truth
 *   vm_op_engine_count(&engine, &outcome)              is it the one to be sampled?
 *   vm_ibs_op_registers(...)                           then: its registers
 *   vm_checksum_add(&sum, registers, n)                and what was delivered
 *
 * One instruction is one op: the model neither splits nor fuses. Nothing here
 * allocates, waits or uses floating point; the caller gives the memory and keeps
 * two threads from one object. The model is a function of the operations it was
 * given: only the low bits of the sampling counter are pseudo-random (seeded), as
 * they are in hardware, and which samples have a fault, where there is to be one.
 *
 * What is modeled and what is chosen: core.c (time), placement.c (which memory is
 * where), lines.c (which core has a line), machines.def (numbers and their sources).
 */
#ifndef VM_MODEL_H
#define VM_MODEL_H

#include "types.h"

/* Where data came from */
enum vm_level {
	VM_LEVEL_NONE = 0,       /* no access to memory */
	VM_LEVEL_L1 = 1,
	VM_LEVEL_MISS_BUFFER = 2, /* the line was on the way already, from beyond the L2 */
	VM_LEVEL_L2 = 3,
	VM_LEVEL_L3 = 4,
	VM_LEVEL_NEAR_CACHE = 5, /* another core complex of this node */
	VM_LEVEL_FAR_CACHE = 6,  /* a cache of the other node */
	VM_LEVEL_DRAM = 7,       /* this node's */
	VM_LEVEL_FAR_DRAM = 8,   /* the other node's */
	VM_LEVEL_PMEM = 9,       /* long-latency memory */
	VM_LEVEL_EXTENSION = 10, /* extension memory (CXL) */
	VM_LEVEL_PEER = 11,      /* memory of another kind of processor */
	VM_LEVEL_MMIO = 12,      /* uncacheable: a device */
	VM_LEVEL_COUNT = 13
};

enum vm_tlb_level {
	VM_TLB_L1 = 0,
	VM_TLB_L2 = 1,
	VM_TLB_WALK = 2 /* the page tables were walked */
};

enum vm_page { VM_PAGE_4K = 0, VM_PAGE_2M = 1, VM_PAGE_1G = 2 };

/*
 * One instruction that ran, as decoded. All zero is an instruction that touches
 * neither memory nor registers. Unknown addresses are 0 with their flag false.
 */
struct vm_operation {
	vm_u64 ip;
	vm_u64 next_ip;       /* of the instruction that really followed; 0: unknown */
	vm_u64 ip_physical;   /* valid if ip_physical_known */
	vm_u64 address;       /* linear, of the memory operand; valid if address_known */
	vm_u64 physical;      /* valid if physical_known */
	vm_u64 branch_target; /* where the branch went or would have gone; 0: unknown */
	vm_u32 bytes;         /* width of the access; 0: unknown */
	/*
	 * General-purpose registers, bit n = register n in the encoding's order (rax = 0,
	 * rcx = 1, ... r15 = 15): an instruction starts when what it reads is there. Those of
	 * the operand's address belong to 'reads'. Leave both 0 where it is not known: the
	 * instruction then depends on nothing.
	 */
	vm_u16 reads, writes;
	vm_u8 page;           /* enum vm_page: of the data; 4K where unknown */
	vm_u8 ip_page;        /* enum vm_page: of the code */
	bool ip_physical_known;
	bool address_known;
	bool physical_known;
	bool load, store;     /* both: read-modify-write */
	bool locked;
	bool software_prefetch; /* with load set */
	bool streaming;       /* non-temporal store */
	bool uncacheable;     /* memory type UC: the level is MMIO */
	bool write_combining; /* memory type WC */
	bool branch;
	bool conditional;
	bool taken;           /* an unconditional branch is always taken: set it */
	bool is_return;
	bool microcode;       /* comes from the microcode sequencer */
};

/* What the fetch of the block that the instruction starts in did */
struct vm_fetch {
	vm_u64 linear;        /* first byte of the block */
	vm_u64 physical;      /* valid if physical_known */
	vm_u32 latency;       /* cycles, from the start to the bytes' arrival */
	vm_u32 tlb_latency;   /* cycles of the instruction TLB's refill; 0: L1 had it */
	vm_u8 tlb;            /* enum vm_tlb_level */
	vm_u8 page;           /* enum vm_page */
	bool physical_known;
	bool ic_miss;         /* the L1 instruction cache did not have it */
	bool op_cache_miss;
	bool l2_miss, l3_miss; /* only with ic_miss */
};

/* What the model says happened */
struct vm_outcome {
	vm_u64 cycle;         /* when the op was dispatched; never goes back */
	vm_u32 tag_to_retire, completion_to_retire;
	vm_u32 retire_gap;    /* cycles from the retirement before to this one's */
	vm_u32 load_to_use;   /* loads: from dispatch to the data being usable; others 0 */
	vm_u32 miss_latency;  /* loads, no prefetch: from the L1 miss's detection to the data */
	vm_u32 tlb_latency;   /* L1 data TLB miss: cycles of the refill; otherwise 0 */
	/*
	 * Miss buffers in use when this miss got its own, that one included; 0: it got none.
	 * (Hardware counts when the buffer is freed; what younger instructions will have asked
	 * for by then is not known when the outcome is given.)
	 */
	vm_u32 miss_buffers_open;
	vm_u8 level;          /* enum vm_level; with no known address as an L1 hit */
	vm_u8 tlb;            /* enum vm_tlb_level, of accesses */
	vm_u8 page;           /* enum vm_page, of accesses */
	bool l1_miss, l2_miss;
	bool miss_buffer_shared; /* the miss found its line on the way and took no buffer */
	bool owned;           /* L3, NEAR_CACHE, FAR_CACHE: the line was in state O there, not M */
	bool misaligned;
	bool mispredicted;
	bool fetched;         /* the instruction began a new block: 'fetch' is valid */
	struct vm_fetch fetch;
};

/* ---- machines.c ------------------------------------------------------------------------ */

enum vm_vendor { VM_VENDOR_AMD = 0, VM_VENDOR_INTEL = 1 };

/* One level of cache, one array of a TLB */
struct vm_geometry {
	vm_u32 entries; /* lines, fetch blocks, translations: a power of two times ways; 0: none */
	vm_u32 ways;
	vm_u32 latency; /* cycles until the core has it from here; a first-level TLB: 0 */
};

enum vm_array {
	VM_L1D, VM_L2, VM_L3, VM_L1I, VM_OP_CACHE,
	/* Without a VM_DTLB1_LARGE VM_DTLB1 has pages of all sizes */
	VM_DTLB1, VM_DTLB1_LARGE, VM_DTLB2, VM_ITLB1, VM_ITLB2,
	VM_ARRAY_COUNT
};

struct vm_machine {
	const char *name;     /* "zen4": what the module's parameter says */
	enum vm_vendor vendor;
	vm_u32 family, model, stepping; /* as CPUID counts them: what QEMU is told */
	vm_u32 ibs_caps;      /* CPUID Fn8000_001B EAX; 0: no IBS (Intel) */
	vm_u32 features;      /* VM_HAS_*: register bits that no capability bit announces */
	struct vm_geometry array[VM_ARRAY_COUNT];
	vm_u32 walk;          /* cycles of a page walk */
	vm_u32 memory_latency[VM_LEVEL_COUNT]; /* cycles of what the caches did not have */
	vm_u32 miss_buffers;
	vm_u32 reorder_buffer; /* ops */
	vm_u32 width;         /* ops dispatched and retired in a cycle */
	vm_u32 mispredict_penalty;
	vm_u32 fetch_block;   /* bytes */
	vm_u32 align_boundary; /* bytes: an access that crosses it is misaligned */
};

/* Bits that the family and model decide on */
#define VM_HAS_DATA3_EXT (1u << 0)   /* IbsOpData3 L2Miss, SwPf, width, open requests, refill */
#define VM_HAS_MICROCODE (1u << 1)   /* IbsOpData[40] */
#define VM_HAS_FETCH_L2_MISS (1u << 2) /* IbsFetchCtl[58] */
#define VM_HAS_L3_SOURCE_1 (1u << 3) /* DataSrc 1 = local L3 without the extended encoding */
#define VM_HAS_FAR_SOURCE_4 (1u << 4) /* DataSrc 4 = remote cache in the default encoding */
#define VM_HAS_16K_FETCH_PAGES (1u << 5) /* L1TlbPgSz 1 = 16K, 2 = 2M, 3 = 1G */
#define VM_HAS_FETCH_GATED (1u << 6) /* fetch status only with PhyAddrValid (Zen 6) */
#define VM_HAS_LDLAT_NEEDS_L3 (1u << 7) /* the latency filter acts only with L3MissOnly */
#define VM_HAS_ERRATUM_718 (1u << 8) /* IbsOpData3[19,6,3]: once set they stay set */
#define VM_HAS_NO_PRODUCT (1u << 9) /* arrays and latencies are chosen for tests alone */

/* The table, in the order of machines.def; NULL beyond its end */
const struct vm_machine *vm_machine_at(unsigned int index);
/* By name; NULL: no such machine */
const struct vm_machine *vm_machine_find(const char *name);

/* ---- core.c ---------------------------------------------------------------------------- */

struct vm_core;

/* Bytes that vm_core_init() needs, aligned to 64 */
vm_size vm_core_size(const struct vm_machine *machine);
/* Empty caches, cycle 0. 'memory': vm_core_size() bytes, any content */
struct vm_core *vm_core_init(void *memory, const struct vm_machine *machine);
const struct vm_machine *vm_core_machine(const struct vm_core *core);
/* The instructions have to come in program order */
void vm_core_step(struct vm_core *core, const struct vm_operation *operation,
		  struct vm_outcome *outcome);
/* Another address space: empties the TLBs; caches (physical) stay */
void vm_core_new_address_space(struct vm_core *core);

/* ---- lines.c --------------------------------------------------------------------------- */

#define VM_LINE_CORES 64

/*
 * Lines that cores take from each other: which core has a copy, and which one wrote last. Cores that
 * share them find a line that another one wrote in its cache (VM_LEVEL_NEAR_CACHE, _FAR_CACHE), and no
 * other lines there. The caller keeps two cores that share lines from running at the same time.
 */
struct vm_lines;

/* Bytes that vm_lines_init() needs. lines: a power of two, how many can be told of, and one more */
vm_size vm_lines_size(vm_u32 lines);
struct vm_lines *vm_lines_init(void *memory, vm_u32 lines, enum vm_vendor vendor);
/* All is in memory, and no cache has any line */
void vm_lines_forget(struct vm_lines *lines);
/* Accesses to lines for which there was no room, since then */
vm_u64 vm_lines_untold(const struct vm_lines *lines);
/* That core, by a number below VM_LINE_CORES, shares them with others; it is on that node */
void vm_core_share(struct vm_core *core, struct vm_lines *lines, vm_u32 number, vm_u32 node);

/* ---- transfers.c ----------------------------------------------------------------------- */

#define VM_TRANSFER_THREADS 64

/* How often one thread got lines that another one had written last, exactly */
struct vm_transfer_counts {
	vm_u64 loads;      /* read-modify-writes and prefetches included */
	vm_u64 true_loads; /* of these: of bytes that were written */
	vm_u64 stores;     /* that do not load */
	vm_u64 modified;   /* of the loads: another cache had the line in state M */
	vm_u64 owned;      /* likewise: in state O */
};

struct vm_transfers;

/* Bytes that vm_transfers_init() needs. lines: as for vm_lines_size() */
vm_size vm_transfers_size(vm_u32 lines);
struct vm_transfers *vm_transfers_init(void *memory, vm_u32 lines);
/* One operation more, of a thread by a number below VM_TRANSFER_THREADS, with what came of it */
void vm_transfers_add(struct vm_transfers *transfers, vm_u32 thread,
		      const struct vm_operation *operation, const struct vm_outcome *outcome);
const struct vm_transfer_counts *vm_transfers_between(const struct vm_transfers *transfers, vm_u32 from,
						      vm_u32 to);
/* Accesses that are not among them: no physical address, another thread, no room */
vm_u64 vm_transfers_untold(const struct vm_transfers *transfers);

/* ---- engine.c -------------------------------------------------------------------------- */

/*
 * The sampling counters. One for each of the two units of a core.
 *
 * vm_*_engine_write() is a write to the control register: it takes MaxCnt, CurCnt
 * and En from it. vm_*_engine_count() is to be called for each op and says "tag this
 * one": then the engine has rolled over (with random low bits) and counts on only
 * after the next write that enables it, or vm_*_engine_restart() (a sample that the
 * hardware filtered away). vm_*_engine_read() is the control register as a read would
 * give it: what was written last with the current count.
 *
 * As in hardware the count starts at the CurCnt that is written (caps[3]; without it
 * the counter's own value stays), so that the low bits that a driver writes back shorten
 * the next period. Where caps[13] is in use, write a control word without En while
 * IbsOpCtl2.Dis or IbsFetchCtl2.Dis is 1.
 */
struct vm_engine {
	vm_u64 random;    /* splitmix64 */
	vm_u64 control;   /* as written last */
	vm_u64 count;     /* CurCnt, FetchCnt */
	vm_u64 period;    /* MaxCnt */
	vm_u64 last_cycle;
	vm_u32 caps;
	bool running;     /* counts: enabled and no sample waiting */
	bool cycle_known; /* last_cycle is set */
	bool not_random;  /* a fault: it counts from 0 */
};

void vm_engine_init(struct vm_engine *engine, vm_u64 seed);
/* Other random bits; the count goes on: a sample may come of whatever is run next */
void vm_engine_seed(struct vm_engine *engine, vm_u64 seed);
/* Likewise, and the count from 0; what was written to its register stays */
void vm_engine_reset(struct vm_engine *engine, vm_u64 seed);

/* So many events are counted that were none */
void vm_engine_overcount(struct vm_engine *engine, vm_u32 events);

void vm_op_engine_write(struct vm_engine *engine, vm_u32 caps, vm_u64 control);
/* true: this op is tagged */
bool vm_op_engine_count(struct vm_engine *engine, const struct vm_outcome *outcome);
void vm_op_engine_restart(struct vm_engine *engine);
vm_u64 vm_op_engine_read(const struct vm_engine *engine);

void vm_fetch_engine_write(struct vm_engine *engine, vm_u64 control);
/* Only outcomes with 'fetched' count. true: this fetch is tagged */
bool vm_fetch_engine_count(struct vm_engine *engine, const struct vm_outcome *outcome);
void vm_fetch_engine_restart(struct vm_engine *engine);
vm_u64 vm_fetch_engine_read(const struct vm_engine *engine);

/* ---- faults.c -------------------------------------------------------------------------- */

/* In how many of 1000 samples something goes wrong. All 0: nothing does */
struct vm_faults {
	vm_u32 tag_bias, shadow, bank, skid, off_by_one, wrong_mode, user_mode, silent;
	vm_u32 skid_by; /* ops */
	bool of_fetches; /* a tag moves on to an op that begins a fetch */
};

/* Cycles between two retirements from which on a shadow is cast */
#define VM_FAULT_GAP 4

/* What a tag waits for */
enum vm_fault_wait {
	VM_FAULT_WAIT_NOTHING,
	VM_FAULT_WAIT_BRANCH,
	VM_FAULT_WAIT_GAP,
	VM_FAULT_WAIT_BANK
};

struct vm_fault_state {
	vm_u64 random;
	vm_u32 skid_left;     /* ops until the interrupt; 0: none waits for that */
	vm_u8 waits_for;      /* enum vm_fault_wait */
	bool behind_taken;    /* the op before was a branch that was taken */
};

enum vm_fault_verdict {
	VM_FAULT_NOTHING,
	VM_FAULT_TAG,      /* the op is tagged; with skid_left its interrupt waits */
	VM_FAULT_FORGET,   /* it was tagged, and is forgotten: the engine is to be restarted */
	VM_FAULT_INTERRUPT /* of the op that was tagged before; this one has the address */
};

void vm_fault_seed(struct vm_fault_state *state, vm_u64 seed);
/* Draws: does what happens to so many of 1000 happen now? */
bool vm_fault_happens(struct vm_fault_state *state, vm_u32 per_mille);
/* For each op, after vm_op_engine_count(), which said 'counted': what is to be done */
enum vm_fault_verdict vm_fault_step(const struct vm_faults *faults, struct vm_fault_state *state,
				    bool counted, const struct vm_operation *operation,
				    const struct vm_outcome *outcome);
/* The unit was written to: a tag or an interrupt that waits is none any more */
void vm_fault_stop(struct vm_fault_state *state);
/* What a sample names instead of that address */
vm_u64 vm_fault_address(const struct vm_faults *faults, struct vm_fault_state *state,
			vm_u64 address);

/* ---- ibs_registers.c ------------------------------------------------------------------- */

enum vm_op_register {
	VM_OP_CTL, VM_OP_RIP, VM_OP_DATA, VM_OP_DATA2, VM_OP_DATA3, VM_OP_LINAD, VM_OP_PHYSAD,
	VM_OP_BRTARGET, VM_OP_DATA4, VM_OP_REGISTER_COUNT
};

enum vm_fetch_register {
	VM_FETCH_CTL, VM_FETCH_LINAD, VM_FETCH_PHYSAD, VM_FETCH_EXTD, VM_FETCH_REGISTER_COUNT
};

/* What the registers depend on besides the op */
struct vm_ibs_unit {
	const struct vm_machine *machine;
	vm_u32 caps;      /* usually machine->ibs_caps; bits may be taken away or added */
	vm_u64 control;   /* vm_*_engine_read() */
	vm_u64 control2;  /* IbsOpCtl2, IbsFetchCtl2 (caps[13] to [16]); otherwise 0 */
	vm_u64 data3;     /* IbsOpData3 of the op sampled before, for VM_HAS_ERRATUM_718 */
};

/*
 * The registers of a tagged op. A bit or register that this core does not define is 0.
 *
 * @param registers  VM_OP_REGISTER_COUNT; all are written
 * @return false: a filter of the hardware (L3MissOnly, load latency, address bit 63,
 *         streaming stores) drops it: no sample, the engine is to be restarted
 */
bool vm_ibs_op_registers(const struct vm_ibs_unit *unit, const struct vm_operation *operation,
			 const struct vm_outcome *outcome, vm_u64 *registers);

/* Likewise of a tagged fetch: outcome->fetched. VM_FETCH_REGISTER_COUNT registers */
bool vm_ibs_fetch_registers(const struct vm_ibs_unit *unit, const struct vm_outcome *outcome,
			    vm_u64 *registers);

/*
 * Count and checksum over what was delivered, so that a reader of the recording can
 * prove that nothing was lost or changed: for each sample count += 1 and, for i from 0,
 * sum += register[i] * (2 * i + 1), modulo 2^64, over the registers that the sample has,
 * in the kernel's order: CTL RIP DATA DATA2 DATA3 LINAD PHYSAD, BRTARGET if caps[5], DATA4
 * if caps[10]; fetch: CTL LINAD PHYSAD, EXTD if caps[9].
 */
struct vm_checksum {
	vm_u64 count, sum;
};

void vm_checksum_add(struct vm_checksum *checksum, const vm_u64 *registers, unsigned int n);
/* Put the registers that 'caps' announces into the kernel's order; returns how many (at most 9) */
unsigned int vm_ibs_op_payload(vm_u32 caps, const vm_u64 *registers, vm_u64 *payload);
unsigned int vm_ibs_fetch_payload(vm_u32 caps, const vm_u64 *registers, vm_u64 *payload);

/* ---- totals.c -------------------------------------------------------------------------- */

/* Exact counts, of all instructions or of one address's */
struct vm_counts {
	vm_u64 ops;
	vm_u64 loads;         /* read-modify-writes included, prefetches not */
	vm_u64 stores;        /* of what is no load */
	vm_u64 load_stores;   /* read-modify-writes */
	vm_u64 prefetches;    /* by software; cores without VM_HAS_DATA3_EXT call them loads */
	vm_u64 load_levels[VM_LEVEL_COUNT];
	vm_u64 store_levels[VM_LEVEL_COUNT];
	vm_u64 prefetch_levels[VM_LEVEL_COUNT];
	vm_u64 load_l1_misses;
	/* Of loads, stores and prefetches together; an uncacheable store is no miss */
	vm_u64 misses, misses_own_buffer;
	vm_u64 dtlb_accesses; /* those whose address is known: only they have a TLB level */
	vm_u64 dtlb_l1_misses, dtlb_walks;
	vm_u64 branches, taken, mispredicted, taken_mispredicted, returns, returns_mispredicted;
	vm_u64 fetches;       /* of blocks that an instruction of this address began */
	vm_u64 op_cache_misses, ic_misses, ic_l2_misses, ic_l3_misses, itlb_l1_misses, itlb_walks;
	vm_u64 tag_to_retire; /* sum of cycles */
	vm_u64 miss_latency;  /* sum over loads that miss the L1 */
};

enum vm_kind {
	VM_KIND_LOAD,       /* a return, too: it loads */
	VM_KIND_STORE,
	VM_KIND_LOAD_STORE, /* read-modify-write */
	VM_KIND_PREFETCH,   /* by software */
	VM_KIND_BRANCH,     /* that touches no memory */
	VM_KIND_OTHER,
	VM_KIND_COUNT
};

#define VM_TRANSLATIONS 9 /* 3 * enum vm_tlb_level + enum vm_page */

/* Exact distributions, of all instructions: of cycles where nothing else is said */
enum vm_histogram {
	VM_HIST_TAG_TO_RETIRE,  /* all ops */
	VM_HIST_TLB_REFILL,     /* accesses that miss the L1 DTLB */
	VM_HIST_WALK,           /* accesses that walk page tables */
	VM_HIST_LOAD_MISS,      /* loads that miss the L1 (no prefetch) */
	VM_HIST_LEVEL,          /* + enum vm_level: loads that miss the L1, by level */
	VM_HIST_KIND_TAG_TO_RETIRE = VM_HIST_LEVEL + VM_LEVEL_COUNT, /* + enum vm_kind */
	VM_HIST_KIND_TAG_TO_COMPLETION = VM_HIST_KIND_TAG_TO_RETIRE + VM_KIND_COUNT,
	VM_HIST_KIND_COMPLETION_TO_RETIRE = VM_HIST_KIND_TAG_TO_COMPLETION + VM_KIND_COUNT,
	/* + 3 * enum vm_tlb_level + enum vm_page: refills; 0 for hits of the first level */
	VM_HIST_DTLB = VM_HIST_KIND_COMPLETION_TO_RETIRE + VM_KIND_COUNT,
	VM_HIST_ITLB = VM_HIST_DTLB + VM_TRANSLATIONS,
	VM_HIST_FETCH = VM_HIST_ITLB + VM_TRANSLATIONS,
	VM_HIST_MISS_BUFFERS,   /* buffers open, of misses that got their own */
	VM_HIST_COUNT
};

/* The last bin has all longer ones, as the hardware's counters of 16 bits */
#define VM_HIST_CYCLES 65536

/* One instruction more, with what came of it */
void vm_counts_add(struct vm_counts *counts, const struct vm_operation *operation,
		   const struct vm_outcome *outcome);

struct vm_totals;

/* Bytes that vm_totals_init() needs. addresses: a power of two, how many may differ */
vm_size vm_totals_size(vm_u32 addresses);
struct vm_totals *vm_totals_init(void *memory, vm_u32 addresses);
/* As after vm_totals_init(), in less time */
void vm_totals_reset(struct vm_totals *totals);
void vm_totals_add(struct vm_totals *totals, const struct vm_operation *operation,
		   const struct vm_outcome *outcome);
const struct vm_counts *vm_totals_all(const struct vm_totals *totals);
/* What found no room in the table: it is in vm_totals_all(), and in no address's counts */
const struct vm_counts *vm_totals_overflow(const struct vm_totals *totals);
/* By address; NULL: nothing ran there (or it is among the overflow) */
const struct vm_counts *vm_totals_at(const struct vm_totals *totals, vm_u64 ip);
/* All addresses, in the table's order: slot from 0 to addresses - 1; NULL: an empty slot */
const struct vm_counts *vm_totals_slot(const struct vm_totals *totals, vm_u32 slot, vm_u64 *ip);
/* VM_HIST_CYCLES bins; from *end on (NULL: not asked) they are all 0 */
const vm_u32 *vm_totals_histogram(const struct vm_totals *totals, unsigned int histogram,
				  vm_u32 *end);
/*
 * The smallest value that at least 'per_mille' of the histogram's values do not exceed.
 *
 * @return false: no values
 */
bool vm_totals_quantile(const struct vm_totals *totals, unsigned int histogram,
			vm_u32 per_mille, vm_u32 *cycles);

#endif
