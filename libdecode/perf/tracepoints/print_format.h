/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tracepoint's "print fmt:" comes from the recording, and libtraceevent was not
 * made for input that means harm: it recurses, divides by what it finds, believes
 * counts. This looks at the text first and lets through what kernels write, as far
 * as it is known to be harmless whatever RAW holds. What depends on RAW is listed,
 * to be checked for each sample.
 */
#ifndef PRECIS_PERF_PRINT_FORMAT_H
#define PRECIS_PERF_PRINT_FORMAT_H

#include <precis/tracepoint.h>

#include "tracing_data.h"

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

/* NULL if libtraceevent may have it, else why not. 'print' is what follows "print fmt:". */
const char *precis_print_format_check(const struct precis_tracepoint *tracepoint,
				      const struct tracing_text *print,
				      struct print_format *format);

#endif
