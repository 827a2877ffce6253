#ifndef PRECIS_SAMPLE_PARTS_H
#define PRECIS_SAMPLE_PARTS_H

#include <precis/export.h>
#include <precis/record.h>

PRECIS_BEGIN_DECLS

struct precis_read {
	uint32_t size;
	uint32_t present;
	uint64_t time_enabled, time_running;
	uint64_t count;
	struct precis_bytes block;
};

struct precis_read_value {
	uint32_t size;
	uint32_t present;
	uint64_t value;
	uint64_t id;
};

PRECIS_API int precis_read_parse(uint64_t read_format, struct precis_bytes block,
				 struct precis_read *read);

PRECIS_API int precis_read_value(const struct precis_read *read, uint64_t n,
				 struct precis_read_value *value);

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
	PRECIS_BRANCH_EXTENDED = 15
};

enum precis_branch_speculation {
	PRECIS_SPECULATION_NOT_AVAILABLE = 0,
	PRECIS_SPECULATION_WRONG_PATH = 1,
	PRECIS_SPECULATION_NONE = 2,
	PRECIS_SPECULATION_CORRECT_PATH = 3
};

enum precis_branch_privilege {
	PRECIS_PRIVILEGE_UNKNOWN = 0,
	PRECIS_PRIVILEGE_USER = 1,
	PRECIS_PRIVILEGE_KERNEL = 2,
	PRECIS_PRIVILEGE_HYPERVISOR = 3
};

#define PRECIS_BRANCH_PREDICTION (1u << 0)
#define PRECIS_BRANCH_CYCLES (1u << 1)
#define PRECIS_BRANCH_TYPE (1u << 2)
#define PRECIS_BRANCH_SPECULATION (1u << 3)
#define PRECIS_BRANCH_PRIVILEGE (1u << 4)
#define PRECIS_BRANCH_COUNTERS (1u << 5)

struct precis_branch {
	uint32_t size;
	uint32_t present;
	uint64_t from, to;
	uint64_t flags;
	uint32_t is_mispredicted;
	uint32_t in_transaction;
	uint32_t is_abort;
	uint32_t cycles;
	uint32_t type;
	uint32_t new_type;
	uint32_t speculation;
	uint32_t privilege;
};

PRECIS_API int precis_branch(const struct precis_perf_sample *sample, uint64_t n,
			     struct precis_branch *branch);

PRECIS_API const char *precis_branch_type_name(uint32_t type, uint32_t new_type);

PRECIS_API const char *precis_branch_speculation_name(uint32_t speculation);

PRECIS_API const char *precis_branch_privilege_name(uint32_t privilege);

enum precis_callchain_kind {
	PRECIS_CALLCHAIN_ADDRESS = 0,
	PRECIS_CALLCHAIN_CONTEXT = 1,
	PRECIS_CALLCHAIN_COOKIE = 2
};

struct precis_callchain_entry {
	uint32_t size;
	uint32_t kind;
	uint64_t value;
};

PRECIS_API int precis_callchain_entry(struct precis_bytes callchain, uint64_t n,
				      struct precis_callchain_entry *entry);

PRECIS_API int precis_register(uint64_t mask, struct precis_bytes registers, uint32_t n,
			       uint32_t *bit, uint64_t *value);

PRECIS_API const char *precis_register_name(const char *arch, uint32_t bit);

PRECIS_END_DECLS

#endif
