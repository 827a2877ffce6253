/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of a print format that has been checked, and what each sample is checked for. */
#ifndef PRECIS_PERF_PRINT_FORMAT_H
#define PRECIS_PERF_PRINT_FORMAT_H

#include <precis/tracepoint.h>

#define ARRAYS_MOST 16u
#define LIMITS_MOST 8u
#define CONVERSIONS_MOST 96u

enum array_count {
	COUNT_NUMBER, /* 'number' elements */
	COUNT_FIELD, /* as 'count_field' says */
	COUNT_LENGTH /* the bytes of 'count_field', an array elsewhere, divided by 'number' */
};

/* __print_array(array, count, element_bytes), __print_hex(array, count) */
struct array_use {
	const struct precis_tracepoint_field *array, *count_field;
	enum array_count count;
	uint64_t number;
	uint32_t element_bytes;
};

struct print_format {
	uint32_t conversions; /* of the format string */
	uint32_t tokens; /* of all of it: what the library makes of it grows with them */
	uint32_t limit_count;
	/* of strings, "%.*s": how many characters */
	const struct precis_tracepoint_field *limits[LIMITS_MOST];
	uint32_t array_count;
	struct array_use arrays[ARRAYS_MOST];
};

#endif
