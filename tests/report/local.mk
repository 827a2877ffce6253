# SPDX-License-Identifier: BSD-3-Clause
# precis report: every figure, recomputed; files and symbols, in whatever order.

PYTHON_TESTS += \
	tests/report/test_report.py \
	tests/report/test_report_buffer.py \
	tests/report/test_report_document.py \
	tests/report/test_report_jobs.py \
	tests/report/test_report_offcpu.py \
	tests/report/test_report_pebs.py \
	tests/report/test_report_several.py \
	tests/report/test_report_symbols.py \
	tests/report/test_report_validity.py

TEST_FILES += tests/report/oracle.py
