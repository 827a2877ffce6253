/* SPDX-License-Identifier: BSD-3-Clause */
/* See in_process.h. */
#include "in_process.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "handed_reader.h"

#define LET_IN_NS 50000L

/* Who begins and ends. Taken before 'turn' */
static pthread_mutex_t control = PTHREAD_MUTEX_INITIALIZER;
/*
 * Who has the result and the registers: the thread, but while others want them. It takes the mutex again at
 * once otherwise, and nobody else would ever get it.
 */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_opened = PTHREAD_COND_INITIALIZER;
static uint32_t readers, forks; /* that wait for it */

static pthread_t thread;
static int is_there, is_opening; /* by 'control', and by 'turn' */
static int is_open, must_end; /* accesses are taken; the thread is to end */
static enum in_process_fault fault;
static int fault_error;
static struct live_settings settings;
static struct live_result result;
static struct live *live;
static struct handed_reader reader; /* its ring stays: whoever puts something in may be late */

/* --- the thread --- */

static void let_in(const uint32_t *waiting)
{
	const struct timespec pause = { 0, LET_IN_NS };

	while (__atomic_load_n(waiting, __ATOMIC_ACQUIRE)) {
		pthread_mutex_unlock(&turn);
		nanosleep(&pause, NULL);
		pthread_mutex_lock(&turn);
	}
}

static int next(void *of, struct sampled_access *access)
{
	(void)of;
	return handed_reader_next(&reader, access);
}

static void nothing(void *of)
{
	(void)of;
}

/* Sampling, if there is any, has a budget of its own. */
static uint64_t no_cost_ns(void *of)
{
	(void)of;
	return 0;
}

/* In an experiment, too, which what began to end in the meantime does not belong to */
static int has_ended(void *of)
{
	(void)of;
	let_in(&forks);
	return __atomic_load_n(&must_end, __ATOMIC_ACQUIRE);
}

/* Between experiments */
static int is_enough(void *of)
{
	(void)of;
	let_in(&readers);
	return 0;
}

static void *observe(void *data)
{
	static const enum in_process_fault faults[] = {
		[LIVE_FINE] = IN_PROCESS_FINE,
		[LIVE_NO_MEMORY] = IN_PROCESS_NO_MEMORY,
		[LIVE_NO_REGISTER] = IN_PROCESS_NO_REGISTER,
	};
	const struct live_host host = {
		.pid = getpid(),
		.next = next,
		.look = nothing,
		.cost_ns = no_cost_ns,
		.has_ended = has_ended,
		.is_enough = is_enough,
		.look_around = nothing,
	};

	prctl(PR_SET_NAME, "precis-sharing", 0, 0, 0);
	pthread_mutex_lock(&turn);
	fault = faults[live_open(&live, &settings, &result, &fault_error)];
	is_opening = 0;
	__atomic_store_n(&is_open, fault == IN_PROCESS_FINE, __ATOMIC_RELEASE);
	pthread_cond_signal(&has_opened);
	if (fault == IN_PROCESS_FINE)
		live_observe(live, &host);
	live_close(live);
	live = NULL;
	pthread_mutex_unlock(&turn);
	return data;
}

/* --- who begins and ends --- */

/* No signal of the program's is for it. */
static int create(void)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&thread, NULL, observe, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

/* With 'control' and 'turn' */
static enum in_process_fault begin(int *error, int *is_created)
{
	live_free(&result);
	if (!reader.ring && (*error = -handed_reader_make_own(&reader)))
		return IN_PROCESS_NO_MEMORY;
	handed_reader_begin(&reader);
	__atomic_store_n(&must_end, 0, __ATOMIC_RELEASE);
	is_opening = 1;
	*error = create();
	*is_created = !*error;
	if (*error)
		return IN_PROCESS_NO_THREAD;
	while (is_opening)
		pthread_cond_wait(&has_opened, &turn);
	*error = fault_error;
	return fault;
}

enum in_process_fault in_process_begin(const struct live_settings *asked, int *error)
{
	enum in_process_fault found = IN_PROCESS_BUSY;
	int is_created = 0;

	*error = 0;
	pthread_mutex_lock(&control);
	if (!is_there) {
		settings = *asked;
		__atomic_fetch_add(&readers, 1, __ATOMIC_ACQ_REL);
		pthread_mutex_lock(&turn);
		found = begin(error, &is_created);
		__atomic_fetch_sub(&readers, 1, __ATOMIC_ACQ_REL);
		pthread_mutex_unlock(&turn);
		is_there = found == IN_PROCESS_FINE;
		if (is_created && !is_there)
			pthread_join(thread, NULL);
	}
	pthread_mutex_unlock(&control);
	return found;
}

int in_process_put(uint64_t address, uint16_t bytes, uint16_t flags, uint32_t tid, uint64_t weight)
{
	if (!__atomic_load_n(&is_open, __ATOMIC_ACQUIRE))
		return -1;
	precis_accesses_put(reader.ring, (const volatile void *)(uintptr_t)address, bytes, flags,
			    tid, weight);
	return 0;
}

const struct live_result *in_process_hold(uint64_t *dropped, int *is_observed)
{
	__atomic_fetch_add(&readers, 1, __ATOMIC_ACQ_REL);
	pthread_mutex_lock(&turn);
	__atomic_fetch_sub(&readers, 1, __ATOMIC_ACQ_REL);
	*is_observed = __atomic_load_n(&is_open, __ATOMIC_ACQUIRE);
	*dropped = reader.ring ? handed_reader_dropped(&reader) : 0;
	if (live)
		live_tell(live);
	return result.flows ? &result : NULL;
}

void in_process_let_go(void)
{
	pthread_mutex_unlock(&turn);
}

int in_process_end(void)
{
	int was_there;

	pthread_mutex_lock(&control);
	was_there = is_there;
	if (was_there) {
		__atomic_store_n(&is_open, 0, __ATOMIC_RELEASE);
		__atomic_store_n(&must_end, 1, __ATOMIC_RELEASE);
		pthread_join(thread, NULL);
		is_there = 0;
	}
	pthread_mutex_unlock(&control);
	return was_there ? 0 : -1;
}

/* --- fork(2) --- */

void in_process_before_fork(void)
{
	pthread_mutex_lock(&control);
	__atomic_fetch_add(&forks, 1, __ATOMIC_ACQ_REL);
	pthread_mutex_lock(&turn);
	__atomic_fetch_sub(&forks, 1, __ATOMIC_ACQ_REL);
}

void in_process_after_fork(int is_child)
{
	if (is_child) {
		live_close(live);
		live_free(&result);
		live = NULL;
		/* a thread that the child does not have may have been about to fill a slot */
		handed_reader_close(&reader);
		readers = forks = 0;
		is_there = is_open = 0;
	}
	pthread_mutex_unlock(&turn);
	pthread_mutex_unlock(&control);
}
