/* SPDX-License-Identifier: BSD-3-Clause */
/* From the bytes of a trace to its PEBS records. */
#include <string.h>

#include <precis/error.h>

#include "../sample/abi.h"
#include "pt_record.h"

ABI_FIXED(struct precis_pebs_pt, 4096);

/* What a call works on: what an earlier one left over, with new bytes behind, or new bytes. */
struct view {
	const uint8_t *at;
	size_t count;
	size_t old; /* of them were left over */
};

static struct view look(struct precis_pebs_pt *decoder, const uint8_t *bytes, size_t count)
{
	struct view view = { bytes, count, decoder->carry_bytes };
	size_t room = sizeof(decoder->carry) - view.old;

	if (!view.old)
		return view;
	if (count > room)
		count = room;
	if (count)
		memcpy(decoder->carry + view.old, bytes, count);
	view.at = decoder->carry;
	view.count = view.old + count;
	return view;
}

/* The first bytes of the view are done with. @return how many of them were new */
static size_t consume(struct precis_pebs_pt *decoder, const struct view *view, size_t count)
{
	decoder->offset += count;
	if (count >= view->old) {
		decoder->carry_bytes = 0;
		return count - view->old;
	}
	memmove(decoder->carry, decoder->carry + count, view->old - count);
	decoder->carry_bytes = (uint32_t)(view->old - count);
	return 0;
}

/* A packet begins in the view and ends behind it: keep what is there. @return new bytes kept */
static size_t keep(struct precis_pebs_pt *decoder, const struct view *view)
{
	if (view->count && view->at != decoder->carry)
		memcpy(decoder->carry, view->at, view->count);
	decoder->carry_bytes = (uint32_t)view->count;
	return view->count - view->old;
}

/* The record that was being read will not be handed out. */
static void drop_record(struct precis_pebs_pt *decoder)
{
	decoder->records_lost += decoder->in_record;
	decoder->in_record = 0;
	decoder->awaits_ip = 0;
	decoder->item_bytes = 0;
}

/* Packets are missing from here to the next PSB. */
static void lose_sync(struct precis_pebs_pt *decoder)
{
	drop_record(decoder);
	decoder->in_sync = 0;
	decoder->psb_bytes = 0;
	decoder->has_tsc_packet = 0;
}

/* Step to behind the next PSB. @return bytes of the view that this took */
static size_t find_psb(struct precis_pebs_pt *decoder, const struct view *view)
{
	for (size_t n = 0; n < view->count; n++) {
		uint8_t wanted = decoder->psb_bytes & 1 ? 0x82 : 0x02;

		decoder->bytes_skipped++;
		if (view->at[n] == wanted)
			decoder->psb_bytes++;
		else
			decoder->psb_bytes = view->at[n] == 0x02;
		if (decoder->psb_bytes < PRECIS_PT_PACKET_MAX)
			continue;
		decoder->bytes_skipped -= PRECIS_PT_PACKET_MAX;
		decoder->psb_bytes = 0;
		decoder->packets++;
		decoder->in_sync = 1;
		decoder->is_fresh = 1;
		decoder->has_last_ip = 1;
		decoder->last_ip = 0;
		return n + 1;
	}
	return view->count;
}

/* TIP, TIP.PGE, TIP.PGD, FUP. @return 1 if the packet has an IP and it is known, as 'last_ip' */
static int take_ip(struct precis_pebs_pt *decoder, const struct precis_pt_packet *packet)
{
	static const struct {
		uint64_t kept; /* of the IP before */
		uint64_t sign; /* all bits from this one on are the same */
	} rule[8] = {
		[1] = { UINT64_C(0xffffffffffff0000), 0 },
		[2] = { UINT64_C(0xffffffff00000000), 0 },
		[3] = { 0, UINT64_C(1) << 47 },
		[4] = { UINT64_C(0xffff000000000000), 0 },
	};
	uint64_t kept = rule[packet->detail].kept, sign = rule[packet->detail].sign;

	if (!packet->detail)
		return 0;
	if (kept && !decoder->has_last_ip)
		return 0;
	decoder->last_ip = (decoder->last_ip & kept) | packet->payload;
	if (sign && packet->payload & sign)
		decoder->last_ip |= ~(sign - 1);
	decoder->has_last_ip = 1;
	return 1;
}

/* The packets between a BEP and its FUP that say nothing but the time. */
static int is_timing(uint32_t type)
{
	return type == PRECIS_PT_PAD || type == PRECIS_PT_TSC || type == PRECIS_PT_TMA ||
	       type == PRECIS_PT_MTC || type == PRECIS_PT_CYC || type == PRECIS_PT_CBR;
}

/* What any packet says, in a record or not. */
static void take_context(struct precis_pebs_pt *decoder, const struct precis_pt_packet *packet)
{
	switch (packet->type) {
	case PRECIS_PT_PSB:
		decoder->last_ip = 0;
		decoder->has_last_ip = 1;
		break;
	case PRECIS_PT_TSC:
		decoder->tsc_packet = packet->payload;
		decoder->has_tsc_packet = 1;
		break;
	case PRECIS_PT_OVF:
		decoder->overflows++;
		decoder->has_tsc_packet = 0;
		decoder->has_last_ip = 0;
		break;
	default:
		break;
	}
}

/* A packet of a block, or one that ends it. @return 1 if the record is whole */
static int take_block(struct precis_pebs_pt *decoder, const struct precis_pt_packet *packet)
{
	switch (packet->type) {
	case PRECIS_PT_BBP:
		if (!decoder->in_record)
			precis_pt_record_begin(decoder);
		precis_pt_record_block(decoder, packet);
		return 0;
	case PRECIS_PT_BIP:
		precis_pt_record_item(decoder, packet);
		return 0;
	case PRECIS_PT_BEP:
		decoder->item_bytes = 0;
		if (!decoder->in_record)
			precis_pt_note(decoder, PRECIS_PEBS_PT_STRAY_END, decoder->offset);
		else if (packet->detail)
			decoder->awaits_ip = 1;
		else
			return 1;
		return 0;
	default:
		break;
	}
	if (decoder->in_record && !precis_pt_packet_keeps_block(packet->type)) {
		precis_pt_note(decoder,
			       packet->type == PRECIS_PT_OVF ? PRECIS_PEBS_PT_OVERFLOW
							     : PRECIS_PEBS_PT_INTERRUPTED,
			       decoder->offset);
		drop_record(decoder);
	}
	return 0;
}

static int is_ip(uint32_t type)
{
	return type == PRECIS_PT_TIP || type == PRECIS_PT_TIP_PGE || type == PRECIS_PT_TIP_PGD ||
	       type == PRECIS_PT_FUP;
}

/* Hand out the record that is whole. */
static int finish(struct precis_pebs_pt *decoder, int has_ip, struct precis_pebs *record,
		  struct precis_pebs_groups *groups, struct precis_pebs_pt_about *about)
{
	precis_pt_record_fill(decoder, record, groups, about);
	if (about) {
		about->fup_ip = has_ip ? decoder->last_ip : 0;
		about->tsc_packet = decoder->has_tsc_packet ? decoder->tsc_packet : 0;
		about->flags = (has_ip ? PRECIS_PEBS_PT_HAS_FUP_IP : 0) |
			       (decoder->has_tsc_packet ? PRECIS_PEBS_PT_HAS_TSC : 0);
	}
	decoder->in_record = 0;
	decoder->awaits_ip = 0;
	decoder->records++;
	return 1;
}

static int are_usable(const struct precis_pebs_pt *decoder, const struct precis_pebs *record,
		      const struct precis_pebs_groups *groups,
		      const struct precis_pebs_pt_about *about)
{
	return decoder && decoder->size >= sizeof(*decoder) && record &&
	       record->size >= sizeof(*record) && (!groups || groups->size >= sizeof(*groups)) &&
	       (!about || about->size >= sizeof(*about));
}

int precis_pebs_pt_init(struct precis_pebs_pt *decoder, uint64_t offset)
{
	if (!decoder)
		return PRECIS_E_ARGUMENT;
	memset(decoder, 0, sizeof(*decoder));
	decoder->size = sizeof(*decoder);
	decoder->offset = offset;
	return 0;
}

/*
 * Bytes that are no packet. Where a PSB was found one pair of bytes early, as there were the same
 * two in front of it, its last pair is left over.
 */
static size_t pass_unknown(struct precis_pebs_pt *decoder, const struct view *view)
{
	if (decoder->is_fresh && view->count >= 2 && view->at[0] == 0x02 && view->at[1] == 0x82)
		return consume(decoder, view, 2);
	precis_pt_note(decoder, PRECIS_PEBS_PT_UNKNOWN_PACKET, decoder->offset);
	lose_sync(decoder);
	return 0;
}

/*
 * One packet. @return 1 if the record is whole now; 'has_ip': the FUP behind it gave an IP
 */
static int take_packet(struct precis_pebs_pt *decoder, const struct precis_pt_packet *packet,
		       int *has_ip)
{
	decoder->packets++;
	decoder->is_fresh = 0;
	take_context(decoder, packet);
	*has_ip = is_ip(packet->type) && take_ip(decoder, packet);
	if (!decoder->awaits_ip)
		return take_block(decoder, packet);
	if (packet->type != PRECIS_PT_FUP)
		return 0;
	if (!*has_ip)
		precis_pt_note(decoder,
			       packet->detail ? PRECIS_PEBS_PT_IP_UNKNOWN : PRECIS_PEBS_PT_NO_IP,
			       decoder->offset);
	return 1;
}

/* Does a record that waits for its IP go without, as this packet is next? */
static int goes_without_ip(const struct precis_pebs_pt *decoder,
			   const struct precis_pt_packet *packet)
{
	return decoder->awaits_ip && packet->type != PRECIS_PT_FUP && !is_timing(packet->type);
}

int precis_pebs_pt_next(struct precis_pebs_pt *decoder, const void *bytes, size_t count,
			size_t *used, struct precis_pebs *record, struct precis_pebs_groups *groups,
			struct precis_pebs_pt_about *about)
{
	struct precis_pt_packet packet = { .size = sizeof(packet) };
	const uint8_t *from = (const uint8_t *)bytes;

	ABI_OUT(struct precis_pebs, record,
		precis_pebs_pt_next(decoder, bytes, count, used, &abi, groups, about));
	ABI_MAY_OUT(struct precis_pebs_groups, groups,
		    precis_pebs_pt_next(decoder, bytes, count, used, record, &abi, about));
	ABI_MAY_OUT(struct precis_pebs_pt_about, about,
		    precis_pebs_pt_next(decoder, bytes, count, used, record, groups, &abi));
	if (!are_usable(decoder, record, groups, about) || !used || (!from && count))
		return PRECIS_E_ARGUMENT;
	for (*used = 0;;) {
		struct view view = look(decoder, from ? from + *used : NULL, count - *used);
		int whole, got, has_ip = 0;

		if (!view.count)
			return 0;
		if (!decoder->in_sync) {
			*used += consume(decoder, &view, find_psb(decoder, &view));
			continue;
		}
		got = precis_pt_packet_parse(view.at, view.count, decoder->item_bytes, &packet);
		if (got == PRECIS_E_TRUNCATED) {
			*used += keep(decoder, &view);
			return 0;
		}
		if (got < 0) {
			*used += pass_unknown(decoder, &view);
			continue;
		}
		if (goes_without_ip(decoder, &packet)) {
			/* the packet's turn comes with the next call */
			precis_pt_note(decoder, PRECIS_PEBS_PT_NO_IP, decoder->offset);
			return finish(decoder, 0, record, groups, about);
		}
		whole = take_packet(decoder, &packet, &has_ip);
		*used += consume(decoder, &view, (size_t)got);
		if (whole)
			return finish(decoder, has_ip, record, groups, about);
	}
}

int precis_pebs_pt_end(struct precis_pebs_pt *decoder, struct precis_pebs *record,
		       struct precis_pebs_groups *groups, struct precis_pebs_pt_about *about)
{
	int found = 0;

	ABI_OUT(struct precis_pebs, record, precis_pebs_pt_end(decoder, &abi, groups, about));
	ABI_MAY_OUT(struct precis_pebs_groups, groups,
		    precis_pebs_pt_end(decoder, record, &abi, about));
	ABI_MAY_OUT(struct precis_pebs_pt_about, about,
		    precis_pebs_pt_end(decoder, record, groups, &abi));
	if (!are_usable(decoder, record, groups, about))
		return PRECIS_E_ARGUMENT;
	if (decoder->awaits_ip) {
		precis_pt_note(decoder, PRECIS_PEBS_PT_NO_IP, decoder->offset);
		found = finish(decoder, 0, record, groups, about);
	}
	if (decoder->in_record || decoder->carry_bytes)
		precis_pt_note(decoder, PRECIS_PEBS_PT_TRUNCATED, decoder->offset);
	decoder->offset += decoder->carry_bytes;
	decoder->carry_bytes = 0;
	lose_sync(decoder);
	return found;
}
