# SPDX-License-Identifier: BSD-3-Clause
# Samples and records of whatever holds them, in one order.

libprecis_la_SOURCES += \
	libdecode/perf/input/dump.c \
	libdecode/perf/input/faults.c \
	libdecode/perf/input/input.c \
	libdecode/perf/input/parts.c \
	libdecode/perf/input/private.h \
	libdecode/perf/input/recording.c \
	libdecode/perf/input/run.c \
	libdecode/perf/input/run.h
