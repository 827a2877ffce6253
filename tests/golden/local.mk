# SPDX-License-Identifier: BSD-3-Clause
# What real hardware reported.

UNIT_TESTS += \
	tests/golden/test_ibs_op_toolkit \
	tests/golden/test_ibs_real

tests_golden_test_ibs_op_toolkit_SOURCES = \
	tests/golden/golden.c \
	tests/golden/golden.h \
	tests/golden/test_ibs_op_toolkit.c
tests_golden_test_ibs_real_SOURCES = \
	tests/golden/golden.c \
	tests/golden/golden.h \
	tests/golden/test_ibs_real.c

TEST_FILES += \
	tests/golden/ibs_op_toolkit.txt \
	tests/golden/ibs_real.txt
