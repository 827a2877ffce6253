# SPDX-License-Identifier: BSD-3-Clause
# The engine of precis sharing: on hits that are made up, and on debug registers of this machine.

UNIT_TESTS += \
	tests/sharing/test_budget \
	tests/sharing/test_candidates \
	tests/sharing/test_comdetective \
	tests/sharing/test_drawn_words \
	tests/sharing/test_experiment \
	tests/sharing/test_handed \
	tests/sharing/test_in_process \
	tests/sharing/test_live_sites \
	tests/sharing/test_patience \
	tests/sharing/test_strata \
	tests/sharing/test_strata_programs \
	tests/sharing/test_switch_cost \
	tests/sharing/test_watch
tests_sharing_test_budget_LDADD = libsharing.la $(LDADD)
tests_sharing_test_candidates_LDADD = libsharing.la $(LDADD) $(LIBM)
tests_sharing_test_comdetective_LDADD = libsharing.la $(LDADD) $(LIBM)
# hits that are made up are of no instruction, and of no CPU
tests_sharing_test_experiment_CFLAGS = $(AM_CFLAGS) -Wno-missing-field-initializers
tests_sharing_test_experiment_LDADD = libsharing.la $(LDADD) $(LIBM)
tests_sharing_test_drawn_words_LDADD = libsharing.la $(LDADD) $(LIBM)
tests_sharing_test_handed_LDADD = libsharing.la $(LDADD) $(LIBM)
tests_sharing_test_in_process_LDADD = libsharing.la $(LDADD) $(LIBM)
tests_sharing_test_live_sites_LDADD = libsharing.la $(LDADD) $(LIBM)
tests_sharing_test_patience_LDADD = libsharing.la $(LDADD)
tests_sharing_test_slow_programs_LDADD = libsharing.la $(LDADD) $(LIBM)
tests_sharing_test_strata_LDADD = libsharing.la $(LDADD) $(LIBM)
tests_sharing_test_strata_programs_LDADD = libsharing.la $(LDADD) $(LIBM)
tests_sharing_test_switch_cost_LDADD = libsharing.la $(LDADD) $(LIBM)
tests_sharing_test_watch_LDADD = libsharing.la $(LDADD) $(LIBM)
