# SPDX-License-Identifier: BSD-3-Clause
# Parts of a sample that are no fields of the catalogue.

precis_SOURCES += \
	perf_scripts/precis/parts/cgroup_paths.c \
	perf_scripts/precis/parts/cgroup_paths.h \
	perf_scripts/precis/parts/counts.c \
	perf_scripts/precis/parts/counts.h \
	perf_scripts/precis/parts/lists.c \
	perf_scripts/precis/parts/parts.c \
	perf_scripts/precis/parts/parts.def \
	perf_scripts/precis/parts/parts.h \
	perf_scripts/precis/parts/trace_text.c \
	perf_scripts/precis/parts/trace_text.h \
	perf_scripts/precis/parts/values.c \
	perf_scripts/precis/parts/values.h
