# SPDX-License-Identifier: BSD-3-Clause
# precis sharing.

precis_SOURCES += \
	command/sharing/access_source.c \
	command/sharing/access_source.h \
	command/sharing/command.c \
	command/sharing/command.h \
	command/sharing/heat.c \
	command/sharing/heat.h \
	command/sharing/live_accesses.c \
	command/sharing/live_accesses.h \
	command/sharing/live_advice.c \
	command/sharing/live_advice.h \
	command/sharing/live_command.c \
	command/sharing/live_command.h \
	command/sharing/live_page.c \
	command/sharing/live_page.h \
	command/sharing/live_parties.c \
	command/sharing/live_parties.h \
	command/sharing/live_run.c \
	command/sharing/live_run.h \
	command/sharing/mappings.c \
	command/sharing/mappings.h \
	command/sharing/pmu_reader.c \
	command/sharing/pmu_reader.h \
	command/sharing/program.c \
	command/sharing/program.h \
	command/sharing/this_machine.c \
	command/sharing/this_machine.h \
	command/sharing/trapped_place.c \
	command/sharing/trapped_place.h
