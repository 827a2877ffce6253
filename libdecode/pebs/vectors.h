/* SPDX-License-Identifier: BSD-3-Clause */
/* The vector registers' groups: the table of their sizes and header bits. */
#ifndef PRECIS_PEBS_VECTORS_H
#define PRECIS_PEBS_VECTORS_H

#include <precis/pebs_record.h>

#define PEBS_VECTOR_GROUPS 5u
#define PEBS_VECTOR_MASK                                                                           \
	(PRECIS_PEBS_GROUP_XMM | PRECIS_PEBS_GROUP_YMMH | PRECIS_PEBS_GROUP_OPMASK |               \
	 PRECIS_PEBS_GROUP_ZMMH | PRECIS_PEBS_GROUP_HI16_ZMM)

struct pebs_vectors {
	uint32_t group;
	uint8_t registers, bytes; /* how many, and of how many bytes each */
	uint8_t first;      /* the number that the first one has in its name */
	uint8_t header_bit; /* architectural: in the fragment's header */
	uint8_t place;      /* of its pointer in struct precis_pebs_groups */
	const char *name;   /* of a register, before its number */
};

/* In the order in which they stand in a record. */
extern const struct pebs_vectors precis_pebs_vectors[PEBS_VECTOR_GROUPS];

static inline const uint8_t *pebs_vectors_of(const struct precis_pebs_groups *groups,
					     const struct pebs_vectors *row)
{
	return *(const uint8_t *const *)((const char *)groups + row->place);
}

static inline void pebs_set_vectors(struct precis_pebs_groups *groups,
				    const struct pebs_vectors *row, const uint8_t *at)
{
	*(const uint8_t **)((char *)groups + row->place) = at;
}

#endif
