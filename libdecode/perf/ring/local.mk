# SPDX-License-Identifier: BSD-3-Clause
# The ring buffer of events that are open.

libprecis_la_SOURCES += \
	libdecode/perf/ring/ring.c
