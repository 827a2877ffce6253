/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix: stages and their fields, generations, and what the samples of each have. */
#include <string.h>

#include "compare.h"
#include "compare_answer.h"

/* The way of a load or store. A field stands where what it measures ends. */
static const struct {
	const char *stage;
	uint32_t field; /* enum precis_field */
} rows[] = {
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

_Static_assert(ROWS <= MATRIX_ROWS_MOST, "room for all rows");
_Static_assert((int)PRECIS_AMD_CORE_COUNT + (int)PRECIS_INTEL_CORE_COUNT <= MATRIX_COLUMNS_MOST,
	       "room for all generations");

static const struct matrix_names names = {
	.rows = "fields",
	.columns = "generations",
	.row_facts = { "stage", "field", "unit", "meaning" },
	.column_facts = { "vendor", "technique", "name", "models", "uncertain" },
	.verdict = "measured",
	.column = "generation",
	.head = { "What samples have of a memory access, stage by stage: A, AMD's IBS; I, Intel's PEBS.",
		  "x: some samples have it; -: none has; ?: not known. Generations that are alike share "
		  "a column." },
	.foot = "*: no source settles something about it; csv and json say what.",
};

static void add_rows(struct matrix *matrix)
{
	struct precis_field_info info = { .size = sizeof(info) };

	for (size_t row = 0; row < ROWS; row++) {
		const char **facts = matrix->rows[row].facts;

		precis_field_info(rows[row].field, &info);
		facts[MATRIX_GROUP] = rows[row].stage;
		facts[MATRIX_THING] = info.name;
		facts[MATRIX_UNIT] = precis_unit_name(info.unit);
		facts[MATRIX_MEANING] = info.meaning;
	}
	matrix->row_count = ROWS;
}

static struct matrix_cell cell_of(const struct compare_cell *answer)
{
	static const enum matrix_verdict verdicts[] = {
		[COMPARE_NO] = MATRIX_NO, [COMPARE_YES] = MATRIX_YES,
		[COMPARE_UNKNOWN] = MATRIX_UNKNOWN,
	};

	return (struct matrix_cell){
		.verdict = verdicts[answer->verdict],
		.reason = answer->reason ? precis_reason_name(answer->reason) : "",
		.detail = answer->detail ? answer->detail : "",
	};
}

static void add(struct matrix *matrix, const struct matrix_column *what,
		const struct compare_answer *answer)
{
	struct matrix_column *column = &matrix->columns[matrix->column_count];

	*column = *what;
	for (size_t row = 0; row < ROWS; row++)
		column->cells[row] = cell_of(&answer->cells[rows[row].field]);
	matrix_label(matrix, matrix->column_count++);
}

void compare_gather(struct matrix *matrix)
{
	struct precis_intel_core_info info = { .size = sizeof(info) };
	struct compare_answer answer;

	memset(matrix, 0, sizeof(*matrix));
	matrix->names = &names;
	add_rows(matrix);
	for (uint32_t core = 0; core < PRECIS_AMD_CORE_COUNT; core++) {
		const struct matrix_column what = { .facts = {
			"AMD", "IBS", precis_amd_core_name(core), precis_amd_core_models(core), "",
		} };

		compare_ask_amd(core, &answer);
		add(matrix, &what, &answer);
	}
	for (uint32_t core = 0; core < PRECIS_INTEL_CORE_COUNT; core++) {
		if (core == PRECIS_INTEL_UNKNOWN || precis_intel_core_info(core, &info))
			continue;

		const struct matrix_column what = { .facts = {
			"Intel", "PEBS", info.name, info.models, info.uncertain,
		} };

		compare_ask_intel(core, &answer);
		add(matrix, &what, &answer);
	}
}
