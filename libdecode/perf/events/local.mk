# SPDX-License-Identifier: BSD-3-Clause
# The events of a recording and their ids.

libprecis_la_SOURCES += \
	libdecode/perf/events/attrs.c \
	libdecode/perf/events/attrs.h \
	libdecode/perf/events/events.c \
	libdecode/perf/events/events.h \
	libdecode/perf/events/ids.c \
	libdecode/perf/events/ids.h
