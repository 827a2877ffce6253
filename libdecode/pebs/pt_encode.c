/* SPDX-License-Identifier: BSD-3-Clause */
/* The packets of a record. */
#include <precis/error.h>

#include "../sample/abi.h"
#include "libdecode/sample/bytes.h"
#include "pt_record.h"

#define NOT_CARRIED                                                                                \
	(PRECIS_PEBS_GROUP_YMMH | PRECIS_PEBS_GROUP_OPMASK | PRECIS_PEBS_GROUP_ZMMH |              \
	 PRECIS_PEBS_GROUP_HI16_ZMM | PRECIS_PEBS_GROUP_COUNTERS | PRECIS_PEBS_GROUP_METRICS)
#define IP_BYTES_FULL 6u

/* Where packets go. The first error stays. */
struct output {
	uint8_t *at;
	size_t room, used;
	int error;
};

static void put(struct output *output, uint32_t type, uint32_t bytes, uint32_t detail,
		uint64_t payload)
{
	struct precis_pt_packet packet = { .size = sizeof(packet),
					   .type = type,
					   .bytes = bytes,
					   .detail = detail,
					   .payload = payload };
	int made;

	if (output->error)
		return;
	made = precis_pt_packet_encode(&packet, output->at + output->used,
				       output->room - output->used);
	if (made < 0)
		output->error = made;
	else
		output->used += (size_t)made;
}

/* A block of 'count' items, of which bit n of 'which' says whether item n is there. */
static void put_block(struct output *output, uint32_t place, uint32_t which, uint32_t item_bytes,
		      const uint64_t *items)
{
	if (!which)
		return;
	put(output, PRECIS_PT_BBP, 0, item_bytes, precis_pt_blocks[place].type);
	for (uint32_t id = 0; id < PRECIS_PEBS_PT_ITEMS; id++) {
		if (!(which >> id & 1))
			continue;
		if (item_bytes == 4 && items[id] > UINT32_MAX)
			output->error = output->error ? output->error : PRECIS_E_ARGUMENT;
		put(output, PRECIS_PT_BIP, item_bytes + 1, id, items[id]);
	}
}

static void put_words(struct output *output, uint32_t place, const struct precis_pebs *record)
{
	uint64_t items[PRECIS_PEBS_PT_ITEMS];
	uint32_t which = 0;

	for (uint32_t n = 0; n < PT_WORDS; n++) {
		const struct pt_word_row *row = &precis_pt_words[n];

		if (row->place != place || !(record->captured >> row->word & 1))
			continue;
		items[row->id] = record->word[row->word];
		which |= 1u << row->id;
	}
	put_block(output, place, which, 8, items);
}

static void put_registers(struct output *output, const struct precis_pebs *record)
{
	uint64_t items[PRECIS_PEBS_PT_ITEMS];
	uint32_t which = 0;

	for (uint32_t n = 0; n < PT_GPRS; n++) {
		const struct pt_gpr_row *row = &precis_pt_gprs[n];

		if (!(record->gpr_captured >> row->gpr & 1))
			continue;
		items[row->id] = record->gpr[row->gpr];
		which |= 1u << row->id;
	}
	put_block(output, PT_PLACE_GPR, which, record->flags & PRECIS_PEBS_REGISTERS_32 ? 4 : 8,
		  items);
}

/* 'count' quadwords that lie one behind the other */
static void put_quads(struct output *output, uint32_t place, const uint8_t *from, uint32_t count)
{
	uint64_t items[PRECIS_PEBS_PT_ITEMS];

	for (uint32_t n = 0; n < count; n++)
		items[n] = load_le64(from + 8 * n);
	put_block(output, place, count < 32 ? (1u << count) - 1 : UINT32_MAX, 8, items);
}

static void put_branches(struct output *output, const struct precis_pebs_groups *groups)
{
	uint32_t done = 0;

	for (uint32_t place = PT_PLACE_LBR_0; done < groups->lbr_count; place++) {
		uint32_t count = groups->lbr_count - done;

		if (count > PT_BRANCHES_OF_BLOCK)
			count = PT_BRANCHES_OF_BLOCK;
		put_quads(output, place, groups->lbr + (size_t)done * 24, 3 * count);
		done += count;
	}
}

static int is_carried(const struct precis_pebs *record, const struct precis_pebs_groups *groups)
{
	uint32_t words = 0, gprs = 0;

	for (uint32_t n = 0; n < PT_WORDS; n++)
		words |= 1u << precis_pt_words[n].word;
	for (uint32_t n = 0; n < PT_GPRS; n++)
		gprs |= 1u << precis_pt_gprs[n].gpr;
	if (record->captured & ~words || record->gpr_captured & ~gprs ||
	    record->groups & NOT_CARRIED)
		return 0;
	return !groups || (groups->lbr_count <= PRECIS_PEBS_PT_BRANCHES &&
			  (groups->lbr || !groups->lbr_count));
}

int precis_pebs_pt_encode(const struct precis_pebs *record, const struct precis_pebs_groups *groups,
			  const struct precis_pebs_pt_about *about, void *bytes, size_t room)
{
	struct output output = { .at = (uint8_t *)bytes, .room = room };
	uint32_t has_ip = about && about->flags & PRECIS_PEBS_PT_HAS_FUP_IP;

	ABI_IN(struct precis_pebs, record, precis_pebs_pt_encode(&abi, groups, about, bytes, room));
	ABI_MAY_IN(struct precis_pebs_groups, groups,
		   precis_pebs_pt_encode(record, &abi, about, bytes, room));
	ABI_MAY_IN(struct precis_pebs_pt_about, about,
		   precis_pebs_pt_encode(record, groups, &abi, bytes, room));
	if (!bytes || !is_carried(record, groups))
		return PRECIS_E_ARGUMENT;
	put_words(&output, PT_PLACE_BASIC, record);
	put_words(&output, PT_PLACE_MEMORY, record);
	put_registers(&output, record);
	if (groups)
		put_branches(&output, groups);
	if (groups && groups->xmm)
		put_quads(&output, PT_PLACE_XMM, groups->xmm, 32);
	if (!output.used) /* without a block it would be none */
		put(&output, PRECIS_PT_BBP, 0, 8, precis_pt_blocks[PT_PLACE_BASIC].type);
	put(&output, PRECIS_PT_BEP, 0, has_ip ? 1 : 0, 0);
	if (has_ip)
		put(&output, PRECIS_PT_FUP, 0, IP_BYTES_FULL, about->fup_ip);
	return output.error ? output.error : (int)output.used;
}
