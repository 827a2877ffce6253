// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * The truth about sharing, from what threads access alone, not from caches and their states: which
 * thread wrote a line last, and who has accessed it since.
 *
 * A transfer is an access of one thread to a line that another one wrote last, and that it has not
 * accessed since. It is true sharing if it meets bytes that were written since somebody else had accessed
 * the line; an access of which the width is not known is of one byte.
 */
#include "parts.h"

struct line {
	vm_u64 written; /* bytes of the line: bits */
	vm_u64 seen;    /* threads that have accessed it since it was written: bits */
	vm_u8 writer;   /* + 1; 0: none */
};

struct vm_transfers {
	struct vm_line_table table;
	struct line *line; /* by slot of the table */
	vm_u64 untold;
	struct vm_transfer_counts counts[VM_TRANSFER_THREADS][VM_TRANSFER_THREADS];
};

vm_size vm_transfers_size(vm_u32 lines)
{
	return sizeof(struct vm_transfers) + vm_line_table_bytes(lines) + lines * sizeof(struct line);
}

struct vm_transfers *vm_transfers_init(void *memory, vm_u32 lines)
{
	struct vm_transfers *transfers = memory;

	memset(transfers, 0, sizeof(*transfers));
	transfers->line = vm_line_table_init(&transfers->table, lines, transfers + 1);
	memset(transfers->line, 0, lines * sizeof(*transfers->line));
	return transfers;
}

const struct vm_transfer_counts *vm_transfers_between(const struct vm_transfers *transfers, vm_u32 from,
						      vm_u32 to)
{
	return &transfers->counts[from][to];
}

vm_u64 vm_transfers_untold(const struct vm_transfers *transfers)
{
	return transfers->untold + transfers->table.untold;
}

/* The bytes of the line that are accessed; what reaches into the next line is left out there */
static vm_u64 bytes_of(const struct vm_operation *operation)
{
	vm_u32 bytes = operation->bytes ? operation->bytes : 1;
	vm_u64 mask = bytes < 64 ? VM_BIT(bytes) - 1 : ~0ull;

	return mask << (operation->physical & 63);
}

static void count(struct vm_transfer_counts *counts, const struct vm_operation *operation,
		  const struct vm_outcome *outcome, bool is_true)
{
	if (!operation->load) {
		counts->stores++;
		return;
	}
	counts->loads++;
	counts->true_loads += is_true;
	if (outcome->level != VM_LEVEL_NEAR_CACHE && outcome->level != VM_LEVEL_FAR_CACHE)
		return;
	counts->modified += !outcome->owned;
	counts->owned += outcome->owned;
}

static bool takes_part(const struct vm_operation *operation)
{
	return (operation->load || operation->store) && !operation->uncacheable &&
	       !operation->write_combining;
}

static void access(struct vm_transfers *transfers, struct line *line, vm_u32 thread,
		   const struct vm_operation *operation, const struct vm_outcome *outcome)
{
	vm_u64 bytes = bytes_of(operation);

	if (line->writer && line->writer != thread + 1 && !(line->seen >> thread & 1))
		count(&transfers->counts[line->writer - 1][thread], operation, outcome,
		      line->written & bytes);
	line->seen |= VM_BIT(thread);
	if (!operation->store)
		return;
	if (line->writer != thread + 1 || line->seen != VM_BIT(thread))
		line->written = 0;
	line->written |= bytes;
	line->writer = (vm_u8)(thread + 1);
	line->seen = VM_BIT(thread);
}

void vm_transfers_add(struct vm_transfers *transfers, vm_u32 thread,
		      const struct vm_operation *operation, const struct vm_outcome *outcome)
{
	vm_u32 slot;

	if (!takes_part(operation))
		return;
	if (!operation->physical_known || thread >= VM_TRANSFER_THREADS)
		transfers->untold++;
	else if (vm_line_table_find(&transfers->table, operation->physical >> VM_LINE_SHIFT, &slot))
		access(transfers, &transfers->line[slot], thread, operation, outcome);
}
