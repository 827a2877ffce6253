/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the large groups of a PEBS record mean, beyond their words: branches,
 * vector registers by name, PERF_METRICS. The words are read by <precis/pebs_record.h>.
 *
 * Nothing here allocates, prints, locks or keeps state outside the caller's
 * structs: all of it may be called from a signal handler.
 *
 * Source: Intel SDM vol. 3, "Last Branch Records" (INFO words, branch types) and
 * "PERF_METRICS MSR"; Linux 7.3 arch/x86/events/intel/lbr.c and asm/perf_event.h.
 */
#ifndef PRECIS_PEBS_GROUPS_H
#define PRECIS_PEBS_GROUPS_H

#include <precis/export.h>
#include <precis/pebs_record.h>
#include <precis/sample.h>

PRECIS_BEGIN_DECLS

/** Branches of the LBR group that were recorded: those before the first whose 'from' is 0.
 * @return how many, of groups->lbr_count; PRECIS_E_ARGUMENT */
PRECIS_API int precis_pebs_branch_count(const struct precis_pebs_groups *groups);

/** Kinds of branch, as architectural LBR tells them. */
enum precis_pebs_branch_type {
	PRECIS_PEBS_BRANCH_CONDITIONAL = 0,
	PRECIS_PEBS_BRANCH_INDIRECT_JUMP = 1,
	PRECIS_PEBS_BRANCH_DIRECT_JUMP = 2,
	PRECIS_PEBS_BRANCH_INDIRECT_CALL = 3,
	PRECIS_PEBS_BRANCH_DIRECT_CALL = 4,
	PRECIS_PEBS_BRANCH_RETURN = 5,
	PRECIS_PEBS_BRANCH_OTHER = 8 /* far branches, interrupts, exceptions, …: 8 to 15 */
};

/** What a branch's INFO word can tell: bits of 'present'. */
enum precis_pebs_branch_member {
	PRECIS_PEBS_BRANCH_MISPREDICTED = 1u << 0,
	PRECIS_PEBS_BRANCH_IN_TRANSACTION = 1u << 1,
	PRECIS_PEBS_BRANCH_ABORT = 1u << 2,
	PRECIS_PEBS_BRANCH_CYCLES = 1u << 3,
	PRECIS_PEBS_BRANCH_TYPE = 1u << 4,
	PRECIS_PEBS_BRANCH_COUNTERS = 1u << 5
};

/** An INFO word. A member whose bit in 'present' is 0 is meaningless. */
struct precis_pebs_branch_info {
	uint32_t size;    /* sizeof(struct precis_pebs_branch_info), set by the caller */
	uint32_t layout;  /* enum precis_lbr_info: by which it was read; NONE: not known */
	uint32_t present; /* bits of enum precis_pebs_branch_member */
	uint32_t is_mispredicted; /* 1 or, predicted, 0 */
	uint32_t in_transaction;  /* 1, if it is present */
	uint32_t is_abort;        /* 1, if it is present: of a transaction */
	uint32_t cycles; /* core clock cycles since the branch before it in time; 65535: or more */
	uint32_t type;   /* enum precis_pebs_branch_type; 6 and 7 are reserved */
	uint32_t counters; /* of up to four events two bits each, the first lowest: occurrences
			    * since the branch before it in time; 3: or more */
	uint32_t reserved;
};

/**
 * Read an INFO word.
 *
 * Its layout is the core's; where the core is not known that of the format, which format 4 does
 * not settle: its records are of CPUs with and without architectural LBR.
 *
 * @param format  enum precis_pebs_format of the record
 * @param core    enum precis_intel_core, PRECIS_INTEL_UNKNOWN if it is not known
 * @param info    of a struct precis_pebs_branch, or ler_info
 * @param decoded 'size' must be set
 * @return 0 or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_pebs_branch_info(uint32_t format, uint32_t core, uint64_t info,
				       struct precis_pebs_branch_info *decoded);

/**
 * Why a member is absent.
 *
 * @param member  one of enum precis_pebs_branch_member
 * @param detail  set to a static text, "" if the member is present; may be NULL
 * @return PRECIS_PRESENT if it is not absent, and for a member that is none
 */
PRECIS_API enum precis_reason
precis_pebs_branch_why(const struct precis_pebs_branch_info *decoded, uint32_t member,
		       const char **detail);

/** "conditional", "return", …; 8 to 15: "other"; NULL for a reserved number */
PRECIS_API const char *precis_pebs_branch_type_name(uint32_t type);

/** A group of vector or mask registers. */
struct precis_pebs_register_group {
	uint32_t size;      /* sizeof(struct precis_pebs_register_group), set by the caller */
	uint32_t group;     /* PRECIS_PEBS_GROUP_* */
	uint32_t registers; /* how many */
	uint32_t bytes;     /* of each */
	uint32_t first;     /* the number that the first one has in its name: zmm16 */
	uint32_t reserved;
	const char *name;   /* of its registers, before the number: "xmm", "ymmh", "k", "zmmh" */
};

/** Group n, in the order of a record. @return 0; PRECIS_E_ARGUMENT past the last */
PRECIS_API int precis_pebs_register_group(uint32_t n, struct precis_pebs_register_group *group);

/** Parts of PERF_METRICS: part n is bits 8n+7:8n, in 255ths of the slots. */
#define PRECIS_PEBS_METRIC_COUNT 8

/** "retiring", "bad_speculation", …; NULL for a number that is none */
PRECIS_API const char *precis_pebs_metric_name(uint32_t n);

PRECIS_END_DECLS

#endif
