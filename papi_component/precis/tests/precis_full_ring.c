/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A ring that is too small: dropped samples are all counted, and what is there
 * are the oldest; an overwritten ring has the newest ones in order.
 *
 * Which access a sample is of, a register tells that is recorded with it.
 */
#include <signal.h>

#include <linux/perf_event.h>

#include "precis_test.h"

#if defined(__x86_64__)
#include <asm/perf_regs.h>

#define NUMBER_REGISTER PERF_REG_X86_AX
#define HAS_NUMBERS 1

static void access_cell(volatile long *cell, long number)
{
	__asm__ volatile("movq %1, %0" : "=m"(*cell) : "a"(number));
}
#else
#define NUMBER_REGISTER 0
#define HAS_NUMBERS 0

static void access_cell(volatile long *cell, long number)
{
	*cell = number;
}
#endif

/* A busy machine may take its time */
#define PATIENCE_S 60
#define RING_BYTES 4096
#define ACCESSES 3000

static volatile long cell __attribute__((aligned(8)));

static struct {
	uint64_t samples, lost_before, last_lost_before;
	uint64_t first, last, gaps; /* numbers of accesses */
	uint64_t wrong_period;
} seen;

/* A callback that does not come to its end while this is set */
static int is_held; /* atomic */

/* A callback that makes samples itself: how many for each */
static unsigned int made;

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	uint64_t number = 0;

	(void)sample;
	(void)user;
	if (arrival->parts->regs_intr.bytes == sizeof(number))
		memcpy(&number, arrival->parts->regs_intr.data, sizeof(number));
	if (seen.samples++ == 0)
		seen.first = number;
	else
		seen.gaps += number != seen.last + 1;
	seen.last = number;
	seen.wrong_period += arrival->period != 1;
	seen.lost_before += arrival->lost_before;
	seen.last_lost_before = arrival->lost_before;
	while (__atomic_load_n(&is_held, __ATOMIC_ACQUIRE))
		usleep(100);
	for (unsigned int n = 0; n < made; n++)
		access_cell(&cell, -1);
}

static void begin(int set, int code, uint32_t delivery, uint32_t full)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = delivery,
		.full = full,
		.period = 1,
		.ring_bytes = RING_BYTES,
		.parts = PERF_SAMPLE_REGS_INTR,
		.registers = UINT64_C(1) << NUMBER_REGISTER,
		.callback = on_sample,
	};

	memset(&seen, 0, sizeof(seen));
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	test_must(PAPI_start(set), "PAPI_start");
}

static void access_cells(long first, long last)
{
	for (long number = first; number <= last; number++)
		access_cell(&cell, number);
}

static void check_dropped(int set, int code)
{
	struct precis_papi_statistics statistics;
	long long count[1];
	uint64_t kept;

	begin(set, code, PRECIS_PAPI_BATCH, PRECIS_PAPI_DROP);
	access_cells(1, ACCESSES);
	statistics = test_statistics(set, code);
	tap_equal(statistics.ring_bytes, RING_BYTES, "the ring is as small as was asked for");
	test_must(PAPI_read(set, count), "PAPI_read");
	kept = seen.samples;
	statistics = test_statistics(set, code);
	tap_ok(kept > 10 && kept < RING_BYTES / 40, "a batch of the ring's size: %" PRIu64, kept);
	tap_equal((int64_t)(statistics.samples + statistics.lost), ACCESSES,
		  "batch: samples + lost = accesses, before a record tells of it");
	tap_ok(seen.first == 1 && !seen.gaps, "it is of the first accesses, in order");
	access_cells(ACCESSES + 1, ACCESSES + 1);
	test_must(PAPI_read(set, count), "PAPI_read");
	tap_equal((int64_t)seen.last_lost_before, (int64_t)(ACCESSES - kept),
		  "the next sample tells how many are missing before it");
	tap_equal((int64_t)seen.last, ACCESSES + 1, "and is of the newest access");
	test_must(PAPI_stop(set, count), "PAPI_stop");
	tap_equal(count[0], ACCESSES + 1, "and the count has all of them");
	statistics = test_statistics(set, code);
	tap_equal((int64_t)(statistics.samples + statistics.lost), ACCESSES + 1,
		  "samples + lost = accesses at the end");
	begin(set, code, PRECIS_PAPI_BATCH, PRECIS_PAPI_DROP);
	access_cells(1, 5);
	test_must(PAPI_stop(set, count), "PAPI_stop");
	statistics = test_statistics(set, code);
	tap_ok(statistics.samples == 5 && !statistics.lost && !seen.lost_before,
	       "a new run has lost nothing");
}

static void check_slow_callback(int set, int code)
{
	struct precis_papi_statistics statistics;
	long long count[1];

	__atomic_store_n(&is_held, 1, __ATOMIC_RELEASE);
	begin(set, code, PRECIS_PAPI_THREAD, PRECIS_PAPI_DROP);
	access_cells(1, ACCESSES);
	__atomic_store_n(&is_held, 0, __ATOMIC_RELEASE);
	test_must(PAPI_stop(set, count), "PAPI_stop");
	statistics = test_statistics(set, code);
	tap_equal((int64_t)(statistics.samples + statistics.lost), ACCESSES,
		  "thread with a slow callback: samples + lost = accesses");
	tap_ok(statistics.lost > 0, "it does lose some");
	tap_equal((int64_t)statistics.samples, (int64_t)seen.samples, "all others are delivered");
}

static void check_blocked_signal(int set, int code)
{
	struct precis_papi_statistics statistics;
	long long count[1];
	sigset_t all, before;
	uint64_t meanwhile;

	begin(set, code, PRECIS_PAPI_SAMPLE, PRECIS_PAPI_DROP);
	access_cells(1, 10);
	test_fill_signals(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	meanwhile = seen.samples;
	access_cells(11, ACCESSES);
	tap_ok(meanwhile <= 10 && seen.samples == meanwhile,
	       "nothing arrives while signals are blocked");
	sigprocmask(SIG_SETMASK, &before, NULL);
	/* the signal comes with the next interrupt */
	for (int n = 0; n < PATIENCE_S * 1000 && seen.samples <= 10; n++)
		usleep(1000);
	tap_ok(seen.samples > 10 && !seen.gaps && seen.first == 1,
	       "then what the ring had room for does, in order");
	test_must(PAPI_stop(set, count), "PAPI_stop");
	statistics = test_statistics(set, code);
	tap_equal((int64_t)(statistics.samples + statistics.lost), ACCESSES,
		  "signal for each sample, blocked: samples + lost = accesses");
}

static void check_overwritten(int set, int code)
{
	struct precis_papi_statistics statistics;
	long long count[1];
	uint64_t kept;

	begin(set, code, PRECIS_PAPI_BATCH, PRECIS_PAPI_OVERWRITE);
	access_cells(1, 7);
	test_must(PAPI_read(set, count), "PAPI_read");
	tap_ok(seen.samples == 7 && seen.first == 1 && seen.last == 7 && !seen.gaps,
	       "overwritten ring: few samples are all there, in order");
	access_cells(8, ACCESSES);
	seen.samples = 0;
	test_must(PAPI_read(set, count), "PAPI_read");
	kept = seen.samples;
	tap_ok(kept > 10 && kept < RING_BYTES / 40, "of many, as many as the ring holds: %" PRIu64,
	       kept);
	tap_equal((int64_t)seen.first, (int64_t)(ACCESSES - kept + 1),
		  "from the oldest that is left");
	tap_equal((int64_t)seen.last, ACCESSES, "to the newest");
	tap_equal((int64_t)seen.gaps, 0, "in order");
	statistics = test_statistics(set, code);
	tap_ok(statistics.overwritten_bytes / ((ACCESSES - 7 - kept) * 8) > 1 && !statistics.lost,
	       "the others are counted as overwritten bytes");
	seen.samples = 0;
	test_must(PAPI_read(set, count), "PAPI_read");
	tap_equal((int64_t)seen.samples, 0, "none comes twice");
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	begin(set, code, PRECIS_PAPI_BATCH, PRECIS_PAPI_OVERWRITE);
	access_cells(1, ACCESSES);
	made = 10;
	test_must(PAPI_read(set, count), "PAPI_read");
	made = 0;
	tap_ok(seen.samples == kept && !seen.gaps && seen.last == ACCESSES,
	       "nothing is overwritten while it is read");
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	begin(set, code, PRECIS_PAPI_BATCH, PRECIS_PAPI_OVERWRITE);
	access_cells(1, ACCESSES);
	test_must(PAPI_read(set, count), "PAPI_read");
	access_cells(ACCESSES + 1, ACCESSES + 3);
	seen.samples = 0;
	test_must(PAPI_stop(set, count), "PAPI_stop");
	tap_ok(seen.samples == 3 && seen.last == ACCESSES + 3, "PAPI_stop delivers the rest");
	tap_equal((int64_t)seen.wrong_period, 0, "each with its period");
	tap_equal(count[0], ACCESSES + 3, "and the count has all");
}

int main(int argc, char **argv)
{
	int set, code;

	test_begin(argc, argv);
	test_init_breakpoints();
	if (!HAS_NUMBERS) {
		tap_skip("the number of an access is told by a register of x86-64", "full rings");
		return tap_done();
	}
	set = test_set_of_breakpoint(&cell, &code);
	check_dropped(set, code);
	check_slow_callback(set, code);
	check_blocked_signal(set, code);
	check_overwritten(set, code);
	test_destroy(&set);
	return tap_done();
}
