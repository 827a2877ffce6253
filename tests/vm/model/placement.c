// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Where memory is. Chosen so that a machine without a second node, core complex or exotic
 * memory has samples of all of them, by physical address alone:
 *
 *   lines that the L3 does not have:
 *     hash of the line number, 10 bits:  0-15 another core complex of this node has it,
 *                                        16-23 a cache of the far node has it,
 *                                        24-27 and an even frame: a peer's memory (extended
 *                                        DataSrc only)
 *   otherwise by frame of 2 MiB:
 *     odd number                         the far node's DRAM
 *     number mod 64 = 32                 long-latency memory (extended DataSrc only)
 *     number mod 64 = 34                 extension memory (extended DataSrc only)
 *     else                               this node's DRAM
 *
 * Another cache that has a line has it for ever: a load that misses the L3 gets it from there
 * each time. Lines whose hash is odd are in state O in the L3 or the other cache, the others in
 * state M. Cores that take lines from each other (lines.c) have none of these other caches.
 */
#include "parts.h"

#define FRAME_SHIFT 21
#define NEAR_CACHE_END 16
#define FAR_CACHE_END 24
#define PEER_END 28

/* Fibonacci hashing: the high bits of a product with 2^64 / golden ratio */
static vm_u32 line_hash(vm_u64 physical)
{
	return (vm_u32)((physical >> VM_LINE_SHIFT) * 0x9e3779b97f4a7c15ull >> 54);
}

static bool tells_exotic_memory(const struct vm_machine *machine)
{
	return machine->ibs_caps & CAPS_ZEN4_EXT;
}

enum vm_level vm_placement(const struct vm_machine *machine, vm_u64 physical)
{
	vm_u32 hash = line_hash(physical);

	if (hash < NEAR_CACHE_END)
		return VM_LEVEL_NEAR_CACHE;
	if (hash < FAR_CACHE_END)
		return VM_LEVEL_FAR_CACHE;
	return vm_placement_memory(machine, physical);
}

enum vm_level vm_placement_memory(const struct vm_machine *machine, vm_u64 physical)
{
	vm_u32 hash = line_hash(physical);
	vm_u64 frame = physical >> FRAME_SHIFT;

	if (frame & 1)
		return VM_LEVEL_FAR_DRAM;
	if (!tells_exotic_memory(machine))
		return VM_LEVEL_DRAM;
	if (hash >= FAR_CACHE_END && hash < PEER_END)
		return VM_LEVEL_PEER;
	if (frame % 64 == 32)
		return VM_LEVEL_PMEM;
	return frame % 64 == 34 ? VM_LEVEL_EXTENSION : VM_LEVEL_DRAM;
}

bool vm_placement_owned(vm_u64 physical)
{
	return line_hash(physical) & 1;
}
