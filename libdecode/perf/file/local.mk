# SPDX-License-Identifier: BSD-3-Clause
# An open recording: its parts put together.

libprecis_la_SOURCES += \
	libdecode/perf/file/file.c \
	libdecode/perf/file/info.c \
	libdecode/perf/file/loss_info.c \
	libdecode/perf/file/next.c \
	libdecode/perf/file/payload.c \
	libdecode/perf/file/private.h \
	libdecode/perf/file/sample.c \
	libdecode/perf/file/state.c \
	libdecode/perf/file/usual.h
