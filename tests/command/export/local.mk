# SPDX-License-Identifier: BSD-3-Clause
# precis export: each format as its readers have it, against precis dump.

PYTHON_TESTS += \
	tests/command/export/test_folded.py

EXTRA_DIST += tests/command/export/folded.py
