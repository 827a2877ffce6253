# SPDX-License-Identifier: BSD-3-Clause
# Instructions as objdump has them; what they do.

check_PROGRAMS += \
	tests/libdecode/code/list_blocks \
	tests/libdecode/code/list_instructions \
	tests/libdecode/code/list_operands
tests_libdecode_code_list_blocks_SOURCES = tests/libdecode/code/list_blocks.c
tests_libdecode_code_list_blocks_LDADD = libcode.la libprecis.la
tests_libdecode_code_list_instructions_SOURCES = tests/libdecode/code/list_instructions.c
tests_libdecode_code_list_instructions_LDADD = libcode.la

tests_libdecode_code_list_operands_SOURCES = tests/libdecode/code/list_operands.c
tests_libdecode_code_list_operands_LDADD = libcode.la libprecis.la

tests_libdecode_code_test_forms_SOURCES = tests/libdecode/code/test_forms.c tests/libdecode/code/known_instructions.S
tests_libdecode_code_test_forms_LDADD = libcode.la $(LDADD)
tests_libdecode_code_test_blocks_LDADD = libcode.la $(LDADD)
tests_libdecode_code_test_pokes_LDADD = libcode.la libstatistics.la $(LDADD)
tests_libdecode_code_test_streams_LDADD = libcode.la $(LDADD)
PYTHON_TESTS += \
	tests/libdecode/code/test_objdump.py \
	tests/libdecode/code/test_operands.py

# Compiled by the tests, in many ways
TEST_FILES += \
	tests/libdecode/code/operands.h \
	tests/libdecode/code/operands_c.c \
	tests/libdecode/code/operands_cc.cc
