# SPDX-License-Identifier: BSD-3-Clause
# Parts of a sample that are no fields of the catalogue.

precis_SOURCES += \
	command/parts/counts.c \
	command/parts/counts.h \
	command/parts/lists.c \
	command/parts/lists.h \
	command/parts/part_set.h \
	command/parts/parts.c \
	command/parts/parts.def \
	command/parts/parts.h \
	command/parts/trace_text.c \
	command/parts/trace_text.h \
	command/parts/values.c \
	command/parts/values.h
