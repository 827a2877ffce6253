/* SPDX-License-Identifier: BSD-3-Clause */
/* From samples to columns, batch by batch. */
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "libdecode/perf/records/bytes.h"
#include "libdecode/sample/abi.h"
#include "private.h"

/* @return 0, PRECIS_E_NO_FIELD, PRECIS_E_ARGUMENT */
static int take_fields(struct precis_columns *columns, const uint32_t *fields, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++) {
		if (fields[n] >= PRECIS_FIELD_COUNT)
			return PRECIS_E_NO_FIELD;
		if (precis_fields_have(columns->fields, fields[n]))
			return PRECIS_E_ARGUMENT;
		precis_fields_add(columns->fields, fields[n]);
		columns->field[n] = fields[n];
	}
	columns->count = count;
	memcpy(columns->wanted, columns->fields, sizeof(columns->wanted));
	return 0;
}

/* @return 0, PRECIS_E_NO_MEMORY */
static int take_options(struct precis_columns *columns,
			const struct precis_columns_options *options)
{
	columns->room = options->rows ? options->rows : PRECIS_COLUMNS_ROWS;
	memcpy(columns->record_types, options->record_types, sizeof(columns->record_types));
	if (options->filter) {
		columns->has_filter = 1;
		columns->filter = *options->filter;
		for (uint32_t word = 0; word < PRECIS_FIELD_WORDS; word++)
			columns->wanted[word] |= columns->filter.fields[word];
	}
	precis_sample_init(&columns->sample);
	if (!options->with_samples)
		return 0;
	columns->samples = calloc(columns->room, sizeof(*columns->samples));
	if (!columns->samples)
		return PRECIS_E_NO_MEMORY;
	for (uint32_t row = 0; row < columns->room; row++)
		precis_sample_init(&columns->samples[row]);
	return 0;
}

int precis_columns_open(const uint32_t *fields, uint32_t count,
			const struct precis_columns_options *options,
			struct precis_columns **columns)
{
	static const struct precis_columns_options none = { .size = sizeof(none) };
	struct precis_columns *opened;
	int error;

	ABI_MAY_IN(struct precis_columns_options, options,
		   precis_columns_open(fields, count, &abi, columns));
	if ((!fields && count) || count > PRECIS_FIELD_COUNT || !columns ||
	    (options && options->rows > PRECIS_COLUMNS_ROWS_MAX))
		return PRECIS_E_ARGUMENT;
	*columns = NULL;
	opened = calloc(1, sizeof(*opened));
	if (!opened)
		return PRECIS_E_NO_MEMORY;
	error = take_fields(opened, fields, count);
	if (!error)
		error = take_options(opened, options ? options : &none);
	if (error)
		precis_columns_close(opened);
	else
		*columns = opened;
	return error;
}

void precis_columns_close(struct precis_columns *columns)
{
	if (!columns)
		return;
	precis_block_release(columns->block);
	free(columns->samples);
	free(columns);
}

/* Memory that nobody else looks at. @return 0, PRECIS_E_NO_MEMORY */
static int begin_batch(struct precis_columns *columns)
{
	columns->first += columns->rows;
	columns->rows = 0;
	memset(columns->nulls, 0, columns->count * sizeof(columns->nulls[0]));
	if (columns->block && !precis_block_is_own(columns->block)) {
		precis_block_release(columns->block);
		columns->block = NULL;
	}
	if (!columns->block)
		columns->block = precis_block_new(columns->count, columns->room);
	return columns->block ? 0 : PRECIS_E_NO_MEMORY;
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define IS_BIG_ENDIAN 1
#else
#define IS_BIG_ENDIAN 0
#endif

static inline void put_row(struct precis_columns *columns, const struct precis_sample *sample)
{
	const struct block *block = columns->block;
	uint32_t row = columns->rows, bit = row % 64;

	for (uint32_t n = 0; n < columns->count; n++) {
		uint32_t field = columns->field[n];
		uint64_t is_there = sample->present[field / 64] >> field % 64 & 1;
		uint64_t *word = &block_validity(block, n)[row / 64];

		block_values(block, n)[row] = sample->value[field] | (is_there - 1);
		*word = (bit ? *word : 0) | is_there << bit;
		columns->nulls[n] += !is_there;
	}
	columns->rows++;
}

/* Arrow numbers the bits of a map from the lowest of its first byte, and has none behind the end. */
static void end_maps(struct precis_columns *columns)
{
	uint64_t words = block_words(columns->block), used = (columns->rows + 63) / 64;

	for (uint32_t n = 0; n < columns->count; n++) {
		uint64_t *map = block_validity(columns->block, n);

		memset(map + used, 0, (words - used) * sizeof(*map));
		for (uint64_t word = 0; IS_BIG_ENDIAN && word < used; word++)
			map[word] = __builtin_bswap64(map[word]);
	}
}

/* The sample that the input handed out last, if it is a row */
static inline void take_sample(struct precis_columns *columns, struct precis_input *input)
{
	struct precis_sample *sample =
		columns->samples ? &columns->samples[columns->rows] : &columns->sample;

	if (precis_input_sample(input, columns->wanted, NULL, sample))
		return;
	if (!columns->has_filter || precis_filter_match(&columns->filter, sample))
		put_row(columns, sample);
}

static inline int ends_batch(const struct precis_columns *columns,
			     const struct precis_record *record)
{
	return record->type < 128 &&
	       columns->record_types[record->type / 64] >> record->type % 64 & 1;
}

/* @return 1; 0 or negative as precis_input_next(), when there is nothing more */
static int fill(struct precis_columns *columns, struct precis_input *input,
		const struct precis_record **record)
{
	const struct precis_item *item;

	while (columns->rows < columns->room) {
		int found;

		if (precis_columns_take_run(columns, input))
			continue;
		found = precis_input_next(input, &item);
		if (found <= 0)
			return columns->rows ? 1 : found;
		if (item->kind == PRECIS_ITEM_SAMPLE) {
			take_sample(columns, input);
		} else if (ends_batch(columns, item->record)) {
			*record = item->record;
			break;
		}
	}
	return 1;
}

int precis_columns_next(struct precis_columns *columns, struct precis_input *input,
			struct precis_batch *batch)
{
	const struct precis_record *record = NULL;
	int found;

	ABI_OUT(struct precis_batch, batch, precis_columns_next(columns, input, &abi));
	if (!columns || !input)
		return PRECIS_E_ARGUMENT;
	found = begin_batch(columns);
	if (found)
		return found;
	found = fill(columns, input, &record);
	end_maps(columns);
	batch->rows = columns->rows;
	batch->first = columns->first;
	batch->record = record;
	return found;
}

uint32_t precis_columns_count(const struct precis_columns *columns)
{
	return columns ? columns->count : 0;
}

int precis_columns_get(const struct precis_columns *columns, uint32_t n,
		       struct precis_column *column)
{
	ABI_OUT(struct precis_column, column, precis_columns_get(columns, n, &abi));
	if (!columns || n >= columns->count || !columns->block)
		return PRECIS_E_ARGUMENT;
	column->field = columns->field[n];
	column->values = block_values(columns->block, n);
	column->validity = (const uint8_t *)block_validity(columns->block, n);
	column->nulls = columns->nulls[n];
	return 0;
}

const struct precis_sample *precis_columns_sample(const struct precis_columns *columns,
						  uint32_t row)
{
	if (!columns || !columns->samples || row >= columns->rows)
		return NULL;
	return &columns->samples[row];
}
