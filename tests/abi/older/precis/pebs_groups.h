#ifndef PRECIS_PEBS_GROUPS_H
#define PRECIS_PEBS_GROUPS_H

#include <precis/export.h>
#include <precis/pebs_record.h>
#include <precis/sample.h>

PRECIS_BEGIN_DECLS

PRECIS_API int precis_pebs_branch_count(const struct precis_pebs_groups *groups);

enum precis_pebs_branch_type {
	PRECIS_PEBS_BRANCH_CONDITIONAL = 0,
	PRECIS_PEBS_BRANCH_INDIRECT_JUMP = 1,
	PRECIS_PEBS_BRANCH_DIRECT_JUMP = 2,
	PRECIS_PEBS_BRANCH_INDIRECT_CALL = 3,
	PRECIS_PEBS_BRANCH_DIRECT_CALL = 4,
	PRECIS_PEBS_BRANCH_RETURN = 5,
	PRECIS_PEBS_BRANCH_OTHER = 8
};

enum precis_pebs_branch_member {
	PRECIS_PEBS_BRANCH_MISPREDICTED = 1u << 0,
	PRECIS_PEBS_BRANCH_IN_TRANSACTION = 1u << 1,
	PRECIS_PEBS_BRANCH_ABORT = 1u << 2,
	PRECIS_PEBS_BRANCH_CYCLES = 1u << 3,
	PRECIS_PEBS_BRANCH_TYPE = 1u << 4,
	PRECIS_PEBS_BRANCH_COUNTERS = 1u << 5
};

struct precis_pebs_branch_info {
	uint32_t size;
	uint32_t layout;
	uint32_t present;
	uint32_t is_mispredicted;
	uint32_t in_transaction;
	uint32_t is_abort;
	uint32_t cycles;
	uint32_t type;
	uint32_t counters;
};

PRECIS_API int precis_pebs_branch_info(uint32_t format, uint32_t core, uint64_t info,
				       struct precis_pebs_branch_info *decoded);

PRECIS_API enum precis_reason
precis_pebs_branch_why(const struct precis_pebs_branch_info *decoded, uint32_t member,
		       const char **detail);

PRECIS_API const char *precis_pebs_branch_type_name(uint32_t type);

struct precis_pebs_register_group {
	uint32_t size;
	uint32_t group;
	uint32_t registers;
	uint32_t bytes;
	uint32_t first;
	uint32_t reserved;
};

PRECIS_API int precis_pebs_register_group(uint32_t n, struct precis_pebs_register_group *group);

#define PRECIS_PEBS_METRIC_COUNT 8

PRECIS_API const char *precis_pebs_metric_name(uint32_t n);

PRECIS_END_DECLS

#endif
