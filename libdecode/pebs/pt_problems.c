/* SPDX-License-Identifier: BSD-3-Clause */
/* What can go wrong, in words. */
#include <precis/pebs_pt.h>

static const char *const names[PRECIS_PEBS_PT_PROBLEM_COUNT] = {
	[PRECIS_PEBS_PT_UNKNOWN_PACKET] = "bytes that are no known packet",
	[PRECIS_PEBS_PT_INTERRUPTED] = "record interrupted by another packet",
	[PRECIS_PEBS_PT_OVERFLOW] = "record interrupted by an overflow",
	[PRECIS_PEBS_PT_TRUNCATED] = "trace ends inside a record or packet",
	[PRECIS_PEBS_PT_STRAY_END] = "block end without a beginning",
	[PRECIS_PEBS_PT_UNKNOWN_BLOCK] = "unknown block type",
	[PRECIS_PEBS_PT_UNKNOWN_ITEM] = "unknown item, or too short",
	[PRECIS_PEBS_PT_TWO_VALUES] = "item with two values",
	[PRECIS_PEBS_PT_NO_IP] = "no IP behind the block end",
	[PRECIS_PEBS_PT_IP_UNKNOWN] = "IP compressed against one that was lost",
	[PRECIS_PEBS_PT_BRANCHES_INCOMPLETE] = "LBR entries incomplete",
	[PRECIS_PEBS_PT_XMM_INCOMPLETE] = "XMM registers incomplete",
};

const char *precis_pebs_pt_problem_name(uint32_t problem)
{
	return problem < PRECIS_PEBS_PT_PROBLEM_COUNT ? names[problem] : NULL;
}
