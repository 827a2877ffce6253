/* SPDX-License-Identifier: BSD-3-Clause */
/* A few fields of many records, gated. */
#include <string.h>

#include <precis/error.h>

#include "libdecode/sample/bytes.h"
#include "runs.h"
#include "values.h"

#define FIELDS_MOST 32u
#define AHEAD_BYTES 16384u /* what the next runs will want, if there is anything */

/* One of the fields that were asked for */
struct column {
	uint32_t word, value;
	uint32_t bit; /* in 'present'; 0: the core, or the event, never has it */
	struct value_cut cut;
};

/* Is it a value that a word alone makes? IP_EXACT, OP and TRANSACTION need more. */
static int find_column(const struct precis_pebs_context *context, uint32_t possible, uint32_t field,
		       uint32_t n, struct column *column)
{
	const uint32_t value = precis_pebs_value_of(field);
	const struct pebs_value_row *row = &precis_pebs_values[value];

	if (value == PEBS_VALUE_NONE || (row->access == NO_ACCESS && !row->cut.bits))
		return PRECIS_E_NO_FIELD;
	column->word = row->word;
	column->value = value;
	column->cut = row->cut;
	column->bit = (possible >> value & 1) << n;
	if (context->reserved_words >> column->word & 1)
		column->bit = 0;
	return 0;
}

/* What is loaded: a word of each record, or the only record's, which has been */
struct lane {
	const uint8_t *at;
	size_t stride, count;
	uint32_t shift;
	uint64_t mask;
};

static struct lane lane_of(const struct pebs_run *run, const struct precis_pebs *first, uint32_t word)
{
	struct lane lane = { (const uint8_t *)&first->word[word], 0, run->count, 0, ~UINT64_C(0) };

	if (run->places) {
		lane.at = run->at + run->places[word].offset;
		lane.stride = run->bytes;
		lane.shift = run->places[word].shift;
		lane.mask = ~UINT64_C(0) >> (64 - run->places[word].bits);
	}
	return lane;
}

static void cut(const struct column *column, struct lane lane, uint64_t *values, uint32_t *present)
{
	uint32_t shift = lane.shift + column->cut.low;
	uint64_t mask = lane.mask >> column->cut.low & ~UINT64_C(0) >> (64 - column->cut.bits);
	uint32_t always = !column->cut.zero_is_absent, bit = column->bit;

	for (size_t i = 0; i < lane.count; i++) {
		uint64_t value = load_le64(lane.at + i * lane.stride) >> shift & mask;

		__builtin_prefetch((const void *)((uintptr_t)lane.at + i * lane.stride + AHEAD_BYTES));
		values[i] = value;
		present[i] |= (always | (value != 0)) ? bit : 0;
	}
}

static void look_up(struct precis_pebs_context *context, const struct column *column,
		    struct lane lane, uint64_t *values, uint32_t *present)
{
	uint32_t value = column->value, bit = column->bit;

	for (size_t i = 0; i < lane.count; i++) {
		const struct precis_pebs_access *access =
			precis_pebs_access_of(context, load_le64(lane.at + i * lane.stride));

		values[i] = access->value[value - FIRST_OF_ACCESS];
		present[i] |= (access->sound >> value & 1) ? bit : 0;
	}
}

/* Architectural records tell by themselves that a retire latency is none. */
static void judge(const struct pebs_run *run, const struct precis_pebs *first, uint32_t bit,
		  uint32_t *present)
{
	if (!run->places && (first->flags & PRECIS_PEBS_RETIRE_LATENCY_TOLD) &&
	    !(first->flags & PRECIS_PEBS_RETIRE_LATENCY_VALID))
		present[0] &= ~bit;
	for (size_t i = 0; run->judges_itself && i < run->count; i++) {
		if (!precis_pebs_run_is_valid(run, i))
			present[i] &= ~bit;
	}
}

static void fill(struct precis_pebs_context *context, const struct pebs_run *run,
		 const struct precis_pebs *first, const struct column *column, uint64_t *values,
		 uint32_t *present)
{
	struct lane lane;

	/* a word that the records do not have has no place in them */
	if (!column->bit || !(first->captured >> column->word & 1))
		return;
	lane = lane_of(run, first, column->word);
	if (precis_pebs_values[column->value].access != NO_ACCESS)
		look_up(context, column, lane, values, present);
	else
		cut(column, lane, values, present);
	if (column->value == PEBS_VALUE_RETIRE_LATENCY)
		judge(run, first, column->bit, present);
}

/* Of retire latencies; architectural records say themselves whether it is valid. */
static uint32_t gates_of_format(uint32_t format)
{
	const uint32_t always = PEBS_GATES_RETIRE_KERNEL | PEBS_GATES_RETIRE_VALID;

	return format == PRECIS_PEBS_FORMAT_ARCH ?
		       always | PEBS_GATES_RETIRE_CAPABILITY_KNOWN | PEBS_GATES_RETIRE_CAPABILITY :
		       always;
}

int precis_pebs_columns(struct precis_pebs_context *context, struct precis_pebs_buffer *buffer,
			const uint32_t *fields, size_t field_count, size_t room,
			uint64_t *const *columns, uint32_t *present)
{
	struct precis_pebs first = { .size = sizeof(first) };
	struct column column[FIELDS_MOST];
	struct pebs_run run;
	uint32_t possible;
	size_t done = 0;
	int found = 1;

	if (!context || context->size < sizeof(*context) || !buffer ||
	    buffer->size < sizeof(*buffer) || !fields || !field_count ||
	    field_count > FIELDS_MOST || !room || !columns || !present)
		return PRECIS_E_ARGUMENT;
	if (room > INT32_MAX)
		room = INT32_MAX;
	possible = precis_pebs_possible(context, context->gates | gates_of_format(buffer->format));
	for (size_t n = 0; n < field_count; n++) {
		if (find_column(context, possible, fields[n], (uint32_t)n, &column[n]))
			return PRECIS_E_NO_FIELD;
	}
	while (done < room && (found = precis_pebs_next_run(buffer, room - done, !done, &first,
							    &run)) > 0) {
		memset(present + done, 0, run.count * sizeof(*present));
		for (size_t n = 0; n < field_count; n++)
			fill(context, &run, &first, &column[n], columns[n] + done, present + done);
		done += run.count;
	}
	return found < 0 ? found : (int)done;
}
