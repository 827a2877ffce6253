/* SPDX-License-Identifier: BSD-3-Clause */
/* Decoding a PT trace in pieces, and what of it must not depend on the pieces. */
#ifndef TESTS_PROPERTY_PEBS_PT_H
#define TESTS_PROPERTY_PEBS_PT_H

#include <stdlib.h>
#include <string.h>

#include <precis/pebs_pt.h>

/* A record with copies of what the decoder's views show */
struct pt_found {
	struct precis_pebs record;
	struct precis_pebs_pt_about about;
	uint32_t lbr_count, has_xmm;
	uint8_t lbr[PRECIS_PEBS_PT_BRANCHES * 24], xmm[256];
};

static inline void pt_found_init(struct pt_found *found, struct precis_pebs_groups *views)
{
	memset(found, 0, sizeof(*found));
	memset(views, 0, sizeof(*views));
	found->record.size = sizeof(found->record);
	found->about.size = sizeof(found->about);
	views->size = sizeof(*views);
}

static inline void pt_found_copy(struct pt_found *found, const struct precis_pebs_groups *views)
{
	found->lbr_count = views->lbr_count;
	if (views->lbr)
		memcpy(found->lbr, views->lbr, (size_t)views->lbr_count * 24);
	found->has_xmm = !!views->xmm;
	if (views->xmm)
		memcpy(found->xmm, views->xmm, sizeof(found->xmm));
}

/* The views again, of the copies */
static inline void pt_found_views(const struct pt_found *found, struct precis_pebs_groups *views)
{
	memset(views, 0, sizeof(*views));
	views->size = sizeof(*views);
	views->lbr_count = found->lbr_count;
	views->lbr = found->lbr_count ? found->lbr : NULL;
	views->xmm = found->has_xmm ? found->xmm : NULL;
}

/*
 * Decode what begins at 'at' in pieces of next_piece() bytes, each in memory of its exact size, up
 * to the end; 'take' gets each record. @return how many, or -1 if the decoder breaks its word
 */
static inline long pt_decode(struct precis_pebs_pt *decoder, const uint8_t *at, size_t bytes,
			     size_t (*next_piece)(void *), void (*take)(void *, struct pt_found *),
			     void *context)
{
	struct precis_pebs_groups views;
	struct pt_found found;
	long records = 0;
	int got = 1;

	precis_pebs_pt_init(decoder, 0);
	while (bytes) {
		size_t piece = next_piece(context), done = 0, used = 0;
		uint8_t *copy;

		if (piece > bytes)
			piece = bytes;
		copy = (uint8_t *)malloc(piece);
		if (!copy)
			return -1;
		memcpy(copy, at, piece);
		for (got = 1; got == 1; done += used) {
			pt_found_init(&found, &views);
			got = precis_pebs_pt_next(decoder, copy + done, piece - done, &used,
						  &found.record, &views, &found.about);
			if (got != 1)
				continue;
			pt_found_copy(&found, &views);
			take(context, &found);
			records++;
		}
		free(copy);
		if (got < 0 || done != piece)
			return -1;
		at += piece;
		bytes -= piece;
	}
	pt_found_init(&found, &views);
	got = precis_pebs_pt_end(decoder, &found.record, &views, &found.about);
	if (got == 1) {
		pt_found_copy(&found, &views);
		take(context, &found);
		records++;
	}
	return got < 0 ? -1 : records;
}

/* What a record says, without where it stood */
static inline int pt_same_words(const struct pt_found *left, const struct pt_found *right)
{
	const struct precis_pebs *a = &left->record, *b = &right->record;

	return a->captured == b->captured && a->gpr_captured == b->gpr_captured &&
	       a->flags == b->flags && a->groups == b->groups &&
	       memcmp(a->word, b->word, sizeof(a->word)) == 0 &&
	       memcmp(a->gpr, b->gpr, sizeof(a->gpr)) == 0 && left->lbr_count == right->lbr_count &&
	       memcmp(left->lbr, right->lbr, sizeof(left->lbr)) == 0 &&
	       left->has_xmm == right->has_xmm &&
	       memcmp(left->xmm, right->xmm, sizeof(left->xmm)) == 0 &&
	       (left->about.flags & PRECIS_PEBS_PT_HAS_FUP_IP) ==
		       (right->about.flags & PRECIS_PEBS_PT_HAS_FUP_IP) &&
	       left->about.fup_ip == right->about.fup_ip;
}

#endif
