/* SPDX-License-Identifier: BSD-3-Clause */
/* The catalogue of fields as a table, with what perf's own sample has of it. */
#ifndef PRECIS_SAMPLE_CATALOGUE_H
#define PRECIS_SAMPLE_CATALOGUE_H

#include <stdint.h>

#include <precis/fields.h>
#include <precis/sample.h>

/* Which generic sample field also gives a field. */
enum perf_source {
	PERF_SOURCE_NONE,
	PERF_SOURCE_EVENT,
	PERF_SOURCE_MISC,
	PERF_SOURCE_IP,
	PERF_SOURCE_TID,
	PERF_SOURCE_TIME,
	PERF_SOURCE_ADDR,
	PERF_SOURCE_CPU,
	PERF_SOURCE_PERIOD,
	PERF_SOURCE_WEIGHT,
	PERF_SOURCE_WEIGHT_STRUCT,
	PERF_SOURCE_DATA_SRC,
	PERF_SOURCE_TRANSACTION,
	PERF_SOURCE_PHYS_ADDR,
	PERF_SOURCE_DATA_PAGE_SIZE,
	PERF_SOURCE_CODE_PAGE_SIZE,
	PERF_SOURCE_CGROUP,
	PERF_SOURCE_COUNT
};

/*
 * In the 'gates' of a sample of the kernel's words (PRECIS_SOURCE_PERF_WORDS), from this bit on:
 * which words it has, by enum perf_source.
 */
#define PERF_WORDS_SHIFT 32u

static inline int perf_words_have(const struct precis_sample *sample, enum perf_source source)
{
	return (sample->gates >> PERF_WORDS_SHIFT >> source & 1) != 0;
}

struct field_row {
	const char *name, *aliases, *meaning;
	uint8_t type, unit;
};

extern const struct field_row precis_field_rows[PRECIS_FIELD_COUNT];
extern const uint8_t precis_perf_sources[PRECIS_FIELD_COUNT]; /* enum perf_source */

/* "PERF_SAMPLE_ADDR", … */
extern const char *const precis_perf_source_names[PERF_SOURCE_COUNT];

#endif
