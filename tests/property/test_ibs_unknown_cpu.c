/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A CPU that is not known: what is decoded must be right whichever of the
 * candidates it is.
 */
#include <stdio.h>

#include <precis/sample.h>

#include "tests/property/contexts.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

#define SAMPLES 2000
#define REPORTED 40

static unsigned int wrong, lines;
/* what was reported for these caps: a line for each field and core is enough */
static uint64_t reported[PRECIS_AMD_CORE_COUNT];

static void compare(const struct precis_sample *unknown, const struct precis_sample *known,
		    uint32_t core, uint32_t caps)
{
	for (uint32_t field = 0; field < 64 && field < PRECIS_FIELD_COUNT; field++) {
		if (!precis_fields_have(unknown->present, field))
			continue;
		if (precis_fields_have(known->present, field) &&
		    unknown->value[field] == known->value[field])
			continue;
		wrong++;
		if (!(reported[core] >> field & 1) && lines++ < REPORTED)
			printf("# caps 0x%x: %s is %llu for an unknown CPU, %s%lld on %s\n", caps,
			       precis_field_name(field), (unsigned long long)unknown->value[field],
			       precis_fields_have(known->present, field) ? "" : "absent ",
			       (long long)known->value[field], precis_amd_core_name(core));
		reported[core] |= UINT64_C(1) << field;
	}
}

static void with_caps(struct precis_ibs_context *unknown, struct precis_ibs_context *known,
		      uint32_t caps, uint64_t *state, uint32_t cores)
{
	struct precis_sample a, b;
	struct precis_ibs_op op;
	struct precis_ibs_fetch fetch;

	precis_sample_init(&a);
	precis_sample_init(&b);
	for (size_t i = 0; i < TEST_CORES; i++) {
		if (!(cores >> test_cores[i].core & 1))
			continue;
		CU_ASSERT_EQUAL_FATAL(test_context(test_cores[i].cpuid, known), 0);
		for (unsigned int n = 0; n < random_amount(SAMPLES); n++) {
			random_op(state, caps, &op);
			precis_ibs_op_decode(unknown, &op, NULL, &a);
			precis_ibs_op_decode(known, &op, NULL, &b);
			compare(&a, &b, test_cores[i].core, caps);
			random_fetch(state, caps, &fetch);
			precis_ibs_fetch_decode(unknown, &fetch, NULL, &a);
			precis_ibs_fetch_decode(known, &fetch, NULL, &b);
			compare(&a, &b, test_cores[i].core, caps);
		}
	}
}

static void subset(void)
{
	static struct precis_ibs_context unknown, known;
	uint64_t state = random_seed("unknown CPU");

	wrong = 0;
	CU_ASSERT_EQUAL_FATAL(precis_ibs_context_init(&unknown, NULL), 0);
	for (size_t i = 0; i < TEST_CAPS; i++) {
		uint32_t cores = precis_amd_cores_of(NULL, test_caps[i]);

		CU_ASSERT_NOT_EQUAL(cores, 0);
		memset(reported, 0, sizeof(reported));
		with_caps(&unknown, &known, test_caps[i], &state, cores);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* The core that a CPU is must be among those it could be. */
static void candidates(void)
{
	for (size_t i = 0; i < TEST_CORES; i++) {
		uint32_t cores = precis_amd_cores_of(NULL, test_cores[i].caps);

		if (!(cores >> test_cores[i].core & 1))
			printf("# %s with caps 0x%x\n", test_cores[i].cpuid, test_cores[i].caps);
		CU_ASSERT_TRUE(cores >> test_cores[i].core & 1);
	}
}

/* The register view: a bit field that is defined for the unknown is so on each candidate. */
static void bits_subset(void)
{
	static struct precis_ibs_context unknown, known;
	struct precis_ibs_bits bits = { .size = sizeof(bits) };
	struct precis_ibs_op op = { .size = sizeof(op) };
	uint64_t unused[PRECIS_FIELD_WORDS];

	CU_ASSERT_EQUAL_FATAL(precis_ibs_context_init(&unknown, NULL), 0);
	for (size_t i = 0; i < TEST_CAPS; i++) {
		uint32_t cores = precis_amd_cores_of(NULL, test_caps[i]);

		op.caps = test_caps[i];
		precis_ibs_op_present(&unknown, &op, unused);
		for (size_t k = 0; k < TEST_CORES; k++) {
			if (!(cores >> test_cores[k].core & 1))
				continue;
			CU_ASSERT_EQUAL_FATAL(test_context(test_cores[k].cpuid, &known), 0);
			precis_ibs_op_present(&known, &op, unused);
			for (uint32_t n = 0; precis_ibs_bits(n, &bits) == 0; n++) {
				if (precis_ibs_bits_defined(&unknown, n))
					CU_ASSERT_TRUE(precis_ibs_bits_defined(&known, n));
			}
		}
	}
}

static const struct tap_case cases[] = {
	{ "decoded without the CPU: right on each candidate", subset },
	{ "each core is a candidate for its own capability word", candidates },
	{ "bit fields defined without the CPU are so on each candidate", bits_subset },
};

int main(void)
{
	return tap_main("unknown CPU", cases, sizeof(cases) / sizeof(cases[0]));
}
