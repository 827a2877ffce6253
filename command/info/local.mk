# SPDX-License-Identifier: BSD-3-Clause
# precis info.

precis_SOURCES += \
	command/info/command.c \
	command/info/command.h \
	command/info/compare.c \
	command/info/compare.h \
	command/info/compare_amd.c \
	command/info/compare_answer.h \
	command/info/compare_intel.c \
	command/info/event.c \
	command/info/events.c \
	command/info/events.h \
	command/info/gather.c \
	command/info/info.h \
	command/info/machine.h \
	command/info/machine_capabilities.c \
	command/info/machine_capabilities.h \
	command/info/machine_checks.c \
	command/info/machine_core.c \
	command/info/machine_core.h \
	command/info/machine_describe.c \
	command/info/machine_pebs.c \
	command/info/machine_pebs.h \
	command/info/machine_read.c \
	command/info/pebs.c \
	command/info/pebs.h \
	command/info/pfm_events.c \
	command/info/pfm_events.h \
	command/info/pfm_pmus.def \
	command/info/precise_levels.def \
	command/info/recording.c \
	command/info/remarks.c \
	command/info/system.c \
	command/info/traces.c
