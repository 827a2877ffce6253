/* SPDX-License-Identifier: BSD-3-Clause */
/* One region of PAPI's high-level interface, with the events that PAPI_EVENTS names. */
#include <papi.h>

int main(void)
{
	volatile unsigned long work = 0;

	if (PAPI_hl_region_begin("work") != PAPI_OK)
		return 1;
	for (unsigned long i = 0; i < 10000000; i++)
		work += i;
	return PAPI_hl_region_end("work") != PAPI_OK;
}
