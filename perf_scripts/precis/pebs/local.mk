# SPDX-License-Identifier: BSD-3-Clause
# Dumps of PEBS buffers: what is said of them on the command line, and reading them.

precis_SOURCES += \
	perf_scripts/precis/pebs/area.c \
	perf_scripts/precis/pebs/area.h \
	perf_scripts/precis/pebs/options.c \
	perf_scripts/precis/pebs/options.h \
	perf_scripts/precis/pebs/walk.c \
	perf_scripts/precis/pebs/walk.h
