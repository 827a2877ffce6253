/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The catalogue of fields: names, units, sources, rules. Made from fields.def.
 */
#ifndef PRECIS_FIELDS_H
#define PRECIS_FIELDS_H

#include <precis/export.h>

PRECIS_BEGIN_DECLS

/** A field of the vendor-neutral sample. The numbers are ABI; new ones come at the end. */
enum precis_field {
#define PRECIS_FIELD(id, name, aliases, type, unit, meaning) PRECIS_FIELD_##id,
#include <precis/fields.def>
#undef PRECIS_FIELD
	PRECIS_FIELD_COUNT
};

/**
 * Words of a set of fields: bit n of word n/64 is field n. There is room for more fields than
 * there are, so that a set does not grow with the catalogue.
 */
#define PRECIS_FIELD_WORDS 4
#define PRECIS_FIELD_CAPACITY (64 * PRECIS_FIELD_WORDS)
#define PRECIS_FIELD_BIT(field) (UINT64_C(1) << ((unsigned int)(field) % 64u))
#define PRECIS_FIELD_WORD(field) ((unsigned int)(field) / 64u)

/** How a value is to be read. All values are 64 bits wide. */
enum precis_type {
	PRECIS_TYPE_UINT = 0,
	PRECIS_TYPE_INT = 1,         /* two's complement in the 64 bits */
	PRECIS_TYPE_ADDRESS = 2,     /* printed hexadecimal */
	PRECIS_TYPE_HEX = 3,         /* a word of bits, printed hexadecimal */
	PRECIS_TYPE_BOOL = 4,
	PRECIS_TYPE_EVENT = 5,       /* index of the recording's event; printed as its name */
	PRECIS_TYPE_OP = 6,          /* enum precis_op */
	PRECIS_TYPE_MEM_TYPE = 7,    /* enum precis_mem_type */
	PRECIS_TYPE_MEM_LEVEL = 8,   /* enum precis_mem_level */
	PRECIS_TYPE_MEM_REMOTE = 9,  /* enum precis_mem_remote */
	PRECIS_TYPE_MEM_SNOOP = 10,  /* enum precis_mem_snoop */
	PRECIS_TYPE_TLB_LEVEL = 11,  /* enum precis_tlb_level */
	PRECIS_TYPE_PERIOD_UNIT = 12, /* enum precis_period_unit */
	PRECIS_TYPE_CPUMODE = 13     /* enum precis_cpumode */
};

enum precis_unit {
	PRECIS_UNIT_NONE = 0,
	PRECIS_UNIT_CYCLES = 1,      /* core clock cycles */
	PRECIS_UNIT_NANOSECONDS = 2,
	PRECIS_UNIT_BYTES = 3,
	PRECIS_UNIT_EVENTS = 4,      /* what the event counts; for IBS see period_unit */
	PRECIS_UNIT_BUFFERS = 5
};

enum precis_op {
	PRECIS_OP_OTHER = 0,
	PRECIS_OP_LOAD = 1,
	PRECIS_OP_STORE = 2,
	PRECIS_OP_LOAD_STORE = 3, /* reads and writes the same place: load-op-store */
	PRECIS_OP_PREFETCH = 4,   /* software prefetch */
	PRECIS_OP_BRANCH = 5      /* a branch that accesses no memory */
};

enum precis_mem_type {
	PRECIS_MEM_TYPE_CACHEABLE = 0,
	PRECIS_MEM_TYPE_WRITE_COMBINING = 1,
	PRECIS_MEM_TYPE_UNCACHEABLE = 2
};

enum precis_mem_level {
	PRECIS_MEM_LEVEL_L1 = 1,
	PRECIS_MEM_LEVEL_L2 = 2,
	PRECIS_MEM_LEVEL_LFB = 3,         /* a miss already outstanding (AMD: MAB) */
	PRECIS_MEM_LEVEL_L3 = 4,          /* local L3, or an L1/L2 of the same core complex */
	PRECIS_MEM_LEVEL_LOCAL_CACHE = 5, /* local L3 or another cache of the node: not told apart */
	PRECIS_MEM_LEVEL_NEAR_CACHE = 6,  /* a cache of another core complex, same NUMA node */
	PRECIS_MEM_LEVEL_FAR_CACHE = 7,   /* a cache on another NUMA node */
	PRECIS_MEM_LEVEL_DRAM = 8,
	PRECIS_MEM_LEVEL_PMEM = 9,        /* long-latency DIMM */
	PRECIS_MEM_LEVEL_CXL = 10,        /* extension memory */
	PRECIS_MEM_LEVEL_PEER_AGENT = 11, /* coherent memory of another kind of processor */
	PRECIS_MEM_LEVEL_IO = 12,         /* MMIO, configuration space, PCI, APIC */
	PRECIS_MEM_LEVEL_UNCACHED = 13,   /* uncacheable memory */
	PRECIS_MEM_LEVEL_L4 = 14,         /* Intel: a cache behind the L3 */
	PRECIS_MEM_LEVEL_L2_MHB = 15,     /* Intel: an L2 miss already outstanding */
	PRECIS_MEM_LEVEL_MSC = 16,        /* Intel: memory-side cache */
	PRECIS_MEM_LEVEL_L0 = 17          /* Intel: in front of the L1 */
};

enum precis_mem_remote {
	PRECIS_MEM_REMOTE_LOCAL = 0,
	PRECIS_MEM_REMOTE_NODE = 1,   /* another node; with a RmtSocket bit: of the same socket */
	PRECIS_MEM_REMOTE_SOCKET = 2
};

enum precis_mem_snoop {
	PRECIS_MEM_SNOOP_MODIFIED = 0, /* hit in a modified line (HitM) */
	PRECIS_MEM_SNOOP_OWNED = 1,
	PRECIS_MEM_SNOOP_HIT = 2,      /* Intel: hit in a clean line */
	PRECIS_MEM_SNOOP_MISS = 3,     /* Intel: no other cache had it */
	PRECIS_MEM_SNOOP_NONE = 4,     /* Intel: no other cache was asked */
	PRECIS_MEM_SNOOP_FORWARD = 5,  /* Intel: another cache forwarded it */
	PRECIS_MEM_SNOOP_NONE_OR_MISS = 6 /* Intel: no other cache had it or none was asked */
};

enum precis_tlb_level {
	PRECIS_TLB_LEVEL_L1 = 1,
	PRECIS_TLB_LEVEL_L2 = 2,
	PRECIS_TLB_LEVEL_WALK = 3, /* in no TLB */
	PRECIS_TLB_LEVEL_L1_OR_L2 = 4 /* Intel: in one of them */
};

enum precis_period_unit {
	PRECIS_PERIOD_UNIT_CYCLES = 0,
	PRECIS_PERIOD_UNIT_OPS = 1,    /* dispatched micro-ops */
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

/** One row of the catalogue. All strings are static. */
struct precis_field_info {
	uint32_t size; /* sizeof(struct precis_field_info), set by the caller */
	uint32_t field; /* enum precis_field */
	uint32_t type;  /* enum precis_type */
	uint32_t unit;  /* enum precis_unit */
	const char *name;
	const char *aliases; /* separated by spaces; "" for none */
	const char *meaning; /* one line, no full stop */
};

/** Row n of the catalogue. @return 0, or PRECIS_E_ARGUMENT past the last */
PRECIS_API int precis_field_info(uint32_t field, struct precis_field_info *info);

/** A field's name as it stands in CSV, JSON, filters; NULL if there is none of that number. */
PRECIS_API const char *precis_field_name(uint32_t field);

/**
 * Find a field by its name or an alias (aliases without regard to case).
 * @param name    need not end in NUL
 * @param length  its bytes
 * @return enum precis_field, or PRECIS_E_NO_FIELD
 */
PRECIS_API int precis_field_find(const char *name, size_t length);

/** "cycles", "ns", "bytes", …; "" for PRECIS_UNIT_NONE. */
PRECIS_API const char *precis_unit_name(uint32_t unit);

/** "uint", "bool", "mem_level", …; NULL if there is none of that number. */
PRECIS_API const char *precis_type_name(uint32_t type);

/**
 * Name of a value of an enumerated type: precis_type_value_name(PRECIS_TYPE_MEM_LEVEL,
 * PRECIS_MEM_LEVEL_DRAM) is "DRAM". NULL for other types and unknown values.
 */
PRECIS_API const char *precis_type_value_name(uint32_t type, uint64_t value);

/**
 * The value of an enumerated type by its name, without regard to case.
 * @return 0, PRECIS_E_ARGUMENT if the type is not enumerated, PRECIS_E_NO_FIELD if it has no
 *         such name
 */
PRECIS_API int precis_type_value_find(uint32_t type, const char *name, size_t length,
				      uint64_t *value);

/**
 * Where a field comes from, in the vendors' terms: "IbsOpData3[47:32] (ibs_op)".
 * @return bytes that the whole text has; never writes more than 'room', always ends in NUL
 *         if room > 0
 */
PRECIS_API size_t precis_field_source(uint32_t field, char *text, size_t room);

/**
 * When a field is valid, from the gates of its row: "load; L1 data cache miss; …".
 * @return as precis_field_source()
 */
PRECIS_API size_t precis_field_rule(uint32_t field, char *text, size_t room);

/** Longest text that precis_value_format() can make, its NUL included. */
#define PRECIS_VALUE_TEXT 40

/**
 * A value as text: decimal, 0x…, an enumerated name, or 0/1 for a bool. An
 * event prints as its index (who has the recording knows its name); an
 * enumerated value without a name as its number.
 *
 * @param text  room for PRECIS_VALUE_TEXT bytes
 * @return the text's length
 */
PRECIS_API size_t precis_value_format(uint32_t type, uint64_t value, char *text);

/** True if the field is in the set. */
static inline int precis_fields_have(const uint64_t fields[PRECIS_FIELD_WORDS], uint32_t field)
{
	return (fields[PRECIS_FIELD_WORD(field)] & PRECIS_FIELD_BIT(field)) != 0;
}

/** Put a field into the set. */
static inline void precis_fields_add(uint64_t fields[PRECIS_FIELD_WORDS], uint32_t field)
{
	fields[PRECIS_FIELD_WORD(field)] |= PRECIS_FIELD_BIT(field);
}

/** Take a field out of the set. */
static inline void precis_fields_remove(uint64_t fields[PRECIS_FIELD_WORDS], uint32_t field)
{
	fields[PRECIS_FIELD_WORD(field)] &= ~PRECIS_FIELD_BIT(field);
}

PRECIS_END_DECLS

#endif
