/* SPDX-License-Identifier: BSD-3-Clause */
/* What branches, vector registers and metrics of a record mean. */
#include <precis/error.h>
#include <precis/intel.h>
#include <precis/pebs_groups.h>

#include "tests/libdecode/pebs/pebs_bytes.h"

#define MISPREDICTED PRECIS_PEBS_BRANCH_MISPREDICTED
#define IN_TRANSACTION PRECIS_PEBS_BRANCH_IN_TRANSACTION
#define ABORT PRECIS_PEBS_BRANCH_ABORT
#define CYCLES PRECIS_PEBS_BRANCH_CYCLES
#define TYPE PRECIS_PEBS_BRANCH_TYPE
#define COUNTERS PRECIS_PEBS_BRANCH_COUNTERS
#define ALL (MISPREDICTED | IN_TRANSACTION | ABORT | CYCLES | TYPE | COUNTERS)

#define UNKNOWN PRECIS_INTEL_UNKNOWN
#define ICE_LAKE PRECIS_INTEL_SUNNY_COVE
#define ALDER_LAKE PRECIS_INTEL_GOLDEN_COVE
#define SKYLAKE PRECIS_INTEL_SKYLAKE

static struct precis_pebs_branch_info decode(uint32_t format, uint32_t core, uint64_t info)
{
	struct precis_pebs_branch_info decoded = { .size = sizeof(decoded) };

	CU_ASSERT_EQUAL_FATAL(precis_pebs_branch_info(format, core, info, &decoded), 0);
	return decoded;
}

/* Which layout, and which members are there */
static void layouts(void)
{
	static const struct {
		uint32_t format, core, layout;
		uint64_t info;
		uint32_t present;
	} rows[] = {
		{ 4, ICE_LAKE, PRECIS_LBR_INFO_MODEL, 0, MISPREDICTED | CYCLES },
		{ 4, ICE_LAKE, PRECIS_LBR_INFO_MODEL, UINT64_MAX,
		  MISPREDICTED | IN_TRANSACTION | ABORT | CYCLES },
		{ 4, PRECIS_INTEL_TREMONT, PRECIS_LBR_INFO_MODEL, 0, MISPREDICTED | CYCLES },
		{ 4, ALDER_LAKE, PRECIS_LBR_INFO_ARCH, 0, MISPREDICTED | TYPE },
		{ 4, PRECIS_INTEL_GRACEMONT, PRECIS_LBR_INFO_ARCH, 0, MISPREDICTED | TYPE },
		{ 4, ALDER_LAKE, PRECIS_LBR_INFO_ARCH, UINT64_MAX, ALL },
		{ 4, ALDER_LAKE, PRECIS_LBR_INFO_ARCH, UINT64_C(1) << 60,
		  MISPREDICTED | CYCLES | TYPE },
		{ 4, ALDER_LAKE, PRECIS_LBR_INFO_ARCH, ~(UINT64_C(1) << 60), ALL & ~CYCLES },
		{ 4, ALDER_LAKE, PRECIS_LBR_INFO_ARCH, ~(UINT64_C(1) << 61), ALL & ~ABORT },
		{ 4, ALDER_LAKE, PRECIS_LBR_INFO_ARCH, ~(UINT64_C(1) << 62),
		  ALL & ~IN_TRANSACTION },
		{ 4, ALDER_LAKE, PRECIS_LBR_INFO_ARCH, ~(UINT64_C(0xff) << 32), ALL & ~COUNTERS },
		{ 4, UNKNOWN, PRECIS_LBR_INFO_NONE, 0, MISPREDICTED },
		{ 4, UNKNOWN, PRECIS_LBR_INFO_NONE, UINT64_MAX,
		  MISPREDICTED | IN_TRANSACTION | ABORT },
		/* no branches in its records: whose these are is not known */
		{ 4, SKYLAKE, PRECIS_LBR_INFO_NONE, 0, MISPREDICTED },
		{ 5, UNKNOWN, PRECIS_LBR_INFO_ARCH, 0, MISPREDICTED | TYPE },
		{ 6, UNKNOWN, PRECIS_LBR_INFO_ARCH, 0, MISPREDICTED | TYPE },
		{ PRECIS_PEBS_FORMAT_ARCH, UNKNOWN, PRECIS_LBR_INFO_ARCH, 0, MISPREDICTED | TYPE },
		{ 3, UNKNOWN, PRECIS_LBR_INFO_NONE, 0, MISPREDICTED },
	};

	for (size_t n = 0; n < COUNT(rows); n++) {
		struct precis_pebs_branch_info found =
			decode(rows[n].format, rows[n].core, rows[n].info);

		CU_ASSERT_EQUAL(found.layout, rows[n].layout);
		CU_ASSERT_EQUAL(found.present, rows[n].present);
	}
}

/* Every bit is in one member, and where the manual has it. */
static void bits(void)
{
	for (uint32_t bit = 0; bit < 64; bit++) {
		struct precis_pebs_branch_info found = decode(4, ALDER_LAKE, UINT64_C(1) << bit);

		CU_ASSERT_EQUAL(found.cycles, bit < 16 ? 1u << bit : 0);
		CU_ASSERT_EQUAL(found.counters, bit >= 32 && bit < 40 ? 1u << (bit - 32) : 0);
		CU_ASSERT_EQUAL(found.type, bit >= 56 && bit < 60 ? 1u << (bit - 56) : 0);
		CU_ASSERT_EQUAL((found.present & CYCLES) != 0, bit == 60);
		CU_ASSERT_EQUAL(found.is_abort, bit == 61);
		CU_ASSERT_EQUAL(found.in_transaction, bit == 62);
		CU_ASSERT_EQUAL(found.is_mispredicted, bit == 63);
	}
}

static void reasons(void)
{
	static const struct {
		uint32_t core, member;
		uint64_t info;
		enum precis_reason reason;
	} rows[] = {
		{ ALDER_LAKE, MISPREDICTED, 0, PRECIS_PRESENT },
		{ ALDER_LAKE, IN_TRANSACTION, 0, PRECIS_NOT_APPLICABLE },
		{ ALDER_LAKE, ABORT, 0, PRECIS_NOT_APPLICABLE },
		{ ALDER_LAKE, CYCLES, 100, PRECIS_NOT_CAPTURED },
		{ ALDER_LAKE, CYCLES, UINT64_C(1) << 60, PRECIS_PRESENT },
		{ ALDER_LAKE, TYPE, 0, PRECIS_PRESENT },
		{ ALDER_LAKE, COUNTERS, 0, PRECIS_NOT_APPLICABLE },
		{ ALDER_LAKE, COUNTERS, UINT64_C(1) << 33, PRECIS_PRESENT },
		{ ICE_LAKE, CYCLES, 0, PRECIS_PRESENT },
		{ ICE_LAKE, TYPE, UINT64_MAX, PRECIS_NOT_SUPPORTED },
		{ ICE_LAKE, COUNTERS, UINT64_MAX, PRECIS_NOT_SUPPORTED },
		{ ICE_LAKE, ABORT, 0, PRECIS_NOT_APPLICABLE },
		{ UNKNOWN, CYCLES, UINT64_MAX, PRECIS_NOT_CAPTURED },
		{ UNKNOWN, TYPE, UINT64_MAX, PRECIS_NOT_CAPTURED },
		{ UNKNOWN, COUNTERS, UINT64_MAX, PRECIS_NOT_CAPTURED },
		{ UNKNOWN, IN_TRANSACTION, 0, PRECIS_NOT_APPLICABLE },
		/* no members */
		{ UNKNOWN, 0, 0, PRECIS_PRESENT },
		{ UNKNOWN, CYCLES | TYPE, 0, PRECIS_PRESENT },
		{ UNKNOWN, COUNTERS << 1, 0, PRECIS_PRESENT },
	};

	for (size_t n = 0; n < COUNT(rows); n++) {
		struct precis_pebs_branch_info found = decode(4, rows[n].core, rows[n].info);
		const char *detail = NULL;

		CU_ASSERT_EQUAL(precis_pebs_branch_why(&found, rows[n].member, &detail),
				rows[n].reason);
		CU_ASSERT_PTR_NOT_NULL_FATAL(detail);
		CU_ASSERT_EQUAL(*detail != '\0', rows[n].reason != PRECIS_PRESENT);
		CU_ASSERT_EQUAL(precis_pebs_branch_why(&found, rows[n].member, NULL),
				rows[n].reason);
	}
}

static void counts(void)
{
	struct precis_pebs_groups views = { .size = sizeof(views) };
	static uint8_t bytes[5 * 24 + 1];

	CU_ASSERT_EQUAL(precis_pebs_branch_count(&views), 0);
	fill(bytes + 1, 5 * 24);
	views.lbr = bytes + 1;
	views.lbr_count = 5;
	CU_ASSERT_EQUAL(precis_pebs_branch_count(&views), 5);
	memset(bytes + 1 + 3 * 24, 0, 8);
	CU_ASSERT_EQUAL(precis_pebs_branch_count(&views), 3);
	memset(bytes + 1, 0, 8);
	CU_ASSERT_EQUAL(precis_pebs_branch_count(&views), 0);
	CU_ASSERT_EQUAL(precis_pebs_branch_count(NULL), PRECIS_E_ARGUMENT);
	views.size = 0;
	CU_ASSERT_EQUAL(precis_pebs_branch_count(&views), PRECIS_E_ARGUMENT);
}

/* The groups are those that precis_pebs_register() reads. */
static void register_groups(void)
{
	struct precis_pebs_register_group group = { .size = sizeof(group) };
	struct precis_pebs_groups views = { .size = sizeof(views) };
	uint8_t bytes[PRECIS_PEBS_VECTOR_MAX];
	static uint8_t room[1024];
	uint32_t all = 0, n = 0;

	views.xmm = views.ymmh = views.opmask = views.zmmh = views.hi16_zmm = room;
	for (; precis_pebs_register_group(n, &group) == 0; n++) {
		CU_ASSERT_EQUAL(group.size, sizeof(group));
		CU_ASSERT_EQUAL(precis_pebs_register(&views, group.group, group.registers - 1,
						     bytes),
				(int)group.bytes);
		CU_ASSERT_EQUAL(precis_pebs_register(&views, group.group, group.registers, bytes),
				PRECIS_E_ARGUMENT);
		CU_ASSERT_EQUAL(all & group.group, 0);
		CU_ASSERT_TRUE(group.group > all);
		all |= group.group;
		CU_ASSERT_EQUAL(group.first,
				group.group == PRECIS_PEBS_GROUP_HI16_ZMM ? 16 : 0);
	}
	CU_ASSERT_EQUAL(n, 5);
	CU_ASSERT_EQUAL(precis_pebs_register_group(2, &group), 0);
	CU_ASSERT_STRING_EQUAL(group.name, "k");
	CU_ASSERT_EQUAL(precis_pebs_register_group(4, &group), 0);
	CU_ASSERT_STRING_EQUAL(group.name, "zmm");
	CU_ASSERT_EQUAL(precis_pebs_register_group(0, NULL), PRECIS_E_ARGUMENT);
	group.size = 4;
	CU_ASSERT_EQUAL(precis_pebs_register_group(0, &group), PRECIS_E_ARGUMENT);
}

static void names(void)
{
	CU_ASSERT_STRING_EQUAL(precis_pebs_branch_type_name(PRECIS_PEBS_BRANCH_CONDITIONAL),
			       "conditional");
	CU_ASSERT_STRING_EQUAL(precis_pebs_branch_type_name(5), "return");
	CU_ASSERT_PTR_NULL(precis_pebs_branch_type_name(6));
	CU_ASSERT_PTR_NULL(precis_pebs_branch_type_name(7));
	CU_ASSERT_STRING_EQUAL(precis_pebs_branch_type_name(8), "other");
	CU_ASSERT_STRING_EQUAL(precis_pebs_branch_type_name(15), "other");
	CU_ASSERT_PTR_NULL(precis_pebs_branch_type_name(16));
	CU_ASSERT_STRING_EQUAL(precis_pebs_metric_name(0), "retiring");
	CU_ASSERT_STRING_EQUAL(precis_pebs_metric_name(3), "backend_bound");
	CU_ASSERT_STRING_EQUAL(precis_pebs_metric_name(7), "memory_bound");
	CU_ASSERT_PTR_NULL(precis_pebs_metric_name(8));
}

static void refusals(void)
{
	struct precis_pebs_branch_info decoded = { .size = sizeof(decoded) };

	CU_ASSERT_EQUAL(precis_pebs_branch_info(4, ICE_LAKE, 0, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_branch_info(7, ICE_LAKE, 0, &decoded), PRECIS_E_ARGUMENT);
	decoded.size = 4;
	CU_ASSERT_EQUAL(precis_pebs_branch_info(4, ICE_LAKE, 0, &decoded), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_branch_why(&decoded, CYCLES, NULL), PRECIS_PRESENT);
	CU_ASSERT_EQUAL(precis_pebs_branch_why(NULL, CYCLES, NULL), PRECIS_PRESENT);
}

static const struct tap_case cases[] = {
	{ "INFO words by format and core", layouts },
	{ "each bit of an INFO word", bits },
	{ "why a member is absent", reasons },
	{ "branches that were recorded", counts },
	{ "groups of vector registers", register_groups },
	{ "names of types and metrics", names },
	{ "what is no INFO word is refused", refusals },
};

int main(void)
{
	return tap_main("pebs groups", cases, COUNT(cases));
}
