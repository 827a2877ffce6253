# SPDX-License-Identifier: BSD-3-Clause
# precis dump.

precis_SOURCES += \
	command/dump/arguments.c \
	command/dump/arguments.h \
	command/dump/cells.c \
	command/dump/columns.c \
	command/dump/columns.h \
	command/dump/command.c \
	command/dump/command.h \
	command/dump/csv.c \
	command/dump/dump.h \
	command/dump/formats.c \
	command/dump/json.c \
	command/dump/pebs.c \
	command/dump/pebs.h \
	command/dump/pebs_groups.c \
	command/dump/pebs_groups.h \
	command/dump/pebs_registers.c \
	command/dump/read.c \
	command/dump/record_types.c \
	command/dump/record_types.h \
	command/dump/records.c \
	command/dump/register_view.c \
	command/dump/register_view.h \
	command/dump/registers_csv.c \
	command/dump/registers_json.c \
	command/dump/registers_text.c \
	command/dump/text.c
