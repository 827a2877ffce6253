# SPDX-License-Identifier: BSD-3-Clause
# The helpers for perf script, the wrapper that records, the demo.

UNIT_TESTS += tests/perf_scripts/test_dlfilter_abi

SHELL_TESTS += \
	tests/perf_scripts/test_demo.sh \
	tests/perf_scripts/test_precis_record.sh \
	tests/perf_scripts/test_precis_record_mix.sh

PYTHON_TESTS += \
	tests/perf_scripts/test_agreement.py \
	tests/perf_scripts/test_buffer.py \
	tests/perf_scripts/test_recording.py \
	tests/perf_scripts/test_scripts.py

TEST_FILES += \
	tests/perf_scripts/machines.sh \
	tests/perf_scripts/perf.py
