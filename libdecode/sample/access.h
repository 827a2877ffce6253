/* SPDX-License-Identifier: BSD-3-Clause */
/* Filling in a struct precis_access, and keeping in a sample why its parts are absent. */
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
	uint8_t why; /* enum access_why */
};

struct access_why_row {
	uint8_t reason; /* enum precis_reason */
	const char *detail;
};

extern const struct access_why_row precis_access_whys[WHY_COUNT];

/* In a sample each part's why has a few bits. */
#define ACCESS_WHY_BITS 5u
#define ACCESS_WHY_MASK 31u
_Static_assert(WHY_COUNT <= ACCESS_WHY_MASK + 1 && PRECIS_ACCESS_PARTS * ACCESS_WHY_BITS <= 64,
	       "the whys of all parts fit into one word");

/* 'present' begins as 0, and a part is not taken back. */
static inline void access_set_why(struct precis_access *access, uint32_t part, enum access_why why)
{
	access->value[part] = UINT32_MAX;
	access->why[part] = why;
}

static inline void access_set(struct precis_access *access, uint32_t part, uint32_t value)
{
	access->value[part] = value;
	access->why[part] = WHY_PRESENT;
	access->present |= 1u << part;
}

static inline void access_set_value(struct precis_access *access, uint32_t part,
				    struct access_value value)
{
	if (value.why == WHY_PRESENT)
		access_set(access, part, value.value);
	else
		access_set_why(access, part, (enum access_why)value.why);
}

static inline void access_set_all(struct precis_access *access, enum access_why why)
{
	for (uint32_t part = 0; part < PRECIS_ACCESS_PARTS; part++)
		access_set_why(access, part, why);
}

/* What the level tells of misses; what missed the L3 missed the others as well. */
void precis_access_set_misses(struct precis_access *access, struct access_value level);

#endif
