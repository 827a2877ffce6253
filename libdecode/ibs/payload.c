/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The raw payload: bytes to registers and back.
 * Layout: Linux arch/x86/events/amd/ibs.c, perf_ibs_handle_irq().
 */
#include <precis/error.h>
#include <precis/ibs.h>

#include "../sample/abi.h"
#include "payload.h"
#include "registers.h"

/* What every payload of a fetch has: IbsFetchCtl to IbsFetchPhysAd */
#define FETCH_REGISTERS (PRECIS_IBS_FETCH_PHYS_AD - PRECIS_IBS_FETCH_CTL + 1)
/* The old layout, with the target of the branch and IbsOpData4 */
#define FETCH_REGISTERS_MOST (FETCH_REGISTERS + 2)
_Static_assert(PAYLOAD_BYTES_OF(PRECIS_IBS_OP_DATA4 + 1) == PRECIS_IBS_PAYLOAD_MAX,
	       "the longest payload has all registers of an op");

/* IbsFetchEn and IbsFetchVal: both set in every genuine sample */
#define FETCH_EN_VAL IBS_SPAN(FETCH_EN, FETCH_VAL)

/* The register at slot n, or nothing once the payload has ended. */
static void take(const uint8_t *payload, size_t registers, size_t *slot, uint32_t reg,
		 uint64_t *into, uint32_t *captured)
{
	if (*slot >= registers)
		return;
	*into = load_le64(payload + PAYLOAD_BYTES_OF(*slot));
	*captured |= 1u << reg;
	*slot += 1;
}

int precis_ibs_op_parse(const void *payload, size_t bytes, struct precis_ibs_op *op)
{
	const uint8_t *at = (const uint8_t *)payload;
	size_t registers, slot = OP_REGISTERS;

	ABI_OUT(struct precis_ibs_op, op, precis_ibs_op_parse(payload, bytes, &abi));
	op->caps = 0;
	op->captured = 0;
	op->extra = 0;
	if (!at || bytes <= FILLER_BYTES)
		return PRECIS_E_NO_PAYLOAD;
	if (bytes < PAYLOAD_BYTES_OF(OP_REGISTERS))
		return PRECIS_E_TRUNCATED;
	op->caps = load_le32(at);
	if (!(op->caps & PRECIS_IBS_CAPS_VALID))
		return PRECIS_E_BAD_CAPS;
	registers = (bytes - 4) / 8;
	op->br_target = 0;
	op->op_data4 = 0;
	op_payload_load(at, op);
	op->captured = (1u << OP_REGISTERS) - 1;
	if (op->caps & PRECIS_IBS_CAPS_BRN_TRGT)
		take(at, registers, &slot, PRECIS_IBS_BR_TARGET, &op->br_target, &op->captured);
	if (op->caps & PRECIS_IBS_CAPS_OP_DATA4)
		take(at, registers, &slot, PRECIS_IBS_OP_DATA4, &op->op_data4, &op->captured);
	op->extra = (uint32_t)(registers - slot);
	return op_is_genuine(op) ? 0 : PRECIS_E_NOT_A_SAMPLE;
}

int precis_ibs_fetch_parse(const void *payload, size_t bytes, int old_layout,
			   struct precis_ibs_fetch *fetch)
{
	const uint8_t *at = (const uint8_t *)payload;
	size_t registers, slot = FETCH_REGISTERS;

	ABI_OUT(struct precis_ibs_fetch, fetch,
		precis_ibs_fetch_parse(payload, bytes, old_layout, &abi));
	fetch->caps = 0;
	fetch->captured = 0;
	fetch->extra = 0;
	if (!at || bytes <= FILLER_BYTES)
		return PRECIS_E_NO_PAYLOAD;
	if (bytes < PAYLOAD_BYTES_OF(FETCH_REGISTERS))
		return PRECIS_E_TRUNCATED;
	fetch->caps = load_le32(at);
	if (!(fetch->caps & PRECIS_IBS_CAPS_VALID))
		return PRECIS_E_BAD_CAPS;
	registers = (bytes - 4) / 8;
	fetch->fetch_ctl_extd = 0;
	fetch->old_br_target = 0;
	fetch->old_op_data4 = 0;
	fetch->fetch_ctl = load_le64(at + PAYLOAD_BYTES_OF(0));
	fetch->fetch_lin_ad = load_le64(at + PAYLOAD_BYTES_OF(1));
	fetch->fetch_phys_ad = load_le64(at + PAYLOAD_BYTES_OF(2));
	fetch->captured = ((1u << FETCH_REGISTERS) - 1) << PRECIS_IBS_FETCH_CTL;
	if (old_layout) {
		if (fetch->caps & PRECIS_IBS_CAPS_BRN_TRGT)
			take(at, registers, &slot, PRECIS_IBS_BR_TARGET, &fetch->old_br_target,
			     &fetch->captured);
		if (fetch->caps & PRECIS_IBS_CAPS_OP_DATA4)
			take(at, registers, &slot, PRECIS_IBS_OP_DATA4, &fetch->old_op_data4,
			     &fetch->captured);
	} else if (fetch->caps & PRECIS_IBS_CAPS_FETCH_CTL_EXTD) {
		take(at, registers, &slot, PRECIS_IBS_FETCH_CTL_EXTD, &fetch->fetch_ctl_extd,
		     &fetch->captured);
	}
	fetch->extra = (uint32_t)(registers - slot);
	return (fetch->fetch_ctl & FETCH_EN_VAL) == FETCH_EN_VAL ? 0 : PRECIS_E_NOT_A_SAMPLE;
}

static int has_all(const uint8_t *payload, uint64_t bits)
{
	return (load_le32(payload) & PRECIS_IBS_CAPS_VALID) &&
	       (load_le64(payload + PAYLOAD_BYTES_OF(0)) & bits) == bits;
}

enum precis_event_kind precis_ibs_payload_kind(const void *payload, size_t bytes)
{
	const uint8_t *at = (const uint8_t *)payload;

	if (bytes < PAYLOAD_BYTES_OF(FETCH_REGISTERS) || bytes % 8 != PAYLOAD_BYTES_OF(0) % 8)
		return PRECIS_EVENT_OTHER;
	if (bytes <= PAYLOAD_BYTES_OF(FETCH_REGISTERS_MOST))
		return has_all(at, FETCH_EN_VAL) ? PRECIS_EVENT_IBS_FETCH : PRECIS_EVENT_OTHER;
	return bytes >= PAYLOAD_BYTES_OF(OP_REGISTERS) && has_all(at, OP_EN_VAL)
		       ? PRECIS_EVENT_IBS_OP
		       : PRECIS_EVENT_OTHER;
}

/* The register behind those already there. */
static void put(uint8_t *payload, size_t *slot, uint64_t value)
{
	store_le64(payload + PAYLOAD_BYTES_OF(*slot), value);
	*slot += 1;
}

int precis_ibs_op_encode(const struct precis_ibs_op *op, void *payload)
{
	uint8_t *at = (uint8_t *)payload;
	size_t slot = 0;

	ABI_IN(struct precis_ibs_op, op, precis_ibs_op_encode(&abi, payload));
	if (!at)
		return PRECIS_E_ARGUMENT;
	store_le32(at, op->caps);
	for (uint32_t reg = PRECIS_IBS_OP_CTL; reg < OP_REGISTERS; reg++)
		put(at, &slot, op_register(op, reg));
	if (op->caps & PRECIS_IBS_CAPS_BRN_TRGT)
		put(at, &slot, op->br_target);
	if (op->caps & PRECIS_IBS_CAPS_OP_DATA4)
		put(at, &slot, op->op_data4);
	return (int)PAYLOAD_BYTES_OF(slot);
}

int precis_ibs_fetch_encode(const struct precis_ibs_fetch *fetch, int old_layout, void *payload)
{
	uint8_t *at = (uint8_t *)payload;
	size_t slot = 0;

	ABI_IN(struct precis_ibs_fetch, fetch, precis_ibs_fetch_encode(&abi, old_layout, payload));
	if (!at)
		return PRECIS_E_ARGUMENT;
	store_le32(at, fetch->caps);
	put(at, &slot, fetch->fetch_ctl);
	put(at, &slot, fetch->fetch_lin_ad);
	put(at, &slot, fetch->fetch_phys_ad);
	if (old_layout) {
		if (fetch->caps & PRECIS_IBS_CAPS_BRN_TRGT)
			put(at, &slot, fetch->old_br_target);
		if (fetch->caps & PRECIS_IBS_CAPS_OP_DATA4)
			put(at, &slot, fetch->old_op_data4);
	} else if (fetch->caps & PRECIS_IBS_CAPS_FETCH_CTL_EXTD) {
		put(at, &slot, fetch->fetch_ctl_extd);
	}
	return (int)PAYLOAD_BYTES_OF(slot);
}
