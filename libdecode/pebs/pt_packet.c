/* SPDX-License-Identifier: BSD-3-Clause */
/* One packet: what it is and how long. */
#include "pt_packet.h"
#include "../sample/abi.h"

#include <precis/error.h>
#include <string.h>

#define PT_PACKET(type, name, shape, mask0, value0, mask1, value1, mask2, value2, head, bytes,     \
		  rule)                                                                            \
	{ name, PRECIS_PT_##type, PT_SHAPE_##shape, PT_RULE_##rule, { mask0, mask1, mask2 },       \
	  { value0, value1, value2 }, head, bytes },

const struct pt_packet_row precis_pt_packet_rows[] = {
#include "pt_packets.def"
	{ NULL, 0, 0, 0, { 0 }, { 0 }, 0, 0 },
};

const uint8_t precis_pt_ip_bytes[8] = { 0, 2, 4, 6, 6, PT_NO_SUCH, 8, PT_NO_SUCH };

#define CYCLES_MAX 10u /* bytes: more than 64 bits of cycles are none */

static uint64_t load_bytes(const uint8_t *at, size_t count)
{
	uint64_t word = 0;

	for (size_t n = 0; n < count; n++)
		word |= (uint64_t)at[n] << 8 * n;
	return word;
}

/* @return 1 if the bytes are the row's head, 0 if not, PRECIS_E_TRUNCATED if that is open */
static int matches(const struct pt_packet_row *row, const uint8_t *at, size_t count)
{
	for (size_t n = 0; n < 3 && row->mask[n]; n++) {
		if (n == count)
			return PRECIS_E_TRUNCATED;
		if ((at[n] & row->mask[n]) != row->value[n])
			return 0;
	}
	/* without a stop bit it is no TNT: the first byte of what no row knows */
	return row->shape != PT_SHAPE_TAKEN || at[0] >= 4;
}

/* @return 0, PRECIS_E_TRUNCATED, PRECIS_E_UNKNOWN_BITS */
static int find_row(const uint8_t *at, size_t count, uint32_t item_bytes,
		    const struct pt_packet_row **found)
{
	for (const struct pt_packet_row *row = precis_pt_packet_rows; row->name; row++) {
		int match;

		if (row->shape == PT_SHAPE_ITEM && !item_bytes)
			continue;
		match = matches(row, at, count);
		if (match < 0)
			return match;
		if (match) {
			*found = row;
			return 0;
		}
	}
	return PRECIS_E_UNKNOWN_BITS;
}

/* CYC: 5 bits in the first byte, 7 in the others. @return its bytes or a negative error */
static int take_cycles(const uint8_t *at, size_t count, uint64_t *cycles)
{
	uint32_t bytes = 1, more = at[0] >> 2 & 1;

	*cycles = at[0] >> 3;
	for (uint32_t shift = 5; more; shift += 7) {
		if (bytes == CYCLES_MAX)
			return PRECIS_E_UNKNOWN_BITS;
		if (bytes == count)
			return PRECIS_E_TRUNCATED;
		*cycles |= (uint64_t)(at[bytes] >> 1) << shift;
		more = at[bytes++] & 1;
	}
	return (int)bytes;
}

/* @return 1 if what is there of a PSB is its pattern */
static int is_sync(const uint8_t *at, size_t count)
{
	for (size_t n = 0; n < count && n < PRECIS_PT_PACKET_MAX; n++) {
		if (at[n] != (n & 1 ? 0x82 : 0x02))
			return 0;
	}
	return 1;
}

/* @return the packet's bytes, PRECIS_E_TRUNCATED, PRECIS_E_UNKNOWN_BITS */
static int length_of(const struct pt_packet_row *row, const uint8_t *at, size_t count,
		     uint32_t item_bytes, uint64_t *cycles)
{
	uint8_t ip_bytes;

	switch (row->shape) {
	case PT_SHAPE_ADDRESS:
		ip_bytes = precis_pt_ip_bytes[at[0] >> 5];
		return ip_bytes == PT_NO_SUCH ? PRECIS_E_UNKNOWN_BITS : 1 + ip_bytes;
	case PT_SHAPE_CYCLES:
		return take_cycles(at, count, cycles);
	case PT_SHAPE_ITEM:
		return 1 + (int)item_bytes;
	case PT_SHAPE_SYNC:
		return is_sync(at, count) ? row->bytes : PRECIS_E_UNKNOWN_BITS;
	default:
		return row->bytes;
	}
}

/* Payload and detail of a packet that is all there. */
static void fill(const struct pt_packet_row *row, const uint8_t *at,
		 struct precis_pt_packet *packet)
{
	size_t head = row->shape == PT_SHAPE_EVENT ? row->head + 1u : row->head;

	packet->detail = 0;
	packet->payload = load_bytes(at + head, packet->bytes - head);
	switch (row->shape) {
	case PT_SHAPE_ADDRESS:
		packet->detail = at[0] >> 5;
		break;
	case PT_SHAPE_TAKEN:
		packet->payload = at[0];
		break;
	case PT_SHAPE_ITEM:
		packet->detail = at[0] >> 3;
		break;
	case PT_SHAPE_BLOCK:
		packet->detail = at[2] & PT_BLOCK_FOUR_BYTES ? 4 : 8;
		packet->payload = at[2] & PT_BLOCK_TYPE_MASK;
		break;
	case PT_SHAPE_IP_BIT_1:
		packet->detail = at[1] >> 7;
		break;
	case PT_SHAPE_IP_BIT_2:
		packet->detail = at[2] >> 7;
		break;
	case PT_SHAPE_EVENT:
		packet->detail = at[2];
		break;
	default:
		break;
	}
}

int precis_pt_packet_parse(const void *bytes, size_t count, uint32_t item_bytes,
			   struct precis_pt_packet *packet)
{
	const uint8_t *at = (const uint8_t *)bytes;
	const struct pt_packet_row *row = NULL;
	uint64_t cycles = 0;
	int length;

	ABI_OUT(struct precis_pt_packet, packet,
		precis_pt_packet_parse(bytes, count, item_bytes, &abi));
	if ((!at && count) || (item_bytes && item_bytes != 4 && item_bytes != 8))
		return PRECIS_E_ARGUMENT;
	if (!count)
		return PRECIS_E_TRUNCATED;
	length = find_row(at, count, item_bytes, &row);
	if (!length)
		length = length_of(row, at, count, item_bytes, &cycles);
	if (length < 0)
		return length;
	if ((size_t)length > count)
		return PRECIS_E_TRUNCATED;
	packet->type = row->type;
	packet->bytes = (uint32_t)length;
	if (row->shape == PT_SHAPE_CYCLES || row->shape == PT_SHAPE_SYNC) {
		packet->detail = 0;
		packet->payload = cycles;
	} else {
		fill(row, at, packet);
	}
	return length;
}

static const struct pt_packet_row *row_of(uint32_t type)
{
	const struct pt_packet_row *row = precis_pt_packet_rows;

	while (row->name && row->type != type)
		row++;
	return row;
}

const char *precis_pt_packet_name(uint32_t type)
{
	return row_of(type)->name;
}

int precis_pt_packet_keeps_block(uint32_t type)
{
	const struct pt_packet_row *row = row_of(type);

	return row->name && row->rule == PT_RULE_KEEPS;
}
