/* SPDX-License-Identifier: BSD-3-Clause */
/* The raw payload: every size, both fetch layouts, what is refused and by which error. */
#include <precis/error.h>

#include "tests/libdecode/sample/decode.h"

static void put32(uint8_t *at, uint32_t value)
{
	for (unsigned int i = 0; i < 4; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

static void put64(uint8_t *at, uint64_t value)
{
	for (unsigned int i = 0; i < 8; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

/* Caps, then registers 0x…00, 0x…01 and so on, with En and Val set in the first one. */
static void fill(uint8_t *payload, uint32_t caps, unsigned int registers, uint64_t en_val)
{
	put32(payload, caps);
	for (unsigned int i = 0; i < registers; i++)
		put64(payload + 4 + 8 * i, UINT64_C(0x1122334455660000) + i);
	put64(payload + 4, en_val);
}

#define OP_EN_VAL (BIT(17) | BIT(18))
#define FETCH_EN_VAL (BIT(48) | BIT(49))

static const struct {
	uint32_t caps;
	unsigned int bytes;
	uint32_t captured, extra;
	uint64_t br_target, op_data4;
} op_sizes[] = {
	{ 0x1f, 60, 0x7f, 0, 0, 0 },
	{ 0x3ff, 68, 0xff, 0, 0x1122334455660007, 0 },
	{ 0x7ff, 76, 0x1ff, 0, 0x1122334455660007, 0x1122334455660008 },
	{ 0x7df, 68, 0x17f, 0, 0, 0x1122334455660007 },
	/* later kernels may append; a payload may be cut where caps announces more */
	{ 0x3ff, 84, 0xff, 2, 0x1122334455660007, 0 },
	{ 0x1f, 76, 0x7f, 2, 0, 0 },
	{ 0x3ff, 60, 0x7f, 0, 0, 0 },
	{ 0x3ff, 67, 0x7f, 0, 0, 0 },
	{ 0x7ff, 68, 0xff, 0, 0x1122334455660007, 0 },
};

static void op_parse(void)
{
	uint8_t buffer[128];

	for (size_t i = 0; i < sizeof(op_sizes) / sizeof(op_sizes[0]); i++) {
		for (unsigned int shift = 0; shift < 8; shift++) {
			struct precis_ibs_op op = { .size = sizeof(op) };

			op.br_target = 77;
			op.op_data4 = 77;
			fill(buffer + shift, op_sizes[i].caps, 12, OP_EN_VAL);
			CU_ASSERT_EQUAL(precis_ibs_op_parse(buffer + shift, op_sizes[i].bytes, &op), 0);
			CU_ASSERT_EQUAL(op.caps, op_sizes[i].caps);
			CU_ASSERT_EQUAL(op.captured, op_sizes[i].captured);
			CU_ASSERT_EQUAL(op.extra, op_sizes[i].extra);
			CU_ASSERT_EQUAL(op.op_ctl, OP_EN_VAL);
			CU_ASSERT_EQUAL(op.op_rip, UINT64_C(0x1122334455660001));
			CU_ASSERT_EQUAL(op.op_data, UINT64_C(0x1122334455660002));
			CU_ASSERT_EQUAL(op.op_data2, UINT64_C(0x1122334455660003));
			CU_ASSERT_EQUAL(op.op_data3, UINT64_C(0x1122334455660004));
			CU_ASSERT_EQUAL(op.dc_lin_ad, UINT64_C(0x1122334455660005));
			CU_ASSERT_EQUAL(op.dc_phys_ad, UINT64_C(0x1122334455660006));
			if (op.captured >> PRECIS_IBS_BR_TARGET & 1)
				CU_ASSERT_EQUAL(op.br_target, op_sizes[i].br_target);
			if (op.captured >> PRECIS_IBS_OP_DATA4 & 1)
				CU_ASSERT_EQUAL(op.op_data4, op_sizes[i].op_data4);
		}
	}
}

static void op_refuse(void)
{
	struct precis_ibs_op op = { .size = sizeof(op) };
	uint8_t buffer[128];

	fill(buffer, 0x3ff, 12, OP_EN_VAL);
	for (unsigned int bytes = 0; bytes <= 4; bytes++)
		CU_ASSERT_EQUAL(precis_ibs_op_parse(buffer, bytes, &op), PRECIS_E_NO_PAYLOAD);
	CU_ASSERT_EQUAL(op.captured, 0);
	for (unsigned int bytes = 5; bytes < 60; bytes++)
		CU_ASSERT_EQUAL(precis_ibs_op_parse(buffer, bytes, &op), PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(op.captured, 0);
	CU_ASSERT_EQUAL(precis_ibs_op_parse(NULL, 68, &op), PRECIS_E_NO_PAYLOAD);
	fill(buffer, 0, 12, OP_EN_VAL);
	CU_ASSERT_EQUAL(precis_ibs_op_parse(buffer, 68, &op), PRECIS_E_BAD_CAPS);
	fill(buffer, 0x3fe, 12, OP_EN_VAL);
	CU_ASSERT_EQUAL(precis_ibs_op_parse(buffer, 68, &op), PRECIS_E_BAD_CAPS);
	CU_ASSERT_EQUAL(op.captured, 0);
	/* without Val or En the registers are there all the same */
	fill(buffer, 0x3ff, 12, BIT(17));
	CU_ASSERT_EQUAL(precis_ibs_op_parse(buffer, 68, &op), PRECIS_E_NOT_A_SAMPLE);
	CU_ASSERT_EQUAL(op.captured, 0xff);
	fill(buffer, 0x3ff, 12, BIT(18));
	CU_ASSERT_EQUAL(precis_ibs_op_parse(buffer, 68, &op), PRECIS_E_NOT_A_SAMPLE);
	CU_ASSERT_EQUAL(precis_ibs_op_parse(buffer, 68, NULL), PRECIS_E_ARGUMENT);
	op.size = 4;
	CU_ASSERT_EQUAL(precis_ibs_op_parse(buffer, 68, &op), PRECIS_E_ARGUMENT);
}

static const struct {
	uint32_t caps;
	unsigned int bytes;
	int old;
	uint32_t captured, extra;
} fetch_sizes[] = {
	{ 0x1f, 28, 0, 0x0e00, 0 },
	{ 0x3ff, 36, 0, 0x1e00, 0 },
	{ 0x3ff, 28, 0, 0x0e00, 0 },
	{ 0x3ff, 44, 0, 0x1e00, 1 },
	{ 0xff, 36, 0, 0x0e00, 1 },
	/* before 5.10: IbsBrTarget and IbsOpData4 stood there; the same size, another register */
	{ 0x3ff, 36, 1, 0x0e80, 0 },
	{ 0x7ff, 44, 1, 0x0f80, 0 },
	{ 0x1f, 28, 1, 0x0e00, 0 },
	{ 0x7df, 36, 1, 0x0f00, 0 },
};

static void fetch_parse(void)
{
	uint8_t buffer[128];

	for (size_t i = 0; i < sizeof(fetch_sizes) / sizeof(fetch_sizes[0]); i++) {
		struct precis_ibs_fetch fetch = { .size = sizeof(fetch) };

		fill(buffer + i % 8, fetch_sizes[i].caps, 12, FETCH_EN_VAL);
		CU_ASSERT_EQUAL(precis_ibs_fetch_parse(buffer + i % 8, fetch_sizes[i].bytes,
						       fetch_sizes[i].old, &fetch), 0);
		CU_ASSERT_EQUAL(fetch.captured, fetch_sizes[i].captured);
		CU_ASSERT_EQUAL(fetch.extra, fetch_sizes[i].extra);
		CU_ASSERT_EQUAL(fetch.fetch_ctl, FETCH_EN_VAL);
		CU_ASSERT_EQUAL(fetch.fetch_lin_ad, UINT64_C(0x1122334455660001));
		CU_ASSERT_EQUAL(fetch.fetch_phys_ad, UINT64_C(0x1122334455660002));
		if (fetch.captured >> PRECIS_IBS_FETCH_CTL_EXTD & 1)
			CU_ASSERT_EQUAL(fetch.fetch_ctl_extd, UINT64_C(0x1122334455660003));
		if (fetch.captured >> PRECIS_IBS_BR_TARGET & 1)
			CU_ASSERT_EQUAL(fetch.old_br_target, UINT64_C(0x1122334455660003));
		if (fetch_sizes[i].caps == 0x7ff)
			CU_ASSERT_EQUAL(fetch.old_op_data4, UINT64_C(0x1122334455660004));
	}
}

static void fetch_refuse(void)
{
	struct precis_ibs_fetch fetch = { .size = sizeof(fetch) };
	uint8_t buffer[128];

	fill(buffer, 0x3ff, 12, FETCH_EN_VAL);
	for (unsigned int bytes = 0; bytes <= 4; bytes++)
		CU_ASSERT_EQUAL(precis_ibs_fetch_parse(buffer, bytes, 0, &fetch),
				PRECIS_E_NO_PAYLOAD);
	for (unsigned int bytes = 5; bytes < 28; bytes++)
		CU_ASSERT_EQUAL(precis_ibs_fetch_parse(buffer, bytes, 0, &fetch),
				PRECIS_E_TRUNCATED);
	fill(buffer, 0x3fe, 12, FETCH_EN_VAL);
	CU_ASSERT_EQUAL(precis_ibs_fetch_parse(buffer, 36, 0, &fetch), PRECIS_E_BAD_CAPS);
	fill(buffer, 0x3ff, 12, BIT(48));
	CU_ASSERT_EQUAL(precis_ibs_fetch_parse(buffer, 36, 0, &fetch), PRECIS_E_NOT_A_SAMPLE);
	CU_ASSERT_EQUAL(fetch.captured, 0x1e00);
	fill(buffer, 0x3ff, 12, BIT(49));
	CU_ASSERT_EQUAL(precis_ibs_fetch_parse(buffer, 36, 0, &fetch), PRECIS_E_NOT_A_SAMPLE);
	CU_ASSERT_EQUAL(precis_ibs_fetch_parse(buffer, 36, 0, NULL), PRECIS_E_ARGUMENT);
	fetch.size = 0;
	CU_ASSERT_EQUAL(precis_ibs_fetch_parse(buffer, 36, 0, &fetch), PRECIS_E_ARGUMENT);
}

/* The bytes that the kernel's own code lays out, register by register. */
static void encode(void)
{
	uint8_t expected[128], payload[PRECIS_IBS_PAYLOAD_MAX];
	struct precis_ibs_op op = { .size = sizeof(op) };
	struct precis_ibs_fetch fetch = { .size = sizeof(fetch) };

	for (size_t i = 0; i < 3; i++) {
		fill(expected, op_sizes[i].caps, 12, OP_EN_VAL);
		CU_ASSERT_EQUAL(precis_ibs_op_parse(expected, op_sizes[i].bytes, &op), 0);
		CU_ASSERT_EQUAL(precis_ibs_op_encode(&op, payload), (int)op_sizes[i].bytes);
		CU_ASSERT_EQUAL(memcmp(payload, expected, op_sizes[i].bytes), 0);
	}
	for (size_t i = 0; i < sizeof(fetch_sizes) / sizeof(fetch_sizes[0]); i++) {
		if (fetch_sizes[i].extra || (i == 2))
			continue;
		fill(expected, fetch_sizes[i].caps, 12, FETCH_EN_VAL);
		CU_ASSERT_EQUAL(precis_ibs_fetch_parse(expected, fetch_sizes[i].bytes,
						       fetch_sizes[i].old, &fetch), 0);
		CU_ASSERT_EQUAL(precis_ibs_fetch_encode(&fetch, fetch_sizes[i].old, payload),
				(int)fetch_sizes[i].bytes);
		CU_ASSERT_EQUAL(memcmp(payload, expected, fetch_sizes[i].bytes), 0);
	}
	CU_ASSERT_EQUAL(precis_ibs_op_encode(NULL, payload), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ibs_op_encode(&op, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ibs_fetch_encode(NULL, 0, payload), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ibs_fetch_encode(&fetch, 0, NULL), PRECIS_E_ARGUMENT);
	op.size = 4;
	CU_ASSERT_EQUAL(precis_ibs_op_encode(&op, payload), PRECIS_E_ARGUMENT);
	fetch.size = 4;
	CU_ASSERT_EQUAL(precis_ibs_fetch_encode(&fetch, 0, payload), PRECIS_E_ARGUMENT);
}

/* Mainline commit 36e1be8ada99 and the stable releases of November 2020. */
static const struct {
	const char *release;
	int old;
} releases[] = {
	{ "3.10.0-1160.el7.x86_64", 1 }, { "4.9.241", 1 },	 { "4.9.242", 0 },
	{ "4.14.203-156", 1 },		 { "4.14.204", 0 },	 { "4.19.154", 1 },
	{ "4.19.155", 0 },		 { "4.18.0-305.el8", 1 }, { "5.4.0-42-generic", 1 },
	{ "5.4.74", 1 },		 { "5.4.75", 0 },	 { "5.4.100-foo", 0 },
	{ "5.8.18", 1 },		 { "5.9.3", 1 },	 { "5.9.4", 0 },
	{ "5.9", 1 },			 { "5.10.0", 0 },	 { "5.10", 0 },
	{ "6.1.0-18-amd64", 0 },	 { "7.3.4", 0 },	 { "10.0", 0 },
	{ "", 0 },			 { "unknown", 0 },	 { "5", 0 },
	{ "5.", 0 },			 { ".5", 0 },		 { "99999999999999999999.1", 0 },
};

static void layout(void)
{
	for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++) {
		if (precis_ibs_fetch_layout_is_old(releases[i].release) != releases[i].old)
			printf("# %s\n", releases[i].release);
		CU_ASSERT_EQUAL(precis_ibs_fetch_layout_is_old(releases[i].release),
				releases[i].old);
	}
	CU_ASSERT_EQUAL(precis_ibs_fetch_layout_is_old(NULL), 0);
}

/* A register that the payload did not have is not a register of value 0. */
static void captured(void)
{
	struct precis_ibs_op op = { .size = sizeof(op) };
	struct precis_ibs_fetch fetch = { .size = sizeof(fetch) };
	uint8_t buffer[128];
	int there;

	fill(buffer, 0x1f, 12, OP_EN_VAL);
	CU_ASSERT_EQUAL_FATAL(precis_ibs_op_parse(buffer, 60, &op), 0);
	CU_ASSERT_EQUAL(precis_ibs_op_register(&op, PRECIS_IBS_OP_DATA3, &there),
			UINT64_C(0x1122334455660004));
	CU_ASSERT_EQUAL(there, 1);
	for (uint32_t reg = PRECIS_IBS_BR_TARGET; reg < PRECIS_IBS_REGISTER_COUNT + 3; reg++) {
		CU_ASSERT_EQUAL(precis_ibs_op_register(&op, reg, &there), 0);
		CU_ASSERT_EQUAL(there, 0);
	}
	fill(buffer, 0x3ff, 12, FETCH_EN_VAL);
	CU_ASSERT_EQUAL_FATAL(precis_ibs_fetch_parse(buffer, 36, 1, &fetch), 0);
	CU_ASSERT_EQUAL(precis_ibs_fetch_register(&fetch, PRECIS_IBS_BR_TARGET, &there),
			UINT64_C(0x1122334455660003));
	CU_ASSERT_EQUAL(there, 1);
	CU_ASSERT_EQUAL(precis_ibs_fetch_register(&fetch, PRECIS_IBS_FETCH_CTL_EXTD, &there), 0);
	CU_ASSERT_EQUAL(there, 0);
	CU_ASSERT_EQUAL(precis_ibs_fetch_register(&fetch, PRECIS_IBS_OP_CTL, &there), 0);
	CU_ASSERT_EQUAL(there, 0);
	CU_ASSERT_EQUAL(precis_ibs_fetch_register(&fetch, UINT32_MAX, &there), 0);
	CU_ASSERT_EQUAL(there, 0);
}

static const struct tap_case cases[] = {
	{ "ibs_op payloads of every size", op_parse },
	{ "ibs_op payloads that are refused", op_refuse },
	{ "ibs_fetch payloads of every size, both layouts", fetch_parse },
	{ "ibs_fetch payloads that are refused", fetch_refuse },
	{ "encoding gives the kernel's bytes", encode },
	{ "which kernels write the old fetch layout", layout },
	{ "registers that were not captured", captured },
};

int main(void)
{
	return tap_main("ibs payload", cases, sizeof(cases) / sizeof(cases[0]));
}
