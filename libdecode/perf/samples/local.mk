# SPDX-License-Identifier: BSD-3-Clause
# SAMPLE records taken apart in ABI terms.

libprecis_la_SOURCES += \
	libdecode/perf/samples/branch_stack.c \
	libdecode/perf/samples/callchain.c \
	libdecode/perf/samples/perf_sample.c \
	libdecode/perf/samples/read_format.c \
	libdecode/perf/samples/read_format.h \
	libdecode/perf/samples/register_names.c
