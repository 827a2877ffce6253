# SPDX-License-Identifier: BSD-3-Clause
# What reports and benchmarks compute from samples. Links to nothing of the library.

noinst_LTLIBRARIES += libstatistics.la
libstatistics_la_SOURCES = \
	statistics/heavy.c \
	statistics/heavy.h \
	statistics/histogram.c \
	statistics/histogram.h \
	statistics/interval.c \
	statistics/interval.h \
	statistics/tally.c \
	statistics/tally.h
libstatistics_la_LIBADD = $(LIBM)
