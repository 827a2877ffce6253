# SPDX-License-Identifier: BSD-3-Clause
# Bytes in and out of records: where they come from, compression, their order.

libprecis_la_SOURCES += \
	libdecode/perf/stream/deflater.c \
	libdecode/perf/stream/deflater.h \
	libdecode/perf/stream/inflater.c \
	libdecode/perf/stream/inflater.h \
	libdecode/perf/stream/sorter.c \
	libdecode/perf/stream/sorter.h \
	libdecode/perf/stream/sorter_blocks.c \
	libdecode/perf/stream/sorter_blocks.h \
	libdecode/perf/stream/sorter_merge.c \
	libdecode/perf/stream/sorter_merge.h \
	libdecode/perf/stream/sorter_spill.c \
	libdecode/perf/stream/sorter_spill.h \
	libdecode/perf/stream/sorter_usual.h \
	libdecode/perf/stream/source.c \
	libdecode/perf/stream/source.h \
	libdecode/perf/stream/spool.c \
	libdecode/perf/stream/spool.h \
	libdecode/perf/stream/temporary_file.c \
	libdecode/perf/stream/temporary_file.h
