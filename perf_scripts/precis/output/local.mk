# SPDX-License-Identifier: BSD-3-Clause
# How the command writes: numbers, quotes, JSON, values; what it complains of.

precis_SOURCES += \
	perf_scripts/precis/output/complain.c \
	perf_scripts/precis/output/complain.h \
	perf_scripts/precis/output/help.c \
	perf_scripts/precis/output/help.h \
	perf_scripts/precis/output/json.c \
	perf_scripts/precis/output/json.h \
	perf_scripts/precis/output/nearest.c \
	perf_scripts/precis/output/nearest.h \
	perf_scripts/precis/output/number_text.c \
	perf_scripts/precis/output/number_text.h \
	perf_scripts/precis/output/output.c \
	perf_scripts/precis/output/output.h \
	perf_scripts/precis/output/quote.c \
	perf_scripts/precis/output/quote.h \
	perf_scripts/precis/output/value_sink.c \
	perf_scripts/precis/output/value_sink.h \
	perf_scripts/precis/output/wrap.c \
	perf_scripts/precis/output/wrap.h
