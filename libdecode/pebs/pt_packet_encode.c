/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes of a packet. */
#include <precis/error.h>
#include <string.h>

#include "../sample/abi.h"
#include "pt_packet.h"

static void store_bytes(uint8_t *at, size_t count, uint64_t word)
{
	for (size_t n = 0; n < count; n++)
		at[n] = (uint8_t)(word >> 8 * n);
}

/* The row of the packet's type and, where the type has several, of its length. */
static const struct pt_packet_row *find_row(const struct precis_pt_packet *packet)
{
	const struct pt_packet_row *first = NULL;

	for (const struct pt_packet_row *row = precis_pt_packet_rows; row->name; row++) {
		if (row->type != packet->type)
			continue;
		if (row->bytes == packet->bytes)
			return row;
		if (!first)
			first = row;
	}
	return first;
}

static size_t put_cycles(uint8_t *at, uint64_t cycles)
{
	size_t bytes = 1;

	at[0] = (uint8_t)((cycles & 0x1f) << 3 | 0x03);
	for (cycles >>= 5; cycles; cycles >>= 7) {
		at[bytes - 1] |= bytes == 1 ? 0x04 : 0x01;
		at[bytes++] = (uint8_t)((cycles & 0x7f) << 1);
	}
	return bytes;
}

/* The packet into 16 bytes that are 0. @return its length; 0: there is no such packet */
static size_t put(const struct pt_packet_row *row, const struct precis_pt_packet *packet,
		  uint8_t *at)
{
	size_t bytes = row->bytes, head = row->head;

	memcpy(at, row->value, row->head);
	switch (row->shape) {
	case PT_SHAPE_ADDRESS:
		if (packet->detail > 7 || precis_pt_ip_bytes[packet->detail] == PT_NO_SUCH)
			return 0;
		at[0] |= (uint8_t)(packet->detail << 5);
		bytes = 1u + precis_pt_ip_bytes[packet->detail];
		break;
	case PT_SHAPE_CYCLES:
		return put_cycles(at, packet->payload);
	case PT_SHAPE_TAKEN:
		at[0] = (uint8_t)packet->payload;
		return 1;
	case PT_SHAPE_ITEM:
		if (packet->detail > 31 || (packet->bytes != 5 && packet->bytes != 9))
			return 0;
		at[0] |= (uint8_t)(packet->detail << 3);
		bytes = packet->bytes;
		break;
	case PT_SHAPE_BLOCK:
		at[2] = (uint8_t)(packet->payload & PT_BLOCK_TYPE_MASK);
		at[2] |= packet->detail == 4 ? PT_BLOCK_FOUR_BYTES : 0;
		return bytes;
	case PT_SHAPE_SYNC:
		for (size_t n = 0; n < bytes; n++)
			at[n] = row->value[n & 1];
		return bytes;
	case PT_SHAPE_IP_BIT_1:
		at[1] |= packet->detail ? 0x80 : 0;
		break;
	case PT_SHAPE_EVENT:
		at[head++] = (uint8_t)packet->detail;
		break;
	default:
		break;
	}
	store_bytes(at + head, bytes - head, packet->payload);
	return bytes;
}

int precis_pt_packet_encode(const struct precis_pt_packet *packet, void *bytes, size_t room)
{
	struct precis_pt_packet again = { .size = sizeof(again) };
	const struct pt_packet_row *row;
	uint8_t made[PRECIS_PT_PACKET_MAX] = { 0 };
	uint32_t item_bytes;
	size_t length;

	ABI_IN(struct precis_pt_packet, packet, precis_pt_packet_encode(&abi, bytes, room));
	if (!bytes)
		return PRECIS_E_ARGUMENT;
	row = find_row(packet);
	length = row ? put(row, packet, made) : 0;
	if (!length)
		return PRECIS_E_ARGUMENT;
	/* what does not read back is no such packet */
	item_bytes = row->shape == PT_SHAPE_ITEM ? (uint32_t)length - 1 : 0;
	if (precis_pt_packet_parse(made, length, item_bytes, &again) != (int)length ||
	    again.type != packet->type || again.detail != packet->detail ||
	    again.payload != packet->payload)
		return PRECIS_E_ARGUMENT;
	if (length > room)
		return PRECIS_E_NO_SPACE;
	memcpy(bytes, made, length);
	return (int)length;
}
