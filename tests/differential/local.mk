# SPDX-License-Identifier: BSD-3-Clause
# Stock perf as the oracle.

check_PROGRAMS += tests/differential/make_recording
tests_differential_make_recording_SOURCES = tests/differential/make_recording.c
tests_differential_make_recording_LDADD = libprecis.la

check_PROGRAMS += tests/differential/copy_recording
tests_differential_copy_recording_SOURCES = tests/differential/copy_recording.c
tests_differential_copy_recording_LDADD = libprecis.la

check_PROGRAMS += tests/differential/print_traces
tests_differential_print_traces_SOURCES = tests/differential/print_traces.c
tests_differential_print_traces_LDADD = libprecis.la

check_PROGRAMS += tests/differential/print_records
tests_differential_print_records_SOURCES = tests/differential/print_records.c
tests_differential_print_records_LDADD = libprecis.la

PYTHON_TESTS += \
	tests/differential/test_forms_written.py \
	tests/differential/test_records.py \
	tests/differential/test_losses.py \
	tests/differential/test_registers.py \
	tests/differential/test_samples.py \
	tests/differential/test_system.py \
	tests/differential/test_tracepoints.py

TEST_FILES += \
	tests/differential/differential.py
