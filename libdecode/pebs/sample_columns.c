/* SPDX-License-Identifier: BSD-3-Clause */
/* A few fields of many records: the words into columns, then gated in place. */
#include <precis/error.h>

#include "values.h"

#define FIELDS_MOST 32u

/* How a value is cut out of its word; those of the data source are looked up. */
static const struct value_cut {
	uint8_t shift, bits;
	uint8_t zero_is_absent;
} cuts[PEBS_VALUE_COUNT] = {
	[PEBS_VALUE_IP] = { 0, 64, 0 },
	[PEBS_VALUE_ADDRESS] = { 0, 64, 1 },
	[PEBS_VALUE_LOAD_LATENCY] = { 0, 32, 1 },
	[PEBS_VALUE_CACHE_LATENCY] = { 32, 16, 1 },
	[PEBS_VALUE_INSTRUCTION_LATENCY] = { 0, 16, 1 },
	[PEBS_VALUE_RETIRE_LATENCY] = { 0, 16, 0 },
	[PEBS_VALUE_TRANSACTION_CYCLES] = { 0, 32, 1 },
	[PEBS_VALUE_TSC] = { 0, 64, 0 },
	[PEBS_VALUE_COUNTERS] = { 0, 64, 0 },
};

/* One of the fields that were asked for */
struct column {
	uint64_t *values;
	uint32_t word, part;
	uint32_t bit; /* in 'present' */
	struct value_cut cut;
};

/* Is it a value that a word alone makes? IP_EXACT, OP and TRANSACTION need more. */
static int find_column(const struct precis_pebs_context *context, uint32_t field, uint32_t n,
		       uint64_t *values, struct column *column)
{
	uint32_t value = 0;

	while (value < PEBS_VALUE_COUNT && context->fields[value] != field)
		value++;
	if (value == PEBS_VALUE_COUNT ||
	    (precis_pebs_values[value].part == NO_PART && !cuts[value].bits))
		return PRECIS_E_NO_FIELD;
	column->values = values;
	column->word = precis_pebs_values[value].word;
	column->part = precis_pebs_values[value].part;
	column->bit = 1u << n;
	column->cut = cuts[value];
	return (int)value;
}

static void cut_column(const struct column *column, size_t count, const uint32_t *captured,
		       uint32_t *present)
{
	uint64_t mask = ~UINT64_C(0) >> (64 - column->cut.bits);
	uint32_t always = !column->cut.zero_is_absent;

	for (size_t i = 0; i < count; i++) {
		uint64_t value = column->values[i] >> column->cut.shift & mask;
		uint32_t there = (captured[i] >> column->word & 1) & (always | (value != 0));

		column->values[i] = value;
		present[i] |= column->bit & (0 - there);
	}
}

static void look_up_column(struct precis_pebs_context *context, const struct column *column,
			   size_t count, const uint32_t *captured, uint32_t *present)
{
	const struct precis_pebs_access *access = NULL;
	uint64_t last = 0;

	for (size_t i = 0; i < count; i++) {
		if (!(captured[i] >> column->word & 1))
			continue;
		if (!access || column->values[i] != last) {
			last = column->values[i];
			access = precis_pebs_access_of(context, last);
		}
		column->values[i] = access->value[column->part];
		present[i] |= column->bit & (0 - (access->present >> column->part & 1));
	}
}

int precis_pebs_columns(struct precis_pebs_context *context, struct precis_pebs_buffer *buffer,
			const uint32_t *fields, size_t field_count, size_t room,
			uint64_t *const *columns, uint32_t *present)
{
	struct column column[FIELDS_MOST];
	uint32_t words[FIELDS_MOST], captured[256], possible;
	uint64_t *places[FIELDS_MOST];
	size_t done = 0;

	if (!context || context->size < sizeof(*context) || !fields || !field_count ||
	    field_count > FIELDS_MOST || !room || !columns || !present)
		return PRECIS_E_ARGUMENT;
	/* of a record's own gates retire latency has one, which precis_pebs_words() has looked at */
	possible = precis_pebs_possible(context, context->gates | PEBS_GATES_RETIRE_KERNEL |
							 PEBS_GATES_RETIRE_VALID);
	for (size_t n = 0; n < field_count; n++) {
		int value = find_column(context, fields[n], (uint32_t)n, NULL, &column[n]);

		if (value < 0)
			return value;
		words[n] = column[n].word;
		column[n].bit &= 0 - (possible >> value & 1);
		if (context->reserved_words >> words[n] & 1)
			column[n].bit = 0;
	}
	while (done < room) {
		size_t some = room - done < 256 ? room - done : 256;
		int got;

		for (size_t n = 0; n < field_count; n++)
			places[n] = columns[n] + done;
		got = precis_pebs_words(buffer, words, field_count, some, places, captured);
		if (got <= 0)
			return done ? (int)done : got;
		for (int i = 0; i < got; i++)
			present[done + (size_t)i] = 0;
		for (size_t n = 0; n < field_count; n++) {
			column[n].values = places[n];
			if (!column[n].bit)
				continue;
			if (column[n].part == NO_PART)
				cut_column(&column[n], (size_t)got, captured, present + done);
			else
				look_up_column(context, &column[n], (size_t)got, captured,
					       present + done);
		}
		done += (size_t)got;
	}
	return (int)done;
}
