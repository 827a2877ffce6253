# SPDX-License-Identifier: BSD-3-Clause
# precis sharing.

precis_SOURCES += \
	command/sharing/command.c \
	command/sharing/command.h \
	command/sharing/experiment.c \
	command/sharing/experiment.h \
	command/sharing/handed.h \
	command/sharing/handed_reader.c \
	command/sharing/handed_reader.h \
	command/sharing/heat.c \
	command/sharing/heat.h \
	command/sharing/live.c \
	command/sharing/live.h \
	command/sharing/live_command.c \
	command/sharing/live_command.h \
	command/sharing/live_page.c \
	command/sharing/live_page.h \
	command/sharing/mappings.c \
	command/sharing/mappings.h \
	command/sharing/watch.c \
	command/sharing/watch.h
