/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random records into packets, with packets between them that may stand there,
 * and back: whole, in pieces, and cut at every byte.
 */
#include "tests/property/pebs_pt.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

#define RECORDS 6
#define TRACE_ROOM (RECORDS * 8192)

struct run {
	uint64_t state;
	size_t most; /* bytes of a piece */
	uint32_t taken, wrong;
	const struct pt_found *expected;
};

struct trace {
	uint8_t bytes[TRACE_ROOM];
	size_t count;
	struct pt_found record[RECORDS];
	size_t end[RECORDS]; /* of each record's packets */
	size_t begin[RECORDS];
};

static const uint8_t psb[16] = { 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82,
				 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82 };

static void random_record(uint64_t *state, struct pt_found *found)
{
	struct precis_pebs_groups views;
	struct precis_pebs *record = &found->record;
	uint64_t narrow = random_next(state) % 3 ? UINT64_MAX : UINT32_MAX;

	pt_found_init(found, &views);
	record->captured = (uint32_t)random_next(state) & 0xfe;
	record->gpr_captured = random_next(state) % 2 ? (uint32_t)random_next(state) & 0x3ffff : 0;
	for (uint32_t n = 0; n < PRECIS_PEBS_WORD_COUNT; n++)
		record->word[n] = record->captured >> n & 1 ? random_register(state) : 0;
	for (uint32_t n = 0; n < PRECIS_PEBS_GPR_COUNT; n++)
		record->gpr[n] = record->gpr_captured >> n & 1 ? random_register(state) & narrow
							       : 0;
	if (record->gpr_captured && narrow != UINT64_MAX)
		record->flags = PRECIS_PEBS_REGISTERS_32;
	found->lbr_count = random_next(state) % 2 ? (uint32_t)random_next(state) % 31 : 0;
	for (uint32_t n = 0; n < found->lbr_count * 24; n++)
		found->lbr[n] = (uint8_t)random_next(state);
	found->has_xmm = random_next(state) % 3 == 0;
	for (uint32_t n = 0; found->has_xmm && n < 256; n++)
		found->xmm[n] = (uint8_t)random_next(state);
	record->groups = (record->captured & 0x0e ? PRECIS_PEBS_GROUP_BASIC : 0) |
			 (record->captured & 0xf0 ? PRECIS_PEBS_GROUP_MEMORY : 0) |
			 (record->gpr_captured ? PRECIS_PEBS_GROUP_GPR : 0) |
			 (found->lbr_count ? PRECIS_PEBS_GROUP_LBR : 0) |
			 (found->has_xmm ? PRECIS_PEBS_GROUP_XMM : 0);
	if (random_next(state) % 2) {
		found->about.flags = PRECIS_PEBS_PT_HAS_FUP_IP;
		found->about.fup_ip = random_register(state);
	}
}

/* Packets that leave a block open. Between a BEP and its FUP: only those of time */
static void put_others(uint64_t *state, struct trace *trace, int only_time)
{
	static const uint8_t types[] = {
		PRECIS_PT_PAD, PRECIS_PT_TSC, PRECIS_PT_TMA, PRECIS_PT_MTC, PRECIS_PT_CYC,
		PRECIS_PT_CBR, PRECIS_PT_FUP, PRECIS_PT_MNT, PRECIS_PT_EXSTOP, PRECIS_PT_PWRE,
		PRECIS_PT_PWRX,
	};

	while (random_next(state) % 4 == 0) {
		struct precis_pt_packet packet = { .size = sizeof(packet) };
		int made;

		packet.type = types[random_next(state) % (only_time ? 6 : sizeof(types))];
		if (packet.type == PRECIS_PT_CYC || packet.type == PRECIS_PT_MNT)
			packet.payload = random_register(state);
		else if (packet.type == PRECIS_PT_FUP) {
			packet.detail = 1 + (uint32_t)random_next(state) % 4;
			packet.payload = random_next(state) & 0xffff;
		} else if (packet.type == PRECIS_PT_TSC)
			packet.payload = random_next(state) >> 8;
		made = precis_pt_packet_encode(&packet, trace->bytes + trace->count,
					       TRACE_ROOM - trace->count);
		CU_ASSERT_FATAL(made > 0);
		trace->count += (size_t)made;
	}
}

/* The record's packets, one by one, with others between. */
static void put_record(uint64_t *state, struct trace *trace, const struct pt_found *found)
{
	uint8_t packets[PRECIS_PEBS_PT_ENCODED_MAX];
	struct precis_pebs_groups views;
	uint32_t item_bytes = 0, ended = 0;
	int bytes, at = 0;

	pt_found_views(found, &views);
	bytes = precis_pebs_pt_encode(&found->record, &views, &found->about, packets,
				      sizeof(packets));
	CU_ASSERT_FATAL(bytes > 0);
	while (at < bytes) {
		struct precis_pt_packet packet = { .size = sizeof(packet) };
		int got = precis_pt_packet_parse(packets + at, (size_t)(bytes - at), item_bytes,
						 &packet);

		CU_ASSERT_FATAL(got > 0);
		memcpy(trace->bytes + trace->count, packets + at, (size_t)got);
		trace->count += (size_t)got;
		at += got;
		if (packet.type == PRECIS_PT_BBP)
			item_bytes = packet.detail;
		ended |= packet.type == PRECIS_PT_BEP;
		if (ended)
			item_bytes = 0;
		if (at < bytes)
			put_others(state, trace, (int)ended);
	}
}

static void make_trace(uint64_t *state, struct trace *trace)
{
	trace->count = 0;
	for (size_t garbage = random_next(state) % 20; garbage; garbage--)
		trace->bytes[trace->count++] = (uint8_t)random_next(state);
	memcpy(trace->bytes + trace->count, psb, sizeof(psb));
	trace->count += sizeof(psb);
	for (uint32_t n = 0; n < RECORDS; n++) {
		random_record(state, &trace->record[n]);
		if (n)
			put_others(state, trace, 0);
		trace->begin[n] = trace->count;
		put_record(state, trace, &trace->record[n]);
		trace->end[n] = trace->count;
	}
}

static size_t next_piece(void *context)
{
	struct run *run = context;

	return 1 + random_next(&run->state) % run->most;
}

static void take(void *context, struct pt_found *found)
{
	struct run *run = context;

	run->wrong += !pt_same_words(found, &run->expected[run->taken]);
	run->taken++;
}

/* Garbage must not look like the PSB's beginning */
static int is_clean(const struct trace *trace)
{
	size_t at = 0;

	while (memcmp(trace->bytes + at, psb, sizeof(psb)) != 0)
		at++;
	return at < 2 || trace->bytes[at - 2] != 0x02 || trace->bytes[at - 1] != 0x82;
}

static struct trace trace;

static void round_trip(void)
{
	static const size_t pieces[] = { 1, 2, 7, 100, TRACE_ROOM };
	uint64_t state = random_seed("pebs_pt round trip");

	for (unsigned int n = random_amount(2000); n; n--) {
		struct run run = { random_next(&state), pieces[n % 5], 0, 0, trace.record };
		struct precis_pebs_pt decoder;
		uint64_t problems = 0;

		make_trace(&state, &trace);
		if (!is_clean(&trace))
			continue;
		CU_ASSERT_EQUAL(pt_decode(&decoder, trace.bytes, trace.count, next_piece, take,
					  &run),
				RECORDS);
		CU_ASSERT_EQUAL(run.wrong, 0);
		for (uint32_t p = 0; p < PRECIS_PEBS_PT_PROBLEM_COUNT; p++)
			problems += decoder.problems[p];
		CU_ASSERT_EQUAL(problems, 0);
		CU_ASSERT_EQUAL(decoder.records_lost, 0);
		CU_ASSERT_EQUAL(decoder.offset, trace.count);
	}
}

/* The records that are whole come, the one that is cut is told of. */
static void cut_anywhere(void)
{
	uint64_t state = random_seed("pebs_pt cuts");

	for (unsigned int n = random_amount(20); n; n--) {
		make_trace(&state, &trace);
		for (size_t cut = 0; cut < trace.count; cut++) {
			struct run run = { cut, TRACE_ROOM, 0, 0, trace.record };
			struct precis_pebs_pt decoder;
			uint32_t whole = 0, begun = 0;
			long found = pt_decode(&decoder, trace.bytes, cut, next_piece, take, &run);

			for (uint32_t r = 0; r < RECORDS; r++) {
				whole += cut >= trace.end[r];
				begun += cut >= trace.begin[r] + 3;
			}
			/* one whose FUP is cut is there, too, without it */
			CU_ASSERT(found == (long)whole ||
				  (found == (long)whole + 1 &&
				   decoder.problems[PRECIS_PEBS_PT_NO_IP] == 1));
			CU_ASSERT_EQUAL(run.wrong, found - (long)whole);
			CU_ASSERT_EQUAL(decoder.records_lost, begun - (uint64_t)found);
			CU_ASSERT(begun == found || decoder.problems[PRECIS_PEBS_PT_TRUNCATED]);
		}
	}
}

/* A flipped bit may lose records, and nothing else. What is found does not depend on the pieces. */
struct all {
	struct run run;
	uint64_t sum;
};

static void add_up(void *context, struct pt_found *found)
{
	struct all *all = context;
	const uint8_t *bytes = (const uint8_t *)found;

	for (size_t n = 0; n < sizeof(*found); n++)
		all->sum = (all->sum ^ bytes[n]) * UINT64_C(0x100000001b3);
}

static size_t next_piece_of_all(void *context)
{
	return next_piece(&((struct all *)context)->run);
}

static void damaged(void)
{
	uint64_t state = random_seed("pebs_pt damage");

	for (unsigned int n = random_amount(2000); n; n--) {
		struct all whole = { .run = { .state = n, .most = 1 } }, pieces = whole;
		struct precis_pebs_pt one, other;
		long found;

		make_trace(&state, &trace);
		for (uint64_t flips = 1 + random_next(&state) % 4; flips; flips--)
			trace.bytes[random_next(&state) % trace.count] ^=
				(uint8_t)(1u << random_next(&state) % 8);
		pieces.run.most = 1 + random_next(&state) % 40;
		found = pt_decode(&one, trace.bytes, trace.count, next_piece_of_all, add_up,
				  &whole);
		CU_ASSERT(found >= 0 && found <= RECORDS + 4);
		CU_ASSERT_EQUAL(pt_decode(&other, trace.bytes, trace.count, next_piece_of_all,
					  add_up, &pieces),
				found);
		CU_ASSERT_EQUAL(whole.sum, pieces.sum);
		CU_ASSERT(memcmp(one.problems, other.problems, sizeof(one.problems)) == 0);
		CU_ASSERT(memcmp(one.problem_offset, other.problem_offset,
				 sizeof(one.problem_offset)) == 0);
		CU_ASSERT_EQUAL(one.packets, other.packets);
		CU_ASSERT_EQUAL(one.bytes_skipped, other.bytes_skipped);
	}
}

static const struct tap_case cases[] = {
	{ "records into packets and back, in pieces", round_trip },
	{ "cut at every byte", cut_anywhere },
	{ "damaged, and the same whatever the pieces", damaged },
};

int main(void)
{
	return tap_main("pebs_pt properties", cases, sizeof(cases) / sizeof(cases[0]));
}
