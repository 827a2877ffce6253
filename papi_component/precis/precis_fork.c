/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_fork.c
 * @see precis_fork.h
 */
#include "precis_fork.h"

#include <stddef.h>

#include "papi.h"
#include "precis_lock.h"

volatile uint32_t precis_generation = 1;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int error;
static const struct precis_fork_hooks *const *all;
static size_t count;
static void (*block_signals)(sigset_t *before);
static sigset_t mask_before; /* of the thread that forks; with the locks */

static void lock(const struct precis_fork_hooks *hooks)
{
	if (hooks->before)
		hooks->before();
	else if (hooks->mutex)
		pthread_mutex_lock(hooks->mutex);
	else
		precis_lock(PRECIS_LOCK_NAMES);
}

static void unlock(const struct precis_fork_hooks *hooks, int is_child)
{
	if (hooks->after)
		hooks->after(is_child);
	else if (hooks->mutex)
		pthread_mutex_unlock(hooks->mutex);
	else
		precis_unlock(PRECIS_LOCK_NAMES);
}

static void before(void)
{
	sigset_t mask;

	block_signals(&mask);
	for (size_t n = 0; n < count; n++)
		lock(all[n]);
	mask_before = mask;
}

static void go_on(int is_child)
{
	sigset_t mask = mask_before;

	for (size_t n = count; n--;)
		unlock(all[n], is_child);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

static void after(void)
{
	go_on(0);
}

static void in_child(void)
{
	precis_generation++;
	for (size_t n = count; n--;) {
		if (all[n]->in_child)
			all[n]->in_child();
	}
	go_on(1);
}

static void watch(void)
{
	while (all[count])
		count++;
	error = pthread_atfork(before, after, in_child);
}

int precis_fork_watch(const struct precis_fork_hooks *const *hooks, void (*block)(sigset_t *before))
{
	all = hooks;
	block_signals = block;
	pthread_once(&once, watch);
	return error ? PAPI_ENOMEM : PAPI_OK;
}
