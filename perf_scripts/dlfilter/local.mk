# SPDX-License-Identifier: BSD-3-Clause
# precis-dlfilter.so for perf script, which opens it by its path.

if WITH_DLFILTER
dlfilter_LTLIBRARIES = precis-dlfilter.la
precis_dlfilter_la_SOURCES = \
	perf_scripts/dlfilter/arguments.c \
	perf_scripts/dlfilter/arguments.h \
	perf_scripts/dlfilter/dlfilter.c \
	perf_scripts/dlfilter/event.h \
	perf_scripts/dlfilter/events.c \
	perf_scripts/dlfilter/events.h \
	perf_scripts/dlfilter/generic.c \
	perf_scripts/dlfilter/generic.h \
	perf_scripts/dlfilter/payload.c \
	perf_scripts/dlfilter/payload.h \
	perf_scripts/dlfilter/pebs_events.c \
	perf_scripts/dlfilter/pebs_events.h \
	perf_scripts/dlfilter/perf_dlfilter_abi.h \
	perf_scripts/dlfilter/row.c \
	perf_scripts/dlfilter/row.h \
	command/usage/nearest.c \
	command/usage/nearest.h
precis_dlfilter_la_CFLAGS = $(AM_CFLAGS) $(VISIBILITY_CFLAGS)
precis_dlfilter_la_LIBADD = libprecis.la
precis_dlfilter_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared
endif
