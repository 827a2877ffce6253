/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the compound parts of a sample hold: counts read along with it, branch
 * stack, callchain, registers. They take the views that precis_perf_sample has;
 * the first two and the callchain's also stand in records of their own.
 *
 * Source: include/uapi/linux/perf_event.h of Linux 7.3 (struct
 * perf_event_read_format, struct perf_branch_entry, enum perf_callchain_context)
 * and arch/{x86,arm64}/include/uapi/asm/perf_regs.h.
 */
#ifndef PRECIS_SAMPLE_PARTS_H
#define PRECIS_SAMPLE_PARTS_H

#include <precis/export.h>
#include <precis/record.h>

PRECIS_BEGIN_DECLS

/** A block in read_format: the count of one event, or of a group. */
struct precis_read {
	uint32_t size; /* sizeof(struct precis_read), set by the caller */
	uint32_t present; /* PRECIS_FORMAT_*: what the block has */
	uint64_t time_enabled, time_running; /* ns, each if its bit is in 'present' */
	uint64_t count; /* values: 1, or the members of the group */
	struct precis_bytes block; /* for precis_read_value() */
};

/** One value of it. */
struct precis_read_value {
	uint32_t size; /* sizeof(struct precis_read_value), set by the caller */
	uint32_t present; /* PRECIS_FORMAT_ID, PRECIS_FORMAT_LOST */
	uint64_t value;
	uint64_t id; /* of the event, if present */
	uint64_t lost; /* its samples that were lost so far, if present (Linux 6.0) */
};

/**
 * Take a block in read_format apart.
 *
 * @param read_format  of the event (struct precis_layout has it)
 * @param block        a sample's 'read', or what follows in a READ record
 * @return 0; PRECIS_E_ARGUMENT; PRECIS_E_TRUNCATED if it holds fewer values than
 *         it should; PRECIS_E_UNKNOWN_BITS if read_format has bits that are not known
 */
PRECIS_API int precis_read_parse(uint64_t read_format, struct precis_bytes block,
				 struct precis_read *read);

/** Value n of the block. @return 0; PRECIS_E_ARGUMENT if there is none */
PRECIS_API int precis_read_value(const struct precis_read *read, uint64_t n,
				 struct precis_read_value *value);

/** What kind of branch (PERF_BR_*). */
enum precis_branch_type {
	PRECIS_BRANCH_UNKNOWN = 0,
	PRECIS_BRANCH_CONDITIONAL = 1,
	PRECIS_BRANCH_UNCONDITIONAL = 2,
	PRECIS_BRANCH_INDIRECT = 3,
	PRECIS_BRANCH_CALL = 4,
	PRECIS_BRANCH_INDIRECT_CALL = 5,
	PRECIS_BRANCH_RETURN = 6,
	PRECIS_BRANCH_SYSCALL = 7,
	PRECIS_BRANCH_SYSRET = 8,
	PRECIS_BRANCH_CONDITIONAL_CALL = 9,
	PRECIS_BRANCH_CONDITIONAL_RETURN = 10,
	PRECIS_BRANCH_EXCEPTION_RETURN = 11,
	PRECIS_BRANCH_INTERRUPT = 12,
	PRECIS_BRANCH_SYSTEM_ERROR = 13,
	PRECIS_BRANCH_NO_TRANSACTION = 14,
	PRECIS_BRANCH_EXTENDED = 15 /* 'new_type' says (PERF_BR_NEW_*) */
};

/** Whether the branch was speculative (PERF_BR_SPEC_*). */
enum precis_branch_speculation {
	PRECIS_SPECULATION_NOT_AVAILABLE = 0,
	PRECIS_SPECULATION_WRONG_PATH = 1,
	PRECIS_SPECULATION_NONE = 2, /* not speculative, on the correct path */
	PRECIS_SPECULATION_CORRECT_PATH = 3
};

/** Where it went to (PERF_BR_PRIV_*). */
enum precis_branch_privilege {
	PRECIS_PRIVILEGE_UNKNOWN = 0,
	PRECIS_PRIVILEGE_USER = 1,
	PRECIS_PRIVILEGE_KERNEL = 2,
	PRECIS_PRIVILEGE_HYPERVISOR = 3
};

/* Members of a precis_branch that the CPU or the event may not give */
#define PRECIS_BRANCH_PREDICTION (1u << 0) /* is_mispredicted */
#define PRECIS_BRANCH_CYCLES (1u << 1) /* cycles */
#define PRECIS_BRANCH_TYPE (1u << 2) /* type, and new_type if that is EXTENDED */
#define PRECIS_BRANCH_SPECULATION (1u << 3) /* speculation */
#define PRECIS_BRANCH_PRIVILEGE (1u << 4) /* privilege */
#define PRECIS_BRANCH_COUNTERS (1u << 5) /* counters */

/** One entry of a branch stack. */
struct precis_branch {
	uint32_t size; /* sizeof(struct precis_branch), set by the caller */
	uint32_t present; /* PRECIS_BRANCH_PREDICTION, … */
	uint64_t from, to;
	uint64_t flags; /* as they stand in the record */
	uint32_t is_mispredicted; /* 1 or, predicted, 0 */
	uint32_t in_transaction;
	uint32_t is_abort; /* of a transaction */
	uint32_t cycles; /* since the entry before it in time */
	uint32_t type; /* enum precis_branch_type */
	uint32_t new_type; /* PERF_BR_NEW_*, which depend on the architecture */
	uint32_t speculation; /* enum precis_branch_speculation */
	uint32_t privilege; /* enum precis_branch_privilege */
	uint64_t counters; /* of the events of the group, a few bits each: occurrences since
				   * the entry before it in time */
};

/**
 * Entry n of a sample's branch stack; 0 is the newest.
 *
 * The kernel writes 0 for what the CPU does not tell: such a member is not in
 * 'present'. A count of 0 cycles is therefore not told from an unknown one.
 *
 * @return 0; PRECIS_E_ARGUMENT if the sample has no such entry
 */
PRECIS_API int precis_branch(const struct precis_perf_sample *sample, uint64_t n,
			     struct precis_branch *branch);

/** "COND", "RET", …: the ABI's words, of new_type if 'type' is EXTENDED. NULL: not known. */
PRECIS_API const char *precis_branch_type_name(uint32_t type, uint32_t new_type);

/** "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH", "SPEC_CORRECT_PATH"; NULL: not known. */
PRECIS_API const char *precis_branch_speculation_name(uint32_t speculation);

/** "user", "kernel", "hypervisor"; NULL: not known. */
PRECIS_API const char *precis_branch_privilege_name(uint32_t privilege);

/** What an entry of a callchain is. */
enum precis_callchain_kind {
	PRECIS_CALLCHAIN_ADDRESS = 0,
	PRECIS_CALLCHAIN_CONTEXT = 1, /* whose the addresses behind it are */
	PRECIS_CALLCHAIN_COOKIE = 2 /* behind "user deferred": that of a CALLCHAIN_DEFERRED */
};

/** One entry of a callchain. */
struct precis_callchain_entry {
	uint32_t size; /* sizeof(struct precis_callchain_entry), set by the caller */
	uint32_t kind; /* enum precis_callchain_kind */
	uint64_t value; /* as it stands in the record */
	const char *context; /* of a CONTEXT: "hypervisor", "kernel", "user", "user deferred",
			      * "guest", "guest kernel", "guest user"; NULL if not known */
};

/**
 * Entry n of a callchain; 0 is the innermost. The last words of the address
 * space (from -4095 on) are no addresses but say whose the following ones are.
 *
 * @param callchain  a sample's, or a CALLCHAIN_DEFERRED's
 * @return 0; PRECIS_E_ARGUMENT if there is none
 */
PRECIS_API int precis_callchain_entry(struct precis_bytes callchain, uint64_t n,
				      struct precis_callchain_entry *entry);

/**
 * Register n of a dump: which it is, and its value.
 *
 * @param mask       attr's sample_regs_user or sample_regs_intr (struct precis_layout)
 * @param registers  the sample's regs_user or regs_intr
 * @param bit        set to its bit in the mask
 * @return 0; PRECIS_E_ARGUMENT if there is none
 */
PRECIS_API int precis_register(uint64_t mask, struct precis_bytes registers, uint32_t n,
			       uint32_t *bit, uint64_t *value);

/**
 * The name of a register.
 *
 * @param arch  of the recording, as uname -m writes it: "x86_64", "i686", "aarch64"
 * @param bit   in sample_regs_user or sample_regs_intr
 * @return "AX", "R8", "XMM0_LOW", "X0", …; NULL if the architecture or the bit is not known
 */
PRECIS_API const char *precis_register_name(const char *arch, uint32_t bit);

PRECIS_END_DECLS

#endif
