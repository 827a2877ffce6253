/* SPDX-License-Identifier: BSD-3-Clause */
/* struct precis_tracepoints, and what the files that work on it offer each other. */
#ifndef PRECIS_PERF_TRACEPOINTS_H
#define PRECIS_PERF_TRACEPOINTS_H

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

/* list.c: the fields as "name=value". @return the length, as snprintf(3) */
size_t precis_tracepoint_list(const struct precis_tracepoint *tracepoint, const void *raw,
			      size_t bytes, char *room, size_t size);

/*
 * trace_printer.c: by the print format. @return the text's length, or -1: '*plain' says why not.
 * RAW has been checked against nothing yet.
 */
int precis_trace_print(struct precis_tracepoints *tracepoints, size_t n, const void *raw,
		       size_t bytes, char *room, size_t size, const char **plain);
void precis_trace_printer_free(struct trace_printer *printer);

#endif
