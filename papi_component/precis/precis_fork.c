/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A child of fork(2) has the parent's descriptors, but neither its rings (the
 * kernel does not copy the mapping) nor its threads: sets of the parent are
 * known by their generation, and given up.
 */
#include "precis_component.h"

volatile uint32_t precis_generation = 1;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int error;

/* What a thread that the child does not have would never unlock there */
static void before(void)
{
	precis_events_lock();
	precis_signals_lock();
}

static void after(void)
{
	precis_signals_unlock();
	precis_events_unlock();
}

static void in_child(void)
{
	precis_generation++;
	precis_signals_forget();
	precis_poller_forget();
	after();
}

static void watch(void)
{
	error = pthread_atfork(before, after, in_child);
}

int precis_fork_watch(void)
{
	pthread_once(&once, watch);
	return error ? PAPI_ENOMEM : PAPI_OK;
}
