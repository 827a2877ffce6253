/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_signals.c
 * @see precis_signals.h
 */
#include "precis_signals.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "papi.h"
#include "precis_debug.h"
#include "precis_errors.h"
#include "precis_inside.h"

/*
 * SIGRTMIN + 2 is perf_event's, + 3 and + 4 are HPCToolkit's. PRECIS_PAPI_SIGNAL
 * names another one, as a distance from SIGRTMIN.
 */
#define SIGNAL_DEFAULT 6
#define SIGNAL_VARIABLE "PRECIS_PAPI_SIGNAL"

/* How long to wait before looking again whether a handler has ended, and how often until it is asked */
#define WAIT_US 50
#define ASKED_IN 20u

/*
 * None of PAPI's locks: each thread that ends takes it, those that PAPI does not know, too, and it
 * is held over fork(2).
 */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/*
 * Which one is taken; 0: none. It stays the same until it is given back, whatever the variable
 * says.
 */
static int taken;
static int sigio_taken;
static precis_signal_handler *handler;

/*
 * Where a thread notes a reader. Another thread may take it away while a handler is in it: it waits
 * until 'working' is another. Places are used again, never freed, so that a handler may look at its
 * thread's at any time; so PAPI's allocator, which forgets all at PAPI_shutdown(), is not for them.
 */
struct precis_place {
	struct precis_place *next; /* of the same thread, or unused */
	struct precis_place *next_of_all;
	const char *owner; /* the thread's 'self' */
	pid_t tid; /* of it */
	int is_orphan; /* the thread is gone; with the mutex */
	struct precis_reader *reader; /* NULL: none */
	struct precis_reader *working; /* that the thread's handler is in */
	struct precis_marked marked; /* the handler that is */
	int number; /* the signal that it handles: it is blocked until it returns */
};

static struct precis_place *unused, *all; /* with the mutex */
static __thread struct precis_place *mine;
static __thread char self; /* its address tells threads apart */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* of threads that have places */
static int key_error;

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

void precis_signals_block(sigset_t *before)
{
	sigset_t ours;

	sigemptyset(&ours);
	sigaddset(&ours, precis_signal_number());
	sigaddset(&ours, SIGIO);
	pthread_sigmask(SIG_BLOCK, &ours, before);
}

static void lock(sigset_t *before)
{
	precis_signals_block(before);
	pthread_mutex_lock(&mutex);
}

static void unlock(const sigset_t *before)
{
	pthread_mutex_unlock(&mutex);
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* SIGIO is sent where the queue is full, as the kernel does. */
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

/* --- places ------------------------------------------------------------------------ */

static struct precis_reader *load(struct precis_reader *const *reader)
{
	return __atomic_load_n(reader, __ATOMIC_SEQ_CST);
}

static void store(struct precis_reader **to, struct precis_reader *reader)
{
	__atomic_store_n(to, reader, __ATOMIC_SEQ_CST);
}

/* With the mutex held, of a place that no thread has and that no reader knows */
static void put_away(struct precis_place *place)
{
	place->is_orphan = 0;
	place->next = unused;
	unused = place;
}

/* The thread ends: no handler of its can be in a reader any more, even if it ended in one. */
static void leave_places(void *unused_argument)
{
	struct precis_place *place, *next;
	sigset_t before;

	(void)unused_argument;
	lock(&before);
	place = mine;
	mine = NULL;
	for (; place; place = next) {
		next = place->next;
		store(&place->working, NULL);
		if (load(&place->reader))
			place->is_orphan = 1;
		else
			put_away(place);
	}
	unlock(&before);
}

static void make_key(void)
{
	key_error = pthread_key_create(&key, leave_places);
}

/* With the mutex held */
static struct precis_place *new_place(void)
{
	struct precis_place *place = unused;

	if (place) {
		unused = place->next;
	} else {
		place = calloc(1, sizeof(*place));
		if (!place)
			return NULL;
		place->next_of_all = all;
		all = place;
	}
	place->owner = &self;
	place->tid = (pid_t)syscall(SYS_gettid);
	place->next = mine;
	__atomic_store_n(&mine, place, __ATOMIC_SEQ_CST);
	return place;
}

int precis_signals_add(struct precis_reader *reader)
{
	struct precis_place *place;
	sigset_t before;

	pthread_once(&once, make_key);
	if (key_error || pthread_setspecific(key, &self))
		return precis_fail(PAPI_ENOMEM, "no memory");
	lock(&before);
	place = mine;
	while (place && (load(&place->reader) || load(&place->working)))
		place = place->next;
	if (!place)
		place = new_place();
	if (place) {
		reader->place = place;
		store(&place->reader, reader);
	}
	unlock(&before);
	return place ? PAPI_OK : precis_fail(PAPI_ENOMEM, "no memory");
}

/* Has its thread ended? One that ended by a system call has said nothing. */
static int is_abandoned(const struct precis_place *place)
{
	return syscall(SYS_tgkill, getpid(), place->tid, 0) && errno == ESRCH;
}

/* Let its thread look whether it is still in the handler: by either signal, as one may be blocked. */
static void ask(const struct precis_place *place)
{
	syscall(SYS_tgkill, getpid(), place->tid, precis_signal_number());
	if (__atomic_load_n(&sigio_taken, __ATOMIC_ACQUIRE))
		syscall(SYS_tgkill, getpid(), place->tid, SIGIO);
}

static void wait_for(struct precis_place *place, const struct precis_reader *reader)
{
	for (unsigned int n = 1; load(&place->working) == reader; n++) {
		if (place->owner == &self) {
			if (precis_inside_of(reader))
				break; /* in the handler */
			store(&place->working, NULL); /* longjmp has left the handler */
		} else if (n % ASKED_IN == 0 && is_abandoned(place)) {
			store(&place->working, NULL);
		} else {
			if (n % ASKED_IN == 0)
				ask(place);
			usleep(WAIT_US);
		}
	}
}

void precis_signals_remove(struct precis_reader *reader)
{
	struct precis_place *place = reader->place;
	sigset_t before;

	if (!place)
		return;
	store(&place->reader, NULL);
	wait_for(place, reader);
	lock(&before);
	if (place->is_orphan)
		put_away(place);
	reader->place = NULL;
	unlock(&before);
}

int precis_signals_elsewhere(const struct precis_reader *reader)
{
	const struct precis_place *place = reader->place; /* another thread may take it away: once */

	return place && place->owner != &self;
}

/* --- the handler ------------------------------------------------------------------- */

/*
 * What longjmp(3) has left of this thread's handlers, nobody is in any more: by the stack, or
 * because the signal would be blocked if its handler had not been left.
 */
static void clear_left(int number, uintptr_t here)
{
	for (struct precis_place *place = mine; place; place = place->next) {
		if (load(&place->working) &&
		    (place->number == number || precis_mark_is_left(&place->marked, here)))
			store(&place->working, NULL);
	}
}

/* The next place with a reader that nobody is in; NULL behind the last. One that is at it looks again. */
static struct precis_place *enter(struct precis_turn *turn, struct precis_place *place)
{
	for (; place; place = place->next) {
		struct precis_reader *outer = load(&place->working), *reader = load(&place->reader);

		turn->has_begun = 0;
		if (outer && outer == reader)
			reader->on_signal(reader, turn);
		if (!reader || outer)
			continue;
		place->marked = precis_mark_begin(&turn->mark);
		place->number = turn->number;
		store(&place->working, reader);
		turn->reader = reader;
		if (load(&place->reader) == reader)
			return place;
		store(&place->working, NULL); /* another thread has just taken it away */
	}
	return NULL;
}

/* si_fd is not looked at: signals that were merged, and SIGIO, stand for all rings. */
int precis_signals_turn(struct precis_turn *turn)
{
	uintptr_t here = (uintptr_t)turn;

	if (!turn->is_entered) {
		turn->is_entered = 1;
		turn->error = errno;
		clear_left(turn->number,
			   turn->context ? precis_interrupted_stack(turn->context, here) : here);
		turn->place = enter(turn, mine);
	} else {
		precis_inside_calls(NULL);
	}
	while (turn->place) {
		if (turn->reader->on_signal(turn->reader, turn)) {
			precis_inside_calls(&turn->place->marked);
			return 1;
		}
		store(&turn->place->working, NULL);
		precis_mark_end(&turn->mark);
		turn->place = enter(turn, turn->place->next);
	}
	errno = turn->error;
	return 0;
}

/* --- taking and giving back --------------------------------------------------------- */

/* @return 0 if the signal is ours now, 1 if somebody else has it, -1 errno */
static int take(int number)
{
	struct sigaction old, ours;

	if (sigaction(number, NULL, &old))
		return -1;
	if (old.sa_flags & SA_SIGINFO ? old.sa_sigaction != handler
				      : old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN)
		return 1;
	memset(&ours, 0, sizeof(ours));
	ours.sa_sigaction = handler;
	ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
	sigemptyset(&ours.sa_mask);
	return sigaction(number, &ours, NULL) ? -1 : 0;
}

int precis_signals_take(precis_signal_handler *with)
{
	int number, result = 0;

	pthread_mutex_lock(&mutex);
	number = precis_signal_number();
	if (!taken) {
		handler = with;
		result = take(number);
		if (!result) {
			__atomic_store_n(&sigio_taken, take(SIGIO) == 0, __ATOMIC_RELEASE);
			__atomic_store_n(&taken, number, __ATOMIC_RELEASE);
			SUBDBG("signal %d is taken\n", number);
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

/* With the mutex held */
static int is_used(void)
{
	for (struct precis_place *place = all; place; place = place->next_of_all) {
		if (load(&place->reader))
			return 1;
	}
	return 0;
}

/* Where other threads still have samples by signals, theirs are ignored rather than deadly. */
static void give_back(int number)
{
	struct sigaction now;

	if (!sigaction(number, NULL, &now) && now.sa_flags & SA_SIGINFO &&
	    now.sa_sigaction == handler) {
		signal(number, SIG_IGN); /* which takes the pending ones away */
		if (!is_used())
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

/* --- fork(2) ------------------------------------------------------------------------ */

/* The parent's readers are none of the child's, and of its threads there is one. */
static void in_child(void)
{
	for (struct precis_place *place = all; place; place = place->next_of_all) {
		store(&place->reader, NULL);
		store(&place->working, NULL);
		place->tid = place->owner == &self ? (pid_t)syscall(SYS_gettid) : 0;
	}
}

const struct precis_fork_hooks precis_signals_fork = {
	.mutex = &mutex,
	.in_child = in_child,
};
