/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Flip each bit of each register: exactly those fields may change that the
 * catalogue says depend on it, and each bit that the catalogue names does
 * change the field somewhere.
 */
#include <stdio.h>
#include <string.h>

#include <precis/sample.h>

#include "tests/property/contexts.h"
#include "tests/property/random.h"
#include "tests/support/repetitions.h"
#include "tests/support/tap.h"

#define IBS_FIELDS 64
#define SAMPLES 24
#define REPORTED 10

/* "PLAIN" where a field is nothing but its bits: the table of sources says so itself. */
static const char *const transforms[2][PRECIS_FIELD_COUNT] = {
	[PRECIS_IBS_OP] = {
#define PRECIS_IBS_OP_FIELD(id, bits, transform, gates) [PRECIS_FIELD_##id] = #transform,
#include "libdecode/ibs/fields.def"
#undef PRECIS_IBS_OP_FIELD
	},
	[PRECIS_IBS_FETCH] = {
#define PRECIS_IBS_FETCH_FIELD(id, bits, transform, gates) [PRECIS_FIELD_##id] = #transform,
#include "libdecode/ibs/fields.def"
#undef PRECIS_IBS_FETCH_FIELD
	},
};

static uint64_t catalogued[2][IBS_FIELDS][PRECIS_IBS_REGISTER_COUNT];
static uint64_t value_bits[2][IBS_FIELDS][PRECIS_IBS_REGISTER_COUNT];
static uint64_t changed[2][IBS_FIELDS][PRECIS_IBS_REGISTER_COUNT];
static unsigned long long flips;
static unsigned int wrong;

static void read_catalogue(void)
{
	for (unsigned int unit = 0; unit < 2; unit++) {
		for (uint32_t field = 0; field < IBS_FIELDS; field++) {
			for (uint32_t reg = 0; reg < PRECIS_IBS_REGISTER_COUNT; reg++)
				catalogued[unit][field][reg] = precis_ibs_field_bits(
					(enum precis_ibs_unit)unit, field,
					(enum precis_ibs_register)reg, &value_bits[unit][field][reg]);
		}
	}
}

static void complain(unsigned int unit, uint32_t field, uint32_t reg, unsigned int bit,
		     const char *what, const struct precis_sample *before, const char *cpuid)
{
	uint32_t caps = unit ? before->registers.ibs_fetch.caps : before->registers.ibs_op.caps;

	if (wrong++ < REPORTED)
		printf("# %s %s: %s bit %u %s (caps 0x%x)\n", cpuid, precis_field_name(field),
		       precis_ibs_register_name(reg), bit, what, caps);
}

/* What the flip of one bit did to all fields. */
static void compare(unsigned int unit, uint32_t reg, unsigned int bit,
		    const struct precis_sample *before, const struct precis_sample *after,
		    const char *cpuid)
{
	flips++;
	for (uint32_t field = 0; field < IBS_FIELDS && field < PRECIS_FIELD_COUNT; field++) {
		int was = precis_fields_have(before->present, field);
		int is = precis_fields_have(after->present, field);
		int differs = was != is || before->value[field] != after->value[field];
		const char *transform = transforms[unit][field];

		if (differs) {
			changed[unit][field][reg] |= UINT64_C(1) << bit;
			if (!(catalogued[unit][field][reg] >> bit & 1))
				complain(unit, field, reg, bit, "changed it", before, cpuid);
		} else if (is && transform && !strcmp(transform, "PLAIN") &&
			   (value_bits[unit][field][reg] >> bit & 1)) {
			complain(unit, field, reg, bit, "did not change it", before, cpuid);
		}
	}
}

static uint64_t *op_registers(struct precis_ibs_op *op, uint32_t reg)
{
	uint64_t *const all[] = { &op->op_ctl,    &op->op_rip,    &op->op_data,
				  &op->op_data2,  &op->op_data3,  &op->dc_lin_ad,
				  &op->dc_phys_ad, &op->br_target, &op->op_data4 };

	return op->captured >> reg & 1 ? all[reg] : NULL;
}

static void flip_op(struct precis_ibs_context *context, struct precis_ibs_op *op,
		    const char *cpuid)
{
	struct precis_sample before, after;

	precis_sample_init(&before);
	precis_sample_init(&after);
	precis_ibs_op_decode(context, op, NULL, &before);
	for (uint32_t reg = PRECIS_IBS_OP_CTL; reg <= PRECIS_IBS_OP_DATA4; reg++) {
		uint64_t *value = op_registers(op, reg);

		for (unsigned int bit = 0; value && bit < 64; bit++) {
			*value ^= UINT64_C(1) << bit;
			precis_ibs_op_decode(context, op, NULL, &after);
			compare(PRECIS_IBS_OP, reg, bit, &before, &after, cpuid);
			*value ^= UINT64_C(1) << bit;
		}
	}
}

static uint64_t *fetch_registers(struct precis_ibs_fetch *fetch, uint32_t reg)
{
	uint64_t *const all[] = { &fetch->fetch_ctl, &fetch->fetch_lin_ad, &fetch->fetch_phys_ad,
				  &fetch->fetch_ctl_extd };

	return fetch->captured >> reg & 1 ? all[reg - PRECIS_IBS_FETCH_CTL] : NULL;
}

static void flip_fetch(struct precis_ibs_context *context, struct precis_ibs_fetch *fetch,
		       const char *cpuid)
{
	struct precis_sample before, after;

	precis_sample_init(&before);
	precis_sample_init(&after);
	precis_ibs_fetch_decode(context, fetch, NULL, &before);
	for (uint32_t reg = PRECIS_IBS_FETCH_CTL; reg <= PRECIS_IBS_FETCH_CTL_EXTD; reg++) {
		uint64_t *value = fetch_registers(fetch, reg);

		for (unsigned int bit = 0; value && bit < 64; bit++) {
			*value ^= UINT64_C(1) << bit;
			precis_ibs_fetch_decode(context, fetch, NULL, &after);
			compare(PRECIS_IBS_FETCH, reg, bit, &before, &after, cpuid);
			*value ^= UINT64_C(1) << bit;
		}
	}
}

static void in_context(struct precis_ibs_context *context, uint32_t caps, uint64_t *state,
		       const char *cpuid)
{
	struct precis_ibs_op op;
	struct precis_ibs_fetch fetch;
	unsigned int samples = is_quick() ? (SAMPLES + 9) / 10 : SAMPLES; /* see every_bit_counts() */

	for (unsigned int i = 0; i < samples; i++) {
		random_op(state, caps, &op);
		flip_op(context, &op, cpuid);
		random_fetch(state, caps, &fetch);
		flip_fetch(context, &fetch, cpuid);
	}
}

static void flip_everything(void)
{
	static struct precis_ibs_context context;
	uint64_t state = random_seed("flip");

	read_catalogue();
	for (size_t core = 0; core < TEST_CORES; core++) {
		CU_ASSERT_EQUAL_FATAL(test_context(test_cores[core].cpuid, &context), 0);
		in_context(&context, test_cores[core].caps, &state, test_cores[core].cpuid);
		for (size_t caps = 0; caps < TEST_CAPS; caps++)
			in_context(&context, test_caps[caps], &state, test_cores[core].cpuid);
	}
	CU_ASSERT_EQUAL_FATAL(precis_ibs_context_init(&context, NULL), 0);
	for (size_t caps = 0; caps < TEST_CAPS; caps++)
		in_context(&context, test_caps[caps], &state, "unknown CPU");
	printf("# %llu bits flipped\n", flips);
	CU_ASSERT_EQUAL(wrong, 0);
}

/*
 * Bits that only an erratum makes count, on a core where the field is absent anyway: named for
 * the field since an erratum's row does not know which fields its core has.
 */
static const struct {
	uint32_t field, reg;
	uint64_t bits;
} idle_errata[] = {
	{ PRECIS_FIELD_MEM_REMOTE, PRECIS_IBS_OP_DATA3, UINT64_C(1) << 13 }, /* AMD-484: no RmtNode */
	{ PRECIS_FIELD_MEM_SNOOP, PRECIS_IBS_OP_DATA3, UINT64_C(1) << 13 },  /* nor CacheHitSt */
	/* AMD-1293: CacheHitSt is not valid there */
	{ PRECIS_FIELD_MEM_SNOOP, PRECIS_IBS_OP_DATA3, UINT64_C(1) << 21 | UINT64_C(1) << 16 },
	/* AMD-1197: AMD-1238 has taken it already */
	{ PRECIS_FIELD_ICACHE_MISS, PRECIS_IBS_FETCH_LIN_AD, ~UINT64_C(0) },
};

static uint64_t idle_bits(uint32_t field, uint32_t reg)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < sizeof(idle_errata) / sizeof(idle_errata[0]); i++) {
		if (idle_errata[i].field == field && idle_errata[i].reg == reg)
			bits |= idle_errata[i].bits;
	}
	return bits;
}

/* The other half of "exactly": a bit that the catalogue names must have done something. */
static void every_bit_counts(void)
{
	unsigned int idle = 0;

	if (is_quick()) {
		tap_skip("too few flips in a quick run for every bit to count");
		return;
	}
	for (unsigned int unit = 0; unit < 2; unit++) {
		for (uint32_t field = 0; field < IBS_FIELDS && field < PRECIS_FIELD_COUNT; field++) {
			for (uint32_t reg = 0; reg < PRECIS_IBS_REGISTER_COUNT; reg++) {
				uint64_t rest = catalogued[unit][field][reg] &
						~changed[unit][field][reg] &
						~idle_bits(field, reg);

				if (rest && idle++ < REPORTED)
					printf("# %s: bits 0x%llx of %s never changed it\n",
					       precis_field_name(field), (unsigned long long)rest,
					       precis_ibs_register_name(reg));
			}
		}
	}
	CU_ASSERT_EQUAL(idle, 0);
}

static const struct tap_case cases[] = {
	{ "a flipped bit changes no field but those that depend on it", flip_everything },
	{ "each bit that a field is said to depend on changes it somewhere", every_bit_counts },
};

int main(void)
{
	return tap_main("flip", cases, sizeof(cases) / sizeof(cases[0]));
}
