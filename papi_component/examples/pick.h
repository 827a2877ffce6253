/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the examples have in common: PAPI with the component, and an EventSet with the best event
 * for memory accesses that this machine has. EXAMPLE_EVENT and EXAMPLE_PERIOD of the environment
 * name another one: EXAMPLE_EVENT=precis:::SW_CPU_CLOCK EXAMPLE_PERIOD=1000000
 */
#ifndef EXAMPLE_PICK_H
#define EXAMPLE_PICK_H

#include <stdio.h>
#include <stdlib.h>

#include <papi.h>
#include <precis/papi.h>

struct choice {
	const char *event;
	uint64_t period;  /* how many of the event from one sample to the next */
	int latency;      /* the field with a latency, or -1 */
};

static inline void must(int result, const char *what)
{
	if (result >= PAPI_OK)
		return;
	/* the reason in words: which event, what is missing, what can be done */
	fprintf(stderr, "%s: %s\n", what, precis_papi_strerror(result));
	exit(1);
}

static inline void start_papi(void)
{
	const PAPI_component_info_t *precis;

	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT) {
		fprintf(stderr, "libpapi is of another version than papi.h\n");
		exit(1);
	}
	precis = PAPI_get_component_info(PAPI_get_component_index("precis"));
	if (!precis || precis->disabled) {
		fprintf(stderr, "no component precis: %s\n",
			precis ? precis->disabled_reason : "this libpapi was built without it");
		exit(1);
	}
}

/* IBS before Linux 6.14 cannot tell user from kernel: it is to be had for both, or not at all. */
static inline int try_event(const char *event, int *set, int *code)
{
	static const int domains[] = { PAPI_DOM_USER, PAPI_DOM_USER | PAPI_DOM_KERNEL };
	PAPI_option_t option;
	int result = PAPI_ECMP;

	for (int n = 0; n < 2 && result != PAPI_OK; n++) {
		*set = PAPI_NULL;
		must(PAPI_create_eventset(set), "PAPI_create_eventset");
		must(PAPI_assign_eventset_component(*set, PAPI_get_component_index("precis")),
		     "PAPI_assign_eventset_component");
		option.domain.eventset = *set;
		option.domain.domain = domains[n];
		result = PAPI_set_opt(PAPI_DOMAIN, &option);
		if (result == PAPI_OK)
			result = PAPI_event_name_to_code(event, code);
		if (result == PAPI_OK)
			result = PAPI_add_event(*set, *code);
		if (result != PAPI_OK)
			PAPI_destroy_eventset(set);
	}
	return result;
}

/* An EventSet of the calling thread. What is not to be had is told once if 'tell'. */
static inline struct choice pick_event(int *set, int *code, int tell)
{
	static const struct choice choices[] = {
		{ "precis:::IBS_OP_UOPS", 65536, PRECIS_FIELD_DCACHE_MISS_LATENCY },
		{ "precis:::MEM_LOADS", 10007, PRECIS_FIELD_LOAD_LATENCY },
		{ "precis:::SW_PAGE_FAULTS", 1, -1 }, /* an address, but no latency */
	};
	const char *event = getenv("EXAMPLE_EVENT"), *period = getenv("EXAMPLE_PERIOD");
	struct choice named = { event, period ? strtoull(period, NULL, 0) : 1, -1 };
	int result = PAPI_ENOEVNT;

	if (event) {
		must(try_event(event, set, code), event);
		return named;
	}
	for (size_t n = 0; n < sizeof(choices) / sizeof(choices[0]); n++) {
		result = try_event(choices[n].event, set, code);
		if (result != PAPI_OK && tell)
			printf("# %s\n", precis_papi_strerror(result));
		if (result == PAPI_OK && tell && choices[n].latency < 0)
			printf("# neither IBS nor PEBS: %s instead, without latencies\n",
			       choices[n].event);
		if (result == PAPI_OK)
			return choices[n];
	}
	must(result, "no event");
	exit(1);
}

#endif
