# SPDX-License-Identifier: BSD-3-Clause
# precis dump: parts of samples and records, with stock perf as the oracle; PEBS records.

check_PROGRAMS += tests/command/dump/make_pebs
tests_command_dump_make_pebs_SOURCES = tests/command/dump/make_pebs.c
tests_command_dump_make_pebs_LDADD = libprecis.la

PYTHON_TESTS += \
	tests/command/dump/test_parts.py \
	tests/command/dump/test_pebs.py \
	tests/command/dump/test_records.py \
	tests/command/dump/test_traces.py

TEST_FILES += \
	tests/command/dump/raw_dump.py
