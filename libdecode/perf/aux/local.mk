# SPDX-License-Identifier: BSD-3-Clause
# Samples out of AUX data: PEBS records in Intel PT, their events and tasks.

libprecis_la_SOURCES += \
	libdecode/perf/aux/pebs_pt_events.c \
	libdecode/perf/aux/pebs_pt_sample.c \
	libdecode/perf/aux/pebs_pt_sample.h \
	libdecode/perf/aux/pebs_pt_samples.c \
	libdecode/perf/aux/pebs_pt_samples.h \
	libdecode/perf/aux/timelines.c \
	libdecode/perf/aux/timelines.h \
	libdecode/perf/aux/trace_tasks.c \
	libdecode/perf/aux/trace_tasks.h
