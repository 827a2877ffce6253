# SPDX-License-Identifier: BSD-3-Clause
# How far the figures of an event can be believed: for precis info, and beside them in precis report.

precis_SOURCES += \
	perf_scripts/precis/validity/cpu_text.c \
	perf_scripts/precis/validity/cpu_text.h \
	perf_scripts/precis/validity/ibs_notes.c \
	perf_scripts/precis/validity/notes.c \
	perf_scripts/precis/validity/notes.h \
	perf_scripts/precis/validity/pebs_event.c \
	perf_scripts/precis/validity/pebs_event.h \
	perf_scripts/precis/validity/pebs_notes.c \
	perf_scripts/precis/validity/validity.h
