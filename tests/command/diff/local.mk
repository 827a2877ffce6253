# SPDX-License-Identifier: BSD-3-Clause
# precis diff: figures, verdicts and how often they are right, what is refused.

PYTHON_TESTS += \
	tests/command/diff/test_diff.py \
	tests/command/diff/test_diff_mix.py
