/* SPDX-License-Identifier: BSD-3-Clause */
/* The text that describes a tracepoint: its name, its id, its fields, its print format. */
#ifndef PRECIS_PERF_TRACE_FORMAT_H
#define PRECIS_PERF_TRACE_FORMAT_H

#include "tracing_data.h"

/* Fields of all formats, one behind the other, and the characters of their names and types. */
struct field_pool {
	struct precis_tracepoint_field *fields;
	size_t count, room;
	char *characters; /* as many as the formats have: each string's NUL replaces a separator */
	size_t used;
};

struct trace_format {
	const char *system;
	struct tracing_text text; /* all of it */
	struct tracing_text print; /* what follows "print fmt:"; 0 bytes: there is none */
	uint32_t id;
	const char *name;
	size_t first_field, field_count; /* in the pool */
	uint8_t is_plain; /* 1: each field is declared in the simplest way: words, stars, [number] */
};

/*
 * Parse the text; its fields and strings go into the pool. 0; PRECIS_E_NO_MEMORY;
 * PRECIS_E_SYNTAX, with the pool as it was.
 */
int precis_trace_format_parse(const struct tracing_format *from, struct field_pool *pool,
			      struct trace_format *format);

#endif
