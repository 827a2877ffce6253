# SPDX-License-Identifier: BSD-3-Clause
# precis export: each format as its readers have it, against precis dump.

PYTHON_TESTS += \
	tests/command/export/test_arrow.py \
	tests/command/export/test_folded.py \
	tests/command/export/test_profiles.py \
	tests/command/export/test_sqlite.py

EXTRA_DIST += \
	tests/command/export/consumers.py \
	tests/command/export/folded.py \
	tests/command/export/read_arrow.cjs
