// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * A set-associative array with true least-recently-used replacement: each set is a
 * list, the latest used first. Caches and TLBs are made of it.
 */
#include "parts.h"

vm_size vm_cache_bytes(const struct vm_geometry *geometry)
{
	return (vm_size)geometry->entries * sizeof(vm_u64);
}

void *vm_cache_init(struct vm_cache *cache, const struct vm_geometry *geometry, void *memory)
{
	cache->entries = memory;
	cache->ways = geometry->ways;
	cache->sets = geometry->ways ? geometry->entries / geometry->ways : 0;
	vm_cache_empty(cache);
	return cache->entries + geometry->entries;
}

void vm_cache_empty(struct vm_cache *cache)
{
	memset(cache->entries, 0, (vm_size)cache->sets * cache->ways * sizeof(vm_u64));
}

bool vm_cache_touch(struct vm_cache *cache, vm_u64 number)
{
	vm_u64 entry = number + 1; /* 0 is an empty way */
	vm_u64 *set;
	vm_u32 way;
	bool found;

	if (!cache->sets)
		return false;
	set = cache->entries + (number & (cache->sets - 1)) * cache->ways;
	for (way = 0; way < cache->ways - 1 && set[way] != entry; way++)
		;
	found = set[way] == entry;
	memmove(set + 1, set, way * sizeof(*set));
	set[0] = entry;
	return found;
}
