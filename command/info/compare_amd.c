/* SPDX-License-Identifier: BSD-3-Clause */
/* What samples of an AMD core can have: ops of all kinds are decoded as that core's. */
#include <string.h>

#include "compare_answer.h"

#define CAPS_BITS 20
#define FAMILY_FIRST 0x10u
#define FAMILY_LAST 0x1fu
#define MODEL_LAST 0xffu

/* A CPU that has this core. @return 0, or -1 if there is none */
static int find_cpu(uint32_t core, struct precis_cpu *cpu)
{
	cpu->size = sizeof(*cpu);
	cpu->vendor = PRECIS_VENDOR_AMD;
	cpu->stepping = 0;
	for (cpu->family = FAMILY_FIRST; cpu->family <= FAMILY_LAST; cpu->family++) {
		for (cpu->model = 0; cpu->model <= MODEL_LAST; cpu->model++) {
			if (precis_amd_cores_of(cpu, 0) == 1u << core)
				return 0;
		}
	}
	return -1;
}

/* All capabilities that the core can announce. */
static uint32_t find_caps(uint32_t core)
{
	uint32_t caps = PRECIS_IBS_CAPS_VALID;

	for (uint32_t bit = CAPS_BITS; bit-- > 0;) {
		if (precis_amd_cores_of(NULL, caps | 1u << bit) >> core & 1)
			caps |= 1u << bit;
	}
	return caps;
}

/* What some op has the core has. What none has is absent for the CPU's sake, said of the first. */
static void note(const struct precis_sample *sample, struct compare_answer *answer)
{
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		struct compare_cell *cell = &answer->cells[field];

		if (precis_fields_have(sample->present, field)) {
			*cell = (struct compare_cell){ COMPARE_YES, PRECIS_PRESENT, "" };
		} else if (!cell->detail) {
			cell->reason = precis_why_in_words(sample, (enum precis_field)field,
							   &cell->detail);
		}
	}
}

void compare_ask_amd(uint32_t core, struct compare_answer *answer)
{
	struct precis_ibs_op op = { .size = sizeof(op), .captured = UINT32_MAX };
	struct precis_ibs_context context;
	struct precis_sample sample;
	struct precis_cpu cpu;
	uint64_t state = core + 1;

	memset(answer, 0, sizeof(*answer));
	if (find_cpu(core, &cpu) || precis_ibs_context_init(&context, &cpu))
		return;
	op.caps = find_caps(core);
	precis_sample_init(&sample);
	for (uint32_t n = 0; n < COMPARE_SAMPLES; n++) {
		op.op_ctl = compare_random(&state);
		op.op_rip = compare_random(&state);
		op.op_data = compare_random(&state);
		op.op_data2 = compare_random(&state);
		op.op_data3 = compare_random(&state);
		op.dc_lin_ad = compare_random(&state);
		op.dc_phys_ad = compare_random(&state);
		op.br_target = compare_random(&state);
		op.op_data4 = compare_random(&state);
		precis_ibs_op_decode(&context, &op, NULL, &sample);
		note(&sample, answer);
	}
}
