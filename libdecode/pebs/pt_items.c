/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of blocks and items. */
#include "pt_items.h"

const struct pt_block_row precis_pt_blocks[PT_PLACE_COUNT] = {
#define PT_BLOCK(place, type, ids, bytes) { type, ids, bytes },
#define PT_WORD(place, id, word)
#define PT_GPR(id, gpr)
#include "pt_items.def"
#undef PT_BLOCK
#undef PT_WORD
};

const struct pt_word_row precis_pt_words[PT_WORDS] = {
#define PT_BLOCK(place, type, ids, bytes)
#define PT_WORD(place, id, word) { PT_PLACE_##place, id, PRECIS_PEBS_##word },
#include "pt_items.def"
#undef PT_WORD
#undef PT_GPR
};

const struct pt_gpr_row precis_pt_gprs[PT_GPRS] = {
#define PT_WORD(place, id, word)
#define PT_GPR(id, gpr) { id, PRECIS_PEBS_##gpr },
#include "pt_items.def"
};

uint32_t precis_pt_item_least(uint32_t place, uint32_t id)
{
	if ((place == PT_PLACE_BASIC || place == PT_PLACE_MEMORY) && id)
		return 8;
	return precis_pt_blocks[place].least_bytes;
}
