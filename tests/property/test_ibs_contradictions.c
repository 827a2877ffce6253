/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fields of one op never contradict each other, whatever its registers hold:
 * all states of the bits of IbsOpData2 and IbsOpData3 that tell of caches, and of
 * those that tell of TLBs, on each core with its own capability word and others.
 */
#include <stdio.h>
#include <string.h>

#include <precis/sample.h>

#include "tests/property/contexts.h"
#include "tests/property/random.h"
#include "tests/support/repetitions.h"
#include "tests/support/tap.h"

#define BIT(n) (UINT64_C(1) << (n))
#define REPORTED 10

/* IbsOpData3: load, store, cache miss, WC, UC, miss buffer, addresses, L2 miss, prefetch */
#define CACHE_BITS                                                                                 \
	(BIT(0) | BIT(1) | BIT(7) | BIT(13) | BIT(14) | BIT(16) | BIT(20) | BIT(21))
/* load, store, L1 and L2 TLB miss, page sizes of both, UC, validity of both addresses */
#define TLB_BITS                                                                                   \
	(BIT(0) | BIT(1) | BIT(2) | BIT(3) | BIT(4) | BIT(5) | BIT(6) | BIT(14) | BIT(17) |        \
	 BIT(18) | BIT(19))
/* IbsOpData2: DataSrc, RmtNode, CacheHitSt, RmtSocket */
#define SOURCE_BITS (7u | BIT(4) | BIT(5) | BIT(6) | BIT(7) | BIT(9))
/* What makes latencies and counts of IbsOpData3 other than 0 */
#define NUMBERS (UINT64_C(40) << 48 | UINT64_C(300) << 32 | UINT64_C(5) << 26 | UINT64_C(4) << 22)

#define LEVEL(name) (1u << PRECIS_MEM_LEVEL_##name)
/* Places beyond the L2: DataSrc names them */
#define BEYOND_L2                                                                                  \
	(LEVEL(L3) | LEVEL(LOCAL_CACHE) | LEVEL(NEAR_CACHE) | LEVEL(FAR_CACHE) | LEVEL(DRAM) |     \
	 LEVEL(PMEM) | LEVEL(IO) | LEVEL(CXL) | LEVEL(PEER_AGENT))
#define WITHOUT_NODE (LEVEL(L1) | LEVEL(L2) | LEVEL(IO) | LEVEL(UNCACHED))
#define OTHER_CACHES (LEVEL(L3) | LEVEL(LOCAL_CACHE) | LEVEL(NEAR_CACHE) | LEVEL(FAR_CACHE))

static unsigned int wrong;
static unsigned long long states;

/* What a sample has, in a form that rules can be written in. */
static int has(const struct precis_sample *sample, enum precis_field field)
{
	return precis_fields_have(sample->present, (uint32_t)field);
}

static int is(const struct precis_sample *sample, enum precis_field field, uint64_t value)
{
	return has(sample, field) && sample->value[field] == value;
}

static int level_in(const struct precis_sample *sample, uint32_t levels)
{
	return has(sample, PRECIS_FIELD_MEM_LEVEL) &&
	       (levels >> sample->value[PRECIS_FIELD_MEM_LEVEL] & 1);
}

#define HAS(field) has(sample, PRECIS_FIELD_##field)
#define IS(field, value) is(sample, PRECIS_FIELD_##field, value)

/* Rules: the first of a pair never stands beside the second. */
static const char *contradiction_of_caches(const struct precis_sample *sample)
{
	if (level_in(sample, LEVEL(L1)) && IS(DCACHE_MISS, 1))
		return "L1, and missed the L1";
	if (level_in(sample, BEYOND_L2 | LEVEL(L2) | LEVEL(LFB)) && IS(DCACHE_MISS, 0))
		return "not from the L1, and hit the L1";
	if (level_in(sample, LEVEL(L1) | LEVEL(L2)) && IS(L2_MISS, 1))
		return "L1 or L2, and missed the L2";
	if (level_in(sample, BEYOND_L2) && IS(L2_MISS, 0))
		return "from beyond the L2, and hit the L2";
	if (level_in(sample, LEVEL(LFB)) && IS(MISS_BUFFER_ALLOCATED, 1))
		return "from another's miss buffer, and allocated its own";
	if (!IS(DCACHE_MISS, 1) && (HAS(L2_MISS) || HAS(DCACHE_MISS_LATENCY) ||
				    HAS(MISS_BUFFER_ALLOCATED) || HAS(MISS_BUFFERS_OPEN)))
		return "something of a miss, without a miss";
	return NULL;
}

static const char *contradiction_of_places(const struct precis_sample *sample)
{
	if (level_in(sample, WITHOUT_NODE) && (HAS(MEM_REMOTE) || HAS(MEM_SNOOP)))
		return "a place without a node or a line's state, and one of them";
	if (HAS(MEM_REMOTE) && IS(L2_MISS, 0))
		return "a node, and hit the L2";
	if (level_in(sample, ~(OTHER_CACHES | LEVEL(LFB))) && HAS(MEM_SNOOP))
		return "a line's state, and not from another cache";
	if (level_in(sample, LEVEL(FAR_CACHE)) && IS(MEM_REMOTE, PRECIS_MEM_REMOTE_LOCAL))
		return "a cache of another node, and local";
	if (level_in(sample, LEVEL(L3) | LEVEL(NEAR_CACHE)) && HAS(MEM_REMOTE) &&
	    !IS(MEM_REMOTE, PRECIS_MEM_REMOTE_LOCAL))
		return "a cache of this node, and remote";
	if (IS(OP, PRECIS_OP_STORE) &&
	    (HAS(MEM_REMOTE) || HAS(MEM_SNOOP) || level_in(sample, BEYOND_L2)))
		return "a store, and a source of data";
	return NULL;
}

static const char *contradiction_of_uncacheable(const struct precis_sample *sample)
{
	if (!IS(MEM_TYPE, PRECIS_MEM_TYPE_UNCACHEABLE))
		return level_in(sample, LEVEL(UNCACHED)) ? "uncached, of another type" : NULL;
	if (level_in(sample, ~(LEVEL(UNCACHED) | LEVEL(IO))))
		return "uncacheable, and out of a cache or memory";
	if (HAS(DCACHE_MISS) || HAS(L2_MISS) || HAS(DCACHE_MISS_LATENCY) || HAS(MEM_REMOTE) ||
	    HAS(MEM_SNOOP) || HAS(MISS_BUFFER_ALLOCATED) || HAS(MISS_BUFFERS_OPEN))
		return "uncacheable, and the status of a cache";
	return NULL;
}

static const char *contradiction_of_kinds(const struct precis_sample *sample)
{
	static const enum precis_field of_accesses[] = {
		PRECIS_FIELD_ADDR,	PRECIS_FIELD_PHYS_ADDR,	 PRECIS_FIELD_ACCESS_BYTES,
		PRECIS_FIELD_LOCKED,	PRECIS_FIELD_MISALIGNED, PRECIS_FIELD_MEM_TYPE,
		PRECIS_FIELD_MEM_LEVEL, PRECIS_FIELD_MEM_REMOTE, PRECIS_FIELD_MEM_SNOOP,
		PRECIS_FIELD_TLB_LEVEL, PRECIS_FIELD_PAGE_SIZE,	 PRECIS_FIELD_DCACHE_MISS,
	};

	if (IS(OP, PRECIS_OP_PREFETCH) && HAS(DCACHE_MISS_LATENCY))
		return "a prefetch, and a load's latency";
	if (!IS(OP, PRECIS_OP_OTHER) && !IS(OP, PRECIS_OP_BRANCH))
		return NULL;
	for (size_t i = 0; i < sizeof(of_accesses) / sizeof(of_accesses[0]); i++) {
		if (has(sample, of_accesses[i]))
			return "no access, and something of one";
	}
	return NULL;
}

static const char *contradiction_of_tlbs(const struct precis_sample *sample)
{
	if (IS(TLB_LEVEL, PRECIS_TLB_LEVEL_L1) && HAS(TLB_REFILL_LATENCY))
		return "an L1 TLB hit, and a refill";
	if (IS(TLB_LEVEL, PRECIS_TLB_LEVEL_WALK) && HAS(PAGE_SIZE) &&
	    !(sample->registers.ibs_op.caps & PRECIS_IBS_CAPS_DTLB_PAGE_SIZE))
		return "no TLB had the page, and the size of it there";
	return NULL;
}

static const char *contradiction(const struct precis_sample *sample)
{
	static const char *(*const rules[])(const struct precis_sample *) = {
		contradiction_of_caches, contradiction_of_places, contradiction_of_uncacheable,
		contradiction_of_kinds,	 contradiction_of_tlbs,
	};
	const char *found = NULL;

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]) && !found; i++)
		found = rules[i](sample);
	return found;
}

static void check_state(struct precis_ibs_context *context, struct precis_ibs_op *op,
			const char *cpuid, struct precis_sample *sample)
{
	const char *found;

	precis_ibs_op_decode(context, op, NULL, sample);
	found = contradiction(sample);
	states++;
	if (found && wrong++ < REPORTED)
		printf("# %s, caps 0x%x, IbsOpData2 0x%llx, IbsOpData3 0x%llx: %s\n", cpuid,
		       op->caps, (unsigned long long)op->op_data2,
		       (unsigned long long)op->op_data3, found);
}

/* All states of the bits that tell of caches, and for each all of IbsOpData2's. */
static void check_caches(struct precis_ibs_context *context, struct precis_ibs_op *op,
			 const char *cpuid, struct precis_sample *sample)
{
	/* 'x - mask & mask' is the mask's next combination of bits, 0 comes last */
	for (uint64_t data3 = 0, left = 256; left; left--) {
		data3 = (data3 - CACHE_BITS) & CACHE_BITS;
		op->op_data3 = data3 | NUMBERS | BIT(17) | BIT(18);
		for (uint64_t data2 = 0, sources = 256; sources; sources--) {
			data2 = (data2 - SOURCE_BITS) & SOURCE_BITS;
			op->op_data2 = data2;
			check_state(context, op, cpuid, sample);
		}
	}
}

static void check_tlbs(struct precis_ibs_context *context, struct precis_ibs_op *op,
		       const char *cpuid, struct precis_sample *sample)
{
	op->op_data2 = 3;
	for (uint64_t data3 = 0, left = 2048; left; left--) {
		data3 = (data3 - TLB_BITS) & TLB_BITS;
		op->op_data3 = data3 | NUMBERS;
		check_state(context, op, cpuid, sample);
	}
}

/* The words that change how IbsOpData2 and IbsOpData3 are read */
static const uint32_t more_caps[] = { 0x3ff, 0xbff, 0x81bff, 0xffffffff };

static void check_caps(struct precis_ibs_context *context, const char *cpuid, uint32_t caps)
{
	struct precis_ibs_op op = { .size = sizeof(op), .caps = caps, .captured = 0x1ff };
	struct precis_sample sample;

	op.dc_lin_ad = 0x7000;
	op.dc_phys_ad = 0x9000;
	precis_sample_init(&sample);
	check_caches(context, &op, cpuid, &sample);
	check_tlbs(context, &op, cpuid, &sample);
}

static void all_states(void)
{
	static struct precis_ibs_context context;
	size_t count = is_quick() ? 0 : sizeof(more_caps) / sizeof(more_caps[0]);

	for (size_t core = 0; core < TEST_CORES; core++) {
		CU_ASSERT_EQUAL_FATAL(test_context(test_cores[core].cpuid, &context), 0);
		check_caps(&context, test_cores[core].cpuid, test_cores[core].caps);
		for (size_t i = 0; i < count; i++)
			check_caps(&context, test_cores[core].cpuid, more_caps[i]);
	}
	CU_ASSERT_EQUAL_FATAL(precis_ibs_context_init(&context, NULL), 0);
	for (size_t i = 0; i < sizeof(more_caps) / sizeof(more_caps[0]); i++)
		check_caps(&context, "unknown CPU", more_caps[i]);
	printf("# %llu states, %u contradictions\n", states, wrong);
	CU_ASSERT_EQUAL(wrong, 0);
}

static const struct tap_case cases[] = {
	{ "no state of IbsOpData2 and IbsOpData3 makes fields contradict each other", all_states },
};

int main(void)
{
	return tap_main("contradictions", cases, sizeof(cases) / sizeof(cases[0]));
}
