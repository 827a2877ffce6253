# SPDX-License-Identifier: BSD-3-Clause
# precis sharing.

precis_SOURCES += \
	command/sharing/access_source.c \
	command/sharing/access_source.h \
	command/sharing/comdetective.c \
	command/sharing/comdetective.h \
	command/sharing/candidates.c \
	command/sharing/candidates.h \
	command/sharing/command.c \
	command/sharing/command.h \
	command/sharing/experiment.c \
	command/sharing/experiment.h \
	command/sharing/handed.h \
	command/sharing/handed_reader.c \
	command/sharing/handed_reader.h \
	command/sharing/heat.c \
	command/sharing/heat.h \
	command/sharing/live.c \
	command/sharing/live.h \
	command/sharing/live_advice.c \
	command/sharing/live_advice.h \
	command/sharing/live_comdetective.c \
	command/sharing/live_comdetective.h \
	command/sharing/live_command.c \
	command/sharing/live_command.h \
	command/sharing/live_experiment.c \
	command/sharing/live_experiment.h \
	command/sharing/live_page.c \
	command/sharing/live_page.h \
	command/sharing/live_result.h \
	command/sharing/live_state.c \
	command/sharing/live_state.h \
	command/sharing/mapped_ring.c \
	command/sharing/mapped_ring.h \
	command/sharing/mappings.c \
	command/sharing/mappings.h \
	command/sharing/pmu_reader.c \
	command/sharing/pmu_reader.h \
	command/sharing/program.c \
	command/sharing/program.h \
	command/sharing/sampled_access.h \
	command/sharing/trapped_code.c \
	command/sharing/trapped_code.h \
	command/sharing/watch.c \
	command/sharing/watch.h
