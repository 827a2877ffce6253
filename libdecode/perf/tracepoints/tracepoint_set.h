/* SPDX-License-Identifier: BSD-3-Clause */
/* struct precis_tracepoints: descriptions, and what is made of them when it is first needed. */
#ifndef PRECIS_PERF_TRACEPOINT_SET_H
#define PRECIS_PERF_TRACEPOINT_SET_H

#include "print_format.h"
#include "trace_format.h"

struct trace_printer;

struct function_names {
	precis_tracepoint_function *name; /* NULL: addresses are printed as numbers */
	void *data;
};

/* What is known of a tracepoint beside its public part */
struct tracepoint {
	struct tracing_text text, print;
	uint8_t is_plain;
	uint8_t is_checked; /* 1: 'refused' and 'print_format' are known */
	const char *refused; /* why the print format is not used; NULL: it is */
	struct print_format *print_format;
};

struct precis_tracepoints {
	char *blob; /* a copy: texts of formats lie in it */
	uint32_t long_bytes;
	struct field_pool pool;
	struct precis_tracepoint *views; /* by id */
	struct tracepoint *own; /* in the same order */
	size_t count;
	struct tracing_text printk_formats;
	struct function_names functions;
	struct trace_printer *printer; /* made when it is first needed */
};

#endif
