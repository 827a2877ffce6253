# SPDX-License-Identifier: BSD-3-Clause
# precis diff.

precis_SOURCES += \
	command/diff/command.c \
	command/diff/command.h \
	command/diff/mixes.c \
	command/diff/mixes.h
