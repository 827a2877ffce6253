# SPDX-License-Identifier: BSD-3-Clause
# Lines of source files.

precis_SOURCES += \
	command/source/source.c \
	command/source/source.h
