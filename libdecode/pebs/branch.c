/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Branches of a record: which were recorded, and what their INFO words say.
 *
 * Source: Linux 7.3 arch/x86/events/intel/lbr.c, which reads the INFO words of records as those of the MSRs.
 */
#include <precis/error.h>
#include <precis/intel.h>
#include <precis/pebs_groups.h>

#include "../sample/abi.h"
#include "branch_info.h"

#define FIRST_OTHER_TYPE PRECIS_PEBS_BRANCH_OTHER
#define LAST_TYPE 15u

int precis_pebs_branch_count(const struct precis_pebs_groups *groups)
{
	struct precis_pebs_branch branch;
	uint32_t count = 0;
	int rc;

	ABI_IN(struct precis_pebs_groups, groups, precis_pebs_branch_count(&abi));
	while ((rc = precis_pebs_branch(groups, count, &branch)) > 0 && branch.from)
		count++;
	return rc < 0 ? rc : (int)count;
}

static uint32_t layout_of(uint32_t format, uint32_t core)
{
	struct precis_intel_core_info info = { .size = sizeof(info) };

	if (!precis_intel_core_info(core, &info) && info.branch_info != PRECIS_LBR_INFO_NONE)
		return info.branch_info;
	return format == PRECIS_PEBS_FORMAT_5 || format == PRECIS_PEBS_FORMAT_6 ||
			       format == PRECIS_PEBS_FORMAT_ARCH ?
		       PRECIS_LBR_INFO_ARCH : PRECIS_LBR_INFO_NONE;
}

static uint32_t member_if(int holds, enum precis_pebs_branch_member member)
{
	return holds ? (uint32_t)member : 0;
}

int precis_pebs_branch_info(uint32_t format, uint32_t core, uint64_t info,
			    struct precis_pebs_branch_info *decoded)
{
	int is_arch, has_cycles;

	ABI_OUT(struct precis_pebs_branch_info, decoded,
		precis_pebs_branch_info(format, core, info, &abi));
	if (!precis_pebs_format_name(format))
		return PRECIS_E_ARGUMENT;
	decoded->layout = layout_of(format, core);
	is_arch = decoded->layout == PRECIS_LBR_INFO_ARCH;
	has_cycles = is_arch ? lbr_info(info, LBR_INFO_CYCLES_VALID) != 0
			     : decoded->layout == PRECIS_LBR_INFO_MODEL;
	decoded->is_mispredicted = lbr_info(info, LBR_INFO_MISPREDICTED);
	decoded->in_transaction = lbr_info(info, LBR_INFO_IN_TRANSACTION);
	decoded->is_abort = lbr_info(info, LBR_INFO_ABORT);
	decoded->cycles = lbr_info(info, LBR_INFO_CYCLES);
	decoded->type = lbr_info(info, LBR_INFO_TYPE);
	decoded->counters = lbr_info(info, LBR_INFO_COUNTERS);
	decoded->reserved = 0;
	decoded->present = (uint32_t)PRECIS_PEBS_BRANCH_MISPREDICTED |
		/* 0 is also what a CPU without transactions, or counters, writes */
		member_if((int)decoded->in_transaction, PRECIS_PEBS_BRANCH_IN_TRANSACTION) |
		member_if((int)decoded->is_abort, PRECIS_PEBS_BRANCH_ABORT) |
		member_if(has_cycles, PRECIS_PEBS_BRANCH_CYCLES) |
		member_if(is_arch, PRECIS_PEBS_BRANCH_TYPE) |
		member_if(is_arch && decoded->counters, PRECIS_PEBS_BRANCH_COUNTERS);
	return 0;
}

static enum precis_reason because(enum precis_reason reason, const char *text, const char **detail)
{
	*detail = text;
	return reason;
}

static enum precis_reason why_absent(uint32_t layout, uint32_t member, const char **detail)
{
	switch (member) {
	case PRECIS_PEBS_BRANCH_IN_TRANSACTION:
		return because(PRECIS_NOT_APPLICABLE,
			       "in no transaction or the CPU has none", detail);
	case PRECIS_PEBS_BRANCH_ABORT:
		return because(PRECIS_NOT_APPLICABLE,
			       "no abort of a transaction or the CPU has none", detail);
	default:
		break;
	}
	if (layout == PRECIS_LBR_INFO_NONE)
		return because(PRECIS_NOT_CAPTURED,
			       "whether the CPU has architectural LBR is not known", detail);
	if (layout == PRECIS_LBR_INFO_MODEL)
		return because(PRECIS_NOT_SUPPORTED, "only architectural LBR has it", detail);
	if (member == PRECIS_PEBS_BRANCH_CYCLES)
		return because(PRECIS_NOT_CAPTURED, "the record says that its count is not valid",
			       detail);
	return because(PRECIS_NOT_APPLICABLE, "no event was counted or the CPU counts none",
		       detail);
}

enum precis_reason precis_pebs_branch_why(const struct precis_pebs_branch_info *decoded,
					  uint32_t member, const char **detail)
{
	const char *unused;

	if (!detail)
		detail = &unused;
	*detail = "";
	ABI_IN_OR(PRECIS_PRESENT, struct precis_pebs_branch_info, decoded,
		  precis_pebs_branch_why(&abi, member, detail));
	if ((decoded->present & member) || !member || (member & (member - 1)) ||
	    member > PRECIS_PEBS_BRANCH_COUNTERS)
		return PRECIS_PRESENT;
	return why_absent(decoded->layout, member, detail);
}

const char *precis_pebs_branch_type_name(uint32_t type)
{
	static const char *const names[] = {
		[PRECIS_PEBS_BRANCH_CONDITIONAL] = "conditional",
		[PRECIS_PEBS_BRANCH_INDIRECT_JUMP] = "indirect_jump",
		[PRECIS_PEBS_BRANCH_DIRECT_JUMP] = "direct_jump",
		[PRECIS_PEBS_BRANCH_INDIRECT_CALL] = "indirect_call",
		[PRECIS_PEBS_BRANCH_DIRECT_CALL] = "direct_call",
		[PRECIS_PEBS_BRANCH_RETURN] = "return",
	};

	if (type >= FIRST_OTHER_TYPE && type <= LAST_TYPE)
		return "other";
	return type < sizeof(names) / sizeof(names[0]) ? names[type] : NULL;
}
