/* SPDX-License-Identifier: BSD-3-Clause */
/* From blocks and items to a record. */
#include "pt_record.h"

#include <string.h>

#include "libdecode/sample/bytes.h"

_Static_assert(PRECIS_PEBS_PT_BLOCKS == PT_PLACE_COUNT, "room for each block");
_Static_assert(PRECIS_PEBS_PT_BRANCHES == 3 * PT_BRANCHES_OF_BLOCK, "room for each branch");

#define NO_PLACE PT_PLACE_COUNT
#define BRANCH_BYTES 24u

void precis_pt_note(struct precis_pebs_pt *decoder, enum precis_pebs_pt_problem problem,
		    uint64_t offset)
{
	decoder->problems[problem]++;
	decoder->problem_offset[problem] = offset;
	decoder->record_problems |= 1u << problem;
}

void precis_pt_record_begin(struct precis_pebs_pt *decoder)
{
	memset(decoder->seen, 0, sizeof(decoder->seen));
	memset(decoder->refused, 0, sizeof(decoder->refused));
	decoder->register_bytes = 0;
	decoder->unknown_blocks = 0;
	decoder->record_problems = 0;
	decoder->began = decoder->offset;
	decoder->in_record = 1;
}

void precis_pt_record_block(struct precis_pebs_pt *decoder, const struct precis_pt_packet *packet)
{
	uint32_t place = 0;

	while (place < PT_PLACE_COUNT && precis_pt_blocks[place].type != packet->payload)
		place++;
	decoder->block = place;
	decoder->item_bytes = packet->detail;
	if (place == NO_PLACE) {
		decoder->unknown_blocks |= 1u << packet->payload;
		precis_pt_note(decoder, PRECIS_PEBS_PT_UNKNOWN_BLOCK, decoder->offset);
	}
}

void precis_pt_record_item(struct precis_pebs_pt *decoder, const struct precis_pt_packet *packet)
{
	uint32_t place = decoder->block, id = packet->detail, bit = 1u << id;
	uint8_t *item;

	if (place == NO_PLACE)
		return;
	if (id >= precis_pt_blocks[place].ids ||
	    decoder->item_bytes < precis_pt_item_least(place, id)) {
		decoder->refused[place] |= bit;
		precis_pt_note(decoder, PRECIS_PEBS_PT_UNKNOWN_ITEM, decoder->offset);
		return;
	}
	item = decoder->item[place][id];
	if (decoder->seen[place] & bit && load_le64(item) != packet->payload) {
		decoder->refused[place] |= bit;
		precis_pt_note(decoder, PRECIS_PEBS_PT_TWO_VALUES, decoder->offset);
		return;
	}
	decoder->seen[place] |= bit;
	store_le64(item, packet->payload);
	if (place == PT_PLACE_GPR)
		decoder->register_bytes |= decoder->item_bytes;
}

static uint32_t captured_of(const struct precis_pebs_pt *decoder, uint32_t place)
{
	return decoder->seen[place] & ~decoder->refused[place];
}

static void fill_words(const struct precis_pebs_pt *decoder, struct precis_pebs *record)
{
	for (uint32_t n = 0; n < PT_WORDS; n++) {
		const struct pt_word_row *row = &precis_pt_words[n];

		if (!(captured_of(decoder, row->place) >> row->id & 1))
			continue;
		record->word[row->word] = load_le64(decoder->item[row->place][row->id]);
		record->captured |= 1u << row->word;
		record->groups |= row->place == PT_PLACE_BASIC ? PRECIS_PEBS_GROUP_BASIC
							       : PRECIS_PEBS_GROUP_MEMORY;
	}
	for (uint32_t n = 0; n < PT_GPRS; n++) {
		const struct pt_gpr_row *row = &precis_pt_gprs[n];

		if (!(captured_of(decoder, PT_PLACE_GPR) >> row->id & 1))
			continue;
		record->gpr[row->gpr] = load_le64(decoder->item[PT_PLACE_GPR][row->id]);
		record->gpr_captured |= 1u << row->gpr;
		record->groups |= PRECIS_PEBS_GROUP_GPR;
	}
}

/*
 * The entries of one block behind those of the blocks before. @return 0 if entries end here: one
 * is not whole, or something of the block is not understood
 */
static int take_branches(struct precis_pebs_pt *decoder, uint32_t place, uint32_t *count)
{
	uint32_t left = captured_of(decoder, place);

	if (decoder->refused[place])
		return 0;
	for (uint32_t n = 0; left; n++, left >>= 3) {
		if ((left & 7) != 7)
			return 0;
		memcpy(decoder->branches + *count * BRANCH_BYTES, decoder->item[place][3 * n],
		       BRANCH_BYTES);
		*count += 1;
	}
	return 1;
}

/* Newest first, over up to three blocks. What is left out is behind what is not understood. */
static uint32_t fill_branches(struct precis_pebs_pt *decoder)
{
	uint32_t count = 0, ended = 0;

	for (uint32_t place = PT_PLACE_LBR_0; place <= PT_PLACE_LBR_2; place++) {
		int used = decoder->seen[place] || decoder->refused[place];

		if (used && (ended || !take_branches(decoder, place, &count))) {
			precis_pt_note(decoder, PRECIS_PEBS_PT_BRANCHES_INCOMPLETE, decoder->began);
			break;
		}
		ended |= !used;
	}
	return count;
}

/* How far the record reaches, for those who count bytes. */
static uint32_t bytes_of(const struct precis_pebs_pt *decoder)
{
	uint64_t bytes = decoder->offset - decoder->began;

	return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

static void fill_groups(struct precis_pebs_pt *decoder, const struct precis_pebs *record,
		       uint32_t branches, struct precis_pebs_groups *groups)
{
	uint32_t size = groups->size;

	memset(groups, 0, sizeof(*groups));
	groups->size = size;
	groups->lbr_count = branches;
	if (branches)
		groups->lbr = decoder->branches;
	if (record->groups & PRECIS_PEBS_GROUP_XMM)
		groups->xmm = decoder->item[PT_PLACE_XMM][0];
}

void precis_pt_record_fill(struct precis_pebs_pt *decoder, struct precis_pebs *record,
			   struct precis_pebs_groups *groups, struct precis_pebs_pt_about *about)
{
	uint32_t size = record->size, xmm = captured_of(decoder, PT_PLACE_XMM);
	uint32_t branches = fill_branches(decoder);

	memset(record, 0, sizeof(*record));
	record->size = size;
	record->format = PRECIS_PEBS_FORMAT_4;
	record->bytes = bytes_of(decoder);
	record->unknown_groups = decoder->unknown_blocks;
	fill_words(decoder, record);
	if (record->gpr_captured && decoder->register_bytes == 4)
		record->flags |= PRECIS_PEBS_REGISTERS_32;
	if (branches)
		record->groups |= PRECIS_PEBS_GROUP_LBR;
	if (xmm == UINT32_MAX)
		record->groups |= PRECIS_PEBS_GROUP_XMM;
	else if (decoder->seen[PT_PLACE_XMM] || decoder->refused[PT_PLACE_XMM])
		precis_pt_note(decoder, PRECIS_PEBS_PT_XMM_INCOMPLETE, decoder->began);
	if (groups)
		fill_groups(decoder, record, branches, groups);
	if (about) {
		about->offset = decoder->began;
		about->problems = decoder->record_problems;
		about->xmm_captured = xmm;
	}
}
