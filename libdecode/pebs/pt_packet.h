/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of packets, for those who take them apart and those who put them together. */
#ifndef PRECIS_PEBS_PT_PACKET_H
#define PRECIS_PEBS_PT_PACKET_H

#include <precis/pebs_pt.h>

enum pt_shape {
	PT_SHAPE_PLAIN,    /* payload behind the head */
	PT_SHAPE_ADDRESS,  /* bits 7:5 of byte 0 say how many bytes of an IP follow */
	PT_SHAPE_CYCLES,   /* bytes follow for as long as a bit says so */
	PT_SHAPE_TAKEN,    /* short TNT: payload and stop bit in byte 0 */
	PT_SHAPE_ITEM,     /* id in bits 7:3 of byte 0; as long as the block says */
	PT_SHAPE_BLOCK,    /* byte 2: block type and size of items */
	PT_SHAPE_SYNC,     /* the same two bytes eight times */
	PT_SHAPE_IP_BIT_1, /* byte 1 bit 7: a FUP follows */
	PT_SHAPE_IP_BIT_2, /* byte 2 bit 7: a FUP follows */
	PT_SHAPE_EVENT     /* byte 2 is a type of its own */
};

enum pt_rule { PT_RULE_KEEPS, PT_RULE_ENDS };

struct pt_packet_row {
	const char *name;
	uint8_t type, shape, rule;
	uint8_t mask[3], value[3];
	uint8_t head, bytes;
};

/* Ends with a row without a name. */
extern const struct pt_packet_row precis_pt_packet_rows[];

#define PT_BLOCK_TYPE_MASK 0x1fu /* of byte 2 of BBP */
#define PT_BLOCK_FOUR_BYTES 0x80u /* its items carry 4 bytes, not 8 */

/* So many bytes of an IP follow, by IPBytes; PT_NO_SUCH: reserved */
#define PT_NO_SUCH 0xffu
extern const uint8_t precis_pt_ip_bytes[8];

#endif
