/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of blocks and items of a trace's PEBS records. */
#ifndef PRECIS_PEBS_PT_ITEMS_H
#define PRECIS_PEBS_PT_ITEMS_H

#include <precis/pebs_pt.h>

enum pt_block_place {
#define PT_BLOCK(place, type, ids, bytes) PT_PLACE_##place,
#define PT_WORD(place, id, word)
#define PT_GPR(id, gpr)
#include "pt_items.def"
#undef PT_BLOCK
#undef PT_WORD
#undef PT_GPR
	PT_PLACE_COUNT
};

struct pt_block_row {
	uint8_t type, ids, least_bytes;
};

struct pt_word_row {
	uint8_t place, id, word;
};

struct pt_gpr_row {
	uint8_t id, gpr;
};

#define PT_WORDS 7
#define PT_GPRS 18
#define PT_BRANCHES_OF_BLOCK 10u

extern const struct pt_block_row precis_pt_blocks[PT_PLACE_COUNT];
extern const struct pt_word_row precis_pt_words[PT_WORDS];
extern const struct pt_gpr_row precis_pt_gprs[PT_GPRS];

/* Only words that are addresses may come as 4 bytes; registers and LBR say it for their block. */
uint32_t precis_pt_item_least(uint32_t place, uint32_t id);

#endif
