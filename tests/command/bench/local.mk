# SPDX-License-Identifier: BSD-3-Clause
# precis bench: what it prints, live where events can be had; how it ends.

PYTHON_TESTS += \
	tests/command/bench/test_bench.py \
	tests/command/bench/test_plots.py
