# SPDX-License-Identifier: BSD-3-Clause
# The CPU and the kernel that recorded, and so what the events are.

libprecis_la_SOURCES += \
	libdecode/perf/machine/event_names.c \
	libdecode/perf/machine/event_names.h \
	libdecode/perf/machine/kinds.c \
	libdecode/perf/machine/kinds.h \
	libdecode/perf/machine/machine.c \
	libdecode/perf/machine/machine.h \
	libdecode/perf/machine/pebs_events.c \
	libdecode/perf/machine/pebs_events.h
