# SPDX-License-Identifier: BSD-3-Clause
# precis sharing.

precis_SOURCES += \
	command/sharing/command.c \
	command/sharing/command.h \
	command/sharing/heat.c \
	command/sharing/heat.h
