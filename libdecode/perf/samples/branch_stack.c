/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries of a branch stack: struct perf_branch_entry, and the words for what is in it. */
#include <precis/error.h>
#include <precis/sample_parts.h>

#include "libdecode/perf/records/bytes.h"
#include "libdecode/sample/abi.h"
#include "libdecode/sample/branch_entry.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* PERF_BR_* */
static const char *const types[] = {
	NULL,     "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",   "SYSCALL",
	"SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX",
};

/* PERF_BR_NEW_* */
static const char *const new_types[] = {
	"FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1", "ARCH_2", "ARCH_3", "ARCH_4", "ARCH_5",
};

/* PERF_BR_SPEC_*, PERF_BR_NON_SPEC_* */
static const char *const speculations[] = {
	NULL,
	"SPEC_WRONG_PATH",
	"NON_SPEC_CORRECT_PATH",
	"SPEC_CORRECT_PATH",
};

/* PERF_BR_PRIV_* */
static const char *const privileges[] = { NULL, "user", "kernel", "hypervisor" };

static uint32_t if_set(uint32_t value, uint32_t member)
{
	return value ? member : 0;
}

int precis_branch(const struct precis_perf_sample *sample, uint64_t n, struct precis_branch *branch)
{
	struct branch_entry entry;

	ABI_IN(struct precis_perf_sample, sample, precis_branch(&abi, n, branch));
	ABI_OUT(struct precis_branch, branch, precis_branch(sample, n, &abi));
	if (!branch_entry_at(sample, n, &entry))
		return PRECIS_E_ARGUMENT;
	branch->from = entry.from;
	branch->to = entry.to;
	branch->flags = entry.flags;
	branch->is_mispredicted = branch_flag(entry.flags, BRANCH_MISPREDICTED);
	branch->in_transaction = branch_flag(entry.flags, BRANCH_IN_TRANSACTION);
	branch->is_abort = branch_flag(entry.flags, BRANCH_ABORT);
	branch->cycles = branch_flag(entry.flags, BRANCH_CYCLES);
	branch->type = branch_flag(entry.flags, BRANCH_TYPE);
	branch->new_type = branch_flag(entry.flags, BRANCH_NEW_TYPE);
	branch->speculation = branch_flag(entry.flags, BRANCH_SPECULATION);
	branch->privilege = branch_flag(entry.flags, BRANCH_PRIVILEGE);
	branch->present = if_set(branch->is_mispredicted || branch_flag(entry.flags, BRANCH_PREDICTED),
				 PRECIS_BRANCH_PREDICTION) |
			  if_set(branch->cycles, PRECIS_BRANCH_CYCLES) |
			  if_set(branch->type, PRECIS_BRANCH_TYPE) |
			  if_set(branch->speculation, PRECIS_BRANCH_SPECULATION) |
			  if_set(branch->privilege, PRECIS_BRANCH_PRIVILEGE);
	if (!precis_bytes_u64(sample->branch_counters, n, &branch->counters))
		branch->present |= PRECIS_BRANCH_COUNTERS;
	return 0;
}

const char *precis_branch_type_name(uint32_t type, uint32_t new_type)
{
	if (type == PRECIS_BRANCH_EXTENDED)
		return new_type < COUNT(new_types) ? new_types[new_type] : NULL;
	return type < COUNT(types) ? types[type] : NULL;
}

const char *precis_branch_speculation_name(uint32_t speculation)
{
	return speculation < COUNT(speculations) ? speculations[speculation] : NULL;
}

const char *precis_branch_privilege_name(uint32_t privilege)
{
	return privilege < COUNT(privileges) ? privileges[privilege] : NULL;
}
