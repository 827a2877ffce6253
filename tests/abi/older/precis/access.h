#ifndef PRECIS_ACCESS_H
#define PRECIS_ACCESS_H

#include <precis/export.h>
#include <precis/sample.h>

PRECIS_BEGIN_DECLS

enum precis_access_field {
	PRECIS_ACCESS_MEM_LEVEL = 0,
	PRECIS_ACCESS_MEM_REMOTE = 1,
	PRECIS_ACCESS_MEM_SNOOP = 2,
	PRECIS_ACCESS_DCACHE_MISS = 3,
	PRECIS_ACCESS_L2_MISS = 4,
	PRECIS_ACCESS_TLB_LEVEL = 5,
	PRECIS_ACCESS_LOCKED = 6,
	PRECIS_ACCESS_LINE_FORWARDED = 7,
	PRECIS_ACCESS_DATA_BLOCKED = 8,
	PRECIS_ACCESS_ADDRESS_BLOCKED = 9,
	PRECIS_ACCESS_FILL_BUFFER_FULL = 10,
	PRECIS_ACCESS_REGION = 11,
	PRECIS_ACCESS_FIELDS = 12
};

#define PRECIS_ACCESS_CAPACITY 32

struct precis_access {
	uint32_t size;
	uint32_t present;
	uint32_t value[PRECIS_ACCESS_CAPACITY];
	uint32_t why[PRECIS_ACCESS_CAPACITY];
};

PRECIS_API enum precis_reason precis_access_why(const struct precis_access *access, uint32_t field);

PRECIS_API const char *precis_access_why_detail(const struct precis_access *access, uint32_t field);

PRECIS_API const char *precis_access_field_name(uint32_t field);

PRECIS_API uint32_t precis_access_field_type(uint32_t field);

PRECIS_API int precis_data_source_access(uint64_t word, struct precis_access *access);

PRECIS_END_DECLS

#endif
