# SPDX-License-Identifier: BSD-3-Clause
# Stock perf as the oracle.

check_PROGRAMS += tests/differential/make_recording
tests_differential_make_recording_SOURCES = tests/differential/make_recording.c
tests_differential_make_recording_LDADD = libprecis.la

check_PROGRAMS += tests/differential/copy_recording
tests_differential_copy_recording_SOURCES = tests/differential/copy_recording.c
tests_differential_copy_recording_LDADD = libprecis.la

check_PROGRAMS += tests/differential/make_pebs_pt
tests_differential_make_pebs_pt_SOURCES = tests/differential/make_pebs_pt.c
tests_differential_make_pebs_pt_LDADD = libprecis.la

check_PROGRAMS += tests/differential/print_pebs_pt
tests_differential_print_pebs_pt_SOURCES = tests/differential/print_pebs_pt.c
tests_differential_print_pebs_pt_LDADD = libprecis.la

check_PROGRAMS += tests/differential/print_traces
tests_differential_print_traces_SOURCES = tests/differential/print_traces.c
tests_differential_print_traces_LDADD = libprecis.la

check_PROGRAMS += tests/differential/print_records
tests_differential_print_records_SOURCES = tests/differential/print_records.c
tests_differential_print_records_LDADD = libprecis.la

check_PROGRAMS += tests/differential/data_sources
tests_differential_data_sources_SOURCES = tests/differential/data_sources.c
tests_differential_data_sources_LDADD = libprecis.la

check_PROGRAMS += tests/differential/ibs_words
tests_differential_ibs_words_SOURCES = tests/differential/ibs_words.c
tests_differential_ibs_words_LDADD = libprecis.la -ldl

check_PROGRAMS += tests/support/print_samples
tests_support_print_samples_SOURCES = tests/support/print_samples.c
tests_support_print_samples_LDADD = libprecis.la

check_PROGRAMS += tests/support/workload
tests_support_workload_SOURCES = tests/support/workload.c
tests_support_workload_CFLAGS = $(AM_CFLAGS) -pthread
tests_support_workload_LDFLAGS = $(AM_LDFLAGS) -pthread
tests_support_workload_LDADD =

check_PROGRAMS += tests/support/writers
tests_support_writers_SOURCES = tests/support/writers.c
tests_support_writers_CFLAGS = $(AM_CFLAGS) -pthread
tests_support_writers_LDFLAGS = $(AM_LDFLAGS) -pthread
tests_support_writers_LDADD =

PYTHON_TESTS += \
	tests/differential/test_data_source.py \
	tests/differential/test_data_source_kernel.py \
	tests/differential/test_data_types.py \
	tests/differential/test_event_names.py \
	tests/differential/test_files.py \
	tests/differential/test_forms.py \
	tests/differential/test_headers.py \
	tests/differential/test_ibs_words_kernel.py \
	tests/differential/test_forms_written.py \
	tests/differential/test_pebs_pt.py \
	tests/differential/test_precise_levels_kernel.py \
	tests/differential/test_records.py \
	tests/differential/test_losses.py \
	tests/differential/test_losses_threads.py \
	tests/differential/test_registers.py \
	tests/differential/test_samples.py \
	tests/differential/test_simpleperf.py \
	tests/differential/test_system.py \
	tests/differential/test_tracepoints.py

TEST_FILES += \
	tests/differential/compare_builds.sh \
	tests/differential/comparison.py \
	tests/differential/copies.py \
	tests/differential/differential.py \
	tests/differential/intel_models.py \
	tests/differential/kernel_sources.py \
	tests/differential/linux_data_source.h \
	tests/differential/linux_ibs.h \
	tests/differential/made.py \
	tests/differential/oracles.py \
	tests/differential/perf_cache.py \
	tests/differential/recordings.py \
	tests/differential/stock_perf.py \
	tests/differential/wording.py \
	tests/support/newer_perf.sh

# What newer_perf.sh fetched
CLEAN_DIRECTORIES += kernel-sources perf-cache tests/support/newer_perf
