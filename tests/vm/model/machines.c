// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* The table of modeled cores. */
#include "parts.h"

#define A(entries, ways, latency) { entries, ways, latency }
#define NO_ARRAY { 0, 0, 0 }
#define ARRAYS(...) { __VA_ARGS__ }
#define MEMORY(near, far, dram, far_dram, pmem, extension, peer, mmio)                             \
	{ [VM_LEVEL_NEAR_CACHE] = near, [VM_LEVEL_FAR_CACHE] = far, [VM_LEVEL_DRAM] = dram,        \
	  [VM_LEVEL_FAR_DRAM] = far_dram, [VM_LEVEL_PMEM] = pmem,                                  \
	  [VM_LEVEL_EXTENSION] = extension, [VM_LEVEL_PEER] = peer, [VM_LEVEL_MMIO] = mmio }
#define VM_MACHINE(name_, vendor_, family_, model_, stepping_, caps_, features_, arrays_, walk_,   \
		   memory_, buffers_, rob_, width_, penalty_, block_, boundary_)                   \
	{ .name = name_, .vendor = VM_VENDOR_##vendor_, .family = family_, .model = model_,        \
	  .stepping = stepping_, .ibs_caps = caps_, .features = features_, .array = arrays_,       \
	  .walk = walk_, .memory_latency = memory_, .miss_buffers = buffers_,                      \
	  .reorder_buffer = rob_, .width = width_, .mispredict_penalty = penalty_,                 \
	  .fetch_block = block_, .align_boundary = boundary_ },

static const struct vm_machine machines[] = {
#include "machines.def"
};

#define MACHINES (sizeof(machines) / sizeof(machines[0]))

const struct vm_machine *vm_machine_at(unsigned int index)
{
	return index < MACHINES ? &machines[index] : NULL;
}

const struct vm_machine *vm_machine_find(const char *name)
{
	for (unsigned int i = 0; i < MACHINES; i++)
		if (!strcmp(machines[i].name, name))
			return &machines[i];
	return NULL;
}
