/* SPDX-License-Identifier: BSD-3-Clause */
/* See precis_fork.h. */
#include "precis_fork.h"

#include <pthread.h>
#include <stddef.h>

#include "papi.h"

volatile uint32_t precis_generation = 1;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int error;
static const struct precis_fork_hooks *const *all;
static size_t count;

static void before(void)
{
	for (size_t n = 0; n < count; n++) {
		if (all[n]->before)
			all[n]->before();
	}
}

static void after(void)
{
	for (size_t n = count; n--;) {
		if (all[n]->after)
			all[n]->after();
	}
}

static void in_child(void)
{
	precis_generation++;
	for (size_t n = count; n--;) {
		if (all[n]->in_child)
			all[n]->in_child();
	}
	after();
}

static void watch(void)
{
	while (all[count])
		count++;
	error = pthread_atfork(before, after, in_child);
}

int precis_fork_watch(const struct precis_fork_hooks *const *hooks)
{
	all = hooks;
	pthread_once(&once, watch);
	return error ? PAPI_ENOMEM : PAPI_OK;
}
