# SPDX-License-Identifier: BSD-3-Clause
# One event's SAMPLE records to the vendor-neutral sample.

libprecis_la_SOURCES += \
	libdecode/perf/decoder/columns.c \
	libdecode/perf/decoder/decode.h \
	libdecode/perf/decoder/decoder.c \
	libdecode/perf/decoder/direct.h
