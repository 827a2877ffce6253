/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a data source says of a memory access, whoever encoded it: each field is a
 * value or has a reason.
 */
#ifndef PRECIS_ACCESS_H
#define PRECIS_ACCESS_H

#include <precis/export.h>
#include <precis/sample.h>

PRECIS_BEGIN_DECLS

/** What is said of an access. The first ones are fields of the catalogue. */
enum precis_access_field {
	PRECIS_ACCESS_MEM_LEVEL = 0,      /* enum precis_mem_level */
	PRECIS_ACCESS_MEM_REMOTE = 1,     /* enum precis_mem_remote */
	PRECIS_ACCESS_MEM_SNOOP = 2,      /* enum precis_mem_snoop */
	PRECIS_ACCESS_DCACHE_MISS = 3,    /* 0, 1 */
	PRECIS_ACCESS_L2_MISS = 4,        /* 0, 1 */
	PRECIS_ACCESS_TLB_LEVEL = 5,      /* enum precis_tlb_level */
	PRECIS_ACCESS_LOCKED = 6,         /* 0, 1 */
	PRECIS_ACCESS_LINE_FORWARDED = 7,      /* 0, 1: another cache forwarded the line */
	PRECIS_ACCESS_DATA_BLOCKED = 8,   /* 0, 1: an earlier store's data could not be forwarded */
	PRECIS_ACCESS_ADDRESS_BLOCKED = 9, /* 0, 1: in conflict with an earlier store's address */
	PRECIS_ACCESS_FILL_BUFFER_FULL = 10, /* 0, 1 */
	PRECIS_ACCESS_REGION = 11,        /* enum precis_data_region */
	PRECIS_ACCESS_FIELDS = 12
};

/** Room for fields, of which there may be more some day. */
#define PRECIS_ACCESS_CAPACITY 32

/** An access. Each field is a value or has a reason; read it with the functions below. */
struct precis_access {
	uint32_t size;    /* sizeof(struct precis_access), set by the caller */
	uint32_t present; /* bits of enum precis_access_field */
	uint32_t value[PRECIS_ACCESS_CAPACITY]; /* UINT32_MAX where not present */
	uint32_t why[PRECIS_ACCESS_CAPACITY];   /* private, for precis_access_why() */
};

/** Why a field has no value, or PRECIS_PRESENT. */
PRECIS_API enum precis_reason precis_access_why(const struct precis_access *access, uint32_t field);

/** The same in words: "a reserved data source"; "" if present. @return a static string */
PRECIS_API const char *precis_access_why_detail(const struct precis_access *access, uint32_t field);

/** "mem_level", "data_blocked", …; NULL for a number that is no field. */
PRECIS_API const char *precis_access_field_name(uint32_t field);

/** The type of its values, for precis_value_format(): enum precis_type. */
PRECIS_API uint32_t precis_access_field_type(uint32_t field);

/**
 * What the kernel's data source word says of the access, whoever made it.
 * @return 0 or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_data_source_access(uint64_t word, struct precis_access *access);

PRECIS_END_DECLS

#endif
