/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel's data source word as vendor-neutral values.
 *
 * It says most things twice: in mem_lvl since 2013, in mem_lvl_num, mem_remote and
 * mem_hops since 4.14 and 5.16. Writers differ in which of them they fill in.
 *
 * Source: Linux 7.3 include/uapi/linux/perf_event.h, arch/x86/events/intel/ds.c,
 * arch/x86/events/amd/ibs.c.
 */
#include <precis/data_source.h>
#include <precis/error.h>

#include "abi.h"
#include "access.h"
#include "find_vendor.h"

#define REMOTE_CACHE (PRECIS_DATA_LVL_REMOTE_CACHE_1 | PRECIS_DATA_LVL_REMOTE_CACHE_2)
#define REMOTE_RAM (PRECIS_DATA_LVL_REMOTE_RAM_1 | PRECIS_DATA_LVL_REMOTE_RAM_2)

#define VALUE(number) ((struct access_value){ number, WHY_PRESENT })
#define LEVEL(id) VALUE(PRECIS_MEM_LEVEL_##id)
#define ABSENT(id) ((struct access_value){ 0, WHY_##id })

/* One level each; any cache follows from mem_remote and mem_hops. */
static const uint8_t levels_by_number[PRECIS_DATA_LVL_NUM_NA + 1] = {
	[PRECIS_DATA_LVL_NUM_L1] = PRECIS_MEM_LEVEL_L1,
	[PRECIS_DATA_LVL_NUM_L2] = PRECIS_MEM_LEVEL_L2,
	[PRECIS_DATA_LVL_NUM_L3] = PRECIS_MEM_LEVEL_L3,
	[PRECIS_DATA_LVL_NUM_L4] = PRECIS_MEM_LEVEL_L4,
	[PRECIS_DATA_LVL_NUM_L2_MHB] = PRECIS_MEM_LEVEL_L2_MHB,
	[PRECIS_DATA_LVL_NUM_MSC] = PRECIS_MEM_LEVEL_MSC,
	[PRECIS_DATA_LVL_NUM_L0] = PRECIS_MEM_LEVEL_L0,
	[PRECIS_DATA_LVL_NUM_UNCACHED] = PRECIS_MEM_LEVEL_UNCACHED,
	[PRECIS_DATA_LVL_NUM_CXL] = PRECIS_MEM_LEVEL_CXL,
	[PRECIS_DATA_LVL_NUM_IO] = PRECIS_MEM_LEVEL_IO,
	[PRECIS_DATA_LVL_NUM_LFB] = PRECIS_MEM_LEVEL_LFB,
	[PRECIS_DATA_LVL_NUM_RAM] = PRECIS_MEM_LEVEL_DRAM,
	[PRECIS_DATA_LVL_NUM_PMEM] = PRECIS_MEM_LEVEL_PMEM,
};

static const struct {
	uint16_t bit;
	uint8_t level;
} levels_by_bit[] = {
	{ PRECIS_DATA_LVL_L1, PRECIS_MEM_LEVEL_L1 },
	{ PRECIS_DATA_LVL_LFB, PRECIS_MEM_LEVEL_LFB },
	{ PRECIS_DATA_LVL_L2, PRECIS_MEM_LEVEL_L2 },
	{ PRECIS_DATA_LVL_L3, PRECIS_MEM_LEVEL_L3 },
	{ PRECIS_DATA_LVL_LOCAL_RAM, PRECIS_MEM_LEVEL_DRAM },
	{ PRECIS_DATA_LVL_IO, PRECIS_MEM_LEVEL_IO },
	{ PRECIS_DATA_LVL_UNCACHED, PRECIS_MEM_LEVEL_UNCACHED },
};

/*
 * In mem_lvl alone a cache one hop away (REM_CCE1) is one of the node, or of another socket: each
 * vendor knows what its driver meant, if that wrote words of this form at all.
 *
 * @param level  enum precis_mem_level; 0 if none of them did
 * @return 0 if they disagree
 */
static int one_hop_away(const struct precis_data_source *source, uint32_t *level)
{
	*level = 0;
	for (const struct vendor *const *vendor = precis_vendors; *vendor; vendor++) {
		uint32_t told = (*vendor)->level_one_hop_away ?
					(*vendor)->level_one_hop_away(source) :
					0;

		if (told && *level && told != *level)
			return 0;
		*level = told ? told : *level;
	}
	return 1;
}

static struct access_value cache_elsewhere(const struct precis_data_source *source)
{
	uint32_t level;

	/* IBS before Zen 4 does not tell them apart */
	if ((source->lvl & PRECIS_DATA_LVL_L3) && !source->remote)
		return LEVEL(LOCAL_CACHE);
	if (source->lvl & PRECIS_DATA_LVL_REMOTE_CACHE_1 && !source->lvl_num && !source->remote) {
		if (!one_hop_away(source, &level))
			return ABSENT(DISPUTED);
		if (level == PRECIS_MEM_LEVEL_NEAR_CACHE)
			return LEVEL(NEAR_CACHE);
	}
	return source->hops == PRECIS_DATA_HOPS_CORE ? LEVEL(NEAR_CACHE) : LEVEL(FAR_CACHE);
}

static struct access_value level_by_bits(const struct precis_data_source *source)
{
	for (size_t n = 0; n < sizeof(levels_by_bit) / sizeof(levels_by_bit[0]); n++) {
		if (source->lvl & levels_by_bit[n].bit)
			return VALUE(levels_by_bit[n].level);
	}
	if (source->lvl & PRECIS_DATA_LVL_NA || source->lvl_num == PRECIS_DATA_LVL_NUM_NA)
		return ABSENT(KERNEL_NA);
	return ABSENT(KERNEL_SILENT);
}

static struct access_value level_of(const struct precis_data_source *source)
{
	if (source->lvl & PRECIS_DATA_LVL_MISS) {
		if (source->lvl & PRECIS_DATA_LVL_L1)
			return ABSENT(MISSED_L1);
		if (source->lvl & PRECIS_DATA_LVL_L3)
			return ABSENT(MISSED_L3);
		return ABSENT(NOT_TOLD);
	}
	/* Intel's off-module responses say more in mem_region than in both others */
	switch (source->region) {
	case PRECIS_DATA_REGION_OTHER_IO:
		return ABSENT(NOT_TOLD);
	case PRECIS_DATA_REGION_OTHER_SHARED:
	case PRECIS_DATA_REGION_OTHER_NON_SHARED:
		return source->remote ? LEVEL(FAR_CACHE) : LEVEL(NEAR_CACHE);
	case PRECIS_DATA_REGION_MMIO:
		return LEVEL(IO);
	default:
		break;
	}
	/* these bits say more than the number that goes with them */
	if (source->lvl & REMOTE_CACHE)
		return cache_elsewhere(source);
	if (source->lvl & REMOTE_RAM)
		return LEVEL(DRAM);
	if (source->lvl_num == PRECIS_DATA_LVL_NUM_ANY_CACHE)
		return source->remote ? cache_elsewhere(source) : LEVEL(LOCAL_CACHE);
	if (levels_by_number[source->lvl_num])
		return VALUE(levels_by_number[source->lvl_num]);
	return level_by_bits(source);
}

/* Is it a level of the core's own? Then there is no node, and nobody to ask. */
static enum access_why why_not_elsewhere(uint32_t level)
{
	switch (level) {
	case PRECIS_MEM_LEVEL_L0:
	case PRECIS_MEM_LEVEL_L1:
	case PRECIS_MEM_LEVEL_L2:
		return WHY_OWN_CACHE;
	case PRECIS_MEM_LEVEL_LFB:
	case PRECIS_MEM_LEVEL_L2_MHB:
		return WHY_NOT_TOLD;
	case PRECIS_MEM_LEVEL_IO:
	case PRECIS_MEM_LEVEL_UNCACHED:
		return WHY_NO_CACHE;
	default:
		return WHY_PRESENT;
	}
}

static struct access_value remote_of(const struct precis_data_source *source,
				     struct access_value level)
{
	enum access_why why = why_not_elsewhere(level.value);

	if (level.why != WHY_PRESENT)
		return level;
	if (why != WHY_PRESENT)
		return (struct access_value){ 0, (uint8_t)why };
	if (!source->remote && !(source->lvl & (REMOTE_CACHE | REMOTE_RAM)))
		return VALUE(PRECIS_MEM_REMOTE_LOCAL);
	if (source->hops == PRECIS_DATA_HOPS_CORE ||
	    level.value == PRECIS_MEM_LEVEL_LOCAL_CACHE ||
	    level.value == PRECIS_MEM_LEVEL_NEAR_CACHE)
		return VALUE(PRECIS_MEM_REMOTE_LOCAL);
	if (source->hops == PRECIS_DATA_HOPS_SOCKET || source->hops == PRECIS_DATA_HOPS_BOARD)
		return VALUE(PRECIS_MEM_REMOTE_SOCKET);
	return VALUE(PRECIS_MEM_REMOTE_NODE);
}

static struct access_value snoop_of(const struct precis_data_source *source,
				    struct access_value level)
{
	if (source->snoop & PRECIS_DATA_SNOOP_HITM)
		return VALUE(PRECIS_MEM_SNOOP_MODIFIED);
	if (source->snoop & PRECIS_DATA_SNOOP_HIT) /* with a forward: see 'forwarded' */
		return VALUE(PRECIS_MEM_SNOOP_HIT);
	if (source->snoopx & PRECIS_DATA_SNOOPX_FORWARD)
		return VALUE(PRECIS_MEM_SNOOP_FORWARD);
	if (level.why != WHY_PRESENT)
		return level;
	if (why_not_elsewhere(level.value) != WHY_PRESENT)
		return (struct access_value){ 0, (uint8_t)why_not_elsewhere(level.value) };
	switch (source->snoop & (PRECIS_DATA_SNOOP_NONE | PRECIS_DATA_SNOOP_MISS)) {
	case PRECIS_DATA_SNOOP_NONE | PRECIS_DATA_SNOOP_MISS:
		return VALUE(PRECIS_MEM_SNOOP_NONE_OR_MISS);
	case PRECIS_DATA_SNOOP_NONE:
		return VALUE(PRECIS_MEM_SNOOP_NONE);
	case PRECIS_DATA_SNOOP_MISS:
		return VALUE(PRECIS_MEM_SNOOP_MISS);
	default:
		return source->snoop ? ABSENT(KERNEL_NA) : ABSENT(KERNEL_SILENT);
	}
}

static struct access_value tlb_of(const struct precis_data_source *source)
{
	const uint32_t both = PRECIS_DATA_DTLB_L1 | PRECIS_DATA_DTLB_L2;
	const uint32_t dtlb = source->dtlb;

	if (dtlb & PRECIS_DATA_DTLB_NA)
		return ABSENT(KERNEL_NA);
	if (!(dtlb & (PRECIS_DATA_DTLB_HIT | PRECIS_DATA_DTLB_MISS)))
		return ABSENT(KERNEL_SILENT);
	if ((dtlb & PRECIS_DATA_DTLB_HIT) && (dtlb & PRECIS_DATA_DTLB_MISS))
		return ABSENT(CONTRADICTION);
	if (dtlb & PRECIS_DATA_DTLB_MISS)
		return dtlb & PRECIS_DATA_DTLB_L2 ? VALUE(PRECIS_TLB_LEVEL_WALK) : ABSENT(NOT_TOLD);
	if ((dtlb & both) == PRECIS_DATA_DTLB_L1)
		return VALUE(PRECIS_TLB_LEVEL_L1);
	/* IBS says so; Intel's precise stores, too, of those that did not miss the L2 */
	if ((dtlb & both) == PRECIS_DATA_DTLB_L2 && (source->op == PRECIS_DATA_OP_LOAD ||
						     source->lock == PRECIS_DATA_LOCK_NA))
		return VALUE(PRECIS_TLB_LEVEL_L2);
	return VALUE(PRECIS_TLB_LEVEL_L1_OR_L2);
}

static struct access_value locked_of(uint32_t lock)
{
	return lock & PRECIS_DATA_LOCK_NA ? ABSENT(KERNEL_NA) :
					    VALUE((lock & PRECIS_DATA_LOCK_LOCKED) != 0);
}

static struct access_value blocked_of(uint32_t blk, uint32_t bit)
{
	if (blk & PRECIS_DATA_BLK_NA)
		return ABSENT(KERNEL_NA);
	return blk ? VALUE((blk & bit) != 0) : ABSENT(KERNEL_SILENT);
}

/* The word of an event that has no data source */
static int is_empty(const struct precis_data_source *source)
{
	return !(source->op & ~(uint32_t)PRECIS_DATA_OP_NA);
}

int precis_data_source_access(uint64_t word, struct precis_access *access)
{
	struct precis_data_source source = { .size = sizeof(source) };
	struct access_value level;

	ABI_OUT(struct precis_access, access, precis_data_source_access(word, &abi));
	precis_data_source_decode(word, &source);
	access->present = 0;
	access_set_all(access, WHY_KERNEL_NA);
	if (is_empty(&source))
		return 0;
	level = level_of(&source);
	access_set_value(access, PRECIS_ACCESS_MEM_LEVEL, level);
	access_set_value(access, PRECIS_ACCESS_MEM_REMOTE, remote_of(&source, level));
	access_set_value(access, PRECIS_ACCESS_MEM_SNOOP, snoop_of(&source, level));
	precis_access_set_misses(access, level);
	if (level.why == WHY_MISSED_L1)
		access_set(access, PRECIS_ACCESS_DCACHE_MISS, 1);
	access_set_value(access, PRECIS_ACCESS_TLB_LEVEL, tlb_of(&source));
	access_set_value(access, PRECIS_ACCESS_LOCKED, locked_of(source.lock));
	if (level.why == WHY_PRESENT && !why_not_elsewhere(level.value))
		access_set(access, PRECIS_ACCESS_LINE_FORWARDED,
			   (source.snoopx & PRECIS_DATA_SNOOPX_FORWARD) != 0);
	access_set_value(access, PRECIS_ACCESS_DATA_BLOCKED,
			 blocked_of(source.blk, PRECIS_DATA_BLK_DATA));
	access_set_value(access, PRECIS_ACCESS_ADDRESS_BLOCKED,
			 blocked_of(source.blk, PRECIS_DATA_BLK_ADDRESS));
	if (source.region > PRECIS_DATA_REGION_RESERVED)
		access_set(access, PRECIS_ACCESS_REGION, source.region);
	return 0;
}
