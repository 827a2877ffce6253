/* SPDX-License-Identifier: BSD-3-Clause */
/* The register view's registers, by number. */
#include <precis/ibs.h>

#include "../sample/abi.h"
#include "registers.h"
#include "tables.h"

const char *precis_ibs_register_name(uint32_t reg)
{
	return reg < PRECIS_IBS_REGISTER_COUNT ? precis_register_names[reg] : NULL;
}

uint64_t precis_ibs_op_register(const struct precis_ibs_op *op, uint32_t reg, int *captured)
{
	ABI_IN_OR(0, struct precis_ibs_op, op, precis_ibs_op_register(&abi, reg, captured));
	*captured = reg < PRECIS_IBS_REGISTER_COUNT && (op->captured & (1u << reg)) != 0;
	return *captured ? op_register(op, reg) : 0;
}

uint64_t precis_ibs_fetch_register(const struct precis_ibs_fetch *fetch, uint32_t reg,
				   int *captured)
{
	ABI_IN_OR(0, struct precis_ibs_fetch, fetch,
		  precis_ibs_fetch_register(&abi, reg, captured));
	*captured = reg < PRECIS_IBS_REGISTER_COUNT && (fetch->captured & (1u << reg)) != 0;
	if (!*captured)
		return 0;
	switch (reg) {
	case PRECIS_IBS_BR_TARGET:
		return fetch->old_br_target;
	case PRECIS_IBS_OP_DATA4:
		return fetch->old_op_data4;
	default:
		return fetch_register(fetch, reg);
	}
}
