/* SPDX-License-Identifier: BSD-3-Clause */
/* The register view's registers: where each stands in the structs, and its name. */
#include <stddef.h>

#include <precis/ibs.h>

#include "../sample/catalogue.h"
#include "registers.h"

/* Registers that a struct lacks have the offset of its first one; 'captured' never has their bit. */
const uint8_t precis_op_register_offset[PRECIS_IBS_REGISTER_COUNT] = {
	[PRECIS_IBS_OP_CTL] = offsetof(struct precis_ibs_op, op_ctl),
	[PRECIS_IBS_OP_RIP] = offsetof(struct precis_ibs_op, op_rip),
	[PRECIS_IBS_OP_DATA] = offsetof(struct precis_ibs_op, op_data),
	[PRECIS_IBS_OP_DATA2] = offsetof(struct precis_ibs_op, op_data2),
	[PRECIS_IBS_OP_DATA3] = offsetof(struct precis_ibs_op, op_data3),
	[PRECIS_IBS_DC_LIN_AD] = offsetof(struct precis_ibs_op, dc_lin_ad),
	[PRECIS_IBS_DC_PHYS_AD] = offsetof(struct precis_ibs_op, dc_phys_ad),
	[PRECIS_IBS_BR_TARGET] = offsetof(struct precis_ibs_op, br_target),
	[PRECIS_IBS_OP_DATA4] = offsetof(struct precis_ibs_op, op_data4),
	[PRECIS_IBS_FETCH_CTL] = offsetof(struct precis_ibs_op, op_ctl),
	[PRECIS_IBS_FETCH_LIN_AD] = offsetof(struct precis_ibs_op, op_ctl),
	[PRECIS_IBS_FETCH_PHYS_AD] = offsetof(struct precis_ibs_op, op_ctl),
	[PRECIS_IBS_FETCH_CTL_EXTD] = offsetof(struct precis_ibs_op, op_ctl),
};

const uint8_t precis_fetch_register_offset[PRECIS_IBS_REGISTER_COUNT] = {
	[PRECIS_IBS_OP_CTL] = offsetof(struct precis_ibs_fetch, fetch_ctl),
	[PRECIS_IBS_OP_RIP] = offsetof(struct precis_ibs_fetch, fetch_ctl),
	[PRECIS_IBS_OP_DATA] = offsetof(struct precis_ibs_fetch, fetch_ctl),
	[PRECIS_IBS_OP_DATA2] = offsetof(struct precis_ibs_fetch, fetch_ctl),
	[PRECIS_IBS_OP_DATA3] = offsetof(struct precis_ibs_fetch, fetch_ctl),
	[PRECIS_IBS_DC_LIN_AD] = offsetof(struct precis_ibs_fetch, fetch_ctl),
	[PRECIS_IBS_DC_PHYS_AD] = offsetof(struct precis_ibs_fetch, fetch_ctl),
	[PRECIS_IBS_BR_TARGET] = offsetof(struct precis_ibs_fetch, old_br_target),
	[PRECIS_IBS_OP_DATA4] = offsetof(struct precis_ibs_fetch, old_op_data4),
	[PRECIS_IBS_FETCH_CTL] = offsetof(struct precis_ibs_fetch, fetch_ctl),
	[PRECIS_IBS_FETCH_LIN_AD] = offsetof(struct precis_ibs_fetch, fetch_lin_ad),
	[PRECIS_IBS_FETCH_PHYS_AD] = offsetof(struct precis_ibs_fetch, fetch_phys_ad),
	[PRECIS_IBS_FETCH_CTL_EXTD] = offsetof(struct precis_ibs_fetch, fetch_ctl_extd),
};

const char *precis_ibs_register_name(uint32_t reg)
{
	return reg < PRECIS_IBS_REGISTER_COUNT ? precis_register_names[reg] : NULL;
}

uint64_t precis_ibs_op_register(const struct precis_ibs_op *op, uint32_t reg, int *captured)
{
	*captured = reg < PRECIS_IBS_REGISTER_COUNT && (op->captured & (1u << reg)) != 0;
	return *captured ? op_register(op, reg) : 0;
}

uint64_t precis_ibs_fetch_register(const struct precis_ibs_fetch *fetch, uint32_t reg,
				   int *captured)
{
	*captured = reg < PRECIS_IBS_REGISTER_COUNT && (fetch->captured & (1u << reg)) != 0;
	return *captured ? fetch_register(fetch, reg) : 0;
}
