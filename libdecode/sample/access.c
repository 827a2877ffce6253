/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of an access, and the reasons for what is not. */
#include "access.h"
#include "abi.h"

const struct access_why_row precis_access_whys[WHY_COUNT] = {
#define PRECIS_ACCESS_WHY(id, reason, detail) { PRECIS_##reason, detail },
#include "access_whys.def"
#undef PRECIS_ACCESS_WHY
};

static const struct {
	const char *name;
	uint8_t type;
	uint8_t field; /* of the catalogue, that the kernel's word tells; or PRECIS_FIELD_COUNT */
} fields[PRECIS_ACCESS_FIELDS] = {
	[PRECIS_ACCESS_MEM_LEVEL] = { "mem_level", PRECIS_TYPE_MEM_LEVEL, PRECIS_FIELD_MEM_LEVEL },
	[PRECIS_ACCESS_MEM_REMOTE] = { "mem_remote", PRECIS_TYPE_MEM_REMOTE,
					      PRECIS_FIELD_MEM_REMOTE },
	[PRECIS_ACCESS_MEM_SNOOP] = { "mem_snoop", PRECIS_TYPE_MEM_SNOOP, PRECIS_FIELD_MEM_SNOOP },
	[PRECIS_ACCESS_DCACHE_MISS] = { "dcache_miss", PRECIS_TYPE_BOOL, PRECIS_FIELD_DCACHE_MISS },
	[PRECIS_ACCESS_L2_MISS] = { "l2_miss", PRECIS_TYPE_BOOL, PRECIS_FIELD_L2_MISS },
	[PRECIS_ACCESS_TLB_LEVEL] = { "tlb_level", PRECIS_TYPE_TLB_LEVEL, PRECIS_FIELD_TLB_LEVEL },
	[PRECIS_ACCESS_LOCKED] = { "locked", PRECIS_TYPE_BOOL, PRECIS_FIELD_LOCKED },
	[PRECIS_ACCESS_LINE_FORWARDED] = { "forwarded", PRECIS_TYPE_BOOL,
					      PRECIS_FIELD_LINE_FORWARDED },
	[PRECIS_ACCESS_DATA_BLOCKED] = { "data_blocked", PRECIS_TYPE_BOOL,
					      PRECIS_FIELD_DATA_BLOCKED },
	[PRECIS_ACCESS_ADDRESS_BLOCKED] = { "address_blocked", PRECIS_TYPE_BOOL,
					      PRECIS_FIELD_ADDRESS_BLOCKED },
	[PRECIS_ACCESS_FILL_BUFFER_FULL] = { "fill_buffer_full", PRECIS_TYPE_BOOL,
					      PRECIS_FIELD_COUNT },
	[PRECIS_ACCESS_REGION] = { "region", PRECIS_TYPE_UINT, PRECIS_FIELD_COUNT },
};

int precis_word_part_of(uint32_t field)
{
	for (int part = 0; part < PRECIS_ACCESS_FIELDS; part++) {
		if (fields[part].field == field)
			return part;
	}
	return -1;
}

#define ABSENT(id) ((struct access_value){ 0, WHY_##id })

void precis_access_set_misses(struct precis_access *access, struct access_value level)
{
	const struct access_value yes = { 1, WHY_PRESENT }, no = { 0, WHY_PRESENT };
	struct access_value dcache = yes, l2 = yes;

	if (level.why != WHY_PRESENT && level.why != WHY_MISSED_L3) {
		dcache = l2 = level;
	} else if (level.why == WHY_PRESENT) {
		switch (level.value) {
		case PRECIS_MEM_LEVEL_L0:
		case PRECIS_MEM_LEVEL_L1:
			dcache = no;
			l2 = ABSENT(OWN_CACHE);
			break;
		case PRECIS_MEM_LEVEL_LFB:
			l2 = ABSENT(NOT_TOLD);
			break;
		case PRECIS_MEM_LEVEL_L2:
			l2 = no;
			break;
		case PRECIS_MEM_LEVEL_IO:
		case PRECIS_MEM_LEVEL_UNCACHED:
			dcache = l2 = ABSENT(NO_CACHE);
			break;
		default:
			break;
		}
	}
	access_set_value(access, PRECIS_ACCESS_DCACHE_MISS, dcache);
	access_set_value(access, PRECIS_ACCESS_L2_MISS, l2);
}

static uint32_t why_of(const struct precis_access *access, uint32_t field)
{
	if (field >= PRECIS_ACCESS_FIELDS || access->why[field] >= WHY_COUNT)
		return WHY_EVENT;
	return access->why[field];
}

enum precis_reason precis_access_why(const struct precis_access *access, uint32_t field)
{
	ABI_IN_OR((enum precis_reason)precis_access_whys[WHY_EVENT].reason, struct precis_access,
		  access, precis_access_why(&abi, field));
	return (enum precis_reason)precis_access_whys[why_of(access, field)].reason;
}

const char *precis_access_why_detail(const struct precis_access *access, uint32_t field)
{
	ABI_IN_OR(precis_access_whys[WHY_EVENT].detail, struct precis_access, access,
		  precis_access_why_detail(&abi, field));
	return precis_access_whys[why_of(access, field)].detail;
}

const char *precis_access_field_name(uint32_t field)
{
	return field < PRECIS_ACCESS_FIELDS ? fields[field].name : NULL;
}

uint32_t precis_access_field_type(uint32_t field)
{
	return field < PRECIS_ACCESS_FIELDS ? fields[field].type : PRECIS_TYPE_UINT;
}
