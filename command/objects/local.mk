# SPDX-License-Identifier: BSD-3-Clause
# precis objects.

precis_SOURCES += \
	command/objects/command.c \
	command/objects/command.h \
	command/objects/events.c \
	command/objects/events.h \
	command/objects/frames.c \
	command/objects/frames.h \
	command/objects/index.c \
	command/objects/index.h \
	command/objects/page.c \
	command/objects/page.h \
	command/objects/totals.c \
	command/objects/totals.h
