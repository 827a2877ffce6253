# SPDX-License-Identifier: BSD-3-Clause
# precis annotate: instructions beside objdump's, lines beside addr2line's, figures recomputed, of
# programs and of the kernel.

PYTHON_TESTS += \
	tests/command/annotate/test_annotate.py \
	tests/command/annotate/test_annotate_advice.py \
	tests/command/annotate/test_annotate_executions.py \
	tests/command/annotate/test_annotate_kernel.py \
	tests/command/annotate/test_annotate_type.py

TEST_FILES += tests/command/annotate/typed.py
