# SPDX-License-Identifier: BSD-3-Clause
# Who shares lines with whom in a program that runs: debug registers of its threads, experiments with them,
# estimates from these. It prints nothing, and knows neither where accesses come from nor who asks.

noinst_LTLIBRARIES += libsharing.la
libsharing_la_SOURCES = \
	sharing/budget.c \
	sharing/budget.h \
	sharing/candidates.c \
	sharing/candidates.h \
	sharing/comdetective/comdetective.c \
	sharing/comdetective/comdetective.h \
	sharing/comdetective/live_comdetective.c \
	sharing/comdetective/live_comdetective.h \
	sharing/comdetective/trapped_code.c \
	sharing/comdetective/trapped_code.h \
	sharing/drawn_words.c \
	sharing/drawn_words.h \
	sharing/experiment.c \
	sharing/experiment_registers.c \
	sharing/experiment.h \
	sharing/handed_reader.c \
	sharing/handed_reader.h \
	sharing/in_process.c \
	sharing/in_process.h \
	sharing/live.c \
	sharing/live.h \
	sharing/live_estimate.c \
	sharing/live_estimate.h \
	sharing/live_experiment.c \
	sharing/live_experiment.h \
	sharing/live_result.h \
	sharing/live_settings.h \
	sharing/live_sites.c \
	sharing/live_sites.h \
	sharing/live_state.c \
	sharing/live_state.h \
	sharing/live_strata.c \
	sharing/live_strata.h \
	sharing/mapped_ring.c \
	sharing/mapped_ring.h \
	sharing/patience.c \
	sharing/patience.h \
	sharing/sampled_access.h \
	sharing/strata.c \
	sharing/strata.h \
	sharing/strata_estimate.c \
	sharing/switch_cost.c \
	sharing/switch_cost.h \
	sharing/threads.c \
	sharing/threads.h \
	sharing/timeslices.c \
	sharing/timeslices.h \
	sharing/watch.c \
	sharing/watch.h
