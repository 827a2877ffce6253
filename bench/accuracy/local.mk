# SPDX-License-Identifier: BSD-3-Clause
# How good this machine's sampling is: kernels with known truth, events, what is measured, what it says.
# precis bench prints it. Nothing here does.

noinst_LTLIBRARIES += libaccuracy.la
libaccuracy_la_SOURCES = \
	bench/accuracy/amounts.c \
	bench/accuracy/classes.h \
	bench/accuracy/compare.c \
	bench/accuracy/compare.h \
	bench/accuracy/counts.c \
	bench/accuracy/counts.def \
	bench/accuracy/counts.h \
	bench/accuracy/event_attr.c \
	bench/accuracy/events.c \
	bench/accuracy/events.def \
	bench/accuracy/events.h \
	bench/accuracy/interrupts.c \
	bench/accuracy/interrupts.h \
	bench/accuracy/judge.c \
	bench/accuracy/judge.h \
	bench/accuracy/judged.def \
	bench/accuracy/kernels.c \
	bench/accuracy/kernels.def \
	bench/accuracy/kernels.h \
	bench/accuracy/kernels_x86_64.S \
	bench/accuracy/ladder.c \
	bench/accuracy/latencies.def \
	bench/accuracy/measure.c \
	bench/accuracy/measure.h \
	bench/accuracy/memory.c \
	bench/accuracy/metrics.c \
	bench/accuracy/metrics.def \
	bench/accuracy/metrics.h \
	bench/accuracy/paper.c \
	bench/accuracy/pebs_events.c \
	bench/accuracy/pebs_events.def \
	bench/accuracy/pebs_events.h \
	bench/accuracy/periods.c \
	bench/accuracy/periods.h \
	bench/accuracy/places.c \
	bench/accuracy/probe.c \
	bench/accuracy/published.c \
	bench/accuracy/published.def \
	bench/accuracy/published.h \
	bench/accuracy/quantities.def \
	bench/accuracy/records.c \
	bench/accuracy/resonance.c \
	bench/accuracy/sampling.c \
	bench/accuracy/sampling.h \
	bench/accuracy/series.c \
	bench/accuracy/series.h \
	bench/accuracy/tracefs.c \
	bench/accuracy/tracefs.h \
	bench/accuracy/truth.h \
	bench/accuracy/truth_code.c \
	bench/accuracy/truth_steps.c
libaccuracy_la_LIBADD = libprecis.la libstatistics.la $(LIBM)
