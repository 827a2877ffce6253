# SPDX-License-Identifier: BSD-3-Clause
# precis annotate.

precis_SOURCES += \
	command/annotate/command.c \
	command/annotate/command.h
