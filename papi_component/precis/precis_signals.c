/* SPDX-License-Identifier: BSD-3-Clause */
/* The component's own real-time signal, and the sets of each thread that it tells of. */
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "precis_component.h"

/*
 * SIGRTMIN + 2 is perf_event's, + 3 and + 4 are HPCToolkit's. PRECIS_PAPI_SIGNAL
 * names another one, as a distance from SIGRTMIN.
 */
#define SIGNAL_DEFAULT 6
#define SIGNAL_VARIABLE "PRECIS_PAPI_SIGNAL"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/*
 * Which one is taken; 0: none. It stays the same until it is given back, whatever the variable
 * says.
 */
static int taken;
static int sigio_taken;

/*
 * Where a thread notes a set whose samples signals tell of. Another thread may
 * stop the set while a handler delivers it: it takes the set away here and waits
 * until 'working' is another. Places are used again, never freed, so that a
 * handler may look at them at any time.
 */
struct place {
	struct place *next;
	const char *owner; /* the thread's 'self' */
	struct precis_set *set; /* NULL: none */
	struct precis_set *working; /* that the thread's handler is delivering */
};

static struct place *places;
static __thread char self; /* its address tells threads apart */

/* How long to wait before looking again whether a handler has ended */
#define WAIT_US 50

static int configured(void)
{
	const char *text = getenv(SIGNAL_VARIABLE);
	int distance = text && *text ? atoi(text) : SIGNAL_DEFAULT;

	return distance >= 0 && distance <= SIGRTMAX - SIGRTMIN ? SIGRTMIN + distance
								: SIGRTMIN + SIGNAL_DEFAULT;
}

int precis_signal_number(void)
{
	int number = __atomic_load_n(&taken, __ATOMIC_ACQUIRE);

	return number ? number : configured();
}

void precis_signals_tell(pid_t tid)
{
	int number = precis_signal_number(), is_self = tid == (pid_t)syscall(SYS_gettid), error;

	/* to oneself by the C library, whose handlers have run when it returns */
	error = is_self                                      ? pthread_kill(pthread_self(), number)
		: syscall(SYS_tgkill, getpid(), tid, number) ? errno
							     : 0;
	if (error == EAGAIN && __atomic_load_n(&sigio_taken, __ATOMIC_ACQUIRE))
		syscall(SYS_tgkill, getpid(), tid, SIGIO);
}

static struct place *first_place(void)
{
	return __atomic_load_n(&places, __ATOMIC_ACQUIRE);
}

static struct precis_set *load(struct precis_set *const *set)
{
	return __atomic_load_n(set, __ATOMIC_SEQ_CST);
}

static void store(struct precis_set **to, struct precis_set *set)
{
	__atomic_store_n(to, set, __ATOMIC_SEQ_CST);
}

static struct place *new_place(void)
{
	struct place *place = calloc(1, sizeof(*place));

	if (!place)
		return NULL;
	place->owner = &self;
	place->next = first_place();
	while (!__atomic_compare_exchange_n(&places, &place->next, place, 0, __ATOMIC_RELEASE,
					    __ATOMIC_ACQUIRE))
		;
	return place;
}

int precis_signals_add(struct precis_set *set)
{
	struct place *place = first_place();

	while (place && (place->owner != &self || load(&place->set)))
		place = place->next;
	if (!place)
		place = new_place();
	if (!place)
		return precis_fail(PAPI_ENOMEM, "no memory");
	set->signalled = &self;
	store(&place->set, set);
	return PAPI_OK;
}

void precis_signals_remove(struct precis_set *set)
{
	for (struct place *place = first_place(); place; place = place->next) {
		if (load(&place->set) == set)
			store(&place->set, NULL);
		while (load(&place->working) == set) {
			if (place->owner != &self)
				usleep(WAIT_US);
			else if (precis_delivering(set))
				break; /* in the handler */
			else
				store(&place->working, NULL); /* longjmp has left the handler */
		}
	}
	set->signalled = NULL;
}

int precis_signals_elsewhere(const struct precis_set *set)
{
	return set->signalled && set->signalled != &self;
}

void precis_signals_forget(void)
{
	for (struct place *place = first_place(); place; place = place->next) {
		store(&place->set, NULL);
		store(&place->working, NULL);
	}
}

static void deliver(struct precis_set *set, void *context)
{
	for (uint32_t n = 0; n < set->counters; n++) {
		if (precis_counter_by_signal(set->counter[n]))
			set->counter[n]->statistics.wakeups++;
	}
	precis_deliver(set, PRECIS_OF_SIGNALS, context);
}

/* si_fd is not looked at: signals that were merged, and SIGIO, stand for all rings. */
void precis_dispatch(int number, hwd_siginfo_t *info, void *context)
{
	int error = errno;

	(void)number;
	(void)info;
	for (struct place *place = first_place(); place; place = place->next) {
		struct precis_set *outer = load(&place->working), *set;

		if (place->owner != &self || !(set = load(&place->set)))
			continue;
		store(&place->working, set);
		if (load(&place->set) == set) /* else another thread has just taken it away */
			deliver(set, context);
		store(&place->working, outer);
	}
	errno = error;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	precis_dispatch(number, info, context);
}

/* @return 0 if the signal is ours now, 1 if somebody else has it, -1 errno */
static int take(int number)
{
	struct sigaction old, ours;

	if (sigaction(number, NULL, &old))
		return -1;
	if (old.sa_flags & SA_SIGINFO ? old.sa_sigaction != on_signal
				      : old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN)
		return 1;
	memset(&ours, 0, sizeof(ours));
	ours.sa_sigaction = on_signal;
	ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
	sigemptyset(&ours.sa_mask);
	return sigaction(number, &ours, NULL) ? -1 : 0;
}

int precis_signals_take(void)
{
	int number, result = 0;

	pthread_mutex_lock(&mutex);
	number = precis_signal_number();
	if (!taken) {
		result = take(number);
		if (!result) {
			__atomic_store_n(&sigio_taken, take(SIGIO) == 0, __ATOMIC_RELEASE);
			__atomic_store_n(&taken, number, __ATOMIC_RELEASE);
			_precis_vector.cmp_info.hardware_intr_sig = number;
		}
	}
	pthread_mutex_unlock(&mutex);
	if (result > 0)
		return precis_fail(PAPI_ECNFLCT,
				   "signal %d (SIGRTMIN+%d) is in use: set " SIGNAL_VARIABLE
				   " to another distance from SIGRTMIN",
				   number, number - SIGRTMIN);
	return result ? precis_fail(PAPI_ESYS, "signal %d: %s", number, strerror(errno)) : PAPI_OK;
}

static int is_used(void)
{
	for (struct place *place = first_place(); place; place = place->next) {
		if (load(&place->set))
			return 1;
	}
	return 0;
}

/* Where other threads still have samples by signals, theirs are ignored rather than deadly. */
static void give_back(int number)
{
	struct sigaction now;

	if (!sigaction(number, NULL, &now) && now.sa_flags & SA_SIGINFO &&
	    now.sa_sigaction == on_signal) {
		signal(number, SIG_IGN); /* which takes the pending ones away */
		if (!is_used())
			signal(number, SIG_DFL);
	}
}

void precis_signals_lock(void)
{
	pthread_mutex_lock(&mutex);
}

void precis_signals_unlock(void)
{
	pthread_mutex_unlock(&mutex);
}

void precis_signals_give_back(void)
{
	pthread_mutex_lock(&mutex);
	if (taken)
		give_back(taken);
	if (sigio_taken)
		give_back(SIGIO);
	__atomic_store_n(&taken, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&sigio_taken, 0, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&mutex);
}
