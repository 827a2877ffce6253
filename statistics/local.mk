# SPDX-License-Identifier: BSD-3-Clause
# What reports and benchmarks compute from samples, and the tables that such figures stand in. Links to
# nothing of the library.

noinst_LTLIBRARIES += libstatistics.la
libstatistics_la_SOURCES = \
	statistics/bit_counts.c \
	statistics/bit_counts.h \
	statistics/build.c \
	statistics/build.h \
	statistics/chi_square_by_normal.c \
	statistics/chi_square_by_normal.h \
	statistics/difference.c \
	statistics/difference.h \
	statistics/figures.h \
	statistics/fit.c \
	statistics/fit.h \
	statistics/heavy.c \
	statistics/heavy.h \
	statistics/histogram.c \
	statistics/histogram.h \
	statistics/interval.c \
	statistics/interval.h \
	statistics/mean.c \
	statistics/mean.h \
	statistics/members.c \
	statistics/moments.c \
	statistics/moments.h \
	statistics/poisson_sum.c \
	statistics/poisson_sum.h \
	statistics/minimum_degree.c \
	statistics/minimum_degree.h \
	statistics/quantiles.c \
	statistics/quantiles.h \
	statistics/random.h \
	statistics/regression.c \
	statistics/regression.h \
	statistics/room.h \
	statistics/root.h \
	statistics/serial.c \
	statistics/serial.h \
	statistics/settle.c \
	statistics/sparse.c \
	statistics/sparse.h \
	statistics/table.c \
	statistics/table.h \
	statistics/tally.c \
	statistics/tally.h \
	statistics/thinned.c \
	statistics/thinned.h \
	statistics/two_samples.c \
	statistics/two_samples.h \
	statistics/weighted.c \
	statistics/weighted.h
libstatistics_la_LIBADD = $(LIBM)
