# SPDX-License-Identifier: BSD-3-Clause
# Variables, types and members, against programs that print the truth of their own data.

check_PROGRAMS += tests/libdecode/symbols/types/ask_types
tests_libdecode_symbols_types_ask_types_SOURCES = tests/libdecode/symbols/types/ask_types.c
tests_libdecode_symbols_types_ask_types_LDADD = libprecis.la

check_PROGRAMS += tests/libdecode/symbols/types/list_functions
tests_libdecode_symbols_types_list_functions_SOURCES = tests/libdecode/symbols/types/list_functions.c
tests_libdecode_symbols_types_list_functions_LDADD = libprecis.la

PYTHON_TESTS += \
	tests/libdecode/symbols/types/test_allocations.py \
	tests/libdecode/symbols/types/test_functions.py \
	tests/libdecode/symbols/types/test_pahole.py \
	tests/libdecode/symbols/types/test_random_types.py \
	tests/libdecode/symbols/types/test_types.py

# Compiled by the tests, in many ways
TEST_FILES += \
	tests/libdecode/symbols/types/allocations.h \
	tests/libdecode/symbols/types/allocations_c.c \
	tests/libdecode/symbols/types/allocations_cc.cc \
	tests/libdecode/symbols/types/allocations_rust.rs \
	tests/libdecode/symbols/types/allocations_ways.c \
	tests/libdecode/symbols/types/inlined_cc.cc \
	tests/libdecode/symbols/types/programs.py \
	tests/libdecode/symbols/types/random_types.py \
	tests/libdecode/symbols/types/record_allocations.c \
	tests/libdecode/symbols/types/truth.h \
	tests/libdecode/symbols/types/truth_c.c \
	tests/libdecode/symbols/types/truth_c_other.c \
	tests/libdecode/symbols/types/truth_cc.cc \
	tests/libdecode/symbols/types/truth_fortran.f90 \
	tests/libdecode/symbols/types/truth_other.h \
	tests/libdecode/symbols/types/truth_rust.rs
