# SPDX-License-Identifier: BSD-3-Clause
# precis dump: parts of samples and records, with stock perf as the oracle.

PYTHON_TESTS += \
	tests/dump/test_parts.py \
	tests/dump/test_records.py

TEST_FILES += \
	tests/dump/raw_dump.py
