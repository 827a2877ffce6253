# SPDX-License-Identifier: BSD-3-Clause
# The PAPI component in PAPI: the overlay alone, then in PAPIs that are built here.

SHELL_TESTS += \
	tests/papi/test_overlay.sh \
	tests/papi/test_papi.sh

TEST_FILES += \
	tests/papi/fake_ibs.c \
	tests/papi/fake_ibs.h \
	tests/papi/high_level.c \
	tests/papi/ibs_payload.c

# The same with every PAPI that Debian has
check-papi-all:
	$(AM_V_at)PRECIS_PAPI_VERSIONS="`$(SHELL) $(papi_scripts)/fetch-papi --list | \
		cut -d ' ' -f 1`" $(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS=tests/papi/test_papi.sh
.PHONY: check-papi-all
