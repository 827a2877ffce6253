/* SPDX-License-Identifier: BSD-3-Clause */
#include "vectors.h"

#define PLACE(member) (uint8_t)offsetof(struct precis_pebs_parts, member)

const struct pebs_vectors precis_pebs_vectors[PEBS_VECTOR_GROUPS] = {
	{ PRECIS_PEBS_GROUP_XMM, 16, 16, 49, PLACE(xmm) },
	{ PRECIS_PEBS_GROUP_YMMH, 16, 16, 50, PLACE(ymmh) },
	{ PRECIS_PEBS_GROUP_OPMASK, 8, 8, 53, PLACE(opmask) },
	{ PRECIS_PEBS_GROUP_ZMMH, 16, 32, 54, PLACE(zmmh) },
	{ PRECIS_PEBS_GROUP_HI16_ZMM, 16, 64, 55, PLACE(hi16_zmm) },
};

_Static_assert(sizeof(struct precis_pebs_parts) <= UINT8_MAX, "a place is a byte");
