/* SPDX-License-Identifier: BSD-3-Clause */
/* See tap.h. */
#include "tests/support/tap.h"

#include <CUnit/TestRun.h>
#include <stdio.h>

/* CUnit's handler gets no argument of ours. */
static const char *skip_reason;
static unsigned int cases_reported;

void tap_skip(const char *reason)
{
	skip_reason = reason;
}

static void report(const CU_pTest test, const CU_pSuite suite, const CU_pFailureRecord failures)
{
	CU_pFailureRecord failure;

	(void)suite;
	cases_reported++;
	if (failures)
		printf("not ok %u - %s\n", cases_reported, test->pName);
	else if (skip_reason)
		printf("ok %u - %s # SKIP %s\n", cases_reported, test->pName, skip_reason);
	else
		printf("ok %u - %s\n", cases_reported, test->pName);
	for (failure = failures; failure; failure = failure->pNext)
		printf("# %s:%u: %s\n", failure->strFileName, failure->uiLineNumber,
		       failure->strCondition);
	skip_reason = NULL;
}

static int bail_out(const char *suite)
{
	printf("Bail out! %s: CUnit: %s\n", suite, CU_get_error_msg());
	CU_cleanup_registry();
	return 1;
}

int tap_main(const char *suite, const struct tap_case *cases, size_t count)
{
	CU_pSuite registered;
	unsigned int failed;
	size_t i;

	/* A crash must not take the lines before it along. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (CU_initialize_registry() != CUE_SUCCESS)
		return bail_out(suite);
	registered = CU_add_suite(suite, NULL, NULL);
	if (!registered)
		return bail_out(suite);
	for (i = 0; i < count; i++) {
		if (!CU_add_test(registered, cases[i].name, cases[i].run))
			return bail_out(suite);
	}

	printf("1..%zu\n", count);
	CU_set_test_complete_handler(report);
	if (CU_run_all_tests() != CUE_SUCCESS)
		return bail_out(suite);
	failed = CU_get_number_of_tests_failed();
	CU_cleanup_registry();
	return failed != 0;
}
