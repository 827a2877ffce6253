# SPDX-License-Identifier: BSD-3-Clause
# precis export.

precis_SOURCES += \
	command/export/arguments.c \
	command/export/arguments.h \
	command/export/command.c \
	command/export/command.h \
	command/export/export.h \
	command/export/folded.c \
	command/export/numbering.c \
	command/export/numbering.h \
	command/export/stacks.c \
	command/export/stacks.h \
	command/export/weight.c \
	command/export/weight.h
