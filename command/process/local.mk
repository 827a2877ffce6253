# SPDX-License-Identifier: BSD-3-Clause
# Processes that run.

precis_SOURCES += \
	command/process/threads.c \
	command/process/threads.h
