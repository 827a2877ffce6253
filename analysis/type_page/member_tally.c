/* SPDX-License-Identifier: BSD-3-Clause */
/* See member_tally.h. */
#include "member_tally.h"

#include <stdlib.h>
#include <string.h>

struct type_tally *member_tally_new(const struct type_shape *shape, uint32_t flags, uint32_t latencies)
{
	const size_t rows = (size_t)shape->count + 1;
	struct type_tally *tally = calloc(1, sizeof(*tally));

	if (!tally)
		return NULL;
	*tally = (struct type_tally){ .shape = shape, .flag_count = flags, .latency_count = latencies };
	tally->rows = calloc(rows, sizeof(*tally->rows));
	tally->flags = calloc(rows * flags + 1, sizeof(*tally->flags));
	tally->latencies = calloc(rows * latencies + 1, sizeof(*tally->latencies));
	if (!tally->rows || !tally->flags || !tally->latencies) {
		member_tally_free(tally);
		return NULL;
	}
	for (size_t n = 0; n < rows; n++) {
		tally->rows[n].is = tally->flags + n * flags;
		tally->rows[n].latencies = tally->latencies + n * latencies;
	}
	return tally;
}

static void tally_row_free(struct tally_row *row)
{
	free(row->threads);
	free(row->functions);
}

void member_tally_free(struct type_tally *tally)
{
	if (!tally)
		return;
	for (uint32_t n = 0; tally->rows && n <= tally->shape->count; n++)
		tally_row_free(&tally->rows[n]);
	for (uint32_t n = 0; n < tally->function_count; n++)
		free(tally->functions[n]);
	free(tally->rows);
	free(tally->flags);
	free(tally->latencies);
	free(tally);
}

static int add_thread(struct tally_row *row, uint64_t thread)
{
	for (uint32_t n = 0; n < row->thread_count; n++) {
		if (row->threads[n] == thread)
			return 0;
	}
	if (row->thread_count == TALLY_THREADS_MOST) {
		row->has_more_threads = 1;
		return 0;
	}
	/* room doubles where the number of threads is a power of two */
	if (!(row->thread_count & (row->thread_count - 1))) {
		const size_t room = row->thread_count ? 2 * (size_t)row->thread_count : 1;
		uint64_t *more = realloc(row->threads, room * sizeof(*more));

		if (!more)
			return -1;
		row->threads = more;
	}
	row->threads[row->thread_count++] = thread;
	return 0;
}

#define NO_FUNCTION TALLY_FUNCTIONS_MOST

/* The number of a function, NO_FUNCTION: it has none. -1 if memory is short */
static int function_number(struct type_tally *tally, const char *function, uint32_t *number)
{
	*number = NO_FUNCTION;
	if (!function)
		return 0;
	for (uint32_t n = 0; n < tally->function_count; n++) {
		if (strcmp(tally->functions[n], function))
			continue;
		*number = n;
		return 0;
	}
	if (tally->function_count == TALLY_FUNCTIONS_MOST)
		return 0;
	tally->functions[tally->function_count] = strdup(function);
	if (!tally->functions[tally->function_count])
		return -1;
	*number = tally->function_count++;
	return 0;
}

/* 0, or -1 if memory is short */
static int add_function(struct tally_row *row, uint32_t function, const struct weighted *samples)
{
	if (function == NO_FUNCTION || !samples->samples)
		return 0;
	if (!row->functions)
		row->functions = calloc(TALLY_FUNCTIONS_MOST, sizeof(*row->functions));
	if (!row->functions)
		return -1;
	weighted_add(&row->functions[function], samples);
	return 0;
}

static void add_start(struct type_tally *tally, uint64_t start)
{
	for (uint32_t n = 0; n < tally->start_count; n++) {
		if (tally->starts[n] == start)
			return;
	}
	if (tally->start_count < TALLY_STARTS_MOST)
		tally->starts[tally->start_count++] = start;
}

static int add_to_row(const struct type_tally *tally, struct tally_row *row,
		      const struct tally_sample *sample, uint32_t function)
{
	weighted_add(&row->samples, &sample->weighted);
	for (uint32_t n = 0; n < tally->flag_count; n++) {
		if (sample->is[n])
			weighted_add(&row->is[n].known, &sample->weighted);
		if (sample->is[n] == 2)
			weighted_add(&row->is[n].yes, &sample->weighted);
	}
	for (uint32_t n = 0; n < tally->latency_count; n++) {
		if (sample->latencies >> n & 1)
			moments_add(&row->latencies[n], sample->values[n], sample->weight);
	}
	if (add_function(row, function, &sample->weighted) < 0)
		return -1;
	return sample->has_thread ? add_thread(row, sample->thread) : 0;
}

/* Members that have none themselves */
static uint32_t count_leaves(const struct type_shape *shape, const uint32_t *touched, uint32_t count)
{
	uint32_t leaves = 0;

	for (uint32_t n = 0; n < count; n++)
		leaves += shape->rows[touched[n]].end == touched[n] + 1;
	return leaves;
}

int member_tally_add(struct type_tally *tally, const struct tally_sample *sample, const uint32_t *touched,
	      uint32_t count)
{
	const uint64_t in_line = sample->start % SHAPE_LINE_BYTES, bytes = tally->shape->bytes;
	uint32_t function;
	int failed = function_number(tally, sample->function, &function);

	if (failed)
		return -1;
	failed = add_to_row(tally, &tally->rows[tally->shape->count], sample, function);
	for (uint32_t n = 0; n < count; n++)
		failed |= add_to_row(tally, &tally->rows[touched[n]], sample, function);
	add_start(tally, sample->start);
	if (!count)
		weighted_add(&tally->untold, &sample->weighted);
	if (count_leaves(tally->shape, touched, count) > 1)
		weighted_add(&tally->several, &sample->weighted);
	if (!in_line)
		weighted_add(&tally->aligned, &sample->weighted);
	if (bytes <= SHAPE_LINE_BYTES && in_line + bytes > SHAPE_LINE_BYTES)
		weighted_add(&tally->straddling, &sample->weighted);
	return failed ? -1 : 0;
}

/* Where functions of another have their numbers here. 0, or -1 if memory is short */
static int map_functions(struct type_tally *to, const struct type_tally *from,
			 uint32_t map[TALLY_FUNCTIONS_MOST])
{
	for (uint32_t n = 0; n < from->function_count; n++) {
		if (function_number(to, from->functions[n], &map[n]) < 0)
			return -1;
	}
	return 0;
}

static int merge_row(const struct type_tally *to, struct tally_row *row, const struct type_tally *from,
		     const struct tally_row *others, uint32_t recording, const uint32_t *map)
{
	int failed = 0;

	weighted_add(&row->samples, &others->samples);
	for (uint32_t n = 0; n < to->flag_count; n++) {
		weighted_add(&row->is[n].known, &others->is[n].known);
		weighted_add(&row->is[n].yes, &others->is[n].yes);
	}
	for (uint32_t n = 0; n < to->latency_count; n++)
		moments_merge(&row->latencies[n], &others->latencies[n]);
	row->has_more_threads |= others->has_more_threads;
	for (uint32_t n = 0; n < others->thread_count; n++)
		failed |= add_thread(row, (uint64_t)recording << 32 | (uint32_t)others->threads[n]);
	for (uint32_t n = 0; others->functions && n < from->function_count; n++)
		failed |= add_function(row, map[n], &others->functions[n]);
	return failed;
}

int member_tally_merge(struct type_tally *to, const struct type_tally *from, uint32_t recording)
{
	uint32_t map[TALLY_FUNCTIONS_MOST];
	int failed = map_functions(to, from, map);

	weighted_add(&to->untold, &from->untold);
	weighted_add(&to->aligned, &from->aligned);
	weighted_add(&to->straddling, &from->straddling);
	weighted_add(&to->several, &from->several);
	for (uint32_t n = 0; n < from->start_count; n++)
		add_start(to, from->starts[n]);
	for (uint32_t row = 0; row <= to->shape->count && !failed; row++)
		failed = merge_row(to, &to->rows[row], from, &from->rows[row], recording, map);
	return failed ? -1 : 0;
}
