/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a callback may do to its EventSet, and what it may not: stop it, change
 * it, leave by siglongjmp(3); and what another thread may.
 */
#include <pthread.h>
#include <setjmp.h>
#include <time.h>

#include "precis_test.h"

#define ACCESSES 20
#define STOP_AT 5
/* A busy machine may take its time */
#define PATIENCE_S 60

static const char *const delivery_names[] = { "batch", "watermark", "thread", "sample" };

static volatile long cell __attribute__((aligned(8)));
static _Atomic uint64_t samples;
static int set = PAPI_NULL, code, other_code;
static _Atomic int stopped, changed[4], is_held, is_inside;
static char change_text[200];
static sigjmp_buf back;

static void begin(uint32_t delivery, precis_papi_callback callback)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = delivery,
		.period = 1,
		.callback = callback,
		.watermark_samples = delivery == PRECIS_PAPI_WATERMARK ? ACCESSES : 0,
	};

	samples = 0;
	stopped = 1; /* no code of PAPI's */
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	test_must(PAPI_start(set), "PAPI_start");
}

static void access_cell(unsigned int times)
{
	for (unsigned int n = 0; n < times; n++)
		cell = n;
}

static void count(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		  void *user)
{
	(void)sample;
	(void)arrival;
	(void)user;
	samples++;
}

static void check_works(const char *after)
{
	long long value[1] = { -1 };

	begin(PRECIS_PAPI_BATCH, count);
	access_cell(ACCESSES);
	test_must(PAPI_stop(set, value), "PAPI_stop");
	tap_ok(value[0] == ACCESSES && samples == ACCESSES, "after %s a new run is exact", after);
}

/* --- PAPI_stop in a callback ---------------------------------------------------- */

static void stop(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		 void *user)
{
	count(sample, arrival, user);
	if (samples == STOP_AT)
		stopped = PAPI_stop(set, NULL);
}

static int wait_for_stop(void)
{
	time_t end = time(NULL) + PATIENCE_S;

	while (stopped == 1 && time(NULL) < end)
		;
	return stopped;
}

static int state(void)
{
	int status = 0;

	test_must(PAPI_state(set, &status), "PAPI_state");
	return status;
}

static void check_stop(uint32_t delivery)
{
	struct precis_papi_statistics statistics;
	long long value[1];
	uint64_t taken;

	begin(delivery, stop);
	access_cell(ACCESSES);
	if (delivery == PRECIS_PAPI_BATCH)
		test_must(PAPI_read(set, value), "PAPI_read");
	tap_equal(wait_for_stop(), PAPI_OK, "%s: PAPI_stop in a callback",
		  delivery_names[delivery]);
	tap_ok(state() & PAPI_STOPPED && !(state() & PAPI_RUNNING), "PAPI says that it is stopped");
	access_cell(ACCESSES);
	tap_equal(PAPI_stop(set, value), PAPI_ENOTRUN, "it cannot be stopped twice");
	tap_equal((int64_t)samples, STOP_AT, "no sample after it");
	tap_equal(precis_papi_drain(set), 0, "nor is there one to drain");
	/* the helper thread may still be counting what it throws away */
	for (int n = 0; n < PATIENCE_S * 1000; n++) {
		statistics = test_statistics(set, code);
		if (statistics.samples == STOP_AT)
			break;
		usleep(1000);
	}
	taken = statistics.samples + statistics.discarded;
	tap_ok(statistics.samples == STOP_AT && taken >= STOP_AT && taken <= ACCESSES,
	       "what waited is counted as discarded: %" PRIu64, statistics.discarded);
	if (delivery == PRECIS_PAPI_BATCH)
		tap_equal((int64_t)taken, ACCESSES, "of a batch all of it");
	check_works("that");
}

static _Atomic int made_another;

/* In the helper thread all is allowed, also what PAPI does with a thread that it has to know. */
static void make_another(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
			 void *user)
{
	int another = PAPI_NULL, its_code;

	count(sample, arrival, user);
	if (samples == 1)
		made_another = PAPI_create_eventset(&another) == PAPI_OK &&
			       PAPI_event_name_to_code("precis:::SW_PAGE_FAULTS", &its_code) == PAPI_OK &&
			       PAPI_add_event(another, its_code) == PAPI_OK &&
			       PAPI_cleanup_eventset(another) == PAPI_OK &&
			       PAPI_destroy_eventset(&another) == PAPI_OK;
}

static void check_another(void)
{
	begin(PRECIS_PAPI_THREAD, make_another);
	access_cell(ACCESSES);
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	tap_ok(made_another && samples == ACCESSES, "a callback in the helper thread makes an EventSet");
	check_works("that");
}

/* The helper thread's callback stops an EventSet of which another event's batch waits. */
static void check_stop_of_two(void)
{
	struct precis_papi_sampling sampling = { .size = sizeof(sampling),
						 .period = 1,
						 .callback = count };
	static volatile long other_cell __attribute__((aligned(8)));
	int other = test_add_breakpoint(set, &other_cell);

	test_must(precis_papi_set_sampling(set, other, &sampling), "precis_papi_set_sampling");
	begin(PRECIS_PAPI_THREAD, stop);
	other_cell = 1;
	access_cell(ACCESSES);
	tap_equal(wait_for_stop(), PAPI_OK, "PAPI_stop in one event's callback, of two");
	samples = 0;
	test_must(PAPI_start(set), "PAPI_start");
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	tap_equal((int64_t)samples, 0, "the other's batch does not come in the next run");
	test_must(PAPI_remove_event(set, other), "PAPI_remove_event");
	check_works("that");
}

static void check_stop_in_stop(void)
{
	struct precis_papi_statistics statistics;
	int error;

	begin(PRECIS_PAPI_BATCH, stop);
	access_cell(ACCESSES);
	error = PAPI_stop(set, NULL);
	tap_ok((error == PAPI_ENOTRUN) != (stopped == PAPI_ENOTRUN),
	       "of PAPI_stop and one in a callback that it calls, one succeeds");
	tap_ok(state() & PAPI_STOPPED && !(state() & PAPI_RUNNING), "PAPI says that it is stopped");
	statistics = test_statistics(set, code);
	tap_ok(samples == STOP_AT && statistics.discarded == ACCESSES - STOP_AT,
	       "no sample after it; what waited is discarded");
	check_works("that");
}

/* --- a change in a callback --------------------------------------------------------- */

static void change(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		   void *user)
{
	int error;

	count(sample, arrival, user);
	if (samples != 1)
		return;
	changed[0] = PAPI_cleanup_eventset(set);
	error = PAPI_stop(set, NULL);
	changed[1] = PAPI_cleanup_eventset(set);
	changed[2] = PAPI_add_event(set, other_code);
	changed[3] = precis_papi_set_sampling(set, code, NULL);
	snprintf(change_text, sizeof(change_text), "%s", precis_papi_strerror(changed[3]));
	stopped = error;
}

static void check_change(uint32_t delivery)
{
	begin(delivery, change);
	access_cell(ACCESSES);
	if (delivery == PRECIS_PAPI_BATCH)
		precis_papi_drain(set);
	wait_for_stop();
	tap_equal(changed[0], PAPI_EISRUN, "%s: cleaning up in a callback while it runs",
		  delivery_names[delivery]);
	tap_equal(changed[1], PAPI_EISRUN, "cleaning up in a callback that has stopped it");
	tap_equal(changed[2], PAPI_EISRUN, "adding an event there");
	tap_equal(changed[3], PAPI_EISRUN, "changing the sampling there");
	tap_ok(strstr(change_text, "callback") != NULL, "and the text says why: %s", change_text);
	check_works("these");
}

/* --- siglongjmp ---------------------------------------------------------------------- */

static void leave(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		  void *user)
{
	count(sample, arrival, user);
	if (samples == 3)
		siglongjmp(back, 1);
}

static void check_leave(uint32_t delivery)
{
	long long value[1];

	begin(delivery, leave);
	if (!sigsetjmp(back, 1)) {
		access_cell(ACCESSES);
		test_must(PAPI_read(set, value), "PAPI_read");
		tap_ok(0, "%s: the callback has not been called", delivery_names[delivery]);
	}
	access_cell(ACCESSES);
	test_must(PAPI_read(set, value), "PAPI_read");
	tap_equal((int64_t)samples, 3, "%s: after siglongjmp no more samples",
		  delivery_names[delivery]);
	tap_call(PAPI_stop(set, value), "it can be stopped");
	tap_equal((int64_t)samples, 3, "without another sample");
	check_works("siglongjmp");
	begin(delivery, leave);
	if (!sigsetjmp(back, 1)) {
		access_cell(ACCESSES);
		test_must(PAPI_read(set, value), "PAPI_read");
	}
	test_must(PAPI_stop(set, value), "PAPI_stop");
	tap_call(PAPI_cleanup_eventset(set), "after siglongjmp it can be cleaned up");
	code = test_add_breakpoint(set, &cell);
}

/* --- another thread --------------------------------------------------------------------- */

static void hold(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		 void *user)
{
	count(sample, arrival, user);
	is_inside = 1;
	while (is_held)
		;
	is_inside = 0;
}

static void *stop_elsewhere(void *argument)
{
	time_t end = time(NULL) + PATIENCE_S;
	int *error = argument;

	while (!is_inside && time(NULL) < end)
		usleep(1000);
	error[0] = is_inside ? PAPI_OK : PAPI_EMISC;
	is_held = 0;
	error[1] = PAPI_stop(set, NULL);
	error[2] = PAPI_cleanup_eventset(set);
	return NULL;
}

/* The handler is at work while another thread stops the EventSet and takes it apart. */
static void check_other_thread(uint32_t delivery)
{
	pthread_t thread;
	int error[3];

	is_held = 1;
	is_inside = 0;
	begin(delivery, hold);
	test_must(pthread_create(&thread, NULL, stop_elsewhere, error), "pthread_create");
	access_cell(ACCESSES);
	pthread_join(thread, NULL);
	tap_call(error[0], "%s: the callback is at work", delivery_names[delivery]);
	tap_call(error[1], "another thread stops the EventSet");
	tap_call(error[2], "and cleans it up");
	access_cell(ACCESSES);
	code = test_add_breakpoint(set, &cell);
	check_works("that");
}

static void *drain_elsewhere(void *argument)
{
	*(int *)argument = precis_papi_drain(set);
	return NULL;
}

/* A handler may come at any time: only its own thread may read beside it. */
static void check_drain_elsewhere(void)
{
	pthread_t thread;
	int drained = -1;

	begin(PRECIS_PAPI_WATERMARK, count);
	access_cell(ACCESSES - 1);
	test_must(pthread_create(&thread, NULL, drain_elsewhere, &drained), "pthread_create");
	pthread_join(thread, NULL);
	tap_equal(drained, 0, "another thread drains nothing that signals tell of");
	tap_equal(precis_papi_drain(set), ACCESSES - 1, "the thread itself does");
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	test_init_breakpoints();
	set = test_set_of_breakpoint(&cell, &code);
	test_must(PAPI_event_name_to_code("precis:::SW_CPU_CLOCK", &other_code), "SW_CPU_CLOCK");
	for (uint32_t delivery = 0; delivery <= PRECIS_PAPI_SAMPLE; delivery++) {
		check_stop(delivery);
		check_change(delivery);
		if (delivery != PRECIS_PAPI_THREAD) /* another thread's stack cannot be left */
			check_leave(delivery);
		if (delivery != PRECIS_PAPI_BATCH)
			check_other_thread(delivery);
	}
	check_another();
	check_stop_of_two();
	check_stop_in_stop();
	check_drain_elsewhere();
	test_destroy(&set);
	return tap_done();
}
