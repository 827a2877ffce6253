/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock advances while it is read, and stands still once it is stopped. */
#include <stdio.h>

#include "papi.h"
#include "papi_test.h"

#define EVENT "precis:::SW_CPU_CLOCK"

static void must(int line, const char *call, int status)
{
	if (status != PAPI_OK)
		test_fail(__FILE__, line, call, status);
}

int main(int argc, char **argv)
{
	const PAPI_component_info_t *info;
	long long first, second, last;
	int component, set = PAPI_NULL;

	tests_quiet(argc, argv);
	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
		test_fail(__FILE__, __LINE__, "PAPI_library_init", PAPI_EMISC);
	component = PAPI_get_component_index("precis");
	info = PAPI_get_component_info(component);
	if (!info)
		test_fail(__FILE__, __LINE__, "PAPI_get_component_index", component);
	if (info->disabled)
		test_skip(__FILE__, __LINE__, info->disabled_reason, info->disabled);

	must(__LINE__, "PAPI_create_eventset", PAPI_create_eventset(&set));
	must(__LINE__, "PAPI_add_named_event", PAPI_add_named_event(set, EVENT));
	must(__LINE__, "PAPI_start", PAPI_start(set));
	must(__LINE__, "PAPI_read", PAPI_read(set, &first));
	do {
		must(__LINE__, "PAPI_read", PAPI_read(set, &second));
	} while (second == first);
	must(__LINE__, "PAPI_stop", PAPI_stop(set, &last));
	if (!TESTS_QUIET)
		printf("%lld, %lld, %lld ns\n", first, second, last);
	if (first < 0 || second < first || last < second)
		test_fail(__FILE__, __LINE__, "the clock went back", PAPI_EMISC);
	test_pass(__FILE__);
	return 0;
}
