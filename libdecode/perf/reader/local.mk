# SPDX-License-Identifier: BSD-3-Clause
# The form of a recording, its parts and their records; what went wrong with them.

libprecis_la_SOURCES += \
	libdecode/perf/reader/errors.c \
	libdecode/perf/reader/errors.h \
	libdecode/perf/reader/header.c \
	libdecode/perf/reader/header.h \
	libdecode/perf/reader/record_stream.c \
	libdecode/perf/reader/record_stream.h \
	libdecode/perf/reader/stream_usual.h
