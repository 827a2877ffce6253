# SPDX-License-Identifier: BSD-3-Clause
# precis dump: parts of samples and records, with stock perf as the oracle; PEBS records.

check_PROGRAMS += tests/dump/make_pebs
tests_dump_make_pebs_SOURCES = tests/dump/make_pebs.c
tests_dump_make_pebs_LDADD = libprecis.la

PYTHON_TESTS += \
	tests/dump/test_parts.py \
	tests/dump/test_pebs.py \
	tests/dump/test_records.py \
	tests/dump/test_traces.py

TEST_FILES += \
	tests/dump/raw_dump.py
