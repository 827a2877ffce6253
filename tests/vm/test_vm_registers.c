/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers that the modeled machines show, decoded by the library: what comes out is what the
 * model did, or absent where that core does not tell it. What each core tells is stated here a
 * second time, by core instead of by bit, from the same manuals.
 */
#include <stdio.h>
#include <stdlib.h>

#include <precis/cpu.h>
#include <precis/ibs.h>
#include <precis/sample.h>

#include "tests/support/tap.h"
#include "tests/vm/model/model.h"

#define CORE(name) (1u << PRECIS_AMD_##name)
#define ZEN                                                                                        \
	(CORE(ZEN1) | CORE(ZEN2) | CORE(ZEN3_SERVER) | CORE(ZEN4) | CORE(ZEN5) | CORE(ZEN6))
#define ROUNDS 4000
#define REPORTS 5 /* mismatches that are printed, of each machine */

static const struct vm_machine *machine;
static uint32_t core, caps;
static struct precis_ibs_context context;
static struct precis_sample sample;
static unsigned int mismatches;

static bool cap(unsigned int bit)
{
	return caps >> bit & 1;
}

static bool is(uint32_t cores)
{
	return core & cores;
}

static void expect(enum precis_field field, bool present, uint64_t value)
{
	uint64_t actual = 0;
	bool is_present = precis_get(&sample, field, &actual);

	if (is_present == present && (!present || actual == value))
		return;
	if (mismatches++ < REPORTS)
		printf("# %s caps %x: %s: %s %llu (%s), expected %s %llu\n", machine->name, caps,
		       precis_field_name((uint32_t)field), is_present ? "value" : "absent",
		       (unsigned long long)actual, precis_why_detail(&sample, field),
		       present ? "value" : "absent", (unsigned long long)value);
}

static void expect_bits(const char *name, uint64_t value, uint64_t defined)
{
	if (value & ~defined && mismatches++ < REPORTS)
		printf("# %s caps %x: %s has undefined bits %llx\n", machine->name, caps, name,
		       (unsigned long long)(value & ~defined));
}

/* Registers have 16 bits for cycles */
static uint64_t counted(vm_u32 cycles)
{
	return cycles < 0xffff ? cycles : 0xffff;
}

/* ---- ops ------------------------------------------------------------------------------- */

static const struct vm_operation *op;
static const struct vm_outcome *did;

/* Zen 3: AMD-1293 takes the data source, L2Miss and open requests */
static bool erratum_1293(void)
{
	return is(CORE(ZEN3_SERVER)) && (op->software_prefetch || did->miss_buffer_shared);
}

static uint64_t level_of_source(void)
{
	switch (did->level) {
	case VM_LEVEL_L3:
		return cap(11) || is(CORE(GREYHOUND) | CORE(BULLDOZER)) ?
			       PRECIS_MEM_LEVEL_L3 :
			       PRECIS_MEM_LEVEL_LOCAL_CACHE;
	case VM_LEVEL_NEAR_CACHE:
		return cap(11) ? PRECIS_MEM_LEVEL_NEAR_CACHE : PRECIS_MEM_LEVEL_LOCAL_CACHE;
	case VM_LEVEL_FAR_CACHE:
		return cap(11) || is(ZEN) ? PRECIS_MEM_LEVEL_FAR_CACHE :
					    PRECIS_MEM_LEVEL_LOCAL_CACHE;
	case VM_LEVEL_DRAM:
	case VM_LEVEL_FAR_DRAM:
		return PRECIS_MEM_LEVEL_DRAM;
	case VM_LEVEL_PMEM:
		return cap(11) ? PRECIS_MEM_LEVEL_PMEM : PRECIS_MEM_LEVEL_DRAM;
	case VM_LEVEL_EXTENSION:
		return cap(11) ? PRECIS_MEM_LEVEL_CXL : PRECIS_MEM_LEVEL_DRAM;
	case VM_LEVEL_PEER:
		return cap(11) ? PRECIS_MEM_LEVEL_PEER_AGENT : PRECIS_MEM_LEVEL_DRAM;
	case VM_LEVEL_MMIO:
		return PRECIS_MEM_LEVEL_IO;
	default:
		return 0; /* the L2, a shared miss: no data source */
	}
}

/* 0: not told */
static uint64_t expected_level(bool newer)
{
	if (op->uncacheable && !op->load)
		return PRECIS_MEM_LEVEL_UNCACHED;
	if (!did->l1_miss)
		return PRECIS_MEM_LEVEL_L1;
	if (newer && !did->l2_miss && !erratum_1293())
		return PRECIS_MEM_LEVEL_L2;
	if (op->load && level_of_source() && !erratum_1293())
		return level_of_source();
	return did->miss_buffer_shared ? PRECIS_MEM_LEVEL_LFB : 0;
}

static void expect_source(void)
{
	/* neither an uncacheable access nor a device (both MMIO here) has a node */
	bool told = op->load && did->l1_miss && level_of_source() && !erratum_1293() &&
		    did->level != VM_LEVEL_MMIO;
	bool far = did->level == VM_LEVEL_FAR_CACHE || did->level == VM_LEVEL_FAR_DRAM;
	bool from_cache = did->level == VM_LEVEL_NEAR_CACHE;

	if (did->level == VM_LEVEL_L3)
		from_cache = cap(11) || !is(CORE(GREYHOUND) | CORE(BULLDOZER));
	if (did->level == VM_LEVEL_FAR_CACHE)
		from_cache = cap(11) || !is(ZEN); /* 4 in Zen's default encoding: no state */
	expect(PRECIS_FIELD_MEM_REMOTE, told,
	       !far ? PRECIS_MEM_REMOTE_LOCAL :
		      cap(16) ? PRECIS_MEM_REMOTE_SOCKET : PRECIS_MEM_REMOTE_NODE);
	expect(PRECIS_FIELD_MEM_SNOOP, told && from_cache && !is(CORE(ZEN3_SERVER)),
	       did->owned ? PRECIS_MEM_SNOOP_OWNED : PRECIS_MEM_SNOOP_MODIFIED);
}

static void expect_tlb(bool memory, bool newer)
{
	static const uint64_t sizes[] = { 1ull << 12, 1ull << 21, 1ull << 30 };
	static const uint64_t levels[] = { PRECIS_TLB_LEVEL_L1, PRECIS_TLB_LEVEL_L2,
					   PRECIS_TLB_LEVEL_WALK };
	bool told = memory && op->address_known && (!cap(19) || op->physical_known);
	bool erratum_718 = is(CORE(BULLDOZER)) && did->tlb != VM_TLB_L1;

	expect(PRECIS_FIELD_TLB_LEVEL, told && !erratum_718, levels[did->tlb]);
	expect(PRECIS_FIELD_PAGE_SIZE,
	       told && !erratum_718 && (cap(19) || did->tlb != VM_TLB_WALK), sizes[did->page]);
	expect(PRECIS_FIELD_TLB_REFILL_LATENCY,
	       told && newer && (!cap(11) || op->physical_known) && did->tlb != VM_TLB_L1,
	       counted(did->tlb_latency));
}

static void expect_memory(void)
{
	bool newer = is(ZEN | CORE(EXCAVATOR)), memory = op->load || op->store;
	bool prefetch = newer && op->software_prefetch;
	bool cached = memory && !op->uncacheable, missed = cached && did->l1_miss;
	uint64_t level = memory ? expected_level(newer) : 0;

	if (memory && op->uncacheable && op->load && erratum_1293())
		level = 0; /* uncacheable or a device: nobody can say */
	expect(PRECIS_FIELD_ADDR, memory && op->address_known, op->address);
	expect(PRECIS_FIELD_PHYS_ADDR, memory && op->physical_known, op->physical);
	expect(PRECIS_FIELD_ACCESS_BYTES, newer && memory && op->bytes, op->bytes);
	expect(PRECIS_FIELD_LOCKED, memory, op->locked);
	expect(PRECIS_FIELD_MISALIGNED, memory, did->misaligned);
	expect(PRECIS_FIELD_MEM_TYPE, memory,
	       op->uncacheable ? PRECIS_MEM_TYPE_UNCACHEABLE :
	       op->write_combining ? PRECIS_MEM_TYPE_WRITE_COMBINING : PRECIS_MEM_TYPE_CACHEABLE);
	expect(PRECIS_FIELD_MEM_LEVEL, level, level);
	expect_source();
	expect(PRECIS_FIELD_DCACHE_MISS, cached, did->l1_miss);
	expect(PRECIS_FIELD_L2_MISS, newer && missed && !erratum_1293(), did->l2_miss);
	expect(PRECIS_FIELD_DCACHE_MISS_LATENCY, op->load && !prefetch && missed,
	       counted(did->miss_latency));
	expect(PRECIS_FIELD_MISS_BUFFER_ALLOCATED, missed, !did->miss_buffer_shared);
	expect(PRECIS_FIELD_MISS_BUFFERS_OPEN,
	       newer && missed && did->miss_buffers_open && !erratum_1293(),
	       did->miss_buffers_open);
	expect(PRECIS_FIELD_STREAMING_STORE, cap(16) && op->store, op->streaming);
	expect_tlb(memory, newer);
}

static uint64_t expected_kind(void)
{
	if (op->load && op->software_prefetch && is(ZEN | CORE(EXCAVATOR)))
		return PRECIS_OP_PREFETCH;
	if (op->load)
		return op->store ? PRECIS_OP_LOAD_STORE : PRECIS_OP_LOAD;
	if (op->store)
		return PRECIS_OP_STORE;
	return op->branch ? PRECIS_OP_BRANCH : PRECIS_OP_OTHER;
}

static void expect_op(uint64_t control)
{
	uint64_t period = (control & 0xffff) << 4;

	if (cap(6))
		period += control & 0x7f00000;
	expect(PRECIS_FIELD_IP, true, op->ip);
	expect(PRECIS_FIELD_PERIOD, true, period);
	expect(PRECIS_FIELD_PERIOD_UNIT, cap(4), control >> 19 & 1);
	expect(PRECIS_FIELD_L3_MISS_ONLY, cap(11), 0);
	expect(PRECIS_FIELD_OP, true, expected_kind());
	expect(PRECIS_FIELD_TAG_TO_RETIRE, true, counted(did->tag_to_retire));
	expect(PRECIS_FIELD_COMPLETION_TO_RETIRE, true, counted(did->completion_to_retire));
	expect(PRECIS_FIELD_BRANCH_TAKEN, op->branch, op->taken);
	expect(PRECIS_FIELD_BRANCH_MISPREDICTED, op->branch, did->mispredicted);
	expect(PRECIS_FIELD_BRANCH_RETURN, op->branch, op->is_return);
	expect(PRECIS_FIELD_BRANCH_TARGET,
	       cap(5) && op->branch && op->branch_target && !is(CORE(BULLDOZER)),
	       op->branch_target);
	expect(PRECIS_FIELD_FUSED_BRANCH, cap(8) && op->branch, 0);
	expect(PRECIS_FIELD_MICROCODE, is(ZEN | CORE(EXCAVATOR)), op->microcode);
	expect(PRECIS_FIELD_BRANCH_RESYNC, is(CORE(GREYHOUND) | CORE(BULLDOZER)), 0);
	expect(PRECIS_FIELD_LOAD_RESYNC, cap(10) && is(CORE(EXCAVATOR)), 0);
	expect_memory();
}

/* Bits that this core has */
static void expect_defined_op(const vm_u64 *registers)
{
	bool newer = is(ZEN | CORE(EXCAVATOR));
	uint64_t ctl = 0xffff | 3ull << 17 | (cap(6) ? 0x7ffffffull : 0xfffffull) << 32;
	/* [12:9], of the oldest cores, are not modeled */
	uint64_t data3 = (0x7ffff & ~0x1e00ull) | 0xffffull << 32;

	ctl |= (cap(4) ? 1ull << 19 : 0) | (cap(6) ? 0x7full << 20 : 0) |
	       (cap(11) ? 1ull << 16 : 0) | (cap(12) ? 0x1full << 59 : 0);
	if (cap(19))
		data3 &= ~(1ull << 6);
	else
		data3 |= 1ull << 19;
	if (newer)
		data3 |= 0xfff00000ull | 0xffffull << 48;
	expect_bits("IbsOpCtl", registers[VM_OP_CTL], ctl);
	expect_bits("IbsOpData", registers[VM_OP_DATA],
		    0xffffffffull | 0xfull << 34 | (newer ? 1ull << 40 : 0));
	expect_bits("IbsOpData2", registers[VM_OP_DATA2],
		    0x37 | (cap(11) ? 0xc0 : 0) | (cap(16) ? 0x300 : 0));
	expect_bits("IbsOpData3", registers[VM_OP_DATA3], data3);
	expect_bits("IbsBrTarget", registers[VM_OP_BRTARGET], cap(5) ? ~0ull : 0);
	expect_bits("IbsOpData4", registers[VM_OP_DATA4], 0);
}

static void round_trip_op(vm_u64 control)
{
	struct vm_ibs_unit unit = { machine, caps, control | (cap(11) ? 0 : 1ull << 16), 0, 0 };
	vm_u64 registers[VM_OP_REGISTER_COUNT];
	struct { uint32_t unused, caps; vm_u64 registers[9]; } payload = { .caps = caps };
	struct precis_ibs_op raw = { .size = sizeof(raw) };
	unsigned int n;

	CU_ASSERT_TRUE_FATAL(vm_ibs_op_registers(&unit, op, did, registers));
	expect_defined_op(registers);
	n = vm_ibs_op_payload(caps, registers, payload.registers);
	CU_ASSERT_EQUAL_FATAL(precis_ibs_op_parse(&payload.caps, 4 + 8 * n, &raw), 0);
	CU_ASSERT_EQUAL(raw.extra, 0);
	CU_ASSERT_EQUAL_FATAL(precis_ibs_op_decode(&context, &raw, NULL, &sample), 0);
	expect_op(control);
}

/* ---- fetches --------------------------------------------------------------------------- */

static void expect_fetch(uint64_t control)
{
	static const uint64_t sizes[] = { 1ull << 12, 1ull << 21, 1ull << 30 };
	static const uint64_t levels[] = { PRECIS_TLB_LEVEL_L1, PRECIS_TLB_LEVEL_L2,
					   PRECIS_TLB_LEVEL_WALK };
	const struct vm_fetch *fetch = &did->fetch;
	bool told = fetch->physical_known || !is(CORE(ZEN6)), newer = is(ZEN | CORE(EXCAVATOR));

	expect(PRECIS_FIELD_IP, true, fetch->linear);
	expect(PRECIS_FIELD_PERIOD, true, (control & 0xffff) << 4);
	expect(PRECIS_FIELD_L3_MISS_ONLY, cap(11), 0);
	expect(PRECIS_FIELD_FETCH_LATENCY, told, counted(fetch->latency));
	expect(PRECIS_FIELD_FETCH_COMPLETED, true, 1);
	expect(PRECIS_FIELD_ICACHE_MISS, told && !is(CORE(ZEN3_SERVER)), fetch->ic_miss);
	expect(PRECIS_FIELD_OPCACHE_MISS, told && cap(11), fetch->op_cache_miss);
	expect(PRECIS_FIELD_FETCH_L2_MISS, told && newer, fetch->l2_miss);
	expect(PRECIS_FIELD_FETCH_L3_MISS, told && cap(11), fetch->l3_miss);
	expect(PRECIS_FIELD_ITLB_LEVEL, told, levels[fetch->tlb]);
	expect(PRECIS_FIELD_FETCH_PAGE_SIZE, fetch->physical_known, sizes[fetch->page]);
	expect(PRECIS_FIELD_FETCH_PHYS_ADDR, fetch->physical_known, fetch->physical);
	expect(PRECIS_FIELD_ITLB_REFILL_LATENCY, told && cap(9) && fetch->tlb != VM_TLB_L1,
	       counted(fetch->tlb_latency));
}

static void round_trip_fetch(vm_u64 control)
{
	/* L3MissOnly is not set, or is a bit that the core does not have */
	struct vm_ibs_unit unit = { machine, caps, control | (cap(11) ? 0 : 1ull << 59), 0, 0 };
	vm_u64 registers[VM_FETCH_REGISTER_COUNT];
	struct { uint32_t unused, caps; vm_u64 registers[4]; } payload = { .caps = caps };
	struct precis_ibs_fetch raw = { .size = sizeof(raw) };
	unsigned int n;

	CU_ASSERT_TRUE_FATAL(vm_ibs_fetch_registers(&unit, did, registers));
	expect_bits("IbsFetchCtl", registers[VM_FETCH_CTL],
		    0x03ffffffffffffffull | (is(ZEN | CORE(EXCAVATOR)) ? 1ull << 58 : 0) |
			    (cap(11) ? 7ull << 59 : 0));
	n = vm_ibs_fetch_payload(caps, registers, payload.registers);
	CU_ASSERT_EQUAL_FATAL(precis_ibs_fetch_parse(&payload.caps, 4 + 8 * n, 0, &raw), 0);
	CU_ASSERT_EQUAL(raw.extra, 0);
	CU_ASSERT_EQUAL_FATAL(precis_ibs_fetch_decode(&context, &raw, NULL, &sample), 0);
	expect_fetch(control);
}

/* ---- operations of all kinds ----------------------------------------------------------- */

static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(random_state >> 33) % n;
}

static bool one_in(uint32_t n)
{
	return !random_below(n);
}

/*
 * Within the L1, the L2, the L3 (lines of one set of the L2) and beyond; pages of each size have
 * their own ranges, large ones more than a first-level TLB holds
 */
static void random_access(struct vm_operation *operation)
{
	static const uint32_t ranges[] = { 1 << 12, 1 << 17, 1 << 30 };
	uint32_t range = random_below(4);

	operation->page = (vm_u8)random_below(3);
	operation->address = 0x7f0000000000ull + ((vm_u64)operation->page << 40);
	operation->address += range == 3 ? random_below(64) << 17 : random_below(ranges[range]);
	if (operation->page == VM_PAGE_1G)
		operation->address += (vm_u64)random_below(200) << 30;
	operation->physical = operation->address & 0x7fffffff;
	operation->bytes = random_below(8) ? 1u << random_below(7) : 0;
	operation->address_known = !one_in(10);
	operation->physical_known = operation->address_known && operation->physical &&
				    !one_in(10);
	operation->locked = one_in(20);
	operation->streaming = operation->store && one_in(4);
	operation->uncacheable = one_in(30);
	operation->write_combining = !operation->uncacheable && one_in(30);
	operation->software_prefetch = operation->load && !operation->store && one_in(10);
	if (!operation->address_known)
		operation->address = operation->physical = 0;
}

static struct vm_operation random_operation(void)
{
	uint32_t kind = random_below(8);
	struct vm_operation operation = {
		.ip = 0xffffffff81000000ull + random_below(one_in(2) ? 1 << 12 : 1 << 24),
		.load = kind < 4 || kind == 6, .store = kind == 3 || kind == 4,
		.branch = kind >= 5 && kind < 7, .microcode = one_in(10),
		.ip_page = (vm_u8)random_below(3), .ip_physical_known = !one_in(5),
	};

	operation.ip_physical = operation.ip & 0xfffffff;
	if (operation.load || operation.store)
		random_access(&operation);
	if (operation.branch) {
		operation.is_return = kind == 6;
		operation.conditional = !operation.is_return && one_in(2);
		operation.taken = !operation.conditional || one_in(2);
		operation.branch_target = one_in(10) ? 0 : operation.ip + 64 * random_below(4) + 1;
	}
	if (one_in(2))
		operation.reads = operation.writes = 1;
	return operation;
}

/* Of one machine, so that nothing is right only because it did not occur */
static unsigned int seen_levels[VM_LEVEL_COUNT], seen_tlbs[3][3], seen_shared, seen_fetches;

static bool can_have(enum vm_level level)
{
	if (level == VM_LEVEL_L3)
		return machine->array[VM_L3].entries;
	if (level == VM_LEVEL_PMEM || level == VM_LEVEL_EXTENSION || level == VM_LEVEL_PEER)
		return machine->ibs_caps >> 11 & 1;
	return level != VM_LEVEL_NONE;
}

static void expect_all_seen(void)
{
	for (unsigned int i = 0; i < VM_LEVEL_COUNT; i++)
		CU_ASSERT_EQUAL(seen_levels[i] != 0, can_have(i));
	for (unsigned int tlb = 0; tlb < 3; tlb++)
		for (unsigned int page = 0; page < 3; page++)
			CU_ASSERT_NOT_EQUAL(seen_tlbs[tlb][page], 0);
	CU_ASSERT_NOT_EQUAL(seen_shared, 0);
	CU_ASSERT_NOT_EQUAL(seen_fetches, 0);
	memset(seen_levels, 0, sizeof(seen_levels));
	memset(seen_tlbs, 0, sizeof(seen_tlbs));
	seen_shared = seen_fetches = 0;
}

static void run_machine(void)
{
	struct vm_core *modeled = vm_core_init(
		aligned_alloc(64, (vm_core_size(machine) + 63) / 64 * 64), machine);

	for (unsigned int i = 0; i < ROUNDS; i++) {
		struct vm_operation operation = random_operation();
		/* MaxCnt, MaxCntExt, CntCtl, CurCnt, and bits that not every core has */
		vm_u64 control = random_below(0x10000) | 1ull << 17 |
				 (vm_u64)random_below(0x100) << 19 |
				 (vm_u64)random_below(1 << 27) << 32 | 3ull << 28;
		struct vm_outcome outcome;

		vm_core_step(modeled, &operation, &outcome);
		op = &operation;
		did = &outcome;
		seen_levels[outcome.level] += operation.load;
		if (operation.address_known)
			seen_tlbs[outcome.tlb][outcome.page]++;
		seen_shared += outcome.miss_buffer_shared;
		round_trip_op(control);
		if (outcome.fetched) {
			seen_fetches++;
			round_trip_fetch(random_below(0x10000) | 1ull << 48 | 1ull << 57);
		}
	}
	free(modeled);
}

/* The machine with its own capability word and with each bit of it inverted */
static void all_capabilities(const struct vm_machine *of)
{
	static const uint8_t bits[] = { 0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 19 };
	struct precis_cpu cpu = { .size = sizeof(cpu), .vendor = PRECIS_VENDOR_AMD,
				  .family = of->family, .model = of->model };

	machine = of;
	mismatches = 0;
	random_state = of->model;
	for (size_t i = 0; i < sizeof(bits); i++) {
		caps = of->ibs_caps ^ (bits[i] ? 1u << bits[i] : 0);
		core = precis_amd_cores_of(&cpu, caps);
		CU_ASSERT_EQUAL_FATAL(precis_ibs_context_init(&context, &cpu), 0);
		precis_sample_init(&sample);
		run_machine();
	}
	CU_ASSERT_EQUAL(mismatches, 0);
	expect_all_seen();
}

static void round_trips(void)
{
	for (unsigned int i = 0; vm_machine_at(i); i++)
		if (vm_machine_at(i)->vendor == VM_VENDOR_AMD)
			all_capabilities(vm_machine_at(i));
}

/* ---- totals ---------------------------------------------------------------------------- */

static uint64_t value(enum precis_field field)
{
	uint64_t at = 0;

	return precis_get(&sample, field, &at) ? at : 0;
}

static bool has_value(enum precis_field field)
{
	uint64_t ignored;

	return precis_get(&sample, field, &ignored);
}

/* What a reader of samples of all ops counts, as report's key figures do */
static void count_sample(struct vm_counts *counts)
{
	uint64_t kind = value(PRECIS_FIELD_OP), tlb = value(PRECIS_FIELD_TLB_LEVEL);
	bool load = kind == PRECIS_OP_LOAD || kind == PRECIS_OP_LOAD_STORE;

	counts->ops++;
	counts->loads += load;
	counts->load_stores += kind == PRECIS_OP_LOAD_STORE;
	counts->stores += kind == PRECIS_OP_STORE;
	counts->prefetches += kind == PRECIS_OP_PREFETCH;
	if (load)
		counts->load_l1_misses += value(PRECIS_FIELD_DCACHE_MISS);
	counts->misses += has_value(PRECIS_FIELD_MISS_BUFFER_ALLOCATED);
	counts->misses_own_buffer += value(PRECIS_FIELD_MISS_BUFFER_ALLOCATED);
	counts->dtlb_accesses += has_value(PRECIS_FIELD_TLB_LEVEL);
	counts->dtlb_l1_misses += tlb == PRECIS_TLB_LEVEL_L2 || tlb == PRECIS_TLB_LEVEL_WALK;
	counts->dtlb_walks += tlb == PRECIS_TLB_LEVEL_WALK;
	counts->branches += has_value(PRECIS_FIELD_BRANCH_TAKEN);
	counts->taken += value(PRECIS_FIELD_BRANCH_TAKEN);
	counts->mispredicted += value(PRECIS_FIELD_BRANCH_MISPREDICTED);
	counts->taken_mispredicted += value(PRECIS_FIELD_BRANCH_TAKEN) &&
				      value(PRECIS_FIELD_BRANCH_MISPREDICTED);
	counts->returns += value(PRECIS_FIELD_BRANCH_RETURN);
	counts->returns_mispredicted += value(PRECIS_FIELD_BRANCH_RETURN) &&
					value(PRECIS_FIELD_BRANCH_MISPREDICTED);
	counts->tag_to_retire += value(PRECIS_FIELD_TAG_TO_RETIRE);
	counts->miss_latency += load ? value(PRECIS_FIELD_DCACHE_MISS_LATENCY) : 0;
}

/* An uncacheable load's miss stands in the totals; of its sample the decoder does not believe it. */
static void count_withheld(struct vm_counts *counts)
{
	bool missed = op->load && op->uncacheable && did->l1_miss;

	CU_ASSERT_FALSE(op->uncacheable && has_value(PRECIS_FIELD_DCACHE_MISS));
	counts->misses += missed;
	counts->misses_own_buffer += missed && !did->miss_buffer_shared;
	if (missed && !op->software_prefetch) {
		counts->load_l1_misses++;
		counts->miss_latency += did->miss_latency;
	}
}

/* By level: on Zen 4 each has a name of its own but near and far DRAM */
static void count_level(struct vm_counts *counts)
{
	static const uint8_t levels[] = {
		[PRECIS_MEM_LEVEL_L1] = VM_LEVEL_L1, [PRECIS_MEM_LEVEL_L2] = VM_LEVEL_L2,
		[PRECIS_MEM_LEVEL_LFB] = VM_LEVEL_MISS_BUFFER, [PRECIS_MEM_LEVEL_L3] = VM_LEVEL_L3,
		[PRECIS_MEM_LEVEL_NEAR_CACHE] = VM_LEVEL_NEAR_CACHE,
		[PRECIS_MEM_LEVEL_FAR_CACHE] = VM_LEVEL_FAR_CACHE,
		[PRECIS_MEM_LEVEL_DRAM] = VM_LEVEL_DRAM, [PRECIS_MEM_LEVEL_PMEM] = VM_LEVEL_PMEM,
		[PRECIS_MEM_LEVEL_CXL] = VM_LEVEL_EXTENSION,
		[PRECIS_MEM_LEVEL_PEER_AGENT] = VM_LEVEL_PEER,
		[PRECIS_MEM_LEVEL_IO] = VM_LEVEL_MMIO,
	};
	uint64_t kind = value(PRECIS_FIELD_OP), level = value(PRECIS_FIELD_MEM_LEVEL);

	if (kind != PRECIS_OP_LOAD && kind != PRECIS_OP_LOAD_STORE)
		return;
	CU_ASSERT_TRUE_FATAL(level < sizeof(levels) && levels[level]);
	if (level == PRECIS_MEM_LEVEL_DRAM && value(PRECIS_FIELD_MEM_REMOTE))
		counts->load_levels[VM_LEVEL_FAR_DRAM]++;
	else
		counts->load_levels[levels[level]]++;
}

static void totals_of_samples(void)
{
	struct precis_cpu cpu = { .size = sizeof(cpu), .vendor = PRECIS_VENDOR_AMD };
	struct vm_totals *totals = vm_totals_init(malloc(vm_totals_size(1)), 1);
	struct vm_counts counted = { 0 }, all;
	struct vm_core *modeled;

	machine = vm_machine_find("zen4");
	modeled = vm_core_init(aligned_alloc(64, (vm_core_size(machine) + 63) / 64 * 64), machine);
	cpu.family = machine->family;
	cpu.model = machine->model;
	caps = machine->ibs_caps;
	core = precis_amd_cores_of(&cpu, caps);
	CU_ASSERT_EQUAL_FATAL(precis_ibs_context_init(&context, &cpu), 0);
	for (unsigned int i = 0; i < 10 * ROUNDS; i++) {
		struct vm_operation operation = random_operation();
		struct vm_outcome outcome;

		vm_core_step(modeled, &operation, &outcome);
		vm_totals_add(totals, &operation, &outcome);
		op = &operation;
		did = &outcome;
		round_trip_op(1ull << 17 | 0x1000);
		count_sample(&counted);
		count_withheld(&counted);
		count_level(&counted);
	}
	all = *vm_totals_all(totals);
	/* what op samples do not tell */
	memcpy(counted.store_levels, all.store_levels, sizeof(all.store_levels));
	memcpy(counted.prefetch_levels, all.prefetch_levels, sizeof(all.prefetch_levels));
	counted.fetches = all.fetches;
	counted.op_cache_misses = all.op_cache_misses;
	counted.ic_misses = all.ic_misses;
	counted.ic_l2_misses = all.ic_l2_misses;
	counted.ic_l3_misses = all.ic_l3_misses;
	counted.itlb_l1_misses = all.itlb_l1_misses;
	counted.itlb_walks = all.itlb_walks;
	CU_ASSERT_EQUAL(memcmp(&counted, &all, sizeof(all)), 0);
	free(modeled);
	free(totals);
}

/* ---- by hand --------------------------------------------------------------------------- */

/* The words of a load that AMD's documents let one write down */
static void a_load(void)
{
	struct vm_operation load = { .ip = 0x401234, .address = 0x7fff00001238,
				     .physical = 0x12345678, .bytes = 8, .page = VM_PAGE_2M,
				     .load = true, .address_known = true, .physical_known = true };
	struct vm_outcome outcome = { .level = VM_LEVEL_FAR_CACHE, .l1_miss = true,
				      .l2_miss = true, .owned = true, .miss_latency = 380,
				      .tlb = VM_TLB_L2, .tlb_latency = 7, .page = VM_PAGE_2M,
				      .miss_buffers_open = 37, .tag_to_retire = 400,
				      .completion_to_retire = 70000 };
	struct vm_ibs_unit unit = { vm_machine_find("zen4"), 0xbff, 0x20000000a1234ull, 0, 0 };
	vm_u64 registers[VM_OP_REGISTER_COUNT];

	CU_ASSERT_TRUE(vm_ibs_op_registers(&unit, &load, &outcome, registers));
	CU_ASSERT_EQUAL(registers[VM_OP_CTL], 0x20000000e1234ull);
	CU_ASSERT_EQUAL(registers[VM_OP_RIP], 0x401234);
	CU_ASSERT_EQUAL(registers[VM_OP_DATA], 0x0190ffff);
	CU_ASSERT_EQUAL(registers[VM_OP_DATA2], 0x35);
	CU_ASSERT_EQUAL(registers[VM_OP_DATA3], 0x0007017c951600c5ull);
	CU_ASSERT_EQUAL(registers[VM_OP_LINAD], 0x7fff00001238);
	CU_ASSERT_EQUAL(registers[VM_OP_PHYSAD], 0x12345678);
	CU_ASSERT_EQUAL(registers[VM_OP_BRTARGET], 0);
	unit.machine = vm_machine_find("zen6");
	unit.caps = unit.machine->ibs_caps;
	CU_ASSERT_TRUE(vm_ibs_op_registers(&unit, &load, &outcome, registers));
	CU_ASSERT_EQUAL(registers[VM_OP_DATA2], 0x235);
	CU_ASSERT_EQUAL(registers[VM_OP_DATA3], 0x0007017c95160095ull);
	unit.machine = vm_machine_find("zen2");
	unit.caps = unit.machine->ibs_caps;
	CU_ASSERT_TRUE(vm_ibs_op_registers(&unit, &load, &outcome, registers));
	CU_ASSERT_EQUAL(registers[VM_OP_DATA2], 0x34);
	unit.machine = vm_machine_find("greyhound");
	unit.caps = unit.machine->ibs_caps;
	CU_ASSERT_TRUE(vm_ibs_op_registers(&unit, &load, &outcome, registers));
	CU_ASSERT_EQUAL(registers[VM_OP_DATA2], 0x32);
	CU_ASSERT_EQUAL(registers[VM_OP_DATA3], 0x0000017c000600c5ull);
}

static void a_fetch(void)
{
	struct vm_outcome outcome = {
		.fetched = true,
		.fetch = { .linear = 0x401000, .physical = 0x12345000, .physical_known = true,
			   .latency = 0x123, .tlb = VM_TLB_WALK, .tlb_latency = 47,
			   .page = VM_PAGE_2M, .ic_miss = true, .op_cache_miss = true,
			   .l2_miss = true, .l3_miss = true },
	};
	struct vm_ibs_unit unit = { vm_machine_find("zen6"), 0x9fbff, 0x0201000010001000ull, 0, 0 };
	vm_u64 registers[VM_FETCH_REGISTER_COUNT];

	CU_ASSERT_TRUE(vm_ibs_fetch_registers(&unit, &outcome, registers));
	CU_ASSERT_EQUAL(registers[VM_FETCH_CTL], 0x37bf012310001000ull);
	CU_ASSERT_EQUAL(registers[VM_FETCH_LINAD], 0x401000);
	CU_ASSERT_EQUAL(registers[VM_FETCH_PHYSAD], 0x12345000);
	CU_ASSERT_EQUAL(registers[VM_FETCH_EXTD], 47);
	/* Zen 6 says nothing of a fetch whose physical address it does not know; Zen 5 does */
	outcome.fetch.physical_known = false;
	CU_ASSERT_TRUE(vm_ibs_fetch_registers(&unit, &outcome, registers));
	CU_ASSERT_EQUAL(registers[VM_FETCH_CTL], 0x0207000010001000ull);
	CU_ASSERT_EQUAL(registers[VM_FETCH_PHYSAD] + registers[VM_FETCH_EXTD], 0);
	unit.machine = vm_machine_find("zen5");
	CU_ASSERT_TRUE(vm_ibs_fetch_registers(&unit, &outcome, registers));
	CU_ASSERT_EQUAL(registers[VM_FETCH_CTL], 0x378f012310001000ull);
	CU_ASSERT_EQUAL(registers[VM_FETCH_EXTD], 47);
	/* neither op cache nor L2 and L3 misses on family 10h */
	outcome.fetch.physical_known = true;
	unit.machine = vm_machine_find("greyhound");
	unit.caps = unit.machine->ibs_caps;
	CU_ASSERT_TRUE(vm_ibs_fetch_registers(&unit, &outcome, registers));
	CU_ASSERT_EQUAL(registers[VM_FETCH_CTL], 0x03bf012310001000ull);
	CU_ASSERT_EQUAL(registers[VM_FETCH_EXTD], 0);
	/* Zen 3 calls 2 MiB 2 */
	unit.machine = vm_machine_find("zen3");
	unit.caps = unit.machine->ibs_caps;
	CU_ASSERT_TRUE(vm_ibs_fetch_registers(&unit, &outcome, registers));
	CU_ASSERT_EQUAL(registers[VM_FETCH_CTL], 0x07df012310001000ull);
}

/* AMD-718: bits of one sample stay in those after it, on the cores that have the erratum */
static void erratum_718(void)
{
	const vm_u64 stay = 1ull << 3 | 1ull << 6 | 1ull << 19;
	struct vm_operation load = { .ip = 0x401000, .load = true, .address_known = true };
	struct vm_operation none = { .ip = 0x401000 };
	struct vm_outcome walked = { .tlb = VM_TLB_WALK }, hit = { .tlb = VM_TLB_L1 };
	struct vm_ibs_unit unit = { vm_machine_find("bulldozer"), 0xff, 1ull << 17, 0, 0 };
	vm_u64 registers[VM_OP_REGISTER_COUNT];

	CU_ASSERT_TRUE(vm_ibs_op_registers(&unit, &load, &hit, registers));
	CU_ASSERT_EQUAL(registers[VM_OP_DATA3] & (stay | 1 << 2), 0);
	CU_ASSERT_TRUE(vm_ibs_op_registers(&unit, &load, &walked, registers));
	CU_ASSERT_EQUAL(registers[VM_OP_DATA3] & (stay | 1 << 2), 1 << 3 | 1 << 2);
	unit.data3 = registers[VM_OP_DATA3] | 1ull << 19;
	CU_ASSERT_TRUE(vm_ibs_op_registers(&unit, &load, &hit, registers));
	CU_ASSERT_EQUAL(registers[VM_OP_DATA3] & (stay | 1 << 2), 1ull << 19 | 1 << 3);
	CU_ASSERT_TRUE(vm_ibs_op_registers(&unit, &none, &hit, registers));
	CU_ASSERT_EQUAL(registers[VM_OP_DATA3], 1ull << 19 | 1 << 3);
	unit.machine = vm_machine_find("excavator");
	CU_ASSERT_TRUE(vm_ibs_op_registers(&unit, &load, &hit, registers));
	CU_ASSERT_EQUAL(registers[VM_OP_DATA3] & (stay | 1 << 2), 0);
}

static bool delivered(const char *name, uint64_t control, uint64_t control2,
		      const struct vm_operation *operation, const struct vm_outcome *outcome)
{
	const struct vm_machine *of = vm_machine_find(name);
	struct vm_ibs_unit unit = { of, of->ibs_caps, control, control2, 0 };
	vm_u64 registers[VM_OP_REGISTER_COUNT];

	return vm_ibs_op_registers(&unit, operation, outcome, registers);
}

static void filters_of_ops(void)
{
	const uint64_t l3 = 1ull << 16, latency = 1ull << 63 | 1ull << 59; /* above 256 */
	struct vm_operation load = { .ip = 0x401000, .load = true }, store = { .store = true };
	struct vm_operation kernel = { .ip = 1ull << 63 };
	struct vm_outcome dram = { .level = VM_LEVEL_DRAM, .l1_miss = true, .l2_miss = true,
				   .miss_latency = 257 };
	struct vm_outcome cached = { .level = VM_LEVEL_L3, .miss_latency = 257 };

	CU_ASSERT_TRUE(delivered("zen4", l3, 0, &load, &dram));
	CU_ASSERT_FALSE(delivered("zen4", l3, 0, &store, &dram));
	CU_ASSERT_FALSE(delivered("zen4", l3, 0, &load, &cached));
	CU_ASSERT_TRUE(delivered("zen3", l3, 0, &load, &cached));
	CU_ASSERT_TRUE(delivered("zen5", latency | l3, 0, &load, &dram));
	dram.miss_latency = 256;
	CU_ASSERT_FALSE(delivered("zen5", latency | l3, 0, &load, &dram));
	CU_ASSERT_TRUE(delivered("zen5", l3, 0, &load, &dram));
	CU_ASSERT_TRUE(delivered("zen5", latency, 0, &load, &dram)); /* AMD-1606 */
	CU_ASSERT_FALSE(delivered("zen6", latency, 0, &load, &dram));
	CU_ASSERT_TRUE(delivered("zen6", latency, 0, &load, &cached));
	CU_ASSERT_TRUE(delivered("zen4", latency, 0, &load, &dram));
	CU_ASSERT_FALSE(delivered("zen6", 0, 1 << 1, &load, &dram));
	CU_ASSERT_TRUE(delivered("zen6", 0, 1 << 1, &kernel, &dram));
	CU_ASSERT_TRUE(delivered("zen6", 0, 1 << 2, &load, &dram));
	CU_ASSERT_FALSE(delivered("zen6", 0, 1 << 2, &kernel, &dram));
	CU_ASSERT_TRUE(delivered("zen5", 0, 3 << 1, &kernel, &dram));
	CU_ASSERT_FALSE(delivered("zen6", 0, 1 << 3, &store, &dram));
	store.streaming = true;
	CU_ASSERT_TRUE(delivered("zen6", 0, 1 << 3, &store, &dram));
}

static bool fetch_delivered(const char *name, uint64_t control, uint64_t control2,
			    const struct vm_outcome *outcome)
{
	const struct vm_machine *of = vm_machine_find(name);
	struct vm_ibs_unit unit = { of, of->ibs_caps, control, control2, 0 };
	vm_u64 registers[VM_FETCH_REGISTER_COUNT];

	return vm_ibs_fetch_registers(&unit, outcome, registers);
}

static void filters_of_fetches(void)
{
	struct vm_outcome user = { .fetch = { .linear = 0x401000, .latency = 128 } };
	struct vm_outcome kernel = { .fetch = { .linear = 1ull << 63, .latency = 127,
						.l3_miss = true } };

	CU_ASSERT_FALSE(fetch_delivered("zen4", 1ull << 59, 0, &user));
	CU_ASSERT_TRUE(fetch_delivered("zen4", 1ull << 59, 0, &kernel));
	CU_ASSERT_TRUE(fetch_delivered("zen3", 1ull << 59, 0, &user));
	CU_ASSERT_TRUE(fetch_delivered("zen6", 0, 1 << 1, &user));
	CU_ASSERT_FALSE(fetch_delivered("zen6", 0, 1 << 1, &kernel));
	CU_ASSERT_TRUE(fetch_delivered("zen5", 0, 1 << 1, &kernel));
	/* the pair of bits stands the other way round than in IbsOpCtl2 */
	CU_ASSERT_TRUE(fetch_delivered("zen6", 0, 1 << 5, &user));
	CU_ASSERT_FALSE(fetch_delivered("zen6", 0, 1 << 5, &kernel));
	CU_ASSERT_FALSE(fetch_delivered("zen6", 0, 1 << 6, &user));
	CU_ASSERT_TRUE(fetch_delivered("zen6", 0, 1 << 6, &kernel));
}

static void checksum(void)
{
	const vm_u64 first[] = { 1, 10, 100 }, second[] = { ~0ull, 1 };
	struct vm_checksum checksum = { 0 };

	vm_checksum_add(&checksum, first, 3);
	CU_ASSERT_EQUAL(checksum.count, 1);
	CU_ASSERT_EQUAL(checksum.sum, 1 + 30 + 500);
	vm_checksum_add(&checksum, second, 2);
	CU_ASSERT_EQUAL(checksum.count, 2);
	CU_ASSERT_EQUAL(checksum.sum, 531 - 1 + 3);
}

static void payloads(void)
{
	const vm_u64 registers[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8 };
	vm_u64 payload[9];

	CU_ASSERT_EQUAL(vm_ibs_op_payload(0x1f, registers, payload), 7);
	CU_ASSERT_EQUAL(vm_ibs_op_payload(0x7ff, registers, payload), 9);
	CU_ASSERT_EQUAL(payload[8], 8);
	CU_ASSERT_EQUAL(vm_ibs_op_payload(1 << 10, registers, payload), 8);
	CU_ASSERT_EQUAL(payload[7], 8);
	CU_ASSERT_EQUAL(vm_ibs_fetch_payload(0xff, registers, payload), 3);
	CU_ASSERT_EQUAL(vm_ibs_fetch_payload(0x3ff, registers, payload), 4);
	CU_ASSERT_EQUAL(payload[3], 3);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "what the library decodes is what the model did", round_trips },
		{ "totals are what samples of all ops add up to", totals_of_samples },
		{ "a load, by hand", a_load },
		{ "a fetch, by hand", a_fetch },
		{ "erratum 718", erratum_718 },
		{ "filters of ops", filters_of_ops },
		{ "filters of fetches", filters_of_fetches },
		{ "the checksum", checksum },
		{ "payloads", payloads },
	};

	return tap_main("modeled registers", cases, sizeof(cases) / sizeof(cases[0]));
}
