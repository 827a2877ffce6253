# SPDX-License-Identifier: BSD-3-Clause
# precis dump.

precis_SOURCES += \
	perf_scripts/precis/dump/arguments.c \
	perf_scripts/precis/dump/arguments.h \
	perf_scripts/precis/dump/cells.c \
	perf_scripts/precis/dump/columns.c \
	perf_scripts/precis/dump/columns.h \
	perf_scripts/precis/dump/command.c \
	perf_scripts/precis/dump/command.h \
	perf_scripts/precis/dump/csv.c \
	perf_scripts/precis/dump/dump.h \
	perf_scripts/precis/dump/formats.c \
	perf_scripts/precis/dump/json.c \
	perf_scripts/precis/dump/pebs.c \
	perf_scripts/precis/dump/pebs.h \
	perf_scripts/precis/dump/pebs_groups.c \
	perf_scripts/precis/dump/pebs_groups.h \
	perf_scripts/precis/dump/pebs_registers.c \
	perf_scripts/precis/dump/read.c \
	perf_scripts/precis/dump/records.c \
	perf_scripts/precis/dump/records.h \
	perf_scripts/precis/dump/register_view.c \
	perf_scripts/precis/dump/register_view.h \
	perf_scripts/precis/dump/registers_csv.c \
	perf_scripts/precis/dump/registers_json.c \
	perf_scripts/precis/dump/registers_text.c \
	perf_scripts/precis/dump/text.c
