# SPDX-License-Identifier: BSD-3-Clause
# Names of symbols, for people to read.

check_PROGRAMS += tests/command/symbols/print_names
tests_command_symbols_print_names_SOURCES = \
	tests/command/symbols/print_names.c \
	command/symbols/rust_names.c \
	command/symbols/rust_names.h

PYTHON_TESTS += tests/command/symbols/test_rust_names.py
