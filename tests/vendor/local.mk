# SPDX-License-Identifier: BSD-3-Clause
# A vendor that nobody makes: what adding one takes.

UNIT_TESTS += tests/vendor/test_vendor

TEST_FILES += \
	tests/vendor/fields.def \
	tests/vendor/gates.def

# The library's own objects but for libdecode/vendors.c, in whose place the test has its list.
tests_vendor_test_vendor_SOURCES = \
	tests/vendor/test_vendor.c \
	tests/vendor/toy.c \
	tests/vendor/toy.h \
	tests/vendor/vendors.c
rooms_of_vendors = $(filter libdecode/sample/% libdecode/ibs/% libdecode/pebs/%,$(libprecis_la_OBJECTS))
tests_vendor_test_vendor_LDADD = $(rooms_of_vendors) tests/support/libtap.la $(CUNIT_LIBS)
tests_vendor_test_vendor_DEPENDENCIES = libprecis.la tests/support/libtap.la
