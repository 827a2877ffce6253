/* SPDX-License-Identifier: BSD-3-Clause */
/* A sample's fields as the tracepoint's print format has them. */
#ifndef PRECIS_PERF_TRACE_PRINTER_H
#define PRECIS_PERF_TRACE_PRINTER_H

#include "tracepoint_set.h"

/*
 * @return the text's length, or -1: '*plain' says why not. RAW has been checked against nothing
 *         yet.
 */
int precis_trace_print(struct precis_tracepoints *tracepoints, size_t n, const void *raw,
		       size_t bytes, char *room, size_t size, const char **plain);
void precis_trace_printer_free(struct trace_printer *printer);

#endif
