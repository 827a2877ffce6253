/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A callback that takes longer than max_overhead allows makes the period grow; each sample tells of how
 * many it is, the period in force or, marked, another number, so that their sum is the count.
 */
#include <time.h>

#include "precis_test.h"

#define PERIOD 16
#define MAX_OVERHEAD 0.25
#define CHANGES 2
#define CHANGES_MOST 64
/* Of a burst all samples have been delivered before the next: no ring is ever full */
#define BURST_SAMPLES 64
#define RECORD_BYTES_MOST 128
/* Of the last period: beside them the margin of the sum is small */
#define LAST_SAMPLES 32
/* Batches of so many samples, in which a callback takes so long */
#define FEW_SAMPLES 16
#define FEW_BATCHES 8
#define FEW_NS 1000000 /* of the first of a batch */
/* A busy machine may take its time; one on which nothing happens fails. */
#define PATIENCE_S 120

static volatile long cell __attribute__((aligned(8)));

static struct {
	uint64_t samples, unlike_field, unknown, irregular;
	uint64_t period_sum; /* the helper thread's as well, and so is 'changes' */
	uint64_t periods[CHANGES_MOST + 1]; /* the first one, and each change's */
	uint32_t changes;
	uint32_t wrong_changes;
	uint64_t ended; /* the callback before */
	_Atomic uint64_t spin_ns; /* how long callbacks take, the longest since the burst began */
	int set, code;
} seen;

/* What callbacks do but count: a part of the time between them, and accesses for each sample. Those of
 * a batch make samples that still wait when the period changes. Changed while the helper thread reads
 * them. */
static _Atomic uint64_t spin_part; /* 1: all of it, n: one in n, 0: none */
static _Atomic unsigned int made;

static int is_known(uint64_t period)
{
	for (uint32_t n = 0; n <= seen.changes; n++) {
		if (seen.periods[n] == period)
			return 1;
	}
	return 0;
}

/*
 * However long others keep the CPU, callbacks take more than their share of what passes: each of many
 * at once takes a part of the time that passed before the first.
 */
static void spin(uint64_t began)
{
	uint64_t part = spin_part, before = part ? (began - seen.ended) / part : 0;

	if (part == 1 || before > seen.spin_ns)
		seen.spin_ns = before;
	while (part && test_now() - began < seen.spin_ns)
		;
	seen.ended = test_now();
}

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	uint64_t began = test_now(), period = 0;

	(void)user;
	seen.samples++;
	seen.unlike_field += !precis_get_period(sample, &period) || period != arrival->period;
	seen.unknown += !arrival->is_irregular && !is_known(arrival->period);
	seen.irregular += arrival->is_irregular;
	spin(began);
	for (unsigned int n = 0; n < made; n++)
		cell = n;
	__atomic_add_fetch(&seen.period_sum, arrival->period, __ATOMIC_RELEASE);
}

static void on_change(int set, int code, uint64_t from, uint64_t to, void *user)
{
	seen.wrong_changes += set != seen.set || code != seen.code || user != &seen || to == from ||
			      from != seen.periods[seen.changes] || to % 16 || to < PERIOD;
	if (seen.changes < CHANGES_MOST)
		seen.periods[seen.changes + 1] = to;
	__atomic_add_fetch(&seen.changes, seen.changes < CHANGES_MOST, __ATOMIC_RELEASE);
}

/*
 * How far the sum of periods may be from the count: by what has been counted since the last sample. That
 * is more than one period where the period changed while the thread did not run: then Linux begins anew
 * (perf_swevent_add() in kernel/events/core.c), and the next sample stands for what there was before, too.
 */
static uint64_t margin(void)
{
	uint32_t changes = __atomic_load_n(&seen.changes, __ATOMIC_ACQUIRE);
	uint64_t longest = 0;

	for (uint32_t n = 0; n <= changes; n++)
		longest = seen.periods[n] > longest ? seen.periods[n] : longest;
	return 3 * longest;
}

/* @return how far it is */
static uint64_t missing(long long count)
{
	uint64_t sum = __atomic_load_n(&seen.period_sum, __ATOMIC_ACQUIRE);

	return (uint64_t)count - sum; /* large if the sum is */
}

static uint64_t last_period(void)
{
	return seen.periods[__atomic_load_n(&seen.changes, __ATOMIC_ACQUIRE)];
}

/*
 * Accesses for as many samples as any ring has room for, should the period fall to the first one meanwhile,
 * and their delivery. @return how many samples of the last period
 */
static uint64_t burst(uint32_t delivery, uint64_t room, time_t end)
{
	uint64_t period = last_period();
	long long count[1];

	seen.spin_ns = 0;
	for (uint64_t n = 0; n < room * PERIOD; n++)
		cell = (long)n;
	do {
		if (delivery != PRECIS_PAPI_THREAD)
			precis_papi_drain(seen.set);
		test_must(PAPI_read(seen.set, count), "PAPI_read");
	} while (delivery == PRECIS_PAPI_THREAD && missing(*count) > margin() && time(NULL) < end);
	return period == last_period() ? room * PERIOD / period : 0;
}

static void begin(int set, int code, uint32_t delivery)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = delivery,
		.period = PERIOD,
		.watermark_samples = delivery == PRECIS_PAPI_WATERMARK ? BURST_SAMPLES / 4 : 0,
		.max_overhead = MAX_OVERHEAD,
		.callback = on_sample,
		.period_changed = on_change,
		.user = &seen,
	};

	memset(&seen, 0, sizeof(seen));
	seen.set = set;
	seen.code = code;
	seen.periods[0] = PERIOD;
	seen.ended = test_now();
	/* where each is delivered alone it is measured, too */
	spin_part = delivery == PRECIS_PAPI_SAMPLE ? 1 : 32;
	made = delivery == PRECIS_PAPI_BATCH ? PERIOD : 0;
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	test_must(PAPI_start(set), "PAPI_start");
}

static void check(int set, int code, uint32_t delivery)
{
	struct precis_papi_statistics statistics;
	time_t end = time(NULL) + PATIENCE_S;
	uint64_t room, last;
	long long count[1];

	begin(set, code, delivery);
	room = test_statistics(set, code).ring_bytes / RECORD_BYTES_MOST / 4;
	room = room < BURST_SAMPLES ? room : BURST_SAMPLES;
	while (__atomic_load_n(&seen.changes, __ATOMIC_ACQUIRE) < CHANGES && time(NULL) < end)
		burst(delivery, room, end);
	spin_part = made = 0;
	for (uint64_t samples = 0; samples < LAST_SAMPLES && time(NULL) < end;)
		samples += burst(delivery, room, end);
	test_must(PAPI_stop(set, count), "PAPI_stop");
	statistics = test_statistics(set, code);
	last = seen.periods[seen.changes];
	tap_ok(seen.changes >= CHANGES, "delivery %u: the period grows", delivery);
	tap_equal(seen.wrong_changes, 0, "each change is told, to multiples of 16");
	tap_ok(statistics.period_changes == seen.changes && statistics.period == last,
	       "statistics know of %u changes and the last period, %" PRIu64, seen.changes, last);
	tap_equal((int64_t)seen.unlike_field, 0, "a sample's period is its field's");
	tap_equal((int64_t)seen.unknown, 0, "and one that was in force");
	tap_ok(!statistics.lost && missing(count[0]) < margin(),
	       "the sum of periods is the count, but for what has no sample yet: %" PRIu64 " of %lld",
	       seen.period_sum, count[0]);
	tap_ok(seen.irregular <= 2 * seen.changes, "%" PRIu64 " samples of %" PRIu64
	       " stand for another number than a period, at most two of each change",
	       seen.irregular, seen.samples);
}

static int is_first; /* of a batch */
static uint64_t few_ns; /* what callbacks took, as they say themselves */

static void on_few(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		   void *user)
{
	uint64_t began = test_now();

	(void)sample;
	(void)arrival;
	(void)user;
	while (is_first && test_now() - began < FEW_NS)
		;
	is_first = 0;
	few_ns += test_now() - began;
}

/* The first of a batch finds nothing in the caches, or does what the batch needs: it stands for itself. */
static void check_few(int set, int code)
{
	const struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = PRECIS_PAPI_BATCH,
		.period = PERIOD,
		.callback = on_few,
	};
	struct precis_papi_statistics statistics;
	long long count[1];

	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	test_must(PAPI_start(set), "PAPI_start");
	for (int batch = 0; batch < FEW_BATCHES; batch++) {
		for (long n = 0; n < FEW_SAMPLES * PERIOD; n++)
			cell = n;
		is_first = 1;
		precis_papi_drain(set);
	}
	test_must(PAPI_stop(set, count), "PAPI_stop");
	statistics = test_statistics(set, code);
	tap_equal((int64_t)statistics.samples, FEW_SAMPLES * FEW_BATCHES, "samples of small batches");
	tap_ok(statistics.callback_ns <= 4 * few_ns,
	       "their callbacks took %" PRIu64 " ns, the component says %" PRIu64, few_ns,
	       statistics.callback_ns);
}

int main(int argc, char **argv)
{
	int set, code;

	test_begin(argc, argv);
	test_init_breakpoints();
	set = test_set_of_breakpoint(&cell, &code);
	for (uint32_t delivery = 0; delivery <= PRECIS_PAPI_SAMPLE; delivery++)
		check(set, code, delivery);
	check_few(set, code);
	test_destroy(&set);
	return tap_done();
}
