/* SPDX-License-Identifier: BSD-3-Clause */
/* The payload of an op as the one before it: of a recording nearly all have the same registers. */
#ifndef PRECIS_IBS_PAYLOAD_H
#define PRECIS_IBS_PAYLOAD_H

#include <precis/ibs.h>

#include "../sample/bytes.h"
#include "masks.h"

/* What every payload of an op has: IbsOpCtl to IbsDcPhysAd */
#define OP_REGISTERS (PRECIS_IBS_DC_PHYS_AD - PRECIS_IBS_OP_CTL + 1)
/* A u32 of capabilities, then the registers */
#define PAYLOAD_BYTES_OF(registers) (4 + 8 * (size_t)(registers))

_Static_assert(offsetof(struct precis_ibs_op, dc_phys_ad) - offsetof(struct precis_ibs_op, op_ctl) ==
		       8 * (OP_REGISTERS - 1), "they are in the order of a payload");

/* Those OP_REGISTERS */
static inline void op_payload_load(const uint8_t *payload, struct precis_ibs_op *op)
{
	load_le64s(payload + PAYLOAD_BYTES_OF(0), (char *)op + offsetof(struct precis_ibs_op, op_ctl),
		   OP_REGISTERS);
}

/* IbsOpEn and IbsOpVal: both set in every genuine sample */
static inline int op_is_genuine(const struct precis_ibs_op *op)
{
	const uint64_t both = IBS_SPAN(OP_EN, OP_VAL);

	return (op->op_ctl & both) == both;
}

/* Has a payload of as many bytes as the parsed one the same registers, too? They follow from its caps. */
static inline int op_payload_has(const uint8_t *payload, const struct precis_ibs_op *parsed)
{
	return load_le32(payload) == parsed->caps;
}

/* What precis_ibs_op_parse() makes of such a payload. @return 1; 0: it is no sample */
static inline int op_payload_take(const uint8_t *payload, const struct precis_ibs_op *parsed,
				  struct precis_ibs_op *op)
{
	size_t slot = OP_REGISTERS;

	op->size = parsed->size;
	op->caps = parsed->caps;
	op->captured = parsed->captured;
	op->extra = parsed->extra;
	op_payload_load(payload, op);
	op->br_target = op->op_data4 = 0;
	if (op->captured & 1u << PRECIS_IBS_BR_TARGET)
		op->br_target = load_le64(payload + PAYLOAD_BYTES_OF(slot++));
	if (op->captured & 1u << PRECIS_IBS_OP_DATA4)
		op->op_data4 = load_le64(payload + PAYLOAD_BYTES_OF(slot));
	return op_is_genuine(op);
}

#endif
