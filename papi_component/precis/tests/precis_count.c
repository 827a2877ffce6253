/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock advances while it is read, and does not go back. */
#include "precis_test.h"

#define MOST_READS 1000000

int main(int argc, char **argv)
{
	long long first, second, last;
	int code, reads = 0, set;

	test_begin(argc, argv);
	test_init();
	set = test_set_of("SW_CPU_CLOCK", &code);
	test_must(PAPI_start(set), "PAPI_start");
	test_must(PAPI_read(set, &first), "PAPI_read");
	do {
		test_must(PAPI_read(set, &second), "PAPI_read");
	} while (second == first && ++reads < MOST_READS);
	test_must(PAPI_stop(set, &last), "PAPI_stop");
	printf("# %lld, %lld, %lld ns\n", first, second, last);
	tap_ok(first >= 0 && second > first && last >= second, "the clock goes on");
	test_destroy(&set);
	return tap_done();
}
