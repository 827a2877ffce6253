/* SPDX-License-Identifier: BSD-3-Clause */
/* PEBS records of random words, for every core and event. */
#ifndef TESTS_PROPERTY_PEBS_SAMPLES_H
#define TESTS_PROPERTY_PEBS_SAMPLES_H

#include <precis/precis.h>

#include "tests/property/random.h"

static const struct {
	uint32_t format, groups;
} layouts[] = {
	{ PRECIS_PEBS_FORMAT_0, 0 },
	{ PRECIS_PEBS_FORMAT_1, 0 },
	{ PRECIS_PEBS_FORMAT_2, 0 },
	{ PRECIS_PEBS_FORMAT_3, 0 },
	{ PRECIS_PEBS_FORMAT_4, PRECIS_PEBS_GROUP_BASIC },
	{ PRECIS_PEBS_FORMAT_4, PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_MEMORY },
	{ PRECIS_PEBS_FORMAT_6,
	  PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_MEMORY | PRECIS_PEBS_GROUP_GPR },
	{ PRECIS_PEBS_FORMAT_ARCH, PRECIS_PEBS_GROUP_BASIC },
	{ PRECIS_PEBS_FORMAT_ARCH,
	  PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_MEMORY | PRECIS_PEBS_GROUP_GPR },
};
#define LAYOUTS (sizeof(layouts) / sizeof(layouts[0]))

/* A machine of each model that has a core */
static const struct {
	uint16_t family, model;
	uint8_t type;
} machines[] = {
#define ALL_P PRECIS_CORE_TYPE_UNKNOWN
#define ALL_E PRECIS_CORE_TYPE_UNKNOWN
#define P PRECIS_CORE_TYPE_P
#define E PRECIS_CORE_TYPE_E
#define LP_E PRECIS_CORE_TYPE_LP_E
#define E_AND_LP_E PRECIS_CORE_TYPE_E
#define PRECIS_INTEL_MODEL(core, family, model, types, uncertain) { family, model, types },
#include "libdecode/pebs/cores.def"
#undef PRECIS_INTEL_MODEL
#undef P
};

static uint64_t state;

/* Words of which some are 0, and few bits of data sources */
static inline uint64_t any_word(uint32_t word)
{
	uint64_t value = random_next(&state);

	if (value % 8 == 0)
		return 0;
	if (word == PRECIS_PEBS_DATA_SOURCE)
		return random_next(&state) & (value % 3 ? 0x3f : 0xffff);
	if (word == PRECIS_PEBS_RETIRE_LATENCY)
		return value & 0xffff;
	return value;
}

static inline struct precis_pebs any_record(uint32_t layout)
{
	struct precis_pebs pebs = { .size = sizeof(pebs),
				    .format = layouts[layout].format,
				    .groups = layouts[layout].groups,
				    .captured = (1u << PRECIS_PEBS_WORD_COUNT) - 1,
				    .gpr_captured = (1u << PRECIS_PEBS_GPR_COUNT) - 1 };

	for (uint32_t word = 0; word < PRECIS_PEBS_WORD_COUNT; word++)
		pebs.word[word] = any_word(word);
	for (uint32_t gpr = 0; gpr < PRECIS_PEBS_GPR_COUNT; gpr++)
		pebs.gpr[gpr] = random_next(&state);
	if (pebs.format == PRECIS_PEBS_FORMAT_ARCH) {
		pebs.flags = PRECIS_PEBS_RETIRE_LATENCY_TOLD;
		if (random_next(&state) % 2)
			pebs.flags |= PRECIS_PEBS_RETIRE_LATENCY_VALID;
	}
	return pebs;
}

static inline struct precis_pebs_machine any_machine(uint32_t n, uint32_t event)
{
	struct precis_pebs_machine machine = {
		.size = sizeof(machine),
		.core_type = machines[n].type,
		.cpu = { sizeof(machine.cpu), PRECIS_VENDOR_INTEL, machines[n].family,
			 machines[n].model, 0 },
		.facility_is_known = event < PRECIS_PEBS_FACILITY_COUNT,
		.facility = event,
		.has_capabilities = random_next(&state) % 2 != 0,
		.capabilities = random_next(&state),
	};

	return machine;
}

/* Call 'each' for every machine, event and layout. */
static inline void for_all(void (*each)(const struct precis_pebs_machine *machine, uint32_t layout))
{
	state = random_seed("pebs samples");
	for (uint32_t n = 0; n < sizeof(machines) / sizeof(machines[0]); n++) {
		for (uint32_t event = 0; event <= PRECIS_PEBS_FACILITY_COUNT; event++) {
			struct precis_pebs_machine machine = any_machine(n, event);

			for (uint32_t layout = 0; layout < LAYOUTS; layout++)
				each(&machine, layout);
		}
	}
}

#endif
