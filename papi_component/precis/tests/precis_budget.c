/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * max_overhead is used, and not exceeded: callbacks that take their time by the clock get what was asked
 * for, in the mean of the run, wherever the event happens often enough; also when it becomes rarer. What they
 * take they measure themselves. After short runs, of which the first callback takes the longest by far, the
 * period is no longer than what was taken can be a reason for.
 */
#include <time.h>

#include "precis_test.h"

#define PERIOD 16
#define MAX_OVERHEAD 0.05
#define LEAST_PART 0.8
/* It is there if so many looks in a row find it there, which a busy machine may do late. */
#define SETTLED 20
#define PATIENCE_S 240
#define ACCESSES 512 /* between two looks */
#define RARER 16 /* so many times rarer the event becomes */
static volatile long cell __attribute__((aligned(8)));
static _Atomic uint64_t spent_ns, call_ns;

static const char *const delivery_names[] = { "batch", "watermark", "thread", "sample" };

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	uint64_t began = test_now();

	(void)sample;
	(void)arrival;
	(void)user;
	while (test_now() - began < call_ns)
		;
	spent_ns += test_now() - began;
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

/* @return the share of the time since 'began' that callbacks have taken, when it has settled */
static double settle(int set, unsigned int rarer, uint64_t began)
{
	time_t end = time(NULL) + PATIENCE_S;
	double share = 0;

	for (int good = 0; good < SETTLED && time(NULL) < end;) {
		for (long n = 0; n < ACCESSES; n++)
			cell = n;
		precis_papi_drain(set);
		if (rarer > 1)
			usleep(1000 * rarer);
		share = (double)spent_ns / (double)(test_now() - began);
		good = share <= MAX_OVERHEAD && share >= LEAST_PART * MAX_OVERHEAD ? good + 1 : 0;
	}
	return share;
}

static void check_share(double share, const char *what)
{
	tap_ok(share <= MAX_OVERHEAD && share >= LEAST_PART * MAX_OVERHEAD,
	       "%s: callbacks take %.4f of the time, %.2f is asked for", what, share, MAX_OVERHEAD);
}

static void check(int set, int code, uint32_t delivery)
{
	uint64_t began;
	char what[64];

	call_ns = 100000;
	began = begin(set, code, delivery);
	check_share(settle(set, 1, began), delivery_names[delivery]);
	snprintf(what, sizeof(what), "%s, where the event has become rarer", delivery_names[delivery]);
	check_share(settle(set, RARER, began), what);
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	tap_ok(test_statistics(set, code).callback_ns >= spent_ns, "the component knows of what they took");
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
	uint64_t began = test_now();

	(void)sample;
	(void)arrival;
	(void)user;
	while (is_first && test_now() - began < FIRST_NS)
		;
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
	for (long n = 0; n < SHORT_ACCESSES; n++)
		cell = n;
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
	check_short(set, code, 1);
	check_short(set, code, 0);
	test_destroy(&set);
	return tap_done();
}
