# SPDX-License-Identifier: BSD-3-Clause
# Samples of an input as columns.

libprecis_la_SOURCES += \
	libdecode/perf/columns/arrow.c \
	libdecode/perf/columns/block.c \
	libdecode/perf/columns/block.h \
	libdecode/perf/columns/columns.c \
	libdecode/perf/columns/direct.c \
	libdecode/perf/columns/private.h
