# SPDX-License-Identifier: BSD-3-Clause
# The sections that describe the recording machine.

libprecis_la_SOURCES += \
	libdecode/perf/features/build_ids.c \
	libdecode/perf/features/cpu_topology.c \
	libdecode/perf/features/lists.c \
	libdecode/perf/features/section.h \
	libdecode/perf/features/values.c
