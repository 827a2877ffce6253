# SPDX-License-Identifier: BSD-3-Clause
# Recordings that are written.

libprecis_la_SOURCES += \
	libdecode/perf/writer/blob.c \
	libdecode/perf/writer/blob.h \
	libdecode/perf/writer/features.c \
	libdecode/perf/writer/file.c \
	libdecode/perf/writer/output.c \
	libdecode/perf/writer/pipe.c \
	libdecode/perf/writer/private.h \
	libdecode/perf/writer/writer.c
