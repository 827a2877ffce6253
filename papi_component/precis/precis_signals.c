/* SPDX-License-Identifier: BSD-3-Clause */
/* The component's own real-time signal, and the sets that a thread has samples by signals of. */
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
/* Which one is taken; 0: none. It stays the same until it is given back, whatever the variable says. */
static int taken;
static int sigio_taken;
static int users; /* sets in the lists of all threads */

static __thread struct precis_set *signalled;

static int configured(void)
{
	const char *text = getenv(SIGNAL_VARIABLE);
	int distance = text && *text ? atoi(text) : SIGNAL_DEFAULT;

	return distance >= 0 && distance <= SIGRTMAX - SIGRTMIN ? SIGRTMIN + distance :
								  SIGRTMIN + SIGNAL_DEFAULT;
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
	error = is_self ? pthread_kill(pthread_self(), number) :
	       syscall(SYS_tgkill, getpid(), tid, number) ? errno :
							    0;
	if (error == EAGAIN && __atomic_load_n(&sigio_taken, __ATOMIC_ACQUIRE))
		syscall(SYS_tgkill, getpid(), tid, SIGIO);
}

void precis_signals_add(struct precis_set *set)
{
	precis_signals_remove(set);
	set->next_signalled = signalled;
	__atomic_store_n(&signalled, set, __ATOMIC_RELEASE);
	__atomic_add_fetch(&users, 1, __ATOMIC_RELAXED);
}

void precis_signals_remove(struct precis_set *set)
{
	struct precis_set **at;

	for (at = &signalled; *at; at = &(*at)->next_signalled) {
		if (*at == set) {
			*at = set->next_signalled;
			__atomic_sub_fetch(&users, 1, __ATOMIC_RELAXED);
			return;
		}
	}
}

void precis_signals_forget(void)
{
	pthread_mutex_init(&mutex, NULL);
	signalled = NULL;
	users = 0;
}

/* si_fd is not looked at: signals that were merged, and SIGIO, stand for all rings. */
void precis_dispatch(int number, hwd_siginfo_t *info, void *context)
{
	int error = errno;

	(void)number;
	(void)info;
	for (struct precis_set *set = signalled, *next; set; set = next) {
		next = set->next_signalled; /* a callback may stop the set */
		for (uint32_t n = 0; n < set->counters; n++) {
			if (precis_counter_by_signal(set->counter[n]))
				set->counter[n]->statistics.wakeups++;
		}
		if (set->generation == precis_generation)
			precis_deliver(set, PRECIS_OF_SIGNALS, context);
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
	if (old.sa_flags & SA_SIGINFO ? old.sa_sigaction != on_signal :
					old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN)
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
		return precis_fail(PAPI_ECNFLCT, "signal %d (SIGRTMIN+%d) is in use: set "
				   SIGNAL_VARIABLE " to another distance from SIGRTMIN", number,
				   number - SIGRTMIN);
	return result ? precis_fail(PAPI_ESYS, "signal %d: %s", number, strerror(errno)) : PAPI_OK;
}

/* Where other threads still have samples by signals, theirs are ignored rather than deadly. */
static void give_back(int number)
{
	struct sigaction now;

	if (!sigaction(number, NULL, &now) && now.sa_flags & SA_SIGINFO &&
	    now.sa_sigaction == on_signal) {
		signal(number, SIG_IGN); /* which takes the pending ones away */
		if (!__atomic_load_n(&users, __ATOMIC_RELAXED))
			signal(number, SIG_DFL);
	}
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
