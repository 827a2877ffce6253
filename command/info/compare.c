/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix: stages and their fields, generations, and which generations are alike. */
#include <string.h>

#include "compare.h"

/* The way of a load or store. A field stands where what it measures ends. */
static const struct compare_row rows[] = {
	{ "TLB", PRECIS_FIELD_TLB_LEVEL },
	{ "TLB", PRECIS_FIELD_TLB_REFILL_LATENCY },
	{ "TLB", PRECIS_FIELD_PAGE_SIZE },
	{ "L1D", PRECIS_FIELD_ADDR },
	{ "L1D", PRECIS_FIELD_DCACHE_MISS },
	{ "L1D", PRECIS_FIELD_ACCESS_BYTES },
	{ "L1D", PRECIS_FIELD_MISALIGNED },
	{ "L1D", PRECIS_FIELD_LOCKED },
	{ "L1D", PRECIS_FIELD_DATA_BLOCKED },
	{ "L1D", PRECIS_FIELD_ADDRESS_BLOCKED },
	{ "LFB, MAB", PRECIS_FIELD_MISS_BUFFER_ALLOCATED },
	{ "LFB, MAB", PRECIS_FIELD_MISS_BUFFERS_OPEN },
	{ "LFB, MAB", PRECIS_FIELD_FILL_BUFFER_FULL },
	{ "memory", PRECIS_FIELD_MEM_LEVEL },
	{ "memory", PRECIS_FIELD_L2_MISS },
	{ "memory", PRECIS_FIELD_MEM_REMOTE },
	{ "memory", PRECIS_FIELD_MEM_SNOOP },
	{ "memory", PRECIS_FIELD_LINE_FORWARDED },
	{ "memory", PRECIS_FIELD_STREAMING_STORE },
	{ "memory", PRECIS_FIELD_DCACHE_MISS_LATENCY },
	{ "memory", PRECIS_FIELD_LOAD_LATENCY },
	{ "memory", PRECIS_FIELD_CACHE_LATENCY },
	{ "completion", PRECIS_FIELD_INSTRUCTION_LATENCY },
	{ "completion", PRECIS_FIELD_TAG_TO_COMPLETION },
	{ "retirement", PRECIS_FIELD_COMPLETION_TO_RETIRE },
	{ "retirement", PRECIS_FIELD_TAG_TO_RETIRE },
	{ "retirement", PRECIS_FIELD_RETIRE_LATENCY },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

_Static_assert(ROWS <= COMPARE_ROWS_MOST, "room for all rows");
_Static_assert((int)PRECIS_AMD_CORE_COUNT + (int)PRECIS_INTEL_CORE_COUNT <= COMPARE_GENERATIONS_MOST,
	       "room for all generations");

uint64_t compare_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static int are_alike(const struct compare_generation *a, const struct compare_generation *b)
{
	if (a->technique != b->technique)
		return 0;
	for (size_t row = 0; row < ROWS; row++) {
		if (a->cells[row].verdict != b->cells[row].verdict)
			return 0;
	}
	return 1;
}

/* Put it to those that are like it, or give it the next label. */
static void label(struct compare *compare, uint32_t n)
{
	struct compare_generation *generations = compare->generations;
	uint32_t labels = 0;

	for (generations[n].alike = 0; generations[n].alike < n; generations[n].alike++) {
		const struct compare_generation *before = &generations[generations[n].alike];

		if (are_alike(before, &generations[n])) {
			generations[n].label = before->label;
			return;
		}
		if (before->technique == generations[n].technique && before->label > labels)
			labels = before->label;
	}
	generations[n].label = labels + 1;
}

static void add(struct compare *compare, const struct compare_generation *what,
		const struct compare_answer *answer)
{
	struct compare_generation *generation = &compare->generations[compare->generation_count];

	*generation = *what;
	for (size_t row = 0; row < ROWS; row++)
		generation->cells[row] = answer->cells[rows[row].field];
	label(compare, compare->generation_count++);
}

void compare_gather(struct compare *compare)
{
	struct precis_intel_core_info info = { .size = sizeof(info) };
	struct compare_answer answer;

	memset(compare, 0, sizeof(*compare));
	compare->rows = rows;
	compare->row_count = ROWS;
	for (uint32_t core = 0; core < PRECIS_AMD_CORE_COUNT; core++) {
		const struct compare_generation what = {
			.technique = "IBS", .vendor = "AMD", .name = precis_amd_core_name(core),
			.models = precis_amd_core_models(core), .uncertain = "",
		};

		compare_ask_amd(core, &answer);
		add(compare, &what, &answer);
	}
	for (uint32_t core = 0; core < PRECIS_INTEL_CORE_COUNT; core++) {
		if (core == PRECIS_INTEL_UNKNOWN || precis_intel_core_info(core, &info))
			continue;

		const struct compare_generation what = {
			.technique = "PEBS", .vendor = "Intel", .name = info.name,
			.models = info.models, .uncertain = info.uncertain,
		};

		compare_ask_intel(core, &answer);
		add(compare, &what, &answer);
	}
}
