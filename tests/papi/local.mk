# SPDX-License-Identifier: BSD-3-Clause
# The PAPI component in PAPI: the overlay alone, then in PAPIs that are built here.

SHELL_TESTS += \
	tests/papi/test_overlay.sh \
	tests/papi/test_tools.sh

TEST_FILES += \
	tests/papi/fake_ibs.c \
	tests/papi/fake_ibs.h \
	tests/papi/high_level.c \
	tests/papi/ibs_payload.c \
	tests/papi/upstream.sh \
	tests/papi/tools/otf2_regions.py \
	tests/papi/tools/program.c \
	tests/papi/tools/stub_caliper.cpp \
	tests/papi/tools/stub_papi.c \
	tests/papi/tools/stub_scorep.c \
	tests/papi/tools/stub_tau.c \
	tests/papi/tools/stubs/caliper/include/caliper/Caliper.h \
	tests/papi/tools/stubs/caliper/include/caliper/SnapshotRecord.h \
	tests/papi/tools/stubs/caliper/include/caliper/cali.h \
	tests/papi/tools/stubs/caliper/src/services/Services.h \
	tests/papi/tools/stubs/papi/papi.h \
	tests/papi/tools/stubs/scorep/include/scorep/SCOREP_MetricPlugins.h \
	tests/papi/tools/stubs/scorep/include/scorep/SCOREP_User.h \
	tests/papi/tools/stubs/tau/include/Profile/Profiler.h \
	tests/papi/tools/stubs/tau/include/Profile/TauEnv.h \
	tests/papi/tools/stubs/tau/include/Profile/TauPlugin.h \
	tests/papi/tools/stubs/tau/include/Profile/tau_types.h

# The same with every PAPI that Debian has
check-papi-all:
	$(AM_V_at)PRECIS_PAPI_VERSIONS="`$(SHELL) $(papi_scripts)/fetch-papi --list | \
		cut -d ' ' -f 1`" $(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS=tests/papi/test_papi.sh
.PHONY: check-papi-all
