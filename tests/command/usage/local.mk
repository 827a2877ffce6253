# SPDX-License-Identifier: BSD-3-Clause
# What subcommands share: being asked to end.

UNIT_TESTS += tests/command/usage/test_interruption
tests_command_usage_test_interruption_SOURCES = \
	tests/command/usage/test_interruption.c \
	command/usage/interruption.c
tests_command_usage_test_interruption_CFLAGS = $(AM_CFLAGS)
