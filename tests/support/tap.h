/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUnit cases, reported as TAP: one line for each case.
 */
#ifndef TESTS_SUPPORT_TAP_H
#define TESTS_SUPPORT_TAP_H

#include <CUnit/CUnit.h>
#include <stddef.h>

struct tap_case {
	const char *name;
	void (*run)(void); /* asserts with CU_ASSERT_* */
};

/**
 * Run the cases as one CUnit suite. Failed assertions are printed as
 * diagnostics under the case's "not ok" line.
 *
 * @return main()'s exit code: 0 if no case failed
 */
int tap_main(const char *suite, const struct tap_case *cases, size_t count);

/**
 * Mark the running case as skipped. The case goes on: return after it. A case
 * with a failed assertion is reported as failed all the same.
 *
 * @param reason  a string that outlives the case
 */
void tap_skip(const char *reason);

#endif
