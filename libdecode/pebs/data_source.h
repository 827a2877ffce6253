/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tables say of a data source: to Linux, and as values. */
#ifndef PRECIS_PEBS_ROOM_DATA_SOURCE_H
#define PRECIS_PEBS_ROOM_DATA_SOURCE_H

#include <stdint.h>

#include <precis/pebs_data_source.h>

#include "libdecode/sample/access.h"

/* Stores that are no latency events: bits of the word. */
#define STORE_L1_HIT 0x1u
#define STORE_STLB_MISS 0x10u
#define STORE_LOCKED 0x20u

/* One data source. */
struct dse_source {
	uint8_t number;
	/* fields of the kernel's word */
	uint16_t lvl;
	uint8_t lvl_num, snoop, snoopx, remote_bit, region;
	/* values */
	struct access_value level, remote, mem_snoop, forwarded;
	const char *read_in, *meaning;
};

/* Where the parts of the word lie: see data_source_layouts.def. */
struct dse_layout {
	uint32_t source, linux_source;
	uint32_t stlb_miss, stlb_hits, locked, data_blocked, address_blocked, l2_miss,
		fill_buffer_full;
};

/* The layout; one of zeros for a number that is none. */
const struct dse_layout *precis_dse_layout_of(uint32_t layout);

/* A row of the table or of one that it builds on; NULL for a reserved number. 'table': which */
const struct dse_source *precis_dse_find(uint32_t *table, uint32_t number);

/* An off-module response of 8 bits. */
void precis_dse_omr(uint32_t response, struct dse_source *source);

/*
 * What a word's data source is; reserved ones have the words that Linux has for them.
 * 'as_linux': look at no more bits than Linux does
 */
void precis_dse_source_of(uint32_t layout, uint32_t table, uint64_t dse, int as_linux,
			  struct dse_source *source);

/* Are all layouts and tables of the encoding known? */
int precis_dse_valid(const struct precis_dse_encoding *encoding);

#endif
