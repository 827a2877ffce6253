# SPDX-License-Identifier: BSD-3-Clause
# The recorder of objects' lifetimes, in programs that know what they did, and the reader of its side files.

PYTHON_TESTS += \
	tests/recorder/test_bounded.py \
	tests/recorder/test_hostile.py \
	tests/recorder/test_jumps.py \
	tests/recorder/test_live.py \
	tests/recorder/test_programs.py \
	tests/recorder/test_recorder.py \
	tests/recorder/test_recording.py \
	tests/recorder/test_reloaded.py

TEST_FILES += \
	tests/recorder/hostile.c \
	tests/recorder/jumps.c \
	tests/recorder/library.c \
	tests/recorder/live_blocks.c \
	tests/recorder/side_files.py \
	tests/recorder/truth.c \
	tests/recorder/truth_bursts.c \
	tests/recorder/truth_cxx.cc \
	tests/recorder/truth_fortran.f90 \
	tests/recorder/truth_times.c

check_PROGRAMS += tests/recorder/convert_times tests/recorder/print_objects
tests_recorder_convert_times_SOURCES = tests/recorder/convert_times.c
tests_recorder_convert_times_LDADD = libprecis.la
tests_recorder_print_objects_SOURCES = tests/recorder/print_objects.c
tests_recorder_print_objects_LDADD = libprecis.la

if WITH_RECORDER
if HAVE_CUNIT
UNIT_TESTS += tests/recorder/test_call_frames
tests_recorder_test_call_frames_SOURCES = \
	recorder/call_frames.c recorder/libraries.c recorder/state.c \
	tests/recorder/test_call_frames.c
tests_recorder_test_call_frames_CFLAGS = $(AM_CFLAGS) -fno-omit-frame-pointer -fasynchronous-unwind-tables
tests_recorder_test_call_frames_LDADD = $(LDADD) -ldl
check_LTLIBRARIES += tests/recorder/calls_back_small.la tests/recorder/calls_back_large.la
tests_recorder_calls_back_small_la_SOURCES = tests/recorder/calls_back.c
tests_recorder_calls_back_small_la_CPPFLAGS = -DROOM=1000
tests_recorder_calls_back_small_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere
tests_recorder_calls_back_large_la_SOURCES = tests/recorder/calls_back.c
tests_recorder_calls_back_large_la_CPPFLAGS = -DROOM=2000
tests_recorder_calls_back_large_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere
endif
endif
