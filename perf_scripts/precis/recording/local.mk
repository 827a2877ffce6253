# SPDX-License-Identifier: BSD-3-Clause
# A recording that is read: which samples of it, what was lost, what could not be read.

precis_SOURCES += \
	perf_scripts/precis/recording/closing.c \
	perf_scripts/precis/recording/closing.h \
	perf_scripts/precis/recording/losses.c \
	perf_scripts/precis/recording/losses.h \
	perf_scripts/precis/recording/progress.c \
	perf_scripts/precis/recording/progress.h \
	perf_scripts/precis/recording/ranges.c \
	perf_scripts/precis/recording/ranges.h \
	perf_scripts/precis/recording/recording.c \
	perf_scripts/precis/recording/recording.h \
	perf_scripts/precis/recording/selection.c \
	perf_scripts/precis/recording/selection.h \
	perf_scripts/precis/recording/traces.c \
	perf_scripts/precis/recording/traces.h
