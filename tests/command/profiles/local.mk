# SPDX-License-Identifier: BSD-3-Clause
# Profiles for compilers and BOLT: of a program that was stepped through, read by LLVM's own tools.

check_PROGRAMS += tests/command/profiles/write_profile
tests_command_profiles_write_profile_SOURCES = \
	tests/command/profiles/write_profile.c \
	command/profiles/autofdo.c \
	command/profiles/bolt.c \
	command/profiles/nests.c
tests_command_profiles_write_profile_LDADD = libcode.la libprecis.la

PYTHON_TESTS += tests/command/profiles/test_profiles.py
TEST_FILES += tests/command/profiles/stepped.cc
