/* SPDX-License-Identifier: BSD-3-Clause */
/* Registers in, fields out: what the unit tests of IBS decoding are written in. */
#ifndef TESTS_UNIT_DECODE_H
#define TESTS_UNIT_DECODE_H

#include <stdio.h>
#include <string.h>

#include <precis/cpu.h>
#include <precis/ibs.h>
#include <precis/sample.h>

#include "tests/support/tap.h"

#define ZEN2 "AuthenticAMD,23,49,0"
#define ZEN3_SERVER "AuthenticAMD,25,1,1"
#define ZEN3_CLIENT "AuthenticAMD,25,33,0"
#define ZEN4 "AuthenticAMD,25,17,1"
#define ZEN5 "AuthenticAMD,26,2,1"
#define ZEN6 "AuthenticAMD,26,80,0"
#define GREYHOUND "AuthenticAMD,16,4,2"
#define LLANO "AuthenticAMD,18,1,0"
#define BOBCAT "AuthenticAMD,20,2,0"
#define BULLDOZER "AuthenticAMD,21,1,2"
#define PILEDRIVER "AuthenticAMD,21,16,1"
#define STEAMROLLER "AuthenticAMD,21,48,1"
#define EXCAVATOR "AuthenticAMD,21,96,1"
#define JAGUAR "AuthenticAMD,22,0,1"

#define CAPS_ZEN2 0x3ffu
#define CAPS_ZEN4 0xbffu
#define CAPS_ZEN5 0x81bffu
#define CAPS_ZEN6 0xffbffu
#define CAPS_OLD 0xffu

#define BIT(n) (UINT64_C(1) << (n))

/* IbsOpData3 */
#define LOAD BIT(0)
#define STORE BIT(1)
#define L1_TLB_MISS BIT(2)
#define L2_TLB_MISS BIT(3)
#define DC_MISS BIT(7)
#define UNCACHEABLE BIT(14)
#define NO_MAB BIT(16)
#define LIN_VALID BIT(17)
#define PHYS_VALID BIT(18)
#define L2_MISS BIT(20)
#define PREFETCH BIT(21)

static struct precis_ibs_context decode_context;

/* 'cpuid' NULL: the CPU is not known */
static inline void use_cpu(const char *cpuid)
{
	struct precis_cpu cpu = { .size = sizeof(cpu) };

	if (cpuid)
		CU_ASSERT_EQUAL_FATAL(precis_cpu_parse(cpuid, &cpu), 0);
	CU_ASSERT_EQUAL_FATAL(precis_ibs_context_init(&decode_context, &cpu), 0);
}

static inline struct precis_ibs_op make_op(uint32_t caps)
{
	struct precis_ibs_op op = { .size = sizeof(op), .caps = caps, .captured = 0x7f };

	if (caps & PRECIS_IBS_CAPS_BRN_TRGT)
		op.captured |= 1u << PRECIS_IBS_BR_TARGET;
	if (caps & PRECIS_IBS_CAPS_OP_DATA4)
		op.captured |= 1u << PRECIS_IBS_OP_DATA4;
	op.op_ctl = BIT(17) | BIT(18);
	return op;
}

static inline struct precis_ibs_fetch make_fetch(uint32_t caps)
{
	struct precis_ibs_fetch fetch = { .size = sizeof(fetch), .caps = caps };

	fetch.captured = 7u << PRECIS_IBS_FETCH_CTL;
	if (caps & PRECIS_IBS_CAPS_FETCH_CTL_EXTD)
		fetch.captured |= 1u << PRECIS_IBS_FETCH_CTL_EXTD;
	fetch.fetch_ctl = BIT(48) | BIT(49);
	fetch.fetch_lin_ad = 0x401000;
	return fetch;
}

static inline void decode_op(const char *cpuid, const struct precis_ibs_op *op,
			     struct precis_sample *sample)
{
	use_cpu(cpuid);
	precis_sample_init(sample);
	CU_ASSERT_EQUAL_FATAL(precis_ibs_op_decode(&decode_context, op, NULL, sample), 0);
}

static inline void decode_fetch(const char *cpuid, const struct precis_ibs_fetch *fetch,
				struct precis_sample *sample)
{
	use_cpu(cpuid);
	precis_sample_init(sample);
	CU_ASSERT_EQUAL_FATAL(precis_ibs_fetch_decode(&decode_context, fetch, NULL, sample), 0);
}

/* The field has that value. */
static inline void expect_value(const struct precis_sample *sample, enum precis_field field,
				uint64_t expected, const char *where)
{
	uint64_t value = UINT64_MAX;
	int present = precis_get(sample, field, &value);

	if (!present || value != expected)
		printf("# %s: %s is %llu (%s), expected %llu\n", where,
		       precis_field_name((uint32_t)field), (unsigned long long)value,
		       precis_why_detail(sample, field), (unsigned long long)expected);
	CU_ASSERT_TRUE(present);
	CU_ASSERT_EQUAL(value, expected);
}

/* The field is absent, for that reason; 'detail' NULL: in whatever words. */
static inline void expect_absent(const struct precis_sample *sample, enum precis_field field,
				 enum precis_reason reason, const char *detail, const char *where)
{
	enum precis_reason why = precis_why(sample, field);
	const char *words = precis_why_detail(sample, field);

	if (why != reason || (detail && strcmp(words, detail)))
		printf("# %s: %s is %s (%s), expected %s (%s)\n", where,
		       precis_field_name((uint32_t)field), precis_reason_name(why), words,
		       precis_reason_name(reason), detail ? detail : "any");
	CU_ASSERT_FALSE(precis_fields_have(sample->present, (uint32_t)field));
	CU_ASSERT_EQUAL(why, reason);
	if (detail)
		CU_ASSERT_STRING_EQUAL(words, detail);
}

#endif
