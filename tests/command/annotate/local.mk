# SPDX-License-Identifier: BSD-3-Clause
# precis annotate: instructions beside objdump's, lines beside addr2line's, figures recomputed.

PYTHON_TESTS += \
	tests/command/annotate/test_annotate.py
