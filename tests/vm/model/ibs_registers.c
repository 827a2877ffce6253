// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * From an outcome to the registers that AMD's sampling hardware would have shown, with the
 * layout of each family. Sources: AMD64 APM vol. 2, 13.3, and the families' BKDG and PPR as
 * Linux 7.3 has them (asm/amd/ibs.h, events/amd/ibs.c, tools/perf/util/amd-sample-raw.c); AMD
 * Research's IBS toolkit for families 10h to 17h.
 *
 * Chosen where the documents say nothing:
 *   - a miss that joins a buffer whose line comes from beyond the L2 has DataSrc 0
 *   - the L3 miss filter keeps loads whose data came from beyond the L3: the data source that
 *     it looks at is one of loads only; the latency filter keeps latencies above its threshold
 *   - the far node is another socket
 *   - an access whose address is not known reports neither TLB misses nor a page size
 *
 * Of errata one alone is modeled, AMD-718: a core that has it shows the bits that were set in
 * any sample before, also in ops that do not access memory.
 */
#include "parts.h"

#define COUNTER_MAX 0xffffull

static vm_u64 bit_if(bool condition, unsigned int bit)
{
	return condition ? VM_BIT(bit) : 0;
}

/* A 16-bit counter of cycles stays at its maximum */
static vm_u64 counter(vm_u32 cycles, unsigned int shift)
{
	return (cycles < COUNTER_MAX ? cycles : COUNTER_MAX) << shift;
}

static bool is_memory(const struct vm_operation *operation)
{
	return operation->load || operation->store;
}

static bool has(const struct vm_ibs_unit *unit, vm_u32 feature)
{
	return unit->machine->features & feature;
}

/* ---- filters --------------------------------------------------------------------------- */

#define OP_L3_MISS_ONLY 16
#define OP_LATENCY_THRESHOLD_SHIFT 59
#define OP_LATENCY_EN 63
#define OP2_NO_USER 1     /* drop if RIP[63] = 0 */
#define OP2_NO_KERNEL 2   /* drop if RIP[63] = 1 */
#define OP2_STREAMING 3
#define FETCH_L3_MISS_ONLY 59
#define FETCH2_LATENCY_SHIFT 1
#define FETCH2_NO_KERNEL 5
#define FETCH2_NO_USER 6

static bool address_is_dropped(const struct vm_ibs_unit *unit, vm_u64 address,
			       unsigned int no_user, unsigned int no_kernel)
{
	return (unit->caps & CAPS_ADDR_BIT63) &&
	       (unit->control2 >> (address >> 63 ? no_kernel : no_user) & 1);
}

static bool beyond_l3(const struct vm_outcome *outcome)
{
	return outcome->level >= VM_LEVEL_NEAR_CACHE;
}

static bool op_is_dropped(const struct vm_ibs_unit *unit, const struct vm_operation *operation,
			  const struct vm_outcome *outcome)
{
	vm_u64 control = unit->control;
	bool load = operation->load, l3_only = control >> OP_L3_MISS_ONLY & 1;
	vm_u32 threshold = ((control >> OP_LATENCY_THRESHOLD_SHIFT & 15) + 1) * 128;

	if (address_is_dropped(unit, operation->ip, OP2_NO_USER, OP2_NO_KERNEL))
		return true;
	if ((unit->caps & CAPS_ZEN4_EXT) && l3_only && !(load && beyond_l3(outcome)))
		return true;
	if ((unit->caps & CAPS_LOAD_LATENCY) && (control >> OP_LATENCY_EN & 1) &&
	    (l3_only || !has(unit, VM_HAS_LDLAT_NEEDS_L3)) && outcome->miss_latency <= threshold)
		return true;
	return (unit->caps & CAPS_STRM_ST_RMT_SOCKET) && (unit->control2 >> OP2_STREAMING & 1) &&
	       !operation->streaming;
}

static bool fetch_is_dropped(const struct vm_ibs_unit *unit, const struct vm_fetch *fetch)
{
	vm_u32 threshold = (unit->control2 >> FETCH2_LATENCY_SHIFT & 15) * 128;

	if (address_is_dropped(unit, fetch->linear, FETCH2_NO_USER, FETCH2_NO_KERNEL))
		return true;
	if ((unit->caps & CAPS_ZEN4_EXT) && (unit->control >> FETCH_L3_MISS_ONLY & 1) &&
	    !fetch->l3_miss)
		return true;
	return (unit->caps & CAPS_FETCH_LATENCY) && fetch->latency < threshold;
}

/* ---- ops ------------------------------------------------------------------------------- */

#define OP_VAL 18

/* Control bits that the core has, as they were written, and Val */
static vm_u64 op_ctl(const struct vm_ibs_unit *unit)
{
	vm_u64 defined = 0xffffull | VM_BIT(17) | bit_if(unit->caps & CAPS_OP_CNT, 19);

	defined |= vm_op_cur_cnt_mask(unit->caps) << OP_CUR_CNT_SHIFT;
	if (unit->caps & CAPS_OP_CNT_EXT)
		defined |= OP_MAX_CNT_EXT;
	if (unit->caps & CAPS_ZEN4_EXT)
		defined |= VM_BIT(OP_L3_MISS_ONLY);
	if (unit->caps & CAPS_LOAD_LATENCY)
		defined |= 0x1full << OP_LATENCY_THRESHOLD_SHIFT;
	return (unit->control & defined) | VM_BIT(OP_VAL);
}

/* Resync, mispredicted return [33:32], RipInvalid [38], fused branch [39]: never in this model */
static vm_u64 op_data(const struct vm_ibs_unit *unit, const struct vm_operation *operation,
		      const struct vm_outcome *outcome)
{
	bool branch = operation->branch;

	return counter(outcome->completion_to_retire, 0) | counter(outcome->tag_to_retire, 16) |
	       bit_if(branch && operation->is_return, 34) |
	       bit_if(branch && operation->taken, 35) |
	       bit_if(branch && outcome->mispredicted, 36) | bit_if(branch, 37) |
	       bit_if(has(unit, VM_HAS_MICROCODE) && operation->microcode, 40);
}

/* DataSrc; 0: no valid status */
static vm_u64 extended_source(enum vm_level level)
{
	static const vm_u8 sources[VM_LEVEL_COUNT] = {
		[VM_LEVEL_L3] = 1, [VM_LEVEL_NEAR_CACHE] = 2, [VM_LEVEL_DRAM] = 3,
		[VM_LEVEL_FAR_DRAM] = 3, [VM_LEVEL_FAR_CACHE] = 5, [VM_LEVEL_PMEM] = 6,
		[VM_LEVEL_MMIO] = 7, [VM_LEVEL_EXTENSION] = 8, [VM_LEVEL_PEER] = 12,
	};

	return sources[level];
}

static vm_u64 default_source(const struct vm_ibs_unit *unit, enum vm_level level)
{
	switch (level) {
	case VM_LEVEL_L3:
		return has(unit, VM_HAS_L3_SOURCE_1) ? 1 : 2;
	case VM_LEVEL_NEAR_CACHE:
		return 2;
	case VM_LEVEL_FAR_CACHE:
		return has(unit, VM_HAS_FAR_SOURCE_4) ? 4 : 2;
	case VM_LEVEL_MMIO:
		return 7;
	default:
		return level > VM_LEVEL_FAR_CACHE ? 3 : 0;
	}
}

static vm_u64 op_data2(const struct vm_ibs_unit *unit, const struct vm_operation *operation,
		       const struct vm_outcome *outcome)
{
	enum vm_level level = outcome->level;
	bool extended = unit->caps & CAPS_ZEN4_EXT;
	bool zen6 = unit->caps & CAPS_STRM_ST_RMT_SOCKET;
	bool far = level == VM_LEVEL_FAR_CACHE || level == VM_LEVEL_FAR_DRAM;
	vm_u64 source = extended ? extended_source(level) : default_source(unit, level);
	vm_u64 data2 = bit_if(zen6 && operation->store && operation->streaming, 8);

	if (!operation->load || !source)
		return data2;
	return data2 | (source & 7) | bit_if(far, 4) | bit_if(outcome->owned, 5) |
	       source >> 3 << 6 | bit_if(zen6 && far, 9);
}

/* TLB misses and the page size that goes with them */
static vm_u64 op_data3_tlb(const struct vm_ibs_unit *unit, const struct vm_operation *operation,
			   const struct vm_outcome *outcome)
{
	enum vm_page page = outcome->page;
	vm_u64 misses = bit_if(outcome->tlb != VM_TLB_L1, 2) |
			bit_if(outcome->tlb == VM_TLB_WALK, 3);

	if (!operation->address_known)
		return 0;
	if (unit->caps & CAPS_DTLB_PAGE_SIZE)
		return operation->physical_known ? misses | (vm_u64)page << 4 : 0;
	if (outcome->tlb == VM_TLB_L1)
		return misses | bit_if(page == VM_PAGE_2M, 4) | bit_if(page == VM_PAGE_1G, 5);
	if (outcome->tlb == VM_TLB_L2)
		return misses | bit_if(page == VM_PAGE_2M, 6) | bit_if(page == VM_PAGE_1G, 19);
	return misses;
}

/* IbsOpMemWidth: 1 + log2 of the bytes; 0: unknown */
static vm_u64 width_code(vm_u32 bytes)
{
	vm_u64 code = 0;

	if (bytes > 64 || bytes & (bytes - 1))
		return 0;
	for (; bytes; bytes >>= 1)
		code++;
	return code;
}

/* What family 15h model 30h and later add */
static vm_u64 op_data3_ext(const struct vm_operation *operation, const struct vm_outcome *outcome)
{
	return bit_if(outcome->l2_miss, 20) | bit_if(operation->software_prefetch, 21) |
	       width_code(operation->bytes) << 22 |
	       (vm_u64)(outcome->miss_buffers_open & 63) << 26 | counter(outcome->tlb_latency, 48);
}

static vm_u64 op_data3(const struct vm_ibs_unit *unit, const struct vm_operation *operation,
		       const struct vm_outcome *outcome)
{
	vm_u64 data3 = bit_if(operation->load, 0) | bit_if(operation->store, 1) |
		       op_data3_tlb(unit, operation, outcome) | bit_if(outcome->l1_miss, 7) |
		       bit_if(outcome->misaligned, 8) | bit_if(operation->write_combining, 13) |
		       bit_if(operation->uncacheable, 14) | bit_if(operation->locked, 15) |
		       bit_if(outcome->miss_buffer_shared, 16) |
		       bit_if(operation->address_known, 17) |
		       bit_if(operation->physical_known, 18) | counter(outcome->miss_latency, 32);

	if (has(unit, VM_HAS_DATA3_EXT))
		data3 |= op_data3_ext(operation, outcome);
	return data3;
}

/* DcL2TlbMiss, DcL2TlbHit2M, DcL2TlbHit1G */
#define STAY_SET (VM_BIT(3) | VM_BIT(6) | VM_BIT(19))

bool vm_ibs_op_registers(const struct vm_ibs_unit *unit, const struct vm_operation *operation,
			 const struct vm_outcome *outcome, vm_u64 *registers)
{
	memset(registers, 0, VM_OP_REGISTER_COUNT * sizeof(*registers));
	if (op_is_dropped(unit, operation, outcome))
		return false;
	registers[VM_OP_CTL] = op_ctl(unit);
	registers[VM_OP_RIP] = operation->ip;
	registers[VM_OP_DATA] = op_data(unit, operation, outcome);
	if (is_memory(operation)) {
		registers[VM_OP_DATA2] = op_data2(unit, operation, outcome);
		registers[VM_OP_DATA3] = op_data3(unit, operation, outcome);
		if (operation->address_known)
			registers[VM_OP_LINAD] = operation->address;
		if (operation->physical_known)
			registers[VM_OP_PHYSAD] = operation->physical;
	}
	if (has(unit, VM_HAS_ERRATUM_718))
		registers[VM_OP_DATA3] |= unit->data3 & STAY_SET;
	if ((unit->caps & CAPS_BRN_TRGT) && operation->branch)
		registers[VM_OP_BRTARGET] = operation->branch_target;
	return true;
}

/* ---- fetches --------------------------------------------------------------------------- */

#define FETCH_VAL 49
#define FETCH_COMPLETED 50
#define FETCH_PAGE_SHIFT 53

static vm_u64 fetch_page(const struct vm_ibs_unit *unit, enum vm_page page)
{
	return page != VM_PAGE_4K && has(unit, VM_HAS_16K_FETCH_PAGES) ? page + 1ull : page;
}

static vm_u64 fetch_status(const struct vm_ibs_unit *unit, const struct vm_fetch *fetch)
{
	bool zen4 = unit->caps & CAPS_ZEN4_EXT;
	vm_u64 status;

	if (has(unit, VM_HAS_FETCH_GATED) && !fetch->physical_known)
		return 0;
	status = counter(fetch->latency, 32) | bit_if(fetch->ic_miss, 51) |
		 bit_if(fetch->tlb != VM_TLB_L1, 55) | bit_if(fetch->tlb == VM_TLB_WALK, 56) |
		 bit_if(has(unit, VM_HAS_FETCH_L2_MISS) && fetch->l2_miss, 58) |
		 bit_if(zen4 && fetch->op_cache_miss, 60) | bit_if(zen4 && fetch->l3_miss, 61);
	if (fetch->physical_known)
		status |= fetch_page(unit, fetch->page) << FETCH_PAGE_SHIFT;
	return status;
}

static vm_u64 fetch_ctl(const struct vm_ibs_unit *unit, const struct vm_fetch *fetch)
{
	vm_u64 defined = 0xffffffffull | VM_BIT(48) | VM_BIT(57) |
			 bit_if(unit->caps & CAPS_ZEN4_EXT, FETCH_L3_MISS_ONLY);

	return (unit->control & defined) | VM_BIT(FETCH_VAL) | VM_BIT(FETCH_COMPLETED) |
	       bit_if(fetch->physical_known, 52) | fetch_status(unit, fetch);
}

bool vm_ibs_fetch_registers(const struct vm_ibs_unit *unit, const struct vm_outcome *outcome,
			    vm_u64 *registers)
{
	const struct vm_fetch *fetch = &outcome->fetch;
	bool told = fetch->physical_known || !has(unit, VM_HAS_FETCH_GATED);

	memset(registers, 0, VM_FETCH_REGISTER_COUNT * sizeof(*registers));
	if (fetch_is_dropped(unit, fetch))
		return false;
	registers[VM_FETCH_CTL] = fetch_ctl(unit, fetch);
	registers[VM_FETCH_LINAD] = fetch->linear;
	if (fetch->physical_known)
		registers[VM_FETCH_PHYSAD] = fetch->physical;
	if ((unit->caps & CAPS_FETCH_CTL_EXTD) && told)
		registers[VM_FETCH_EXTD] = counter(fetch->tlb_latency, 0);
	return true;
}

/* ---- payloads -------------------------------------------------------------------------- */

void vm_checksum_add(struct vm_checksum *checksum, const vm_u64 *registers, unsigned int n)
{
	checksum->count++;
	for (unsigned int i = 0; i < n; i++)
		checksum->sum += registers[i] * (2 * i + 1);
}

unsigned int vm_ibs_op_payload(vm_u32 caps, const vm_u64 *registers, vm_u64 *payload)
{
	unsigned int n = VM_OP_BRTARGET;

	memcpy(payload, registers, n * sizeof(*payload));
	if (caps & CAPS_BRN_TRGT)
		payload[n++] = registers[VM_OP_BRTARGET];
	if (caps & CAPS_OP_DATA4)
		payload[n++] = registers[VM_OP_DATA4];
	return n;
}

unsigned int vm_ibs_fetch_payload(vm_u32 caps, const vm_u64 *registers, vm_u64 *payload)
{
	unsigned int n = VM_FETCH_EXTD;

	memcpy(payload, registers, n * sizeof(*payload));
	if (caps & CAPS_FETCH_CTL_EXTD)
		payload[n++] = registers[VM_FETCH_EXTD];
	return n;
}
