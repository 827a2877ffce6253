# SPDX-License-Identifier: BSD-3-Clause
# precis report: every figure, recomputed.

PYTHON_TESTS += tests/report/test_report.py

TEST_FILES += tests/report/oracle.py
