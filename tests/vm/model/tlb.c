// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Two levels of translation buffers and the page walk behind them. Pages of all sizes
 * share the second level (chosen: real cores do not keep 1 GiB pages there) and, where a
 * core has no first level for large pages, the first one as well.
 */
#include "parts.h"

/*
 * Page number and size as one number. Its low bits choose the set: they are those of the
 * page number.
 */
static vm_u64 translation(vm_u64 address, enum vm_page page)
{
	static const vm_u8 shift[] = { [VM_PAGE_4K] = 12, [VM_PAGE_2M] = 21, [VM_PAGE_1G] = 30 };

	return address >> shift[page] | (vm_u64)page << 60;
}

enum vm_tlb_level vm_tlb_touch(const struct vm_tlb *tlb, vm_u64 address, enum vm_page page)
{
	struct vm_cache *first = page != VM_PAGE_4K && tlb->first_large->sets ? tlb->first_large :
										 tlb->first;
	vm_u64 number = translation(address, page);

	if (vm_cache_touch(first, number))
		return VM_TLB_L1;
	return vm_cache_touch(tlb->second, number) ? VM_TLB_L2 : VM_TLB_WALK;
}

vm_u32 vm_tlb_latency(const struct vm_tlb *tlb, enum vm_tlb_level level)
{
	switch (level) {
	case VM_TLB_L1:
		return 0;
	case VM_TLB_L2:
		return tlb->second_latency;
	default:
		return tlb->second_latency + tlb->walk;
	}
}

void vm_tlb_empty(struct vm_tlb *tlb)
{
	vm_cache_empty(tlb->first);
	vm_cache_empty(tlb->first_large);
	vm_cache_empty(tlb->second);
}
