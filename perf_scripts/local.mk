# SPDX-License-Identifier: BSD-3-Clause
# What runs on perf.data.

bin_PROGRAMS += precis
precis_SOURCES =
precis_LDADD = libprecis.la libstatistics.la $(LIBM)

include perf_scripts/precis/local.mk
include perf_scripts/dlfilter/local.mk
include perf_scripts/python/local.mk
include perf_scripts/record/local.mk
