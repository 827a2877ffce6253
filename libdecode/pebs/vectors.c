/* SPDX-License-Identifier: BSD-3-Clause */
/* The vector registers' groups, and what is told of them. */
#include <precis/error.h>
#include <precis/pebs_groups.h>

#include "../sample/abi.h"
#include "vectors.h"

#define PLACE(member) (uint8_t)offsetof(struct precis_pebs_groups, member)

const struct pebs_vectors precis_pebs_vectors[PEBS_VECTOR_GROUPS] = {
	{ PRECIS_PEBS_GROUP_XMM, 16, 16, 0, 49, PLACE(xmm), "xmm" },
	{ PRECIS_PEBS_GROUP_YMMH, 16, 16, 0, 50, PLACE(ymmh), "ymmh" },
	{ PRECIS_PEBS_GROUP_OPMASK, 8, 8, 0, 53, PLACE(opmask), "k" },
	{ PRECIS_PEBS_GROUP_ZMMH, 16, 32, 0, 54, PLACE(zmmh), "zmmh" },
	{ PRECIS_PEBS_GROUP_HI16_ZMM, 16, 64, 16, 55, PLACE(hi16_zmm), "zmm" },
};

_Static_assert(sizeof(struct precis_pebs_groups) <= UINT8_MAX, "a place is a byte");

int precis_pebs_register_group(uint32_t n, struct precis_pebs_register_group *group)
{
	uint32_t size;

	ABI_OUT(struct precis_pebs_register_group, group, precis_pebs_register_group(n, &abi));
	if (n >= PEBS_VECTOR_GROUPS)
		return PRECIS_E_ARGUMENT;
	size = group->size;
	*group = (struct precis_pebs_register_group){
		.size = size,
		.group = precis_pebs_vectors[n].group,
		.registers = precis_pebs_vectors[n].registers,
		.bytes = precis_pebs_vectors[n].bytes,
		.first = precis_pebs_vectors[n].first,
		.name = precis_pebs_vectors[n].name,
	};
	return 0;
}
