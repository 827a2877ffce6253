/* SPDX-License-Identifier: BSD-3-Clause */
/* Every packet of Intel PT by hand: its bytes, its length, what is read of it, and back. */
#include <string.h>

#include <precis/error.h>
#include <precis/pebs_pt.h>

#include "tests/support/tap.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Encodings from the SDM's packet definitions. */
static const struct {
	uint8_t bytes[PRECIS_PT_PACKET_MAX];
	int length;
	uint32_t item_bytes, type, detail;
	uint64_t payload;
} packets[] = {
	{ { 0x00 }, 1, 0, PRECIS_PT_PAD, 0, 0 },
	{ { 0x04 }, 1, 0, PRECIS_PT_TNT_SHORT, 0, 0x04 },
	{ { 0xfe }, 1, 0, PRECIS_PT_TNT_SHORT, 0, 0xfe },
	{ { 0x2c }, 1, 0, PRECIS_PT_TNT_SHORT, 0, 0x2c },
	{ { 0x2e }, 1, 8, PRECIS_PT_TNT_SHORT, 0, 0x2e },
	{ { 0x2c, 1, 2, 3, 4, 5, 6, 7, 8 }, 9, 8, PRECIS_PT_BIP, 5, 0x0807060504030201 },
	{ { 0xfc, 0xf1, 2, 3, 0xf4 }, 5, 4, PRECIS_PT_BIP, 31, 0xf40302f1 },
	{ { 0x04, 1, 2, 3, 4 }, 5, 4, PRECIS_PT_BIP, 0, 0x04030201 },
	{ { 0x02, 0xa3, 1, 2, 3, 4, 5, 0x80 }, 8, 0, PRECIS_PT_TNT_LONG, 0, 0x800504030201 },
	{ { 0x0d }, 1, 0, PRECIS_PT_TIP, 0, 0 },
	{ { 0x2d, 1, 2 }, 3, 0, PRECIS_PT_TIP, 1, 0x0201 },
	{ { 0x4d, 1, 2, 3, 4 }, 5, 0, PRECIS_PT_TIP, 2, 0x04030201 },
	{ { 0x6d, 1, 2, 3, 4, 5, 6 }, 7, 0, PRECIS_PT_TIP, 3, 0x060504030201 },
	{ { 0x8d, 1, 2, 3, 4, 5, 6 }, 7, 0, PRECIS_PT_TIP, 4, 0x060504030201 },
	{ { 0xcd, 1, 2, 3, 4, 5, 6, 7, 8 }, 9, 0, PRECIS_PT_TIP, 6, 0x0807060504030201 },
	{ { 0x31, 1, 2 }, 3, 0, PRECIS_PT_TIP_PGE, 1, 0x0201 },
	{ { 0x01 }, 1, 0, PRECIS_PT_TIP_PGD, 0, 0 },
	{ { 0x21, 1, 2 }, 3, 0, PRECIS_PT_TIP_PGD, 1, 0x0201 },
	{ { 0xdd, 1, 2, 3, 4, 5, 6, 7, 8 }, 9, 0, PRECIS_PT_FUP, 6, 0x0807060504030201 },
	{ { 0x5d, 1, 2, 3, 4 }, 5, 8, PRECIS_PT_FUP, 2, 0x04030201 },
	{ { 0x03 }, 1, 0, PRECIS_PT_CYC, 0, 0 },
	{ { 0xfb }, 1, 4, PRECIS_PT_CYC, 0, 31 },
	{ { 0x07, 0x02 }, 2, 0, PRECIS_PT_CYC, 0, 32 },
	{ { 0xff, 0xff, 0x02 }, 3, 0, PRECIS_PT_CYC, 0, 31 + (127 << 5) + (1 << 12) },
	{ { 0x07, 1, 1, 1, 1, 1, 1, 1, 1, 0x08 }, 10, 0, PRECIS_PT_CYC, 0, UINT64_C(1) << 63 },
	{ { 0x19, 1, 2, 3, 4, 5, 6, 7 }, 8, 0, PRECIS_PT_TSC, 0, 0x07060504030201 },
	{ { 0x59, 0xab }, 2, 0, PRECIS_PT_MTC, 0, 0xab },
	{ { 0x99, 0x01 }, 2, 0, PRECIS_PT_MODE_EXEC, 0, 0x01 },
	{ { 0x99, 0x21 }, 2, 0, PRECIS_PT_MODE_TSX, 0, 0x21 },
	{ { 0x02, 0x43, 1, 2, 3, 4, 5, 6 }, 8, 0, PRECIS_PT_PIP, 0, 0x060504030201 },
	{ { 0x02, 0x83 }, 2, 0, PRECIS_PT_TRACESTOP, 0, 0 },
	{ { 0x02, 0x03, 0x24, 0 }, 4, 0, PRECIS_PT_CBR, 0, 0x24 },
	{ { 0x02, 0xc8, 1, 2, 3, 4, 5 }, 7, 0, PRECIS_PT_VMCS, 0, 0x0504030201 },
	{ { 0x02, 0xf3 }, 2, 0, PRECIS_PT_OVF, 0, 0 },
	{ { 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82 }, 16, 0,
	  PRECIS_PT_PSB, 0, 0 },
	{ { 0x02, 0x23 }, 2, 0, PRECIS_PT_PSBEND, 0, 0 },
	{ { 0x02, 0x73, 1, 2, 0, 4, 1 }, 7, 0, PRECIS_PT_TMA, 0, 0x0104000201 },
	{ { 0x02, 0xc3, 0x88, 1, 2, 3, 4, 5, 6, 7, 8 }, 11, 0, PRECIS_PT_MNT, 0,
	  0x0807060504030201 },
	{ { 0x02, 0x12, 1, 2, 3, 4 }, 6, 0, PRECIS_PT_PTWRITE, 0, 0x04030201 },
	{ { 0x02, 0x92, 1, 2, 3, 4 }, 6, 0, PRECIS_PT_PTWRITE, 1, 0x04030201 },
	{ { 0x02, 0x32, 1, 2, 3, 4, 5, 6, 7, 8 }, 10, 0, PRECIS_PT_PTWRITE, 0,
	  0x0807060504030201 },
	{ { 0x02, 0xb2, 1, 2, 3, 4, 5, 6, 7, 8 }, 10, 0, PRECIS_PT_PTWRITE, 1,
	  0x0807060504030201 },
	{ { 0x02, 0x62 }, 2, 0, PRECIS_PT_EXSTOP, 0, 0 },
	{ { 0x02, 0xe2 }, 2, 0, PRECIS_PT_EXSTOP, 1, 0 },
	{ { 0x02, 0xc2, 1, 0, 0, 0, 5, 0, 0, 0 }, 10, 0, PRECIS_PT_MWAIT, 0, 0x0500000001 },
	{ { 0x02, 0x22, 1, 2 }, 4, 0, PRECIS_PT_PWRE, 0, 0x0201 },
	{ { 0x02, 0xa2, 1, 2, 3, 4, 5 }, 7, 0, PRECIS_PT_PWRX, 0, 0x0504030201 },
	{ { 0x02, 0x13, 0x81, 0x0e }, 4, 0, PRECIS_PT_CFE, 1, 0x0e81 },
	{ { 0x02, 0x13, 0x01, 0x0e }, 4, 0, PRECIS_PT_CFE, 0, 0x0e01 },
	{ { 0x02, 0x53, 0x01, 1, 2, 3, 4, 5, 6, 7, 8 }, 11, 0, PRECIS_PT_EVD, 1,
	  0x0807060504030201 },
	{ { 0x02, 0x63, 0x04 }, 3, 0, PRECIS_PT_BBP, 8, 4 },
	{ { 0x02, 0x63, 0x81 }, 3, 0, PRECIS_PT_BBP, 4, 1 },
	{ { 0x02, 0x33 }, 2, 0, PRECIS_PT_BEP, 0, 0 },
	{ { 0x02, 0xb3 }, 2, 8, PRECIS_PT_BEP, 1, 0 },
};

static void each_packet(void)
{
	uint32_t seen = 0;

	for (size_t n = 0; n < COUNT(packets); n++) {
		struct precis_pt_packet packet = { .size = sizeof(packet) };
		uint8_t again[PRECIS_PT_PACKET_MAX];
		size_t length = (size_t)packets[n].length;

		CU_ASSERT_EQUAL_FATAL(precis_pt_packet_parse(packets[n].bytes,
							     sizeof(packets[n].bytes),
							     packets[n].item_bytes, &packet),
				      packets[n].length);
		CU_ASSERT_EQUAL(packet.type, packets[n].type);
		CU_ASSERT_EQUAL(packet.bytes, length);
		CU_ASSERT_EQUAL(packet.detail, packets[n].detail);
		CU_ASSERT_EQUAL(packet.payload, packets[n].payload);
		for (size_t cut = 0; cut < length; cut++)
			CU_ASSERT_EQUAL(precis_pt_packet_parse(packets[n].bytes, cut,
							       packets[n].item_bytes, &packet),
					PRECIS_E_TRUNCATED);
		CU_ASSERT_EQUAL(precis_pt_packet_encode(&packet, again, length - 1),
				PRECIS_E_NO_SPACE);
		CU_ASSERT_EQUAL(precis_pt_packet_encode(&packet, again, length),
				packets[n].length);
		CU_ASSERT(memcmp(again, packets[n].bytes, length) == 0);
		seen |= 1u << packet.type;
	}
	CU_ASSERT_EQUAL(seen, (1u << PRECIS_PT_TYPE_COUNT) - 1);
}

static void no_packets(void)
{
	static const struct {
		uint8_t bytes[PRECIS_PT_PACKET_MAX];
		uint32_t item_bytes;
	} unknown[] = {
		{ { 0x02, 0x02 }, 0 },
		{ { 0x02, 0x00 }, 0 },
		{ { 0x02, 0x52 }, 0 }, /* PTWRITE of a size that is reserved */
		{ { 0x02, 0xc3, 0x87 }, 0 },
		{ { 0x02, 0x82, 0x02, 0x82, 0x02, 0x83 }, 0 },
		{ { 0x99, 0x40 }, 0 },
		{ { 0xd9, 0x40 }, 0 },
		{ { 0x05 }, 0 },
		{ { 0x09 }, 8 },
		{ { 0x15 }, 0 },
		{ { 0xad, 1, 2, 3, 4, 5, 6, 7, 8 }, 0 }, /* IPBytes 5 and 7 are reserved */
		{ { 0xfd, 1, 2, 3, 4, 5, 6, 7, 8 }, 0 },
		{ { 0x07, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0 }, 0 },
	};
	struct precis_pt_packet packet = { .size = sizeof(packet) };

	for (size_t n = 0; n < COUNT(unknown); n++)
		CU_ASSERT_EQUAL(precis_pt_packet_parse(unknown[n].bytes, 16, unknown[n].item_bytes,
						       &packet),
				PRECIS_E_UNKNOWN_BITS);
	CU_ASSERT_EQUAL(precis_pt_packet_parse(NULL, 1, 0, &packet), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pt_packet_parse("", 1, 5, &packet), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pt_packet_parse("", 1, 0, NULL), PRECIS_E_ARGUMENT);
	packet.size = 4;
	CU_ASSERT_EQUAL(precis_pt_packet_parse("", 1, 0, &packet), PRECIS_E_ARGUMENT);
}

static void not_encoded(void)
{
	static const struct precis_pt_packet none[] = {
		{ sizeof(none[0]), PRECIS_PT_TYPE_COUNT, 0, 0, 0 },
		{ sizeof(none[0]), PRECIS_PT_TNT_SHORT, 0, 0, 0x02 },
		{ sizeof(none[0]), PRECIS_PT_TNT_SHORT, 0, 0, 0x104 },
		{ sizeof(none[0]), PRECIS_PT_FUP, 0, 5, 0 },
		{ sizeof(none[0]), PRECIS_PT_FUP, 0, 8, 0 },
		{ sizeof(none[0]), PRECIS_PT_FUP, 0, 1, 0x10000 },
		{ sizeof(none[0]), PRECIS_PT_BIP, 7, 0, 0 },
		{ sizeof(none[0]), PRECIS_PT_BIP, 9, 32, 0 },
		{ sizeof(none[0]), PRECIS_PT_BIP, 5, 0, UINT64_C(1) << 32 },
		{ sizeof(none[0]), PRECIS_PT_BBP, 0, 8, 32 },
		{ sizeof(none[0]), PRECIS_PT_BBP, 0, 5, 1 },
		{ sizeof(none[0]), PRECIS_PT_TSC, 0, 0, UINT64_C(1) << 56 },
		{ sizeof(none[0]), PRECIS_PT_MODE_EXEC, 0, 0, 0x20 },
		{ sizeof(none[0]), PRECIS_PT_OVF, 0, 1, 0 },
		{ 4, PRECIS_PT_OVF, 0, 0, 0 },
	};
	uint8_t bytes[PRECIS_PT_PACKET_MAX];

	for (size_t n = 0; n < COUNT(none); n++)
		CU_ASSERT_EQUAL(precis_pt_packet_encode(&none[n], bytes, sizeof(bytes)),
				PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pt_packet_encode(NULL, bytes, sizeof(bytes)), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pt_packet_encode(&none[0], NULL, 16), PRECIS_E_ARGUMENT);
}

/* What Linux's decoder, too, takes for packets that leave a block open */
static void rules(void)
{
	static const uint8_t keeps[] = {
		PRECIS_PT_PAD, PRECIS_PT_TSC,	 PRECIS_PT_TMA,	 PRECIS_PT_MTC,
		PRECIS_PT_FUP, PRECIS_PT_CYC,	 PRECIS_PT_CBR,	 PRECIS_PT_MNT,
		PRECIS_PT_EXSTOP, PRECIS_PT_PWRE, PRECIS_PT_PWRX, PRECIS_PT_BIP,
		PRECIS_PT_BBP,
	};
	uint32_t expected = 0, found = 0;

	for (size_t n = 0; n < COUNT(keeps); n++)
		expected |= 1u << keeps[n];
	for (uint32_t type = 0; type < PRECIS_PT_TYPE_COUNT; type++)
		found |= (uint32_t)precis_pt_packet_keeps_block(type) << type;
	CU_ASSERT_EQUAL(found, expected);
	CU_ASSERT_EQUAL(precis_pt_packet_keeps_block(PRECIS_PT_TYPE_COUNT), 0);
}

static void names(void)
{
	for (uint32_t type = 0; type < PRECIS_PT_TYPE_COUNT; type++)
		CU_ASSERT_PTR_NOT_NULL(precis_pt_packet_name(type));
	CU_ASSERT_PTR_NULL(precis_pt_packet_name(PRECIS_PT_TYPE_COUNT));
	CU_ASSERT_STRING_EQUAL(precis_pt_packet_name(PRECIS_PT_TIP_PGE), "TIP.PGE");
	for (uint32_t n = 0; n < PRECIS_PEBS_PT_PROBLEM_COUNT; n++)
		CU_ASSERT_PTR_NOT_NULL(precis_pebs_pt_problem_name(n));
	CU_ASSERT_PTR_NULL(precis_pebs_pt_problem_name(PRECIS_PEBS_PT_PROBLEM_COUNT));
}

static const struct tap_case cases[] = {
	{ "each packet, whole, cut, and encoded", each_packet },
	{ "bytes that are no packet", no_packets },
	{ "packets that cannot be", not_encoded },
	{ "which packets may stand in a block", rules },
	{ "names", names },
};

int main(void)
{
	return tap_main("pebs_pt_packet", cases, COUNT(cases));
}
