# SPDX-License-Identifier: BSD-3-Clause
# precis bench: what it prints, live where events can be had; how it ends.

EXTRA_DIST += \
	tests/command/bench/bench_file.py
PYTHON_TESTS += \
	tests/command/bench/test_bench.py \
	tests/command/bench/test_bench_compare.py \
	tests/command/bench/test_bench_conditions.py \
	tests/command/bench/test_bench_published.py \
	tests/command/bench/test_bench_read.py \
	tests/command/bench/test_plots.py
