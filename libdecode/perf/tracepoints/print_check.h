/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tracepoint's "print fmt:" comes from the recording, and libtraceevent was not
 * made for input that means harm: it recurses, divides by what it finds, believes
 * counts. This looks at the text first and lets through what kernels write, as far
 * as it is known to be harmless whatever RAW holds. What depends on RAW is listed,
 * to be checked for each sample.
 */
#ifndef PRECIS_PERF_PRINT_CHECK_H
#define PRECIS_PERF_PRINT_CHECK_H

#include "print_format.h"
#include "tracing_data.h"

/* NULL if libtraceevent may have it, else why not. 'print' is what follows "print fmt:". */
const char *precis_print_format_check(const struct precis_tracepoint *tracepoint,
				      const struct tracing_text *print,
				      struct print_format *format);

#endif
