#ifndef PRECIS_FIELDS_H
#define PRECIS_FIELDS_H

#include <precis/export.h>

PRECIS_BEGIN_DECLS

enum precis_field {
#define PRECIS_FIELD(id, name, aliases, type, unit, meaning) PRECIS_FIELD_##id,
#include <precis/fields.def>
#undef PRECIS_FIELD
	PRECIS_FIELD_COUNT
};

#define PRECIS_FIELD_WORDS 4
#define PRECIS_FIELD_CAPACITY (64 * PRECIS_FIELD_WORDS)
#define PRECIS_FIELD_BIT(field) (UINT64_C(1) << ((unsigned int)(field) % 64u))
#define PRECIS_FIELD_WORD(field) ((unsigned int)(field) / 64u)

enum precis_type {
	PRECIS_TYPE_UINT = 0,
	PRECIS_TYPE_INT = 1,
	PRECIS_TYPE_ADDRESS = 2,
	PRECIS_TYPE_HEX = 3,
	PRECIS_TYPE_BOOL = 4,
	PRECIS_TYPE_EVENT = 5,
	PRECIS_TYPE_OP = 6,
	PRECIS_TYPE_MEM_TYPE = 7,
	PRECIS_TYPE_MEM_LEVEL = 8,
	PRECIS_TYPE_MEM_REMOTE = 9,
	PRECIS_TYPE_MEM_SNOOP = 10,
	PRECIS_TYPE_TLB_LEVEL = 11,
	PRECIS_TYPE_PERIOD_UNIT = 12,
	PRECIS_TYPE_CPUMODE = 13
};

enum precis_unit {
	PRECIS_UNIT_NONE = 0,
	PRECIS_UNIT_CYCLES = 1,
	PRECIS_UNIT_NANOSECONDS = 2,
	PRECIS_UNIT_BYTES = 3,
	PRECIS_UNIT_EVENTS = 4,
	PRECIS_UNIT_BUFFERS = 5
};

enum precis_op {
	PRECIS_OP_OTHER = 0,
	PRECIS_OP_LOAD = 1,
	PRECIS_OP_STORE = 2,
	PRECIS_OP_LOAD_STORE = 3,
	PRECIS_OP_PREFETCH = 4,
	PRECIS_OP_BRANCH = 5
};

enum precis_mem_type {
	PRECIS_MEM_TYPE_CACHEABLE = 0,
	PRECIS_MEM_TYPE_WRITE_COMBINING = 1,
	PRECIS_MEM_TYPE_UNCACHEABLE = 2
};

enum precis_mem_level {
	PRECIS_MEM_LEVEL_L1 = 1,
	PRECIS_MEM_LEVEL_L2 = 2,
	PRECIS_MEM_LEVEL_LFB = 3,
	PRECIS_MEM_LEVEL_L3 = 4,
	PRECIS_MEM_LEVEL_LOCAL_CACHE = 5,
	PRECIS_MEM_LEVEL_NEAR_CACHE = 6,
	PRECIS_MEM_LEVEL_FAR_CACHE = 7,
	PRECIS_MEM_LEVEL_DRAM = 8,
	PRECIS_MEM_LEVEL_PMEM = 9,
	PRECIS_MEM_LEVEL_CXL = 10,
	PRECIS_MEM_LEVEL_PEER_AGENT = 11,
	PRECIS_MEM_LEVEL_IO = 12,
	PRECIS_MEM_LEVEL_UNCACHED = 13,
	PRECIS_MEM_LEVEL_L4 = 14,
	PRECIS_MEM_LEVEL_L2_MHB = 15,
	PRECIS_MEM_LEVEL_MSC = 16,
	PRECIS_MEM_LEVEL_L0 = 17
};

enum precis_mem_remote {
	PRECIS_MEM_REMOTE_LOCAL = 0,
	PRECIS_MEM_REMOTE_NODE = 1,
	PRECIS_MEM_REMOTE_SOCKET = 2
};

enum precis_mem_snoop {
	PRECIS_MEM_SNOOP_MODIFIED = 0,
	PRECIS_MEM_SNOOP_OWNED = 1,
	PRECIS_MEM_SNOOP_HIT = 2,
	PRECIS_MEM_SNOOP_MISS = 3,
	PRECIS_MEM_SNOOP_NONE = 4,
	PRECIS_MEM_SNOOP_FORWARD = 5,
	PRECIS_MEM_SNOOP_NONE_OR_MISS = 6
};

enum precis_tlb_level {
	PRECIS_TLB_LEVEL_L1 = 1,
	PRECIS_TLB_LEVEL_L2 = 2,
	PRECIS_TLB_LEVEL_WALK = 3,
	PRECIS_TLB_LEVEL_L1_OR_L2 = 4
};

enum precis_period_unit {
	PRECIS_PERIOD_UNIT_CYCLES = 0,
	PRECIS_PERIOD_UNIT_OPS = 1,
	PRECIS_PERIOD_UNIT_FETCHES = 2
};

enum precis_cpumode {
	PRECIS_CPUMODE_UNKNOWN = 0,
	PRECIS_CPUMODE_KERNEL = 1,
	PRECIS_CPUMODE_USER = 2,
	PRECIS_CPUMODE_HYPERVISOR = 3,
	PRECIS_CPUMODE_GUEST_KERNEL = 4,
	PRECIS_CPUMODE_GUEST_USER = 5
};

struct precis_field_info {
	uint32_t size;
	uint32_t field;
	uint32_t type;
	uint32_t unit;
	const char *name;
	const char *aliases;
};

PRECIS_API int precis_field_info(uint32_t field, struct precis_field_info *info);

PRECIS_API const char *precis_field_name(uint32_t field);

PRECIS_API int precis_field_find(const char *name, size_t length);

PRECIS_API const char *precis_unit_name(uint32_t unit);

PRECIS_API const char *precis_type_name(uint32_t type);

PRECIS_API const char *precis_type_value_name(uint32_t type, uint64_t value);

PRECIS_API int precis_type_value_find(uint32_t type, const char *name, size_t length,
				      uint64_t *value);

PRECIS_API size_t precis_field_source(uint32_t field, char *text, size_t room);

PRECIS_API size_t precis_field_rule(uint32_t field, char *text, size_t room);

#define PRECIS_VALUE_TEXT 40

PRECIS_API size_t precis_value_format(uint32_t type, uint64_t value, char *text);

static inline int precis_fields_have(const uint64_t fields[PRECIS_FIELD_WORDS], uint32_t field)
{
	return (fields[PRECIS_FIELD_WORD(field)] & PRECIS_FIELD_BIT(field)) != 0;
}

static inline void precis_fields_add(uint64_t fields[PRECIS_FIELD_WORDS], uint32_t field)
{
	fields[PRECIS_FIELD_WORD(field)] |= PRECIS_FIELD_BIT(field);
}

static inline void precis_fields_remove(uint64_t fields[PRECIS_FIELD_WORDS], uint32_t field)
{
	fields[PRECIS_FIELD_WORD(field)] &= ~PRECIS_FIELD_BIT(field);
}

PRECIS_END_DECLS

#endif
