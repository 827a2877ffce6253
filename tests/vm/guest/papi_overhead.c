/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * papi_overhead RESULTS: samples itself with a max_overhead that the callback exceeds in its second
 * phase, so that the component raises the period there, and appends to RESULTS what follows of the share
 * of loads among its ops:
 *
 *     pid=N samples=N changes=N least=PERIOD most=PERIOD count=OPS weight=SUM
 *         lost=N low=SHARE high=SHARE counted_low=SHARE counted_high=SHARE
 *
 * weight: of the periods that the samples arrived with; low, high: the 95% interval of the share, each
 * sample weighing its period, by precis's own statistics; counted: each weighing the same. nan: none.
 *
 * In the first phase most instructions are loads, in the second one, which is longer, few. Time is that
 * of the guest, which counts instructions: what a callback takes of it is the same on every machine.
 *
 * Exit status: 0; 1 with "error WHAT: CODE: WORDS"; 2 wrong arguments.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <papi.h>
#include <precis/papi.h>

#include "statistics/weighted.h"
#include "tests/vm/workloads/traced.h"

#define PERIOD 336
#define MAX_OVERHEAD 0.03
#define SLOW_NS 250000 /* what a callback of the second phase takes */

/* The samples of so many turns of 22 instructions are delivered at once; so often in each phase */
#define TURNS 200
#define FIRST 3
#define SECOND 9

static struct {
	struct weighted all, loads;
	int is_slow;
} seen;

static _Noreturn void fail(const char *what, int error)
{
	printf("error %s: %d: %s\n", what, error, precis_papi_strerror(error));
	exit(1);
}

static void must(int error, const char *what)
{
	if (error != PAPI_OK)
		fail(what, error);
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* --- samples -------------------------------------------------------------------------------- */

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	const struct weighted one = weighted_of(1, arrival->period);
	uint64_t began = now(), op;

	(void)user;
	weighted_add(&seen.all, &one);
	if (precis_get_op(sample, &op) && (op == PRECIS_OP_LOAD || op == PRECIS_OP_LOAD_STORE))
		weighted_add(&seen.loads, &one);
	while (seen.is_slow && now() - began < SLOW_NS)
		;
}

static int add_event(int *set)
{
	const struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = PRECIS_PAPI_BATCH,
		.period = PERIOD,
		.max_overhead = MAX_OVERHEAD,
		.callback = on_sample,
	};
	PAPI_option_t domain = { .domain = { .domain = PAPI_DOM_ALL } };
	int code;

	must(PAPI_create_eventset(set), "PAPI_create_eventset");
	must(PAPI_assign_eventset_component(*set, PAPI_get_component_index("precis")), "component");
	domain.domain.eventset = *set;
	must(PAPI_set_opt(PAPI_DOMAIN, &domain), "PAPI_DOMAIN"); /* IBS does not know user from kernel */
	must(PAPI_event_name_to_code("precis:::IBS_OP_UOPS", &code), "IBS_OP_UOPS");
	must(PAPI_add_event(*set, code), "PAPI_add_event");
	must(precis_papi_set_sampling(*set, code, &sampling), "precis_papi_set_sampling");
	return code;
}

/* --- work ----------------------------------------------------------------------------------- */

#define TURN(loads, additions)                                                                     \
	__asm__ volatile(".rept " #loads "\n\tmov (%1), %%rax\n\t.endr\n\t"                       \
			 ".rept " #additions "\n\tadd $1, %0\n\t.endr"                            \
			 : "+r"(sum)                                                               \
			 : "r"(&cell)                                                              \
			 : "rax", "memory", "cc")

__attribute__((noinline)) static uint64_t load(uint64_t turns)
{
	uint64_t sum = 0, cell = 0;

	while (turns-- > 0)
		TURN(18, 2);
	return sum;
}

__attribute__((noinline)) static uint64_t add(uint64_t turns)
{
	uint64_t sum = 0, cell = 0;

	while (turns-- > 0)
		TURN(2, 18);
	return sum;
}

static void work(int set, uint64_t (*turn)(uint64_t turns), int rounds)
{
	while (rounds-- > 0) {
		traced_begin();
		turn(TURNS);
		traced_end();
		if (precis_papi_drain(set) < 0)
			fail("precis_papi_drain", PAPI_EMISC);
	}
}

static int print(const char *path, int set, int code, long long count)
{
	struct precis_papi_statistics statistics = { .size = sizeof(statistics) };
	const struct interval none = { NAN, NAN };
	const struct interval weighted = weighted_effective(&seen.all) < WEIGHTED_FEWEST
						 ? none
						 : weighted_interval(&seen.loads, &seen.all);
	const struct interval counted = interval_of_share(seen.loads.samples, seen.all.samples);
	FILE *file = fopen(path, "a");

	must(precis_papi_get_statistics(set, code, &statistics), "precis_papi_get_statistics");
	if (!file)
		return -1;
	fprintf(file,
		"pid=%d samples=%" PRIu64 " changes=%" PRIu64 " least=%" PRIu64 " most=%" PRIu64
		" count=%lld weight=%.0f lost=%" PRIu64
		" low=%.9f high=%.9f counted_low=%.9f counted_high=%.9f\n",
		(int)getpid(), seen.all.samples, statistics.period_changes, seen.all.least,
		seen.all.most, count, (double)seen.all.weight, statistics.lost, weighted.low,
		weighted.high, counted.low, counted.high);
	return fclose(file);
}

int main(int count, char **arguments)
{
	int set = PAPI_NULL, version, code;
	long long counts[1];

	if (count != 2)
		return 2;
	version = PAPI_library_init(PAPI_VER_CURRENT);
	if (version != PAPI_VER_CURRENT)
		fail("PAPI_library_init", version);
	code = add_event(&set);
	traced_open();
	must(PAPI_start(set), "PAPI_start");
	work(set, load, FIRST);
	seen.is_slow = 1;
	work(set, add, SECOND);
	must(PAPI_stop(set, counts), "PAPI_stop");
	if (print(arguments[1], set, code, counts[0])) {
		perror(arguments[1]);
		return 1;
	}
	return 0;
}
