# SPDX-License-Identifier: BSD-3-Clause
# What real hardware reported; and what it would, where nobody has a record of it.

UNIT_TESTS += \
	tests/golden/test_ibs_op_toolkit \
	tests/golden/test_ibs_real \
	tests/golden/test_pebs_made

tests_golden_test_ibs_op_toolkit_SOURCES = \
	tests/golden/golden.c \
	tests/golden/golden.h \
	tests/golden/test_ibs_op_toolkit.c
tests_golden_test_ibs_real_SOURCES = \
	tests/golden/golden.c \
	tests/golden/golden.h \
	tests/golden/test_ibs_real.c
tests_golden_test_pebs_made_SOURCES = \
	tests/golden/golden.c \
	tests/golden/golden.h \
	tests/golden/test_pebs_made.c

TEST_FILES += \
	tests/golden/ibs_op_toolkit.txt \
	tests/golden/ibs_real.txt \
	tests/golden/pebs_made.txt
