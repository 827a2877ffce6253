/* SPDX-License-Identifier: BSD-3-Clause */
/* Filling in a struct precis_access, and keeping in a sample why its fields are absent. */
#ifndef PRECIS_SAMPLE_ACCESS_H
#define PRECIS_SAMPLE_ACCESS_H

#include <stdint.h>

#include <precis/access.h>

enum access_why {
#define PRECIS_ACCESS_WHY(id, reason, detail) WHY_##id,
#include "access_whys.def"
#undef PRECIS_ACCESS_WHY
	WHY_COUNT
};

/* A value, or why there is none. */
struct access_value {
	uint8_t value;
	uint8_t why; /* enum access_why, or a vendor's own */
};

struct access_why_row {
	uint8_t reason; /* enum precis_reason */
	const char *detail;
};

extern const struct access_why_row precis_access_whys[WHY_COUNT];

/* In a sample each field's why has a few bits. From WHY_COUNT on they are a vendor's own. */
#define ACCESS_WHY_BITS 5u
#define ACCESS_WHY_MASK 31u
_Static_assert(WHY_COUNT <= ACCESS_WHY_MASK + 1 && PRECIS_ACCESS_FIELDS * ACCESS_WHY_BITS <= 64,
	       "the whys of all fields fit into one word");

static inline uint32_t access_why_of(const struct precis_sample *sample, uint32_t field)
{
	return (uint32_t)(sample->access_whys >> (ACCESS_WHY_BITS * field)) & ACCESS_WHY_MASK;
}

/* 'present' begins as 0, and a field is not taken back. */
static inline void access_set_why(struct precis_access *access, uint32_t field, uint32_t why)
{
	access->value[field] = UINT32_MAX;
	access->why[field] = why;
}

static inline void access_set(struct precis_access *access, uint32_t field, uint32_t value)
{
	access->value[field] = value;
	access->why[field] = WHY_PRESENT;
	access->present |= 1u << field;
}

static inline void access_set_value(struct precis_access *access, uint32_t field,
				    struct access_value value)
{
	if (value.why == WHY_PRESENT)
		access_set(access, field, value.value);
	else
		access_set_why(access, field, value.why);
}

static inline void access_set_all(struct precis_access *access, uint32_t why)
{
	for (uint32_t field = 0; field < PRECIS_ACCESS_FIELDS; field++)
		access_set_why(access, field, why);
}

/* The part of an access that is this field and that the kernel's word tells; negative: none. */
int precis_word_part_of(uint32_t field);

/* What the level tells of misses; what missed the L3 missed the others as well. */
void precis_access_set_misses(struct precis_access *access, struct access_value level);

#endif
