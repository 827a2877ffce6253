/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * max_overhead is used, and not exceeded: callbacks that take their time by the clock get what was asked
 * for, in the mean of the run, wherever the event happens often enough; also when it becomes rarer. What
 * they take they measure themselves. After short runs, of which the first callback takes the longest by
 * far, the period is no longer than what was taken can be a reason for.
 *
 * The clock is the test's own, for itself and for the component: it goes on with each access, in pauses,
 * and in callbacks, and no machine is too busy or too slow for that. That callbacks are measured by the
 * real one, too, is seen without saying how long anything takes.
 */
#include <stdatomic.h>
#include <time.h>

#include "precis_test.h"

#define PERIOD 16
#define MAX_OVERHEAD 0.05
#define LEAST_PART 0.8
/* It is there if so many looks in a row find it there; and so many are enough by far. */
#define SETTLED 20
#define LOOKS_MOST 10000
#define ACCESSES 512 /* between two looks */
#define ACCESS_NS 2000
#define CALL_NS 100000
#define RARER 16 /* so many times rarer the event becomes */
#define REAL_LOOKS 50 /* by the real clock */
static volatile long cell __attribute__((aligned(8)));
static _Atomic uint64_t spent_ns, clock_ns = 1000000000;
static atomic_int is_real;

static const char *const delivery_names[] = { "batch", "watermark", "thread", "sample" };

/* The component's clock_gettime(), too: what the program has comes before what libraries have. */
int clock_gettime(clockid_t id, struct timespec *now)
{
	const uint64_t ns = clock_ns;

	if (id != CLOCK_MONOTONIC || is_real)
		return (int)syscall(SYS_clock_gettime, id, now);
	*now = (struct timespec){ .tv_sec = (time_t)(ns / 1000000000),
				  .tv_nsec = (long)(ns % 1000000000) };
	return 0;
}

/* For so long by the clock */
static void spend(uint64_t ns)
{
	const uint64_t began = test_now();

	if (!is_real)
		clock_ns += ns;
	while (test_now() - began < ns)
		;
	spent_ns += test_now() - began;
}

static void access_cell(long times)
{
	for (long n = 0; n < times; n++) {
		cell = n;
		clock_ns += ACCESS_NS;
	}
}

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	(void)sample;
	(void)arrival;
	(void)user;
	spend(CALL_NS);
}

static uint64_t begin(int set, int code, uint32_t delivery)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = delivery,
		.period = PERIOD,
		.watermark_samples = delivery == PRECIS_PAPI_WATERMARK ? 4 : 0,
		.max_overhead = MAX_OVERHEAD,
		.callback = on_sample,
	};
	uint64_t began;

	spent_ns = 0;
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	began = test_now();
	test_must(PAPI_start(set), "PAPI_start");
	return began;
}

/* The helper thread's own time is none of the clock's: it is given some. */
static void look(int set, unsigned int rarer)
{
	access_cell(ACCESSES);
	precis_papi_drain(set);
	usleep(rarer > 1 ? 1000 : 1);
	if (rarer > 1)
		clock_ns += 1000000 * rarer;
}

/* @return the share of the time since 'began' that callbacks have taken, when it has settled */
static double settle(int set, unsigned int rarer, uint64_t began)
{
	double share = 0;

	for (int good = 0, looks = 0; good < SETTLED && looks < LOOKS_MOST; looks++) {
		look(set, rarer);
		share = (double)spent_ns / (double)(test_now() - began);
		good = share <= MAX_OVERHEAD && share >= LEAST_PART * MAX_OVERHEAD ? good + 1 : 0;
	}
	return share;
}

static int check_share(double share, const char *what)
{
	return tap_ok(share <= MAX_OVERHEAD && share >= LEAST_PART * MAX_OVERHEAD,
		      "%s: callbacks take %.4f of the time, %.2f is asked for", what, share,
		      MAX_OVERHEAD);
}

static void check(int set, int code, uint32_t delivery)
{
	struct precis_papi_statistics statistics;
	uint64_t began, taken;
	char what[64];

	began = begin(set, code, delivery);
	snprintf(what, sizeof(what), "%s, where the event has become rarer", delivery_names[delivery]);
	if (check_share(settle(set, 1, began), delivery_names[delivery]))
		check_share(settle(set, RARER, began), what);
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	statistics = test_statistics(set, code);
	taken = statistics.callback_ns + statistics.component_ns;
	/* beside the helper thread the clock goes on */
	tap_ok(delivery == PRECIS_PAPI_THREAD ? taken >= spent_ns : taken == spent_ns,
	       "%s: the component knows of what they took, %" PRIu64 " ns: %" PRIu64,
	       delivery_names[delivery], spent_ns, taken);
}

static void check_real(int set, int code, uint32_t delivery)
{
	is_real = 1;
	begin(set, code, delivery);
	for (int n = 0; n < REAL_LOOKS; n++)
		look(set, 1);
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	tap_ok(spent_ns > 0 && test_statistics(set, code).callback_ns >= spent_ns,
	       "%s: the component knows of what callbacks took by the real clock",
	       delivery_names[delivery]);
	is_real = 0;
}

/* --- short runs --------------------------------------------------------------------------- */

#define RUNS 16
#define SHORT_ACCESSES 256
#define FIRST_NS 1000000
/* So much of the limit the component may aim at while it makes good what was too much. */
#define LEAST_AIM 0.15
/* Of the time half at least counts as such in which the event can happen; and as much is margin. */
#define MARGIN 4

static int is_first;

static void on_first(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	(void)sample;
	(void)arrival;
	(void)user;
	spend(is_first ? FIRST_NS : 0);
	is_first = 0;
}

/*
 * PAPI_stop delivers all that there is, and takes as long as that at least.
 * @return the longest period that this can be a reason for; 0: there was no sample
 */
static double short_run(int set, int code)
{
	uint64_t began = test_now(), stopping, end, samples;

	test_must(PAPI_start(set), "PAPI_start");
	access_cell(SHORT_ACCESSES);
	is_first = 1;
	stopping = test_now();
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	end = test_now();
	samples = test_statistics(set, code).samples;
	if (!samples)
		return 0;
	return MARGIN * (double)(end - stopping) / (double)samples * SHORT_ACCESSES / (double)(end - began) /
		       (LEAST_AIM * MAX_OVERHEAD) +
	       PERIOD;
}

static void check_short(int set, int code, int anew)
{
	const struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = PRECIS_PAPI_BATCH,
		.period = PERIOD,
		.max_overhead = MAX_OVERHEAD,
		.callback = on_first,
	};
	double most = 0, period = 0;
	int good = 1;

	for (int run = 0; run < RUNS; run++) {
		double here;

		if (anew || !run) {
			test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
			most = 0;
		}
		here = short_run(set, code);
		most = here > most ? here : most;
		period = (double)test_statistics(set, code).period;
		good &= period <= most;
	}
	tap_ok(good, "%d short runs%s: the period is %.0f at last, of at most %.0f", RUNS,
	       anew ? ", each with the first period" : "", period, most);
}

int main(int argc, char **argv)
{
	int set, code;

	test_begin(argc, argv);
	test_init_breakpoints();
	set = test_set_of_breakpoint(&cell, &code);
	for (uint32_t delivery = 0; delivery <= PRECIS_PAPI_SAMPLE; delivery++)
		check(set, code, delivery);
	for (uint32_t delivery = 0; delivery <= PRECIS_PAPI_SAMPLE; delivery++)
		check_real(set, code, delivery);
	check_short(set, code, 1);
	check_short(set, code, 0);
	test_destroy(&set);
	return tap_done();
}
