# SPDX-License-Identifier: BSD-3-Clause
# What must hold of any registers on any CPU, and of any record.

UNIT_TESTS += \
	tests/property/test_decoder \
	tests/property/test_ibs_consistency \
	tests/property/test_ibs_contradictions \
	tests/property/test_ibs_flip \
	tests/property/test_ibs_unknown_cpu \
	tests/property/test_pebs_catalogue \
	tests/property/test_pebs_pt \
	tests/property/test_pebs_flip \
	tests/property/test_pebs_round_trip \
	tests/property/test_pebs_sample \
	tests/property/test_pebs_words \
	tests/property/test_tables \
	tests/property/test_tracepoint_hostile

TEST_FILES += \
	tests/property/contexts.h \
	tests/property/pebs_pt.h \
	tests/property/pebs_records.h \
	tests/property/pebs_samples.h \
	tests/property/random.h

# The catalogue says which bits of which word a field is; the library does not hand its rows out.
tests_property_test_pebs_catalogue_SOURCES = tests/property/test_pebs_catalogue.c \
	libdecode/pebs/tables.c
tests_property_test_pebs_catalogue_CFLAGS = $(AM_CFLAGS)
