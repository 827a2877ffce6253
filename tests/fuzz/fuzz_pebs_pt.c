/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel PT with PEBS records. Byte 0: the size of pieces; then the trace. */
#include <precis/pebs_pt.h>

#include "tests/fuzz/target.h"
#include "tests/property/pebs_pt.h"

struct pass {
	size_t piece;
	uint64_t sum;
};

static size_t next_piece(void *context)
{
	return ((struct pass *)context)->piece;
}

static size_t all_at_once(void *context)
{
	(void)context;
	return SIZE_MAX;
}

static void keep(void *context, struct pt_found *found)
{
	*(struct pt_found *)context = *found;
}

/* What was found can be written, and reads back as the same. */
static void check_again(const struct pt_found *found)
{
	uint8_t trace[16 + PRECIS_PEBS_PT_ENCODED_MAX];
	struct precis_pt_packet psb = { .size = sizeof(psb), .type = PRECIS_PT_PSB };
	struct precis_pebs_groups views;
	struct precis_pebs_pt decoder;
	struct pt_found again;
	int bytes;

	pt_found_views(found, &views);
	PROMISE(precis_pt_packet_encode(&psb, trace, 16) == 16);
	bytes = precis_pebs_pt_encode(&found->record, &views, &found->about, trace + 16,
				      PRECIS_PEBS_PT_ENCODED_MAX);
	PROMISE(bytes > 0);
	PROMISE(pt_decode(&decoder, trace, 16 + (size_t)bytes, all_at_once, keep, &again) == 1);
	PROMISE(pt_same_words(found, &again));
	PROMISE(again.about.problems == 0);
}

static void take(void *context, struct pt_found *found)
{
	struct pass *pass = context;
	const uint8_t *bytes = (const uint8_t *)found;

	for (size_t n = 0; n < sizeof(*found); n++)
		pass->sum = (pass->sum ^ bytes[n]) * UINT64_C(0x100000001b3);
	if (pass->piece == SIZE_MAX)
		check_again(found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pass whole = { SIZE_MAX, 0 }, pieces = { 1, 0 };
	struct precis_pebs_pt one, other;

	if (size < 1)
		return 0;
	pieces.piece += data[0];
	PROMISE(pt_decode(&one, data + 1, size - 1, next_piece, take, &whole) ==
		pt_decode(&other, data + 1, size - 1, next_piece, take, &pieces));
	PROMISE(whole.sum == pieces.sum);
	PROMISE(memcmp(one.problems, other.problems, sizeof(one.problems)) == 0);
	PROMISE(one.packets == other.packets && one.records_lost == other.records_lost &&
		one.bytes_skipped == other.bytes_skipped && one.offset == other.offset);
	return 0;
}
