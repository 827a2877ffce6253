/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Modeled cores that take lines from each other: where each access finds its line, by hand and against
 * a record of all accesses that is searched anew each time; the same in IBS' registers; and what is
 * counted of it by thread.
 */
#include <stdlib.h>

#include "tests/support/tap.h"
#include "tests/vm/model/parts.h"

#define CORES 4 /* 0 and 1 on one node, 2 and 3 on the other */
#define ROOM 64
#define LINE 64

static struct vm_core *cores[CORES];
static struct vm_lines *lines;
static struct vm_transfers *transfers;

static void *room_for(vm_size bytes)
{
	return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void stop(void)
{
	for (int n = 0; n < CORES; n++)
		free(cores[n]);
	free(lines);
	free(transfers);
}

static void start(const char *name)
{
	const struct vm_machine *machine = vm_machine_find(name);

	stop();
	lines = vm_lines_init(room_for(vm_lines_size(ROOM)), ROOM, machine->vendor);
	transfers = vm_transfers_init(room_for(vm_transfers_size(ROOM)), ROOM);
	for (vm_u32 n = 0; n < CORES; n++) {
		cores[n] = vm_core_init(room_for(vm_core_size(machine)), machine);
		vm_core_share(cores[n], lines, n, n / 2);
	}
}

static struct vm_operation operation_at(vm_u64 address, bool load, bool store)
{
	return (struct vm_operation){
		.ip = 0x401000, .address = address, .physical = address, .bytes = 8, .locked = true,
		.address_known = true, .physical_known = true, .load = load, .store = store,
	};
}

static struct vm_outcome run(vm_u32 core, struct vm_operation operation)
{
	struct vm_outcome outcome;

	vm_core_step(cores[core], &operation, &outcome);
	vm_transfers_add(transfers, core, &operation, &outcome);
	return outcome;
}

/* Nothing of it is under way any more: a device answers later than any cache or memory */
static struct vm_outcome settled(vm_u32 core, struct vm_operation operation)
{
	const struct vm_operation device = { .ip = 0x401000, .load = true, .locked = true,
					     .uncacheable = true };
	struct vm_outcome outcome = run(core, operation);

	run(core, device);
	return outcome;
}

static struct vm_outcome load(vm_u32 core, vm_u64 address)
{
	return settled(core, operation_at(address, true, false));
}

static struct vm_outcome store(vm_u32 core, vm_u64 address)
{
	return settled(core, operation_at(address, false, true));
}

static void is_at(struct vm_outcome outcome, enum vm_level level, bool owned)
{
	CU_ASSERT_EQUAL(outcome.level, level);
	CU_ASSERT_EQUAL(outcome.owned, owned);
	CU_ASSERT_EQUAL(outcome.l1_miss, level != VM_LEVEL_L1);
	CU_ASSERT_EQUAL(outcome.l2_miss, level != VM_LEVEL_L1 && level != VM_LEVEL_L2);
}

/* What another core wrote is in its cache, also where this one had it in all of its own */
static void taken(void)
{
	start("zen4");
	is_at(load(0, 0), VM_LEVEL_DRAM, false);
	is_at(load(0, 0), VM_LEVEL_L1, false);
	is_at(store(1, 0), VM_LEVEL_DRAM, false);
	is_at(load(0, 0), VM_LEVEL_NEAR_CACHE, false);
	is_at(load(0, 0), VM_LEVEL_L1, false);
	is_at(load(2, 8), VM_LEVEL_FAR_CACHE, true);
	is_at(store(1, 0), VM_LEVEL_L1, false);
	is_at(load(2, 8), VM_LEVEL_FAR_CACHE, false);
	/* a line beside it is nobody's; a store gets one as a load does */
	is_at(load(2, LINE), VM_LEVEL_DRAM, false);
	is_at(store(3, 0), VM_LEVEL_FAR_CACHE, true);
	is_at(run(2, operation_at(0, true, true)), VM_LEVEL_NEAR_CACHE, false);
}

/* Who asks for what Intel's core has written has it written back: others get it from their node's L3 */
static void written_back(void)
{
	start("sapphire_rapids");
	store(0, 0);
	is_at(load(2, 0), VM_LEVEL_FAR_CACHE, false);
	is_at(load(3, 0), VM_LEVEL_L3, false);
	is_at(load(1, 0), VM_LEVEL_L3, false);
	store(0, LINE);
	is_at(load(1, LINE), VM_LEVEL_NEAR_CACHE, false);
	is_at(load(2, LINE), VM_LEVEL_DRAM, false);
}

/* By itself a core has no other caches, whatever placement.c says of lines */
static void private(void)
{
	unsigned int levels[VM_LEVEL_COUNT] = { 0 };

	start("zen4");
	for (vm_u64 n = 0; n < 4096; n++)
		levels[load(0, n * LINE * 37).level]++;
	CU_ASSERT_EQUAL(levels[VM_LEVEL_NEAR_CACHE] + levels[VM_LEVEL_FAR_CACHE], 0);
	CU_ASSERT_TRUE(levels[VM_LEVEL_DRAM] > 1000);
	/* and that not for want of room: of further lines it is said that nothing is known */
	CU_ASSERT_EQUAL(vm_lines_untold(lines), 4096 - (ROOM - 1));
	vm_lines_forget(lines);
	CU_ASSERT_EQUAL(vm_lines_untold(lines), 0);
	CU_ASSERT_EQUAL(vm_transfers_untold(transfers), 4096 - (ROOM - 1));
}

/* ---- against a record of all accesses ----------------------------------------------------- */

#define STEPS 20000
#define LINES 12

static struct {
	vm_u32 core, line;
	bool load, store;
} record[STEPS];

/* Who wrote the line last before that step; CORES: nobody. 'when': where in the record */
static vm_u32 last_writer(int step, vm_u32 line, int *when)
{
	for (*when = step - 1; *when >= 0; --*when)
		if (record[*when].line == line && record[*when].store)
			return record[*when].core;
	return CORES;
}

/* Cores that have accessed it from 'from' on, up to that step: bits */
static vm_u32 accessed_since(int from, int step, vm_u32 line)
{
	vm_u32 found = 0;

	for (int n = from < 0 ? 0 : from; n < step; n++)
		if (record[n].line == line)
			found |= 1u << record[n].core;
	return found;
}

static struct vm_outcome expected(int step, enum vm_vendor vendor)
{
	vm_u32 core = record[step].core, line = record[step].line, writer, have, near;
	struct vm_outcome outcome = { .level = VM_LEVEL_DRAM };
	int when;

	writer = last_writer(step, line, &when);
	have = accessed_since(when, step, line);
	near = have & (core < 2 ? 3 : 12);
	if (have >> core & 1)
		outcome.level = VM_LEVEL_L1;
	else if (writer != CORES && (vendor == VM_VENDOR_AMD || have == 1u << writer))
		outcome.level = writer / 2 == core / 2 ? VM_LEVEL_NEAR_CACHE : VM_LEVEL_FAR_CACHE;
	else if (vendor == VM_VENDOR_INTEL && near)
		outcome.level = VM_LEVEL_L3;
	outcome.owned = outcome.level != VM_LEVEL_L1 && outcome.level != VM_LEVEL_DRAM &&
			vendor == VM_VENDOR_AMD && have != 1u << writer;
	return outcome;
}

static struct vm_transfer_counts counted[CORES][CORES];

static void count(int step, const struct vm_outcome *outcome)
{
	const bool from_cache = outcome->level == VM_LEVEL_NEAR_CACHE || outcome->level == VM_LEVEL_FAR_CACHE;
	struct vm_transfer_counts *pair;
	int when;

	if (last_writer(step, record[step].line, &when) == CORES ||
	    accessed_since(when, step, record[step].line) >> record[step].core & 1)
		return;
	pair = &counted[record[when].core][record[step].core];
	pair->loads += record[step].load;
	pair->stores += !record[step].load;
	pair->modified += record[step].load && from_cache && !outcome->owned;
	pair->owned += record[step].load && from_cache && outcome->owned;
}

static void compare_counts(void)
{
	for (vm_u32 from = 0; from < CORES; from++)
		for (vm_u32 to = 0; to < CORES; to++) {
			const struct vm_transfer_counts *is = vm_transfers_between(transfers, from, to);

			CU_ASSERT_EQUAL(is->loads, counted[from][to].loads);
			CU_ASSERT_EQUAL(is->true_loads, is->loads);
			CU_ASSERT_EQUAL(is->stores, counted[from][to].stores);
			CU_ASSERT_EQUAL(is->modified, counted[from][to].modified);
			CU_ASSERT_EQUAL(is->owned, counted[from][to].owned);
			CU_ASSERT_TRUE(from == to ? !is->loads : is->loads > STEPS / 100);
		}
}

static void compare(const char *name, vm_u64 random)
{
	unsigned int differ = 0, others = 0;
	struct vm_outcome should, is;

	start(name);
	memset(counted, 0, sizeof(counted));
	for (int n = 0; n < STEPS; n++) {
		vm_u64 word = vm_random(&random);

		record[n].core = (vm_u32)(word % CORES);
		record[n].line = (vm_u32)(word >> 8) % LINES;
		record[n].store = (word >> 16) % 3 == 0;
		record[n].load = !record[n].store || (word >> 24 & 1);
		is = settled(record[n].core,
			     operation_at(record[n].line * LINE, record[n].load, record[n].store));
		should = expected(n, vm_core_machine(cores[0])->vendor);
		differ += is.level != should.level || is.owned != should.owned;
		others += should.level > VM_LEVEL_L1;
		count(n, &should);
	}
	CU_ASSERT_EQUAL(differ, 0);
	CU_ASSERT_TRUE(others > STEPS / 4);
	compare_counts();
}

static void recorded(void)
{
	compare("zen4", 1);
	compare("sapphire_rapids", 2);
}

/* ---- registers and bytes ------------------------------------------------------------------ */

/* DataSrc, RmtNode and CacheHitSt of a load, as the APM has them in the extended encoding */
static vm_u64 data2_of(struct vm_outcome outcome)
{
	const struct vm_machine *machine = vm_core_machine(cores[0]);
	const struct vm_ibs_unit unit = { .machine = machine, .caps = machine->ibs_caps };
	const struct vm_operation operation = operation_at(0x7000, true, false);
	vm_u64 registers[VM_OP_REGISTER_COUNT];

	CU_ASSERT_TRUE(vm_ibs_op_registers(&unit, &operation, &outcome, registers));
	return registers[VM_OP_DATA2];
}

static void registers(void)
{
	start("zen4");
	store(0, 0);
	CU_ASSERT_EQUAL(data2_of(load(1, 0)), 2);
	CU_ASSERT_EQUAL(data2_of(load(3, 0)), 5 | 1 << 4 | 1 << 5);
	store(1, 0);
	CU_ASSERT_EQUAL(data2_of(load(3, 0)), 5 | 1 << 4);
	CU_ASSERT_EQUAL(data2_of(load(0, 0)), 2 | 1 << 5);
	CU_ASSERT_EQUAL(data2_of(load(0, 0)), 0);
}

/* A miss that is still under way brings what another core has written since no more */
static void overtaken(void)
{
	struct vm_operation operation = operation_at(0, true, false);

	start("zen4");
	operation.locked = false;
	is_at(run(0, operation), VM_LEVEL_DRAM, false);
	CU_ASSERT_EQUAL(run(0, operation).level, VM_LEVEL_MISS_BUFFER);
	store(1, 0);
	is_at(run(0, operation), VM_LEVEL_NEAR_CACHE, false);
}

/* True sharing is of bytes that were written since somebody else had the line */
static void bytes(void)
{
	const struct vm_transfer_counts *pair;

	start("zen4");
	pair = vm_transfers_between(transfers, 0, 1);
	store(0, 0);
	store(0, 16);
	load(1, 0);
	load(1, 16);
	CU_ASSERT_EQUAL(pair->loads, 1);
	CU_ASSERT_EQUAL(pair->true_loads, 1);
	store(0, 16);
	load(1, 0);
	CU_ASSERT_EQUAL(pair->loads, 2);
	CU_ASSERT_EQUAL(pair->true_loads, 1);
	store(0, 24);
	load(1, 20);
	CU_ASSERT_EQUAL(pair->loads, 3);
	CU_ASSERT_EQUAL(pair->true_loads, 2);
	/* a store gets the line, too, and is no load; what goes past the caches gets nothing */
	store(1, 32);
	store(0, 0);
	run(1, (struct vm_operation){ .physical = 0, .physical_known = true, .load = true, .bytes = 8,
				      .uncacheable = true });
	CU_ASSERT_EQUAL(pair->loads, 3);
	CU_ASSERT_EQUAL(pair->stores, 0);
	CU_ASSERT_EQUAL(vm_transfers_between(transfers, 1, 0)->stores, 1);
	store(1, 32);
	CU_ASSERT_EQUAL(pair->stores, 1);
	CU_ASSERT_EQUAL(vm_transfers_untold(transfers), 0);
	run(1, (struct vm_operation){ .load = true });
	CU_ASSERT_EQUAL(vm_transfers_untold(transfers), 1);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a line that another core wrote comes from its cache", taken },
		{ "Intel's cores write back what others ask for", written_back },
		{ "lines of one core alone come from memory", private },
		{ "20000 accesses are as a record of them says", recorded },
		{ "registers", registers },
		{ "a miss that another core overtakes", overtaken },
		{ "true sharing, and false", bytes },
	};
	int failed = tap_main("modeled cores that share lines", cases, sizeof(cases) / sizeof(cases[0]));

	stop();
	return failed;
}
