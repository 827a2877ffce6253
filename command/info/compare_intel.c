/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What records of an Intel core can have. The core's events are those that the library knows; a
 * record with all groups of the core's format is written, read back and decoded for each.
 */
#include <string.h>

#include "compare_answer.h"

#define CONFIGS 0x10000u /* unit mask and event select */
#define FAMILIES 0x20u
#define MODELS 0x100u
#define CAPABILITY_RETIRE_LATENCY (UINT64_C(1) << 17)
#define ALL_WORDS ((1u << PRECIS_PEBS_WORD_COUNT) - 1)
#define ALL_GPRS ((1u << PRECIS_PEBS_GPR_COUNT) - 1)
#define LATENCIES UINT64_C(0x0000ffff0000ffff)
#define RETIRE_LATENCY UINT64_C(0xffff)
#define RECORD_ROOM 1024

/* A CPU that has this core, and as which type. @return 0, or -1 if there is none */
static int find_cpu(uint32_t core, struct precis_pebs_machine *machine)
{
	struct precis_cpu *cpu = &machine->cpu;

	cpu->size = sizeof(*cpu);
	cpu->vendor = PRECIS_VENDOR_INTEL;
	for (cpu->family = 0; cpu->family < FAMILIES; cpu->family++) {
		for (cpu->model = 0; cpu->model < MODELS; cpu->model++) {
			for (machine->core_type = PRECIS_CORE_TYPE_UNKNOWN;
			     machine->core_type <= PRECIS_CORE_TYPE_LP_E; machine->core_type++) {
				enum precis_core_type type =
					(enum precis_core_type)machine->core_type;

				if ((uint32_t)precis_intel_core_of(cpu, type) == core)
					return 0;
			}
		}
	}
	return -1;
}

/* The kinds of event that a core has: bits of enum precis_pebs_facility */
static uint32_t find_events(uint32_t core, int *some_unknown)
{
	uint32_t events = 0;

	*some_unknown = 0;
	for (uint32_t config = 0; config < CONFIGS; config++) {
		int event = precis_pebs_facility_of(core, config);

		if (event < 0)
			*some_unknown = 1;
		else
			events |= 1u << event;
	}
	return events;
}

/* The words that records of that format have; all of them if it is not known */
static uint32_t find_words(int32_t format)
{
	struct precis_pebs pebs = { .size = sizeof(pebs),
				    .format = (uint32_t)format,
				    .groups = PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_MEMORY |
					      PRECIS_PEBS_GROUP_GPR,
				    .captured = ALL_WORDS,
				    .gpr_captured = ALL_GPRS };
	uint8_t bytes[RECORD_ROOM];
	int length = format < 0 ? -1 : precis_pebs_encode(&pebs, NULL, bytes, sizeof(bytes));

	if (length < 0 || precis_pebs_parse((uint32_t)format, bytes, (size_t)length, &pebs, NULL))
		return ALL_WORDS;
	return pebs.captured;
}

static void make_record(uint64_t *state, struct precis_pebs *pebs)
{
	for (uint32_t word = 0; word < PRECIS_PEBS_WORD_COUNT; word++)
		pebs->word[word] = compare_random(state);
	pebs->word[PRECIS_PEBS_LATENCY] &= LATENCIES;
	pebs->word[PRECIS_PEBS_RETIRE_LATENCY] &= RETIRE_LATENCY;
}

/*
 * @param has_event  the core is known to have such an event; otherwise what its record would say
 *                   is known, and what it does not: the word is reserved, the format lacks it
 */
static void note(const struct precis_sample *sample, int has_event, int some_unknown,
		 struct compare_answer *answer)
{
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		struct compare_cell *cell = &answer->cells[field];
		enum precis_reason reason;
		const char *detail;

		if (cell->verdict == COMPARE_YES)
			continue;
		reason = precis_why_in_words(sample, (enum precis_field)field, &detail);
		if (reason == PRECIS_PRESENT && has_event) {
			*cell = (struct compare_cell){ COMPARE_YES, PRECIS_PRESENT, "" };
		} else if (reason == PRECIS_PRESENT) {
			cell->verdict = some_unknown ? COMPARE_UNKNOWN : COMPARE_NO;
			cell->reason = some_unknown ? PRECIS_NOT_CAPTURED : PRECIS_NOT_SUPPORTED;
			cell->detail = some_unknown ? "which of the core's events record it is not known" :
						      "no event of this core records it";
		} else if (cell->verdict == COMPARE_NO &&
			   (!cell->detail || reason == PRECIS_NOT_SUPPORTED)) {
			cell->reason = reason;
			cell->detail = detail;
		}
	}
}

/* Which machines have the capability no source says: each says it of itself. */
static void doubt_retire_latency(struct compare_cell *cell)
{
	if (cell->verdict != COMPARE_YES)
		return;
	cell->verdict = COMPARE_UNKNOWN;
	cell->reason = PRECIS_NOT_CAPTURED;
	cell->detail = "machines with IA32_PERF_CAPABILITIES[17] measure it; "
		       "which these are is not known";
}

void compare_ask_intel(uint32_t core, struct compare_answer *answer)
{
	struct precis_pebs_machine machine = { .size = sizeof(machine),
					       .facility_is_known = 1,
					       .has_capabilities = 1,
					       .capabilities = CAPABILITY_RETIRE_LATENCY,
					       .records_retire_latency = 1 };
	struct precis_intel_core_info info = { .size = sizeof(info) };
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	struct precis_pebs_context context;
	struct precis_sample sample;
	uint64_t state = core + 1;
	uint32_t events;
	int some_unknown;

	memset(answer, 0, sizeof(*answer));
	if (precis_intel_core_info(core, &info) || find_cpu(core, &machine))
		return;
	events = find_events(core, &some_unknown);
	pebs.captured = find_words(info.pebs_format);
	if (info.retire_latency == PRECIS_PEBS_RETIRE_LATENCY_RECORD)
		pebs.flags = PRECIS_PEBS_RETIRE_LATENCY_TOLD | PRECIS_PEBS_RETIRE_LATENCY_VALID;
	precis_sample_init(&sample);
	for (uint32_t event = 0; event < PRECIS_PEBS_FACILITY_COUNT; event++) {
		machine.facility = event;
		if (precis_pebs_context_init(&context, &machine))
			continue;
		for (uint32_t n = 0; n < COMPARE_SAMPLES; n++) {
			make_record(&state, &pebs);
			precis_pebs_decode(&context, &pebs, NULL, &sample);
			note(&sample, events >> event & 1, some_unknown, answer);
		}
	}
	if (info.retire_latency == PRECIS_PEBS_RETIRE_LATENCY_CAPABILITY)
		doubt_retire_latency(&answer->cells[PRECIS_FIELD_RETIRE_LATENCY]);
}
