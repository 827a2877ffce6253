/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts that are lists: counts, calls, branches, registers. */
#include "lists.h"

#include <stdio.h>

#include "counts.h"
#include "analysis/model/callchains.h"

/* How the kernel says what a task's registers are (PERF_SAMPLE_REGS_ABI_*) */
#define ABI_32 1
#define ABI_64 2

void put_read(struct parts *parts, struct value_sink *sink)
{
	struct precis_read read = { .size = sizeof(read) };

	if (!precis_read_parse(parts->event->layout->read_format, parts->perf.read, &read))
		counts_put(parts->file, parts->event, &read, sink);
}

/* An address with its symbol: in json members, else one word */
static void put_place(struct parts *parts, uint64_t address, uint64_t cpumode,
		      struct value_sink *sink)
{
	struct precis_location place;

	places_find(&parts->places, parts->sample, cpumode, address, 1, &place);
	if (sink->form == VALUE_JSON) {
		value_members(sink);
		value_key(sink, "address");
		value_hex(sink, address);
		place_put_members(&parts->places, &place, sink);
		value_members_end(sink);
	} else if (place.symbol) {
		value_text_plus(sink, places_symbol(&parts->places, &place), place.symbol_offset);
	} else {
		value_hex(sink, address);
	}
}

static void put_chain(struct parts *parts, int with_symbols, struct value_sink *sink)
{
	struct precis_callchain_entry entry = { .size = sizeof(entry) };
	uint64_t mode = parts->record->misc & PRECIS_MISC_CPUMODE_MASK;

	value_list(sink);
	for (uint64_t n = 0; !precis_callchain_entry(parts->perf.callchain, n, &entry); n++) {
		if (entry.kind == PRECIS_CALLCHAIN_CONTEXT) {
			mode = callchain_mode(entry.value);
			if (entry.context)
				value_text(sink, entry.context);
			else
				value_hex(sink, entry.value);
		} else if (with_symbols && entry.kind == PRECIS_CALLCHAIN_ADDRESS) {
			put_place(parts, entry.value, mode, sink);
		} else {
			value_hex(sink, entry.value);
		}
	}
	value_list_end(sink);
}

void put_callchain(struct parts *parts, struct value_sink *sink)
{
	put_chain(parts, 0, sink);
}

void put_callchain_symbols(struct parts *parts, struct value_sink *sink)
{
	put_chain(parts, 1, sink);
}

/* The ends of a branch may lie in either half of the address space: the upper is the kernel's */
static uint64_t mode_of_address(uint64_t address)
{
	return address >> 63 ? PRECIS_CPUMODE_KERNEL : PRECIS_CPUMODE_USER;
}

static void put_end(struct parts *parts, const char *name, uint64_t address, int with_symbols,
		    struct value_sink *sink)
{
	value_key(sink, name);
	if (with_symbols)
		put_place(parts, address, mode_of_address(address), sink);
	else
		value_hex(sink, address);
}

/* A member of an enumeration: by its name, or the number that has none */
static void put_named(struct value_sink *sink, const char *key, const char *name, uint32_t number)
{
	value_key(sink, key);
	if (name)
		value_text(sink, name);
	else
		value_number(sink, number);
}

static void put_branch(struct parts *parts, const struct precis_branch *branch, int with_symbols,
		       struct value_sink *sink)
{
	value_members(sink);
	put_end(parts, "from", branch->from, with_symbols, sink);
	put_end(parts, "to", branch->to, with_symbols, sink);
	if (branch->present & PRECIS_BRANCH_PREDICTION) {
		value_key(sink, "mispredicted");
		value_bool(sink, (int)branch->is_mispredicted);
	}
	if (branch->in_transaction) {
		value_key(sink, "in_transaction");
		value_bool(sink, 1);
	}
	if (branch->is_abort) {
		value_key(sink, "abort");
		value_bool(sink, 1);
	}
	if (branch->present & PRECIS_BRANCH_CYCLES) {
		value_key(sink, "cycles");
		value_number(sink, branch->cycles);
	}
	if (branch->present & PRECIS_BRANCH_TYPE)
		put_named(sink, "type", precis_branch_type_name(branch->type, branch->new_type),
			  branch->type);
	if (branch->present & PRECIS_BRANCH_SPECULATION)
		put_named(sink, "speculation", precis_branch_speculation_name(branch->speculation),
			  branch->speculation);
	if (branch->present & PRECIS_BRANCH_PRIVILEGE)
		put_named(sink, "privilege", precis_branch_privilege_name(branch->privilege),
			  branch->privilege);
	if (branch->present & PRECIS_BRANCH_COUNTERS) {
		value_key(sink, "counters");
		value_hex(sink, branch->counters);
	}
	value_members_end(sink);
}

static void put_branches(struct parts *parts, int with_symbols, struct value_sink *sink)
{
	struct precis_branch branch = { .size = sizeof(branch) };

	value_list(sink);
	for (uint64_t n = 0; !precis_branch(&parts->perf, n, &branch); n++)
		put_branch(parts, &branch, with_symbols, sink);
	value_list_end(sink);
}

void put_branch_stack(struct parts *parts, struct value_sink *sink)
{
	put_branches(parts, 0, sink);
}

void put_branch_stack_symbols(struct parts *parts, struct value_sink *sink)
{
	put_branches(parts, 1, sink);
}

static void put_registers(struct parts *parts, uint64_t abi, uint64_t mask,
			  const struct precis_bytes *registers, struct value_sink *sink)
{
	char number[16];
	uint64_t value;
	uint32_t bit;

	value_members(sink);
	if (abi == ABI_32 || abi == ABI_64) {
		value_key(sink, "abi");
		value_number(sink, abi == ABI_32 ? 32 : 64);
	}
	for (uint32_t n = 0; !precis_register(mask, *registers, n, &bit, &value); n++) {
		const char *name = parts->arch ? precis_register_name(parts->arch, bit) : NULL;

		snprintf(number, sizeof(number), "bit%u", bit);
		value_key(sink, name ? name : number);
		value_hex(sink, value);
	}
	value_members_end(sink);
}

void put_user_registers(struct parts *parts, struct value_sink *sink)
{
	put_registers(parts, parts->perf.regs_user_abi, parts->event->layout->regs_user,
		      &parts->perf.regs_user, sink);
}

void put_interrupt_registers(struct parts *parts, struct value_sink *sink)
{
	put_registers(parts, parts->perf.regs_intr_abi, parts->regs_intr,
		      &parts->perf.regs_intr, sink);
}
