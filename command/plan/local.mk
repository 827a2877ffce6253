# SPDX-License-Identifier: BSD-3-Clause
# precis plan.

precis_SOURCES += \
	command/plan/calibrate.c \
	command/plan/calibrate.h \
	command/plan/calibration_file.c \
	command/plan/calibration_file.h \
	command/plan/check.c \
	command/plan/check.h \
	command/plan/command.c \
	command/plan/command.h \
	command/plan/costs.c \
	command/plan/costs.h \
	command/plan/counted_run.c \
	command/plan/counted_run.h \
	command/plan/estimates.c \
	command/plan/estimates.h \
	command/plan/events.c \
	command/plan/events.def \
	command/plan/events.h \
	command/plan/kernel_event.c \
	command/plan/kernel_event.h \
	command/plan/options.c \
	command/plan/options.h \
	command/plan/page.c \
	command/plan/page.h \
	command/plan/sampled_run.c \
	command/plan/sampled_run.h \
	command/plan/setting.c \
	command/plan/setting.h \
	command/plan/works.c \
	command/plan/works.h
