# SPDX-License-Identifier: BSD-3-Clause
# The feature sections: loaded and parsed; those that describe the recording machine.

libprecis_la_SOURCES += \
	libdecode/perf/features/build_ids.c \
	libdecode/perf/features/cpu_topology.c \
	libdecode/perf/features/feature_set.h \
	libdecode/perf/features/lists.c \
	libdecode/perf/features/parsers.c \
	libdecode/perf/features/parsers.h \
	libdecode/perf/features/section.h \
	libdecode/perf/features/sections.c \
	libdecode/perf/features/sections.h \
	libdecode/perf/features/simpleperf.c \
	libdecode/perf/features/simpleperf.h \
	libdecode/perf/features/values.c
