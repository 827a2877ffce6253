# SPDX-License-Identifier: BSD-3-Clause
# precis plan: figures against the formula, what gives, calibrations good and bad, and one that is made here.

PYTHON_TESTS += \
	tests/command/plan/test_plan.py \
	tests/command/plan/test_plan_calibrate.py \
	tests/command/plan/test_plan_conditions.py \
	tests/command/plan/test_plan_counted.py

UNIT_TESTS += tests/command/plan/test_calibration_file
tests_command_plan_test_calibration_file_SOURCES = \
	tests/command/plan/test_calibration_file.c \
	command/plan/calibration_file.c
tests_command_plan_test_calibration_file_CFLAGS = $(AM_CFLAGS)
tests_command_plan_test_calibration_file_LDADD = libdocument.la $(LDADD)
