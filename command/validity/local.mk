# SPDX-License-Identifier: BSD-3-Clause
# How far the figures of an event can be believed: for precis info, and beside them in precis report.

precis_SOURCES += \
	command/validity/ibs_notes.c \
	command/validity/ibs_notes.h \
	command/validity/latency_filter.c \
	command/validity/latency_filter.h \
	command/validity/notes.c \
	command/validity/pebs_notes.c \
	command/validity/pebs_notes.h \
	command/validity/subject.h \
	command/validity/validity.h
