# SPDX-License-Identifier: BSD-3-Clause
# precis report.

precis_SOURCES += \
	command/report/apart.c \
	command/report/apart.h \
	command/report/annotate_options.c \
	command/report/annotate_options.h \
	command/report/arguments.c \
	command/report/arguments.h \
	command/report/asked.c \
	command/report/asked.h \
	command/report/by_options.c \
	command/report/by_options.h \
	command/report/choice.c \
	command/report/choice.h \
	command/report/collect.c \
	command/report/collect.h \
	command/report/command.c \
	command/report/command.h \
	command/report/executed.c \
	command/report/executed.h \
	command/report/jobs.c \
	command/report/jobs.h \
	command/report/memory.c \
	command/report/memory.h \
	command/report/page.c \
	command/report/page.h \
	command/report/reading.c \
	command/report/reading.h \
	command/report/save.c \
	command/report/save.h \
	command/report/saved.c \
	command/report/saved.h \
	command/report/spilled.c \
	command/report/spilled.h \
	command/report/saved_dump.c \
	command/report/saved_dump.h \
	command/report/section_dump.c \
	command/report/section_findings.c \
	command/report/section_recording.c \
	command/report/section_validity.c \
	command/report/sections.def \
	command/report/sections.h \
	command/report/skeleton.c \
	command/report/skeleton.h \
	command/report/units.c \
	command/report/units.h
