/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Payloads, and that of an op as the one before it: of a recording nearly all have the same
 * registers.
 */
#ifndef PRECIS_IBS_PAYLOAD_H
#define PRECIS_IBS_PAYLOAD_H

#include <precis/fields.h>
#include <precis/ibs.h>

#include "../sample/bytes.h"
#include "masks.h"

/* What every payload of an op has: IbsOpCtl to IbsDcPhysAd */
#define OP_REGISTERS (PRECIS_IBS_DC_PHYS_AD - PRECIS_IBS_OP_CTL + 1)
/* A u32 of capabilities, then the registers */
#define PAYLOAD_BYTES_OF(registers) (4 + 8 * (size_t)(registers))

/* What the kernel puts where there is no payload: a u32 of 0 (kernel/events/core.c, perf_output_sample()) */
#define FILLER_BYTES 4u

_Static_assert(offsetof(struct precis_ibs_op, dc_phys_ad) - offsetof(struct precis_ibs_op, op_ctl) ==
		       8 * (OP_REGISTERS - 1), "they are in the order of a payload");

/* Those OP_REGISTERS */
static inline void op_payload_load(const uint8_t *payload, struct precis_ibs_op *op)
{
	load_le64s(payload + PAYLOAD_BYTES_OF(0), (char *)op + offsetof(struct precis_ibs_op, op_ctl),
		   OP_REGISTERS);
}

/* IbsOpEn and IbsOpVal: both set in every genuine sample */
#define OP_EN_VAL IBS_SPAN(OP_EN, OP_VAL)

static inline int op_is_genuine(const struct precis_ibs_op *op)
{
	return (op->op_ctl & OP_EN_VAL) == OP_EN_VAL;
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

	/* size, caps, captured, extra */
	memcpy(op, parsed, offsetof(struct precis_ibs_op, op_ctl));
	op_payload_load(payload, op);
	op->br_target = op->op_data4 = 0;
	if (op->captured & 1u << PRECIS_IBS_BR_TARGET)
		op->br_target = load_le64(payload + PAYLOAD_BYTES_OF(slot++));
	if (op->captured & 1u << PRECIS_IBS_OP_DATA4)
		op->op_data4 = load_le64(payload + PAYLOAD_BYTES_OF(slot));
	return op_is_genuine(op);
}

/*
 * Whose payload that may be, where nothing else tells: by its size and the bits that every genuine
 * sample has. PRECIS_EVENT_OTHER: of neither
 */
enum precis_event_kind precis_ibs_payload_kind(const void *payload, size_t bytes);

#endif
