# SPDX-License-Identifier: BSD-3-Clause
# Processes that run, and what this one loads.

precis_SOURCES += \
	command/process/library.c \
	command/process/library.h

precis_LDADD += $(DLOPEN_LIBS)
