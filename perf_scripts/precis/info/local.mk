# SPDX-License-Identifier: BSD-3-Clause
# precis info.

precis_SOURCES += \
	perf_scripts/precis/info/command.c \
	perf_scripts/precis/info/command.h \
	perf_scripts/precis/info/compare.c \
	perf_scripts/precis/info/compare.h \
	perf_scripts/precis/info/compare_amd.c \
	perf_scripts/precis/info/compare_intel.c \
	perf_scripts/precis/info/compare_print.c \
	perf_scripts/precis/info/gather.c \
	perf_scripts/precis/info/info.h \
	perf_scripts/precis/info/json.c \
	perf_scripts/precis/info/machine.h \
	perf_scripts/precis/info/machine_capabilities.c \
	perf_scripts/precis/info/machine_checks.c \
	perf_scripts/precis/info/machine_pebs.c \
	perf_scripts/precis/info/machine_pebs.h \
	perf_scripts/precis/info/machine_print.c \
	perf_scripts/precis/info/machine_read.c \
	perf_scripts/precis/info/pebs.c \
	perf_scripts/precis/info/pebs.h \
	perf_scripts/precis/info/remarks.c \
	perf_scripts/precis/info/system.h \
	perf_scripts/precis/info/system_json.c \
	perf_scripts/precis/info/system_text.c \
	perf_scripts/precis/info/text.c \
	perf_scripts/precis/info/traces.c
