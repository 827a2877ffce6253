# SPDX-License-Identifier: BSD-3-Clause
# bench/results: files of people's machines.

PYTHON_TESTS += \
	tests/bench/results/test_results.py
