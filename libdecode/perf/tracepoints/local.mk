# SPDX-License-Identifier: BSD-3-Clause
# Tracepoints: descriptions, fields, text.

libprecis_la_SOURCES += \
	libdecode/perf/tracepoints/field_values.c \
	libdecode/perf/tracepoints/list.c \
	libdecode/perf/tracepoints/list.h \
	libdecode/perf/tracepoints/print_arguments.c \
	libdecode/perf/tracepoints/print_check.c \
	libdecode/perf/tracepoints/print_check.h \
	libdecode/perf/tracepoints/print_checker.h \
	libdecode/perf/tracepoints/print_conversions.c \
	libdecode/perf/tracepoints/print_fields.c \
	libdecode/perf/tracepoints/print_format.h \
	libdecode/perf/tracepoints/print_operands.c \
	libdecode/perf/tracepoints/print_tokens.c \
	libdecode/perf/tracepoints/trace_format.c \
	libdecode/perf/tracepoints/trace_format.h \
	libdecode/perf/tracepoints/trace_printer.c \
	libdecode/perf/tracepoints/trace_printer.h \
	libdecode/perf/tracepoints/tracepoint_set.h \
	libdecode/perf/tracepoints/tracepoints.c \
	libdecode/perf/tracepoints/tracing_data.c \
	libdecode/perf/tracepoints/tracing_data.h
