/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A callback that takes longer than max_overhead allows makes the period grow;
 * each sample tells the period that was in force for it, so that their sum is
 * the count.
 */
#include <time.h>

#include "precis_test.h"

#define PERIOD 16
#define MAX_OVERHEAD 0.05
/* Long beside the traps of a period, which take 10 us each on some virtual machines */
#define CALLBACK_NS 400000
#define CHANGES 2
#define CHANGES_MOST 64
/* A busy machine may take its time */
#define PATIENCE_S 60

static volatile long cell __attribute__((aligned(8)));

static struct {
	uint64_t samples, period_sum, unlike_field, unknown;
	uint64_t periods[CHANGES_MOST + 1]; /* the first one, and each change's */
	uint32_t changes; /* the helper thread's as well */
	uint32_t wrong_changes;
	int set, code;
} seen;

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/*
 * Accesses by the callback, for each sample: of a batch they make samples that
 * still wait when the period changes.
 */
static unsigned int made;

static int is_known(uint64_t period)
{
	for (uint32_t n = 0; n <= seen.changes; n++) {
		if (seen.periods[n] == period)
			return 1;
	}
	return 0;
}

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	uint64_t began = now(), period = 0;

	(void)user;
	seen.samples++;
	seen.period_sum += arrival->period;
	seen.unlike_field += !precis_get_period(sample, &period) || period != arrival->period;
	seen.unknown += !is_known(arrival->period);
	while (now() - began < CALLBACK_NS)
		;
	for (unsigned int n = 0; n < made; n++)
		cell = n;
}

static void on_change(int set, int code, uint64_t from, uint64_t to, void *user)
{
	seen.wrong_changes += set != seen.set || code != seen.code || user != &seen || to <= from ||
			      from != seen.periods[seen.changes] || to % 16;
	if (seen.changes < CHANGES_MOST)
		seen.periods[seen.changes + 1] = to;
	__atomic_add_fetch(&seen.changes, seen.changes < CHANGES_MOST, __ATOMIC_RELEASE);
}

static void check(int set, int code, uint32_t delivery)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = delivery,
		.period = PERIOD,
		.max_overhead = MAX_OVERHEAD,
		.callback = on_sample,
		.period_changed = on_change,
		.user = &seen,
	};
	struct precis_papi_statistics statistics;
	time_t end = time(NULL) + PATIENCE_S;
	long long count[1];
	uint64_t last, difference;

	memset(&seen, 0, sizeof(seen));
	seen.set = set;
	seen.code = code;
	seen.periods[0] = PERIOD;
	made = delivery == PRECIS_PAPI_BATCH ? PERIOD : 0;
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	test_must(PAPI_start(set), "PAPI_start");
	while (__atomic_load_n(&seen.changes, __ATOMIC_ACQUIRE) < CHANGES && time(NULL) < end) {
		for (long n = 0; n < 1000; n++)
			cell = n;
		if (delivery == PRECIS_PAPI_BATCH)
			precis_papi_drain(set);
	}
	test_must(PAPI_stop(set, count), "PAPI_stop");
	statistics = test_statistics(set, code);
	last = seen.periods[seen.changes];
	tap_ok(seen.changes >= CHANGES, "delivery %u: the period grows", delivery);
	tap_equal(seen.wrong_changes, 0, "each change is told, to multiples of 16");
	tap_ok(statistics.period_changes == seen.changes && statistics.period == last,
	       "statistics know of %u changes and the last period, %" PRIu64, seen.changes, last);
	tap_equal((int64_t)seen.unlike_field, 0, "a sample's period is its field's");
	tap_equal((int64_t)seen.unknown, 0, "and one that was in force");
	/* the kernel begins a period anew at each change */
	difference = (uint64_t)count[0] > seen.period_sum ? (uint64_t)count[0] - seen.period_sum
							  : seen.period_sum - (uint64_t)count[0];
	tap_ok(!statistics.lost && difference <= (seen.changes + 1) * last,
	       "the sum of periods is the count, but for the changes: %" PRIu64 " of %lld",
	       seen.period_sum, count[0]);
	printf("# %" PRIu64 " samples\n", seen.samples);
}

int main(void)
{
	int set = PAPI_NULL, code;

	test_init();
	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	code = test_add_breakpoint(set, &cell);
	for (uint32_t delivery = 0; delivery <= PRECIS_PAPI_SAMPLE; delivery++)
		check(set, code, delivery);
	test_destroy(&set);
	return tap_done();
}
