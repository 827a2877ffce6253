# SPDX-License-Identifier: BSD-3-Clause
# The records of all streams of a recording, in one order.

libprecis_la_SOURCES += \
	libdecode/perf/order/directory.c \
	libdecode/perf/order/directory.h \
	libdecode/perf/order/merger.c \
	libdecode/perf/order/merger.h \
	libdecode/perf/order/order.c \
	libdecode/perf/order/order.h \
	libdecode/perf/order/pipe.c \
	libdecode/perf/order/pipe.h
