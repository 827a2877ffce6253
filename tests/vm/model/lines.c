// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Lines that modeled cores take from each other. Of each line it is known which cores have a copy,
 * and which of them, if any, has written it since memory had it: the owner. The rules, for an access of
 * core C to a line:
 *
 *   C has a copy                     its own caches say where; nobody is asked
 *   another core owns the line       that core's cache supplies it. Nobody else has a copy: it was in
 *                                    state M there; otherwise in state O
 *   nobody owns it, on Intel another
 *   core of C's node has a copy      the node's L3 supplies it
 *   else                             memory does
 *
 *   after a load                     C has a copy, too. On AMD the owner stays the owner (state O); on
 *                                    Intel it has written the line back, and nobody is
 *   after a store                    C has the only copy, and is the owner
 *
 * What is left out: state E is S to others, so that no clean line is forwarded; a line stays with
 * those who have it, also when their caches need its place: an owner writes back only when Intel's is
 * asked for it. Each core is a core complex, and has an L3, of its own. All chosen, but for the states,
 * which are the MOESI of AMD (APM vol. 2, 7.3) and the MESI of Intel (SDM vol. 3A, 12.4).
 */
#include "parts.h"

struct line {
	vm_u64 copies; /* cores: bits */
	vm_u8 owner;   /* + 1; 0: none */
};

struct vm_lines {
	struct vm_line_table table;
	struct line *line; /* by slot of the table */
	enum vm_vendor vendor;
	vm_u8 node[VM_LINE_CORES];
};

vm_size vm_lines_size(vm_u32 lines)
{
	return sizeof(struct vm_lines) + vm_line_table_bytes(lines) + lines * sizeof(struct line);
}

struct vm_lines *vm_lines_init(void *memory, vm_u32 lines, enum vm_vendor vendor)
{
	struct vm_lines *all = memory;

	memset(all, 0, sizeof(*all));
	all->vendor = vendor;
	all->line = vm_line_table_init(&all->table, lines, all + 1);
	vm_lines_forget(all);
	return all;
}

void vm_lines_forget(struct vm_lines *lines)
{
	vm_line_table_empty(&lines->table);
	memset(lines->line, 0, lines->table.room * sizeof(*lines->line));
}

vm_u64 vm_lines_untold(const struct vm_lines *lines)
{
	return lines->table.untold;
}

void vm_lines_place(struct vm_lines *lines, vm_u32 core, vm_u32 node)
{
	lines->node[core] = (vm_u8)node;
}

bool vm_lines_are_near(const struct vm_lines *lines, vm_u32 core, vm_u32 other)
{
	return lines->node[core] == lines->node[other];
}

static bool node_has_copy(const struct vm_lines *lines, vm_u32 core, vm_u64 copies)
{
	for (vm_u32 other = 0; other < VM_LINE_CORES; other++)
		if ((copies >> other & 1) && vm_lines_are_near(lines, core, other))
			return true;
	return false;
}

static struct vm_supply supply_of(const struct vm_lines *lines, const struct line *line, vm_u32 core)
{
	if (line->copies >> core & 1)
		return (struct vm_supply){ .by = VM_SUPPLY_OWN };
	if (line->owner)
		return (struct vm_supply){ .by = VM_SUPPLY_CORE, .core = line->owner - 1u,
					   .owned = line->copies != VM_BIT(line->owner - 1) };
	if (lines->vendor == VM_VENDOR_INTEL && node_has_copy(lines, core, line->copies))
		return (struct vm_supply){ .by = VM_SUPPLY_L3 };
	return (struct vm_supply){ .by = VM_SUPPLY_MEMORY };
}

struct vm_supply vm_lines_access(struct vm_lines *lines, vm_u32 core, vm_u64 number, bool store)
{
	struct vm_supply supply;
	struct line *line;
	vm_u32 slot;

	if (!vm_line_table_find(&lines->table, number, &slot))
		return (struct vm_supply){ .by = VM_SUPPLY_OWN };
	line = &lines->line[slot];
	supply = supply_of(lines, line, core);
	if (store) {
		*line = (struct line){ .copies = VM_BIT(core), .owner = (vm_u8)(core + 1) };
		return supply;
	}
	line->copies |= VM_BIT(core);
	if (supply.by == VM_SUPPLY_CORE && lines->vendor == VM_VENDOR_INTEL)
		line->owner = 0;
	return supply;
}
