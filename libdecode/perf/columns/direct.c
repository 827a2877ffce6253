/* SPDX-License-Identifier: BSD-3-Clause */
/* The short way to columns: runs of samples (run.h), decoded column by column. */
#include <string.h>

#include "libdecode/perf/input/run.h"
#include "libdecode/sample/bytes.h"
#include "private.h"

_Static_assert(PRECIS_INPUT_RUN == 64, "a run fills a word of a bit map at most");

/* Values of all columns into the rows behind the last one */
static void put_values(struct precis_columns *columns, struct input_run *run,
		       enum run_origin *origin)
{
	uint64_t *values[PRECIS_FIELD_COUNT];

	for (uint32_t n = 0; n < columns->count; n++)
		values[n] = block_values(columns->block, n) + columns->rows;
	precis_run_decode(run, columns->field, columns->count, values, origin);
}

/* The run's bits of a column's map, the first row's lowest */
static uint64_t map_of(const struct input_run *run, enum run_origin origin, uint32_t field)
{
	const uint64_t *present = run->present[PRECIS_FIELD_WORD(field)];
	uint64_t map = 0;

	if (origin == RUN_NOWHERE)
		return 0;
	if (origin == RUN_OF_RECORD)
		return ~UINT64_C(0) >> (64 - run->count);
	UNROLLED
	for (uint32_t row = run->count; row > 0; row--)
		map = map << 1 | (present[row - 1] >> field % 64 & 1);
	return map;
}

/* The run does not go beyond a word of the map. */
static void put_maps(struct precis_columns *columns, const struct input_run *run,
		     const enum run_origin *origin)
{
	uint32_t bit = columns->rows % 64;

	for (uint32_t n = 0; n < columns->count; n++) {
		uint64_t *word = &block_validity(columns->block, n)[columns->rows / 64];
		uint64_t map = map_of(run, origin[n], columns->field[n]);

		*word = (bit ? *word : 0) | map << bit;
		columns->nulls[n] += run->count - (uint32_t)__builtin_popcountll(map);
	}
}

uint32_t precis_columns_take_run(struct precis_columns *columns, struct precis_input *input)
{
	uint32_t most = 64 - columns->rows % 64, left = columns->room - columns->rows;
	enum run_origin origin[PRECIS_FIELD_COUNT];
	struct input_run run;

	if (columns->samples || columns->has_filter) /* whole samples are wanted */
		return 0;
	precis_run_take(input, columns->wanted, most < left ? most : left, UINT64_MAX, &run);
	if (!run.count)
		return 0;
	put_values(columns, &run, origin);
	put_maps(columns, &run, origin);
	columns->rows += run.count;
	return run.count;
}
