# SPDX-License-Identifier: BSD-3-Clause
# precis mix.

precis_SOURCES += \
	command/mix/arguments.c \
	command/mix/arguments.h \
	command/mix/biased.c \
	command/mix/biased.h \
	command/mix/command.c \
	command/mix/command.h \
	command/mix/labels.c \
	command/mix/labels.h \
	command/mix/mixed.c \
	command/mix/mixed.h \
	command/mix/profiled.c \
	command/mix/profiled.h \
	command/mix/reading.c \
	command/mix/reading.h \
	command/mix/sde.c \
	command/mix/sde.h \
	command/mix/section_blocks.c \
	command/mix/section_compared.c \
	command/mix/section_findings.c \
	command/mix/section_known.c \
	command/mix/section_mix.c \
	command/mix/section_seen.c \
	command/mix/sections.h
