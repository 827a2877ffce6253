# SPDX-License-Identifier: BSD-3-Clause
# Dumps of PEBS buffers: what is said of them on the command line, and reading them.

precis_SOURCES += \
	command/pebs/area.c \
	command/pebs/area.h \
	command/pebs/options.c \
	command/pebs/options.h \
	command/pebs/walk.c \
	command/pebs/walk.h
