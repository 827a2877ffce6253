/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events that are removed from an EventSet, wherever they stand in it, and come back: the others keep their
 * counts and samples. Which event is whose is told by how often its cell is written.
 */
#include "precis_test.h"

#define EVENTS 4 /* breakpoints, as many as x86 has */
#define FIRST 10 /* stores to the first cell, and so many more to each of the others */
#define MORE 7

enum sampled { ONLY_COUNTED, BY_CALLBACK, BY_OVERFLOW, SAMPLED };

static const char *const sampled_names[] = { "only counted", "with callbacks", "with PAPI_overflow" };

static volatile long cell[EVENTS] __attribute__((aligned(8)));
static int set, codes[EVENTS];
static int is_in[EVENTS];
static uint64_t samples[EVENTS];

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	uint64_t address = 0;
	volatile long *its = user;

	if (precis_get_addr(sample, &address) && address == (uintptr_t)its &&
	    arrival->event_code == codes[its - cell])
		samples[its - cell]++;
}

/* By what PAPI says of the vector */
static void on_overflow(int event_set, void *address, long long vector, void *context)
{
	int indices[EVENTS], count = EVENTS, events[EVENTS], listed = EVENTS;

	(void)address;
	(void)context;
	if (PAPI_get_overflow_event_index(event_set, vector, indices, &count) ||
	    PAPI_list_events(event_set, events, &listed))
		return;
	for (int n = 0; n < count; n++) {
		for (int i = 0; i < EVENTS; i++)
			samples[i] += indices[n] < listed && events[indices[n]] == codes[i];
	}
}

static void add(int n, enum sampled how)
{
	const struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = PRECIS_PAPI_BATCH,
		.period = 1,
		.callback = on_sample,
		.user = (void *)&cell[n],
	};

	codes[n] = test_add_breakpoint(set, &cell[n]);
	is_in[n] = 1;
	if (how == BY_CALLBACK)
		test_must(precis_papi_set_sampling(set, codes[n], &sampling), "precis_papi_set_sampling");
	if (how == BY_OVERFLOW)
		test_must(PAPI_overflow(set, codes[n], 1, 0, on_overflow), "PAPI_overflow");
}

static void take_out(int n)
{
	test_must(PAPI_remove_event(set, codes[n]), "PAPI_remove_event");
	is_in[n] = 0;
}

/* @return how many counts or samples are not what the stores say */
static int wrong(enum sampled how)
{
	int events[EVENTS], listed = EVENTS, faults = 0;
	long long values[EVENTS] = { 0 };

	memset(samples, 0, sizeof(samples));
	test_must(PAPI_start(set), "PAPI_start");
	for (int n = 0; n < EVENTS; n++) {
		for (long i = 0; i < FIRST + n * MORE; i++)
			cell[n] = i;
	}
	test_must(PAPI_stop(set, values), "PAPI_stop");
	test_must(PAPI_list_events(set, events, &listed), "PAPI_list_events");
	for (int n = 0; n < EVENTS; n++) {
		uint64_t expected = is_in[n] ? FIRST + (uint64_t)n * MORE : 0;

		for (int at = 0; at < listed; at++)
			faults += events[at] == codes[n] && values[at] != (long long)expected;
		faults += samples[n] != (how == ONLY_COUNTED ? 0 : expected);
	}
	return faults;
}

static void check(enum sampled how, int removed)
{
	const int other = (removed + 1) % EVENTS;

	set = PAPI_NULL;
	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	for (int n = 0; n < EVENTS; n++)
		add(n, how);
	take_out(removed);
	tap_equal(wrong(how), 0, "%s: event %d of %d is removed", sampled_names[how], removed, EVENTS);
	add(removed, how);
	tap_equal(wrong(how), 0, "and comes back");
	take_out(other);
	take_out(removed);
	add(other, how);
	tap_equal(wrong(how), 0, "another goes, it goes, and the other comes back");
	test_destroy(&set);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	test_init_breakpoints();
	for (enum sampled how = ONLY_COUNTED; how < SAMPLED; how++) {
		for (int removed = 0; removed < EVENTS; removed++)
			check(how, removed);
	}
	return tap_done();
}
