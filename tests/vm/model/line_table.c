// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Numbers of lines in an open-addressing table of fixed capacity: what is kept of a line is at its slot. */
#include "parts.h"

vm_size vm_line_table_bytes(vm_u32 room)
{
	return room * sizeof(vm_u64);
}

void *vm_line_table_init(struct vm_line_table *table, vm_u32 room, void *memory)
{
	table->numbers = memory;
	table->room = room;
	vm_line_table_empty(table);
	return table->numbers + room;
}

void vm_line_table_empty(struct vm_line_table *table)
{
	memset(table->numbers, 0, vm_line_table_bytes(table->room));
	table->used = 0;
	table->untold = 0;
}

bool vm_line_table_find(struct vm_line_table *table, vm_u64 number, vm_u32 *slot)
{
	vm_u64 entry = number + 1; /* 0 is an empty slot */
	vm_u32 at = (vm_u32)(number * 0x9e3779b97f4a7c15ull >> 32) & (table->room - 1);

	while (table->numbers[at] && table->numbers[at] != entry)
		at = (at + 1) & (table->room - 1);
	/* one slot stays free, so that a search ends */
	if (!table->numbers[at] && table->used + 1 == table->room) {
		table->untold++;
		return false;
	}
	table->used += !table->numbers[at];
	table->numbers[at] = entry;
	*slot = at;
	return true;
}
