# SPDX-License-Identifier: BSD-3-Clause
# The recorder of objects' lifetimes, in programs that know what they did, and the reader of its side files.

PYTHON_TESTS += \
	tests/recorder/test_live.py \
	tests/recorder/test_programs.py \
	tests/recorder/test_recorder.py \
	tests/recorder/test_recording.py

TEST_FILES += \
	tests/recorder/library.c \
	tests/recorder/live_blocks.c \
	tests/recorder/side_files.py \
	tests/recorder/truth.c \
	tests/recorder/truth_cxx.cc \
	tests/recorder/truth_fortran.f90 \
	tests/recorder/truth_times.c

check_PROGRAMS += tests/recorder/convert_times tests/recorder/print_objects
tests_recorder_convert_times_SOURCES = tests/recorder/convert_times.c
tests_recorder_convert_times_LDADD = libprecis.la
tests_recorder_convert_times_LDFLAGS = $(AM_LDFLAGS) -no-install
tests_recorder_print_objects_SOURCES = tests/recorder/print_objects.c
tests_recorder_print_objects_LDADD = libprecis.la
tests_recorder_print_objects_LDFLAGS = $(AM_LDFLAGS) -no-install
