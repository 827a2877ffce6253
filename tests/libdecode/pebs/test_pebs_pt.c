/* SPDX-License-Identifier: BSD-3-Clause */
/* PEBS records in Intel PT: blocks by hand, what may stand between them, what ends them. */
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>
#include <precis/pebs_pt.h>

#include "tests/support/tap.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define PSB 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82
#define BBP(type) 0x02, 0x63, type
#define BBP4(type) 0x02, 0x63, 0x80 | (type)
#define BIP(id, low) (id) << 3 | 4, low, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77
#define BIP_VALUE(low) (UINT64_C(0x7766554433221100) + (low))
#define BIP4(id, low) (id) << 3 | 4, low, 0x11, 0x22, 0x33
#define BIP4_VALUE(low) (UINT64_C(0x33221100) + (low))
#define BEP 0x02, 0x33
#define BEP_IP 0x02, 0xb3
#define FUP_FULL 0xdd, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x00
#define FUP_16 0x3d, 0xcd, 0xab
#define OVF 0x02, 0xf3
#define TSC(low) 0x19, low, 0, 0, 0, 0, 0, 1
#define TSC_VALUE(low) ((UINT64_C(1) << 48) + (low))

struct result {
	struct precis_pebs_pt decoder;
	uint32_t count;
	struct precis_pebs record[4];
	struct precis_pebs_pt_about about[4];
	struct precis_pebs_groups views; /* of the last one */
};

static struct precis_pebs_pt_about *note(struct result *result)
{
	struct precis_pebs_pt_about *about = &result->about[result->count % 4];

	result->record[result->count % 4].size = sizeof(struct precis_pebs);
	about->size = sizeof(*about);
	return about;
}

/* All of a trace in pieces, then its end. Heap copies of the exact size: a read beyond is seen. */
static void decode(struct result *result, const uint8_t *trace, size_t bytes, size_t piece)
{
	memset(result, 0, sizeof(*result));
	result->views.size = sizeof(result->views);
	CU_ASSERT_EQUAL(precis_pebs_pt_init(&result->decoder, 0), 0);
	for (size_t at = 0; at < bytes; at += piece) {
		size_t count = bytes - at < piece ? bytes - at : piece, done = 0, used;
		uint8_t *copy = malloc(count);

		memcpy(copy, trace + at, count);
		for (int found = 1; found; done += used) {
			struct precis_pebs_pt_about *about = note(result);

			found = precis_pebs_pt_next(&result->decoder, copy + done, count - done,
						    &used, &result->record[result->count % 4],
						    &result->views, about);
			CU_ASSERT_FATAL(found >= 0 && used <= count - done);
			result->count += (uint32_t)found;
		}
		CU_ASSERT_EQUAL(done, count);
		free(copy);
	}
	result->count += (uint32_t)precis_pebs_pt_end(&result->decoder,
						      &result->record[result->count % 4],
						      &result->views, note(result));
	CU_ASSERT_EQUAL(result->decoder.offset, bytes);
	CU_ASSERT_EQUAL(result->decoder.records, result->count);
}

#define DECODE(result, trace) decode(result, trace, sizeof(trace), sizeof(trace))

static uint64_t problems_of(const struct result *result)
{
	uint64_t sum = 0;

	for (uint32_t n = 0; n < PRECIS_PEBS_PT_PROBLEM_COUNT; n++)
		sum += result->decoder.problems[n];
	return sum;
}

/* That problem, at that offset, and no other */
#define ASSERT_ONLY(result, problem, offset)                                                       \
	do {                                                                                       \
		CU_ASSERT_EQUAL(problems_of(result), 1);                                           \
		CU_ASSERT_EQUAL((result)->decoder.problems[problem], 1);                           \
		CU_ASSERT_EQUAL((result)->decoder.problem_offset[problem], (offset));              \
	} while (0)

static void a_record(void)
{
	static const uint8_t trace[] = { PSB, TSC(9), BBP(4), BIP(0, 1), BIP(1, 2), BIP(2, 3),
					 BBP(5), BIP(0, 4), BIP(1, 5), BIP(2, 6), BIP(3, 7),
					 BBP(1), BIP(0, 8), BIP(2, 9), BIP(3, 10), BIP(4, 11),
					 BIP(5, 12), BIP(6, 13), BIP(7, 14), BIP(8, 15),
					 BIP(9, 16), BIP(10, 17), BIP(17, 18), BEP };
	static const uint8_t gpr[] = {
		PRECIS_PEBS_FLAGS, PRECIS_PEBS_AX, PRECIS_PEBS_CX, PRECIS_PEBS_DX,
		PRECIS_PEBS_BX,	   PRECIS_PEBS_SP, PRECIS_PEBS_BP, PRECIS_PEBS_SI,
		PRECIS_PEBS_DI,	   PRECIS_PEBS_R8, PRECIS_PEBS_R15,
	};
	static const uint8_t word[] = {
		PRECIS_PEBS_EVENTING_IP,  PRECIS_PEBS_APPLICABLE_COUNTERS, PRECIS_PEBS_TSC,
		PRECIS_PEBS_DATA_ADDRESS, PRECIS_PEBS_DATA_SOURCE,	   PRECIS_PEBS_LATENCY,
		PRECIS_PEBS_TSX,
	};
	struct result result;
	struct precis_pebs *record = &result.record[0];
	uint32_t words = 0, gprs = 0;

	DECODE(&result, trace);
	CU_ASSERT_EQUAL(result.count, 1);
	CU_ASSERT_EQUAL(problems_of(&result), 0);
	for (size_t n = 0; n < COUNT(word); n++) {
		CU_ASSERT_EQUAL(record->word[word[n]], BIP_VALUE(1 + n));
		words |= 1u << word[n];
	}
	for (size_t n = 0; n < COUNT(gpr); n++) {
		CU_ASSERT_EQUAL(record->gpr[gpr[n]], BIP_VALUE(8 + n));
		gprs |= 1u << gpr[n];
	}
	CU_ASSERT_EQUAL(record->captured, words);
	CU_ASSERT_EQUAL(record->gpr_captured, gprs);
	CU_ASSERT_EQUAL(record->groups, PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_MEMORY |
						PRECIS_PEBS_GROUP_GPR);
	CU_ASSERT_EQUAL(record->format, PRECIS_PEBS_FORMAT_4);
	CU_ASSERT_EQUAL(record->format_word, 0);
	CU_ASSERT_EQUAL(record->flags, 0);
	CU_ASSERT_EQUAL(record->bytes, sizeof(trace) - 16 - 8);
	CU_ASSERT_EQUAL(result.about[0].offset, 24);
	CU_ASSERT_EQUAL(result.about[0].flags, PRECIS_PEBS_PT_HAS_TSC);
	CU_ASSERT_EQUAL(result.about[0].tsc_packet, TSC_VALUE(9));
	CU_ASSERT_PTR_NULL(result.views.lbr);
	CU_ASSERT_PTR_NULL(result.views.xmm);
}

/* The first byte of each BIP is a TNT's where no block is open. */
static void same_byte(void)
{
	static const uint8_t trace[] = { PSB, 0x0c, BBP(4), BIP(0, 1), BEP, 0x0c, 0x0c };
	struct result result;

	DECODE(&result, trace);
	CU_ASSERT_EQUAL(result.count, 1);
	CU_ASSERT_EQUAL(problems_of(&result), 0);
	CU_ASSERT_EQUAL(result.decoder.packets, 7);
}

static void four_bytes(void)
{
	static const uint8_t trace[] = { PSB, BBP4(1), BIP4(2, 1), BBP4(4), BIP4(0, 2), BEP };
	static const uint8_t none[] = { PSB, BBP4(1), BIP4(2, 1), BIP4(2, 2), BEP };
	static const uint8_t both[] = { PSB, BBP4(1), BIP4(2, 1), BBP(1), BIP(3, 1), BEP };
	static const uint8_t bad[] = { PSB, BBP4(4), BIP4(0, 1), BIP4(2, 1), BEP };
	struct result result;

	DECODE(&result, trace);
	CU_ASSERT_EQUAL(result.count, 1);
	CU_ASSERT_EQUAL(result.record[0].flags, PRECIS_PEBS_REGISTERS_32);
	CU_ASSERT_EQUAL(result.record[0].gpr[PRECIS_PEBS_AX], BIP4_VALUE(1));
	CU_ASSERT_EQUAL(result.record[0].word[PRECIS_PEBS_EVENTING_IP], BIP4_VALUE(2));
	CU_ASSERT_EQUAL(problems_of(&result), 0);
	DECODE(&result, none);
	CU_ASSERT_EQUAL(result.record[0].flags, 0);
	CU_ASSERT_EQUAL(result.record[0].gpr_captured, 0);
	DECODE(&result, both);
	CU_ASSERT_EQUAL(result.record[0].flags, 0);
	CU_ASSERT_EQUAL(result.record[0].gpr[PRECIS_PEBS_CX], BIP_VALUE(1));
	/* half of a TSC is none; and the size of another block is not that of registers */
	DECODE(&result, bad);
	ASSERT_ONLY(&result, PRECIS_PEBS_PT_UNKNOWN_ITEM, 24);
	CU_ASSERT_EQUAL(result.record[0].captured, 1u << PRECIS_PEBS_EVENTING_IP);
	CU_ASSERT_EQUAL(result.record[0].flags, 0);
	CU_ASSERT_EQUAL(result.about[0].problems, 1u << PRECIS_PEBS_PT_UNKNOWN_ITEM);
}

static void ip_behind(void)
{
	static const uint8_t trace[] = { PSB, BBP(4), BEP_IP, 0, TSC(1), 0x59, 1, FUP_FULL,
					 BBP(4), FUP_16, BEP_IP, FUP_16 };
	static const uint8_t sign[] = { PSB,  BBP(4), BEP_IP, 0x7d, 1, 2, 3, 4, 5, 0x86,
					BBP(4), BEP_IP, 0x9d, 1, 2, 3, 4, 5, 6,
					BBP(4), BEP_IP, 0x5d, 7, 8, 9, 10 };
	struct result result;

	DECODE(&result, trace);
	CU_ASSERT_EQUAL(result.count, 2);
	CU_ASSERT_EQUAL(problems_of(&result), 0);
	CU_ASSERT_EQUAL(result.about[0].fup_ip, 0x0070605040302010);
	CU_ASSERT_EQUAL(result.about[0].flags, PRECIS_PEBS_PT_HAS_FUP_IP | PRECIS_PEBS_PT_HAS_TSC);
	CU_ASSERT_EQUAL(result.about[1].fup_ip, 0x007060504030abcd);
	CU_ASSERT_EQUAL(result.record[0].bytes, 3 + 2 + 1 + 8 + 2 + 9);
	CU_ASSERT_EQUAL(result.record[0].captured, 0);
	CU_ASSERT_EQUAL(result.record[0].groups, 0);
	DECODE(&result, sign);
	CU_ASSERT_EQUAL(result.count, 3);
	CU_ASSERT_EQUAL(result.about[0].fup_ip, 0xffff860504030201);
	CU_ASSERT_EQUAL(result.about[1].fup_ip, 0xffff060504030201);
	CU_ASSERT_EQUAL(result.about[2].fup_ip, 0xffff06050a090807);
}

static void no_ip_behind(void)
{
	static const uint8_t tnt[] = { PSB, BBP(4), BIP(0, 1), BEP_IP, 0x06, FUP_FULL };
	static const uint8_t next[] = { PSB, BBP(4), BEP_IP, BBP(5), BEP };
	static const uint8_t end[] = { PSB, BBP(4), BEP_IP };
	static const uint8_t suppressed[] = { PSB, BBP(4), BEP_IP, 0x1d };
	static const uint8_t lost[] = { PSB,	OVF,	BBP(4), BEP_IP,
					FUP_16, BBP(4), BEP_IP, FUP_FULL };
	static const uint8_t again[] = { PSB, OVF, PSB, BBP(4), BEP_IP, FUP_16 };
	struct result result;

	DECODE(&result, tnt);
	CU_ASSERT_EQUAL(result.count, 1);
	CU_ASSERT_EQUAL(result.record[0].captured, 1u << PRECIS_PEBS_EVENTING_IP);
	CU_ASSERT_EQUAL(result.about[0].flags, 0);
	ASSERT_ONLY(&result, PRECIS_PEBS_PT_NO_IP, 30);
	CU_ASSERT_EQUAL(result.decoder.packets, 6);
	DECODE(&result, next);
	CU_ASSERT_EQUAL(result.count, 2);
	ASSERT_ONLY(&result, PRECIS_PEBS_PT_NO_IP, 21);
	CU_ASSERT_EQUAL(result.about[1].problems, 0);
	DECODE(&result, end);
	CU_ASSERT_EQUAL(result.count, 1);
	ASSERT_ONLY(&result, PRECIS_PEBS_PT_NO_IP, 21);
	DECODE(&result, suppressed);
	CU_ASSERT_EQUAL(result.count, 1);
	ASSERT_ONLY(&result, PRECIS_PEBS_PT_NO_IP, 21);
	CU_ASSERT_EQUAL(result.about[0].problems, 1u << PRECIS_PEBS_PT_NO_IP);
	DECODE(&result, lost);
	CU_ASSERT_EQUAL(result.count, 2);
	ASSERT_ONLY(&result, PRECIS_PEBS_PT_IP_UNKNOWN, 23);
	CU_ASSERT_EQUAL(result.about[0].flags, 0);
	CU_ASSERT_EQUAL(result.about[1].flags, PRECIS_PEBS_PT_HAS_FUP_IP);
	DECODE(&result, again);
	CU_ASSERT_EQUAL(problems_of(&result), 0);
	CU_ASSERT_EQUAL(result.about[0].fup_ip, 0xabcd);
}

/* One of each packet between two items: the record goes on, or is lost and the next one comes. */
static void between(void)
{
	static const uint8_t before[] = { PSB, BBP(4), BIP(0, 1) };
	static const uint8_t behind[] = { BIP(1, 2), BEP, PSB, BBP(5), BIP(0, 3), BEP };
	uint8_t trace[128];

	for (uint32_t type = 0; type < PRECIS_PT_TYPE_COUNT; type++) {
		struct precis_pt_packet packet = { .size = sizeof(packet), .type = type };
		struct result result;
		size_t bytes = sizeof(before);
		int made;

		if (type == PRECIS_PT_BBP || type == PRECIS_PT_BIP || type == PRECIS_PT_BEP)
			continue;
		if (type == PRECIS_PT_TNT_SHORT)
			packet.payload = 0x06;
		else if (type == PRECIS_PT_MODE_TSX)
			packet.payload = 0x20;
		memcpy(trace, before, sizeof(before));
		made = precis_pt_packet_encode(&packet, trace + bytes, 32);
		CU_ASSERT_FATAL(made > 0);
		bytes += (size_t)made;
		memcpy(trace + bytes, behind, sizeof(behind));
		bytes += sizeof(behind);
		decode(&result, trace, bytes, bytes);
		if (precis_pt_packet_keeps_block(type)) {
			CU_ASSERT_EQUAL(result.count, 2);
			CU_ASSERT_EQUAL(result.record[0].captured, 3u << 1);
			CU_ASSERT_EQUAL(problems_of(&result), 0);
			continue;
		}
		/* what was an item is a TNT now, and bytes behind it; up to the next PSB */
		CU_ASSERT_EQUAL(result.count, 1);
		CU_ASSERT_EQUAL(result.record[0].captured, 1u << PRECIS_PEBS_DATA_ADDRESS);
		CU_ASSERT_EQUAL(result.decoder.records_lost, 1);
		CU_ASSERT_EQUAL(result.decoder.problem_offset[type == PRECIS_PT_OVF
								      ? PRECIS_PEBS_PT_OVERFLOW
								      : PRECIS_PEBS_PT_INTERRUPTED],
				sizeof(before));
		CU_ASSERT_EQUAL(result.decoder.problems[type == PRECIS_PT_OVF
								? PRECIS_PEBS_PT_OVERFLOW
								: PRECIS_PEBS_PT_INTERRUPTED],
				1);
		CU_ASSERT_EQUAL(result.decoder.overflows, type == PRECIS_PT_OVF);
	}
}

static void unknown_packet(void)
{
	static const uint8_t trace[] = { 1, 2, 0x82, PSB, TSC(1), BBP(4), 0x02, 0x02, BEP, BBP(4),
					 BEP, PSB, BBP(4), BIP(0, 1), BEP };
	static const uint8_t early[] = { 2, 0x82, PSB, BBP(4), BEP };
	static const uint8_t inside[] = { PSB, 0x05, 2, 0x82, 2, 0x82, PSB, BBP(4), BEP };
	struct result result;

	DECODE(&result, trace);
	CU_ASSERT_EQUAL(result.count, 1);
	ASSERT_ONLY(&result, PRECIS_PEBS_PT_UNKNOWN_PACKET, 30);
	CU_ASSERT_EQUAL(result.decoder.records_lost, 1);
	CU_ASSERT_EQUAL(result.decoder.bytes_skipped, 1 + 9);
	CU_ASSERT_EQUAL(result.about[0].flags, 0); /* a TSC packet may have been lost */
	/* a PSB behind the end of another */
	DECODE(&result, early);
	CU_ASSERT_EQUAL(result.count, 1);
	CU_ASSERT_EQUAL(problems_of(&result), 0);
	CU_ASSERT_EQUAL(result.about[0].offset, 18);
	/* a PSB that follows what looks like one */
	DECODE(&result, inside);
	CU_ASSERT_EQUAL(result.count, 1);
	ASSERT_ONLY(&result, PRECIS_PEBS_PT_UNKNOWN_PACKET, 16);
}

static void unknown_block(void)
{
	static const uint8_t trace[] = { PSB, BBP(4), BIP(0, 1), BBP(0x1f), BIP(0, 2), BIP(31, 3),
					 BBP4(2), BIP4(1, 3), BBP(5), BIP(0, 4), BIP(4, 5), BBP(1),
					 BIP(18, 1), BEP, BBP(4), BEP };
	struct result result;

	DECODE(&result, trace);
	CU_ASSERT_EQUAL(result.count, 2);
	CU_ASSERT_EQUAL(result.record[0].unknown_groups, 1u << 31 | 1u << 2);
	CU_ASSERT_EQUAL(result.record[0].captured,
			1u << PRECIS_PEBS_EVENTING_IP | 1u << PRECIS_PEBS_DATA_ADDRESS);
	CU_ASSERT_EQUAL(result.record[0].gpr_captured, 0);
	CU_ASSERT_EQUAL(result.record[0].groups & PRECIS_PEBS_GROUP_GPR, 0);
	CU_ASSERT_EQUAL(result.decoder.problems[PRECIS_PEBS_PT_UNKNOWN_BLOCK], 2);
	CU_ASSERT_EQUAL(result.decoder.problems[PRECIS_PEBS_PT_UNKNOWN_ITEM], 2);
	CU_ASSERT_EQUAL(problems_of(&result), 4);
	/* the next record starts afresh */
	CU_ASSERT_EQUAL(result.record[1].unknown_groups, 0);
	CU_ASSERT_EQUAL(result.about[1].problems, 0);
	CU_ASSERT_EQUAL(result.about[0].problems, 1u << PRECIS_PEBS_PT_UNKNOWN_BLOCK |
							  1u << PRECIS_PEBS_PT_UNKNOWN_ITEM);
}

static void two_values(void)
{
	static const uint8_t trace[] = { PSB, BBP(4), BIP(0, 1), BIP(1, 1), BIP(1, 2), BBP(4),
					 BIP(0, 1), BIP(1, 1), BEP, BBP(4), BIP(1, 3), BEP };
	struct result result;

	DECODE(&result, trace);
	CU_ASSERT_EQUAL(result.count, 2);
	CU_ASSERT_EQUAL(result.record[0].captured, 1u << PRECIS_PEBS_EVENTING_IP);
	ASSERT_ONLY(&result, PRECIS_PEBS_PT_TWO_VALUES, 16 + 3 + 18);
	CU_ASSERT_EQUAL(result.record[1].captured, 1u << PRECIS_PEBS_APPLICABLE_COUNTERS);
	CU_ASSERT_EQUAL(result.about[1].problems, 0);
	CU_ASSERT_EQUAL(result.record[1].bytes, 3 + 9 + 2);
}

/* What packets before a record leave behind, and what takes it away */
static void context(void)
{
	static const uint8_t tsc[] = { PSB, TSC(1), BBP(4), BEP, OVF, BBP(4), BEP };
	static const uint8_t psb[] = { PSB, FUP_FULL, PSB, BBP(4), BEP_IP, FUP_16 };
	static const uint8_t again[] = { PSB, FUP_FULL, 0x05, PSB, BBP(4), BEP_IP, FUP_16 };
	static const uint8_t known[] = { PSB, OVF, FUP_FULL, BBP(4), BEP_IP, FUP_16 };
	static const uint8_t items[] = { PSB, BBP(4), BIP(0, 1), 0x06, 0x0c, 0x0c, BBP(5), BEP };
	static const uint8_t pair[] = { PSB, 0, 2, 0x82, 2, 0, PSB, BBP(4), BEP };
	struct result result;

	DECODE(&result, tsc);
	CU_ASSERT_EQUAL(result.count, 2);
	CU_ASSERT_EQUAL(result.about[0].flags, PRECIS_PEBS_PT_HAS_TSC);
	CU_ASSERT_EQUAL(result.about[1].flags, 0);
	DECODE(&result, psb);
	CU_ASSERT_EQUAL(result.about[0].fup_ip, 0xabcd);
	DECODE(&result, again);
	CU_ASSERT_EQUAL(result.about[0].fup_ip, 0xabcd);
	DECODE(&result, known);
	CU_ASSERT_EQUAL(problems_of(&result), 0);
	CU_ASSERT_EQUAL(result.about[0].fup_ip, 0x007060504030abcd);
	DECODE(&result, items);
	CU_ASSERT_EQUAL(result.count, 1);
	ASSERT_ONLY(&result, PRECIS_PEBS_PT_INTERRUPTED, 28);
	CU_ASSERT_EQUAL(result.decoder.packets, 8);
	DECODE(&result, pair);
	CU_ASSERT_EQUAL(result.count, 1);
	ASSERT_ONLY(&result, PRECIS_PEBS_PT_UNKNOWN_PACKET, 17);
}

static void stray_end(void)
{
	static const uint8_t trace[] = { PSB, BEP, BEP_IP, FUP_FULL, BBP(4), BEP };
	struct result result;

	DECODE(&result, trace);
	CU_ASSERT_EQUAL(result.count, 1);
	CU_ASSERT_EQUAL(result.decoder.problems[PRECIS_PEBS_PT_STRAY_END], 2);
	CU_ASSERT_EQUAL(result.decoder.problem_offset[PRECIS_PEBS_PT_STRAY_END], 18);
	CU_ASSERT_EQUAL(problems_of(&result), 2);
	CU_ASSERT_EQUAL(result.about[0].flags, 0);
	CU_ASSERT_EQUAL(result.decoder.records_lost, 0);
}

static void truncated(void)
{
	static const uint8_t in_record[] = { PSB, BBP(4), BIP(0, 1) };
	static const uint8_t in_packet[] = { PSB, BBP(4), BEP, 0x19, 1 };
	static const uint8_t no_sync[] = { 0x19, 1, BBP(4), BIP(0, 1), BEP };
	struct result result;

	DECODE(&result, in_record);
	CU_ASSERT_EQUAL(result.count, 0);
	CU_ASSERT_EQUAL(result.decoder.records_lost, 1);
	ASSERT_ONLY(&result, PRECIS_PEBS_PT_TRUNCATED, 28);
	DECODE(&result, in_packet);
	CU_ASSERT_EQUAL(result.count, 1);
	ASSERT_ONLY(&result, PRECIS_PEBS_PT_TRUNCATED, 21);
	DECODE(&result, no_sync);
	CU_ASSERT_EQUAL(result.count, 0);
	CU_ASSERT_EQUAL(problems_of(&result), 0);
	CU_ASSERT_EQUAL(result.decoder.bytes_skipped, sizeof(no_sync));
	CU_ASSERT_EQUAL(result.decoder.records_lost, 0);
}

#define TRIPLET(n) BIP(3 * (n), n), BIP(3 * (n) + 1, 0x40 + (n)), BIP(3 * (n) + 2, 0x80 + (n))

static uint64_t quad(const uint8_t *at)
{
	uint64_t value = 0;

	for (int n = 0; n < 8; n++)
		value |= (uint64_t)at[n] << 8 * n;
	return value;
}

static void branches(void)
{
	static const uint8_t whole[] = { PSB, BBP(8), TRIPLET(0), TRIPLET(1), BBP(9), TRIPLET(0),
					 BBP(10), TRIPLET(0), TRIPLET(1), BEP };
	static const uint8_t expected[] = { 0, 1, 0, 0, 1 };
	static const uint8_t no_info[] = { PSB, BBP(8), TRIPLET(0), BIP(3, 1), BIP(4, 1), BEP };
	static const uint8_t gap[] = { PSB, BBP(8), TRIPLET(0), TRIPLET(2), BEP };
	static const uint8_t no_first[] = { PSB, BBP(9), TRIPLET(0), BEP };
	static const uint8_t id_30[] = { PSB,	     BBP(8),	 TRIPLET(0), BBP(9),
					 TRIPLET(0), BIP(30, 1), BEP };
	static const uint8_t first_30[] = { PSB, BBP(8), TRIPLET(0), BIP(30, 1), BEP };
	static const uint8_t four[] = { PSB, BBP4(8), BIP4(0, 1), BIP4(1, 1), BIP4(2, 1), BEP };
	struct result result;

	DECODE(&result, whole);
	CU_ASSERT_EQUAL(result.views.lbr_count, 5);
	CU_ASSERT_EQUAL(result.record[0].groups, PRECIS_PEBS_GROUP_LBR);
	CU_ASSERT_EQUAL(problems_of(&result), 0);
	CU_ASSERT_EQUAL(result.views.has_lbr_header, 0);
	for (size_t n = 0; n < COUNT(expected); n++) {
		CU_ASSERT_EQUAL(quad(result.views.lbr + 24 * n), BIP_VALUE(expected[n]));
		CU_ASSERT_EQUAL(quad(result.views.lbr + 24 * n + 8), BIP_VALUE(expected[n] + 0x40));
		CU_ASSERT_EQUAL(quad(result.views.lbr + 24 * n + 16),
				BIP_VALUE(expected[n] + 0x80));
	}
	DECODE(&result, no_info);
	CU_ASSERT_EQUAL(result.views.lbr_count, 1);
	ASSERT_ONLY(&result, PRECIS_PEBS_PT_BRANCHES_INCOMPLETE, 16);
	CU_ASSERT_EQUAL(result.about[0].problems, 1u << PRECIS_PEBS_PT_BRANCHES_INCOMPLETE);
	DECODE(&result, gap);
	CU_ASSERT_EQUAL(result.views.lbr_count, 1);
	ASSERT_ONLY(&result, PRECIS_PEBS_PT_BRANCHES_INCOMPLETE, 16);
	DECODE(&result, no_first);
	CU_ASSERT_EQUAL(result.views.lbr_count, 0);
	CU_ASSERT_PTR_NULL(result.views.lbr);
	CU_ASSERT_EQUAL(result.record[0].groups, 0);
	ASSERT_ONLY(&result, PRECIS_PEBS_PT_BRANCHES_INCOMPLETE, 16);
	DECODE(&result, id_30);
	CU_ASSERT_EQUAL(result.views.lbr_count, 1);
	CU_ASSERT_EQUAL(result.decoder.problems[PRECIS_PEBS_PT_UNKNOWN_ITEM], 1);
	CU_ASSERT_EQUAL(result.decoder.problems[PRECIS_PEBS_PT_BRANCHES_INCOMPLETE], 1);
	DECODE(&result, first_30);
	CU_ASSERT_EQUAL(result.views.lbr_count, 0);
	CU_ASSERT_EQUAL(result.decoder.problems[PRECIS_PEBS_PT_UNKNOWN_ITEM], 1);
	DECODE(&result, four);
	CU_ASSERT_EQUAL(result.views.lbr_count, 0);
	CU_ASSERT_EQUAL(result.decoder.problems[PRECIS_PEBS_PT_UNKNOWN_ITEM], 3);
}

static void xmm(void)
{
	static const uint8_t half[] = { PSB, BBP4(0x10), BIP4(0, 1), BEP };
	uint8_t trace[16 + 3 + 32 * 9 + 2] = { PSB, BBP(0x10) };
	struct result result;
	size_t at = 19;

	for (uint32_t id = 0; id < 32; id++, at += 9) {
		trace[at] = (uint8_t)(id << 3 | 4);
		memset(trace + at + 1, (int)id + 1, 8);
	}
	trace[at] = 0x02;
	trace[at + 1] = 0x33;
	DECODE(&result, trace);
	CU_ASSERT_EQUAL(result.record[0].groups, PRECIS_PEBS_GROUP_XMM);
	CU_ASSERT_EQUAL(result.about[0].xmm_captured, UINT32_MAX);
	CU_ASSERT_PTR_NOT_NULL_FATAL(result.views.xmm);
	for (uint32_t n = 0; n < 256; n++)
		CU_ASSERT_EQUAL(result.views.xmm[n], 1 + n / 8);
	/* without the first item */
	memmove(trace + 19, trace + 28, sizeof(trace) - 28);
	decode(&result, trace, sizeof(trace) - 9, 1);
	CU_ASSERT_EQUAL(result.record[0].groups, 0);
	CU_ASSERT_PTR_NULL(result.views.xmm);
	CU_ASSERT_EQUAL(result.about[0].xmm_captured, ~1u);
	ASSERT_ONLY(&result, PRECIS_PEBS_PT_XMM_INCOMPLETE, 16);
	/* half of a half */
	DECODE(&result, half);
	CU_ASSERT_EQUAL(result.about[0].xmm_captured, 0);
	CU_ASSERT_EQUAL(result.decoder.problems[PRECIS_PEBS_PT_UNKNOWN_ITEM], 1);
	CU_ASSERT_EQUAL(result.decoder.problems[PRECIS_PEBS_PT_XMM_INCOMPLETE], 1);
}

static void arguments(void)
{
	struct precis_pebs_pt decoder;
	struct precis_pebs record = { .size = sizeof(record) }, small = { .size = 4 };
	struct precis_pebs_groups views = { .size = 4 };
	struct precis_pebs_pt_about about = { .size = 4 };
	uint8_t room[PRECIS_PEBS_PT_ENCODED_MAX];
	size_t used;

	CU_ASSERT_EQUAL(precis_pebs_pt_init(NULL, 0), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_init(&decoder, 0), 0);
	CU_ASSERT_EQUAL(precis_pebs_pt_next(NULL, "", 0, &used, &record, NULL, NULL),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_next(&decoder, NULL, 1, &used, &record, NULL, NULL),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_next(&decoder, "", 0, NULL, &record, NULL, NULL),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_next(&decoder, "", 0, &used, &small, NULL, NULL),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_next(&decoder, "", 0, &used, &record, &views, NULL),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_next(&decoder, "", 0, &used, &record, NULL, &about),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_next(&decoder, NULL, 0, &used, &record, NULL, NULL), 0);
	CU_ASSERT_EQUAL(precis_pebs_pt_end(&decoder, &small, NULL, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_end(&decoder, &record, NULL, NULL), 0);
	CU_ASSERT_EQUAL(precis_pebs_pt_encode(NULL, NULL, NULL, room, sizeof(room)),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_encode(&record, NULL, NULL, NULL, 0), PRECIS_E_ARGUMENT);
	record.captured = 1u << PRECIS_PEBS_RETIRE_LATENCY;
	CU_ASSERT_EQUAL(precis_pebs_pt_encode(&record, NULL, NULL, room, sizeof(room)),
			PRECIS_E_ARGUMENT);
	record.captured = 0;
	record.groups = PRECIS_PEBS_GROUP_COUNTERS;
	CU_ASSERT_EQUAL(precis_pebs_pt_encode(&record, NULL, NULL, room, sizeof(room)),
			PRECIS_E_ARGUMENT);
	record.groups = 0;
	record.gpr_captured = 1u << PRECIS_PEBS_SSP;
	CU_ASSERT_EQUAL(precis_pebs_pt_encode(&record, NULL, NULL, room, sizeof(room)),
			PRECIS_E_ARGUMENT);
	record.gpr_captured = 1u << PRECIS_PEBS_AX;
	record.gpr[PRECIS_PEBS_AX] = UINT64_C(1) << 32;
	record.flags = PRECIS_PEBS_REGISTERS_32;
	CU_ASSERT_EQUAL(precis_pebs_pt_encode(&record, NULL, NULL, room, sizeof(room)),
			PRECIS_E_ARGUMENT);
	record.gpr_captured = 0;
	views.size = sizeof(views);
	views.lbr_count = 31;
	views.lbr = room;
	CU_ASSERT_EQUAL(precis_pebs_pt_encode(&record, &views, NULL, room, sizeof(room)),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_encode(&record, NULL, NULL, room, 5), 5);
	CU_ASSERT_EQUAL(precis_pebs_pt_encode(&record, NULL, NULL, room, 4), PRECIS_E_NO_SPACE);
}

static const struct tap_case cases[] = {
	{ "a record, word by word", a_record },
	{ "a block item's first byte elsewhere is a TNT", same_byte },
	{ "items of 4 bytes", four_bytes },
	{ "the FUP behind a block end, compressed or not", ip_behind },
	{ "block ends that announce a FUP, and none comes", no_ip_behind },
	{ "each packet inside a block", between },
	{ "bytes that are no packet, and the way back to a PSB", unknown_packet },
	{ "unknown blocks and items", unknown_block },
	{ "an item with two values", two_values },
	{ "what packets before a record leave behind", context },
	{ "block ends without a beginning", stray_end },
	{ "traces that end too early, or never begin", truncated },
	{ "LBR entries", branches },
	{ "XMM registers", xmm },
	{ "arguments", arguments },
};

int main(void)
{
	return tap_main("pebs_pt", cases, COUNT(cases));
}
