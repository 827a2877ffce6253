/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Usage: precis_soak [SECONDS [CLOCK-PERIOD [SEED]]]
 *
 * 64 threads that come and go: each makes EventSets with another kind of delivery for each event, starts,
 * reads, resets, stops, changes and destroys them, while signals of the program interrupt it and it forks.
 * How many samples breakpoints make is known from the stores: where a thread is joined none may be missing
 * in the sum of those that came, were lost and were discarded. Between two generations of threads nothing
 * may be left: descriptors, rings, threads, memory, handlers of signals, locks. SECONDS is how long
 * generations go on behind the first two, in which memory is still claimed: 3, or what PRECIS_SOAK_SECONDS
 * says. The clock has a sample each 1000000 ns.
 */
#define _GNU_SOURCE /* registers in <ucontext.h> */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "precis_load.h"
#include "precis_process.h"
#include "precis_tools.h"

#define THREADS 64
#define BREAKPOINTS LOAD_BREAKPOINTS
#define EVENTS (BREAKPOINTS + 1) /* the last is a clock */
#define SETS_MOST 3 /* EventSets of a thread */
#define RUNS 3 /* PAPI_start to PAPI_stop, of one EventSet */
#define ROUNDS 6 /* of stores and of something else, in a run */
#define FEW 9u /* stores of most rounds, and of one in RARE, with which rings are full */
#define MANY 300u
#define RARE 24u
#define FORK_IN 400u /* rounds */
#define RING 4096u
#define WARM_SECONDS 2
#define GENERATION_SECONDS 4
#define TIMER_NS 5000000
#define VIRTUAL_US 20000
/* A busy machine may take its time; what never ends, is ended. */
#define PATIENCE_S 60
#define DEADLOCK_S 500
#define REPORTS_MOST 20

/* What the C library keeps ready for itself: of malloc's, and of pages */
#define MALLOC_SLACK (16u << 10)
#define RSS_SLACK (4u << 20)

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#else
#define IS_SANITIZED 0
#endif

/*
 * ThreadSanitizer blocks all signals while it runs handlers that it has put off, and remembers the mask in
 * one place for each thread: where a signal comes between, its handler's own delayed ones leave all blocked
 * (ProcessPendingSignals() in tsan_interceptors_posix.cpp).
 */
#if defined(__SANITIZE_THREAD__)
#define HAS_OTHER_MASKS 1
#else
#define HAS_OTHER_MASKS 0
#endif

struct event {
	int code, period;
	enum load_kind kind;
	int is_in; /* the EventSet */
	/* since it was opened, of runs that have ended */
	uint64_t generated, samples, lost, discarded;
	uint64_t calls, wrong; /* of callbacks and handlers; atomic */
	const volatile long *cell; /* of a breakpoint */
};

struct worker {
	/* main's */
	pthread_t thread;
	unsigned int slot;
	uint64_t seed;

	volatile long cell[BREAKPOINTS];
	struct event event[EVENTS];
	int set;
	uint64_t random;
	const char *volatile doing; /* for who waits for it in vain */
	pid_t tid; /* atomic; 0: it does not take signals any more */

	/* handlers store, too, while it is so; these are what they count, atomic */
	volatile sig_atomic_t in_run;
	uint64_t handled;
	uint64_t stores; /* by the thread itself, in this run */
	/* since the last reset: the stores, and what handlers had counted before and after it */
	uint64_t since_reset, reset_low, reset_high;

	uint64_t sets, samples, lost, discarded, children;
	struct load_wrong wrong;
};

static struct worker workers[THREADS];
static __thread struct worker *current;
static int clock_period = 1000000;
static uint64_t first_seed = 1;
static char program[PATH_MAX];
static int first_threads; /* what there was at first: a sanitizer may have one of its own */

/* Slots whose thread is about to end, for main */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_ended = PTHREAD_COND_INITIALIZER;
static unsigned int ended[THREADS], ended_count;

/* A call, by which the thread is known to whoever waits for it. @return whether it failed */
#define FAILS(worker, call) ((worker)->doing = #call, load_must(&(worker)->wrong, call, #call))

/* xorshift64 */
static uint64_t draw(struct worker *worker, uint64_t below)
{
	worker->random ^= worker->random << 13;
	worker->random ^= worker->random >> 7;
	worker->random ^= worker->random << 17;
	return worker->random % below;
}

/* --- where samples go ------------------------------------------------------------- */

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	struct event *event = user;
	uint64_t address = 0;
	int is_wrong = arrival->event_code != event->code;

	if (event->cell)
		is_wrong |= !precis_get_addr(sample, &address) || address != (uintptr_t)event->cell;
	__atomic_add_fetch(&event->wrong, is_wrong, __ATOMIC_RELAXED);
	__atomic_add_fetch(&event->calls, 1, __ATOMIC_RELAXED);
}

/* The sample says whose it is: its address is that of the cell, a clock's has none. */
static void on_overflow(int set, void *address, long long vector, void *context)
{
	struct precis_sample sample = { .size = sizeof(sample) };
	struct worker *worker = current;
	uint64_t cell = 0;
	int n = BREAKPOINTS;

	(void)set;
	(void)address;
	(void)vector;
	(void)context;
	if (!worker)
		return;
	if (!precis_papi_current_sample(&sample) && precis_get_addr(&sample, &cell) && cell) {
		for (n = 0; n < BREAKPOINTS && cell != (uintptr_t)&worker->cell[n]; n++)
			;
	}
	__atomic_add_fetch(&worker->event[n].calls, 1, __ATOMIC_RELAXED);
}

/* --- signals of the program ---------------------------------------------------------- */

static void store(struct worker *worker, uint64_t times)
{
	for (int n = 0; n < BREAKPOINTS; n++)
		tools_store(&worker->cell[n], times);
	worker->stores += times;
	worker->since_reset += times;
}

static void on_signal(int number)
{
	struct worker *worker = current;

	(void)number;
	if (!worker || !worker->in_run)
		return;
	for (int n = 0; n < BREAKPOINTS; n++)
		tools_store(&worker->cell[n], 1);
	__atomic_add_fetch(&worker->handled, 1, __ATOMIC_RELAXED);
}

static uint64_t handled(const struct worker *worker)
{
	return __atomic_load_n(&worker->handled, __ATOMIC_RELAXED);
}

static void take_signals(void)
{
	const struct itimerval often = { { 0, VIRTUAL_US }, { 0, VIRTUAL_US } };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	sigaction(SIGVTALRM, &action, NULL);
	signal(SIGPROF, SIG_IGN); /* as PAPI_shutdown leaves it */
	setitimer(ITIMER_VIRTUAL, &often, NULL);
}

/* Any thread that is there, or none */
static void interrupt_somebody(struct worker *worker)
{
	pid_t tid = __atomic_load_n(&workers[draw(worker, THREADS)].tid, __ATOMIC_RELAXED);

	if (tid)
		syscall(SYS_tgkill, getpid(), tid, SIGUSR1);
}

/* --- children ---------------------------------------------------------------------------- */

/* In a program that a thread has begun: nothing of the component has come with it. */
static int after_exec(void)
{
	const int signals[] = { SIGIO, SIGRTMIN + 6 };
	DIR *directory = opendir("/proc/self/fd");
	struct dirent *entry;
	struct sigaction action;
	sigset_t mask;
	int faults = 0;

	while (directory && (entry = readdir(directory))) {
		char path[300], target[64] = "";

		snprintf(path, sizeof(path), "/proc/self/fd/%s", entry->d_name);
		if (readlink(path, target, sizeof(target) - 1) > 0)
			faults += strstr(target, "perf_event") || strstr(target, "eventpoll");
	}
	sigprocmask(SIG_BLOCK, NULL, &mask);
	for (size_t n = 0; n < sizeof(signals) / sizeof(signals[0]); n++) {
		sigaction(signals[n], NULL, &action);
		faults += sigismember(&mask, signals[n]) || action.sa_handler != SIG_DFL;
	}
	return faults ? 1 : 0;
}

static uint64_t calls_of(const struct worker *worker)
{
	uint64_t calls = 0;

	for (int n = 0; n < EVENTS; n++)
		calls += __atomic_load_n(&worker->event[n].calls, __ATOMIC_RELAXED);
	return calls;
}

/* What it stores is none of the parent's samples, nor its own. */
static int after_fork(struct worker *worker)
{
	uint64_t before = calls_of(worker);

	for (int n = 0; n < BREAKPOINTS; n++)
		tools_store(&worker->cell[n], FEW);
	return calls_of(worker) != before || process_rings() != 0;
}

static void have_child(struct worker *worker, int execs)
{
	int status = -1, was_in_run = worker->in_run;
	pid_t child;

	worker->in_run = 0; /* the child has handlers, too */
	worker->doing = "fork";
	child = fork();
	if (!child) {
		if (execs)
			execl(program, program, "--after-exec", (char *)NULL);
		_exit(execs ? 2 : after_fork(worker));
	}
	worker->in_run = was_in_run;
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		load_fail(&worker->wrong, "a child%s: status %d", execs ? " that calls exec" : "",
			  status);
	worker->children++;
}

/* --- one EventSet's life ------------------------------------------------------------ */

static int set_kind(struct worker *worker, struct event *event)
{
	const struct load_event sampled = {
		.set = worker->set,
		.code = event->code,
		.period = event->period,
		.ring_bytes = RING << draw(worker, 3),
		.callback = on_sample,
		.user = event,
		.handler = on_overflow,
	};

	return load_set_kind(&sampled, event->kind);
}

/* It counts from zero again. */
static void forget(struct event *event)
{
	event->generated = event->samples = event->lost = event->discarded = 0;
	__atomic_store_n(&event->calls, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&event->wrong, 0, __ATOMIC_RELAXED);
}

static void check_samples(struct worker *worker, struct event *event)
{
	uint64_t calls = __atomic_load_n(&event->calls, __ATOMIC_RELAXED);
	uint64_t wrong = __atomic_load_n(&event->wrong, __ATOMIC_RELAXED);
	uint64_t sum = event->samples + event->lost + event->discarded;
	uint64_t expected = event->generated / (uint64_t)event->period;
	const char *kind = load_kind_names[event->kind];

	worker->samples += event->samples;
	worker->lost += event->lost;
	worker->discarded += event->discarded;
	if (calls != event->samples)
		load_fail(&worker->wrong, "%s: %" PRIu64 " calls for %" PRIu64 " samples", kind,
			  calls, event->samples);
	if (wrong)
		load_fail(&worker->wrong, "%s: %" PRIu64 " samples of something else", kind, wrong);
	if (!event->cell || event->kind == LOAD_COUNT)
		return;
	if (event->kind == LOAD_OVERWRITE ? sum > expected : sum != expected)
		load_fail(&worker->wrong,
			  "%s, period %d: %" PRIu64 " samples, %" PRIu64 " lost, %" PRIu64
			  " discarded, expected %" PRIu64,
			  kind, event->period, event->samples, event->lost, event->discarded,
			  expected);
}

/*
 * A child of any thread's has this one's descriptors until it calls exec or ends, and so a debug register of
 * an event that was removed meanwhile.
 */
static int add_event(struct worker *worker, int code)
{
	time_t end = time(NULL) + PATIENCE_S;
	int error;

	worker->doing = "PAPI_add_event";
	do {
		error = PAPI_add_event(worker->set, code);
		if (error == PAPI_ECNFLCT)
			usleep(1000);
	} while (error == PAPI_ECNFLCT && !IS_SANITIZED && time(NULL) < end);
	return error;
}

static int add(struct worker *worker, struct event *event)
{
	event->period = event->cell ? (int)draw(worker, 3) + 1 : clock_period;
	event->kind = (enum load_kind)draw(worker, LOAD_KINDS);
	forget(event);
	if (load_must(&worker->wrong, add_event(worker, event->code), "PAPI_add_event"))
		return -1;
	event->is_in = 1;
	return FAILS(worker, set_kind(worker, event)) ? -1 : 0;
}

static int take_out(struct worker *worker, struct event *event)
{
	check_samples(worker, event);
	event->is_in = 0;
	return FAILS(worker, PAPI_remove_event(worker->set, event->code)) ? -1 : 0;
}

static int events_in(const struct worker *worker)
{
	int count = 0;

	for (int n = 0; n < EVENTS; n++)
		count += worker->event[n].is_in;
	return count;
}

/* Between two runs: an event comes, or goes and perhaps comes back as another. */
static int change(struct worker *worker)
{
	struct event *event = &worker->event[draw(worker, EVENTS)];

	if (!event->is_in)
		return add(worker, event);
	if (events_in(worker) == 1)
		return 0;
	return take_out(worker, event) || (draw(worker, 2) && add(worker, event)) ? -1 : 0;
}

static int begin(struct worker *worker)
{
	uint64_t wanted = draw(worker, (1u << EVENTS) - 1) + 1;

	worker->set = PAPI_NULL;
	for (int n = 0; n < EVENTS; n++)
		worker->event[n].is_in = 0;
	if (FAILS(worker, PAPI_create_eventset(&worker->set)))
		return -1;
	for (int n = 0; n < EVENTS; n++) {
		if (wanted >> n & 1 && add(worker, &worker->event[n]))
			return -1;
	}
	return 0;
}

/* --- a run ---------------------------------------------------------------------------------- */

/* 'values': between what was stored before and after, in the order in which events came into the EventSet */
static void check_counts(struct worker *worker, const long long *values, uint64_t low, uint64_t high,
			 const char *call)
{
	int events[EVENTS], count = EVENTS;

	if (FAILS(worker, PAPI_list_events(worker->set, events, &count)))
		return;
	for (int at = 0; at < count; at++) {
		for (int n = 0; n < BREAKPOINTS; n++) {
			if (worker->event[n].code != events[at])
				continue;
			test_count_hits(values[at], low);
			if (values[at] < (long long)low || values[at] > (long long)high)
				load_fail(&worker->wrong,
					  "%s: breakpoint %d: %lld, expected %" PRIu64
					  " to %" PRIu64,
					  call, n, values[at], low, high);
		}
	}
}

static int read_counts(struct worker *worker)
{
	uint64_t low = worker->since_reset + handled(worker) - worker->reset_high;
	long long values[EVENTS] = { 0 };

	if (FAILS(worker, PAPI_read(worker->set, values)))
		return -1;
	check_counts(worker, values, low, worker->since_reset + handled(worker) - worker->reset_low,
		     "PAPI_read");
	return 0;
}

static int reset(struct worker *worker)
{
	worker->reset_low = handled(worker);
	if (FAILS(worker, PAPI_reset(worker->set)))
		return -1;
	worker->reset_high = handled(worker);
	worker->since_reset = 0;
	return 0;
}

static int drain(struct worker *worker)
{
	int got;

	worker->doing = "precis_papi_drain";
	got = precis_papi_drain(worker->set);
	return got < 0 ? load_must(&worker->wrong, got, "precis_papi_drain") : 0;
}

/* What happens in a run besides stores. @return 0, or -1: the EventSet is given up */
static int do_something(struct worker *worker)
{
	if (!IS_SANITIZED && !draw(worker, FORK_IN))
		have_child(worker, draw(worker, 2) != 0);
	switch (draw(worker, 6)) {
	case 0:
		return reset(worker);
	case 1:
		return drain(worker);
	case 2:
		interrupt_somebody(worker);
		return 0;
	case 3:
		return raise(SIGUSR1);
	case 4:
		sched_yield();
		return 0;
	default:
		return read_counts(worker);
	}
}

static int add_statistics(struct worker *worker, uint64_t generated)
{
	for (int n = 0; n < EVENTS; n++) {
		struct precis_papi_statistics statistics = { .size = sizeof(statistics) };
		struct event *event = &worker->event[n];

		if (!event->is_in)
			continue;
		event->generated += generated;
		if (event->kind == LOAD_COUNT)
			continue;
		if (FAILS(worker, precis_papi_get_statistics(worker->set, event->code, &statistics)))
			return -1;
		event->samples += statistics.samples;
		event->lost += statistics.lost;
		event->discarded += statistics.discarded;
	}
	return 0;
}

/* 'blocked': the last stores and PAPI_stop happen where no signal comes through */
static int run(struct worker *worker, int blocked)
{
	uint64_t handled_before = handled(worker), counted;
	long long values[EVENTS] = { 0 };
	sigset_t mask, before;

	worker->stores = worker->since_reset = 0;
	worker->reset_low = worker->reset_high = handled_before;
	if (FAILS(worker, PAPI_start(worker->set)))
		return -1;
	worker->in_run = 1;
	for (int n = 0; n < ROUNDS; n++) {
		store(worker, draw(worker, RARE) ? draw(worker, FEW) : MANY);
		if (do_something(worker))
			return -1;
	}
	if (blocked)
		test_fill_signals(&mask);
	else
		sigemptyset(&mask);
	pthread_sigmask(SIG_BLOCK, &mask, &before);
	store(worker, FEW);
	worker->in_run = 0;
	counted = worker->since_reset + handled(worker);
	if (FAILS(worker, PAPI_stop(worker->set, values)))
		return -1;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	check_counts(worker, values, counted - worker->reset_high, counted - worker->reset_low, "PAPI_stop");
	return add_statistics(worker, worker->stores + handled(worker) - handled_before);
}

static void live(struct worker *worker)
{
	int is_well = !begin(worker);

	for (int n = 0; n < RUNS && is_well; n++) {
		is_well = !run(worker, draw(worker, 3) == 0);
		if (is_well && n + 1 < RUNS && draw(worker, 2))
			is_well = !change(worker);
	}
	worker->in_run = 0;
	for (int n = 0; n < EVENTS && is_well; n++) {
		if (worker->event[n].is_in)
			check_samples(worker, &worker->event[n]);
	}
	/* one that has failed may still run */
	if (!is_well)
		PAPI_stop(worker->set, NULL);
	FAILS(worker, PAPI_cleanup_eventset(worker->set));
	FAILS(worker, PAPI_destroy_eventset(&worker->set));
	worker->sets++;
}

/* --- a thread's life --------------------------------------------------------------------------- */

static int begin_timer(struct worker *worker, timer_t *timer)
{
	const struct itimerspec each = { { 0, TIMER_NS }, { 0, TIMER_NS } };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR2 };

	event._sigev_un._tid = test_tid();
	if (timer_create(CLOCK_MONOTONIC, &event, timer) || timer_settime(*timer, 0, &each, NULL)) {
		load_fail(&worker->wrong, "timer_create: %s", strerror(errno));
		return -1;
	}
	return 0;
}

static void sample_itself(struct worker *worker)
{
	uint64_t sets = draw(worker, SETS_MOST) + 1;
	sigset_t before, after;

	pthread_sigmask(SIG_BLOCK, NULL, &before);
	if (FAILS(worker, PAPI_register_thread()))
		return;
	while (worker->sets < sets && !worker->wrong.count)
		live(worker);
	FAILS(worker, PAPI_unregister_thread());
	pthread_sigmask(SIG_BLOCK, NULL, &after);
	for (int number = 1; number < SIGRTMAX && !HAS_OTHER_MASKS; number++) {
		if (sigismember(&before, number) != sigismember(&after, number))
			load_fail(&worker->wrong, "signal %d is blocked now, or no longer", number);
	}
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	timer_t timer;

	current = worker;
	if (!begin_timer(worker, &timer)) {
		__atomic_store_n(&worker->tid, test_tid(), __ATOMIC_RELAXED);
		sample_itself(worker);
		__atomic_store_n(&worker->tid, 0, __ATOMIC_RELAXED);
		timer_delete(timer);
	}
	worker->doing = "ending";
	pthread_mutex_lock(&mutex);
	ended[ended_count++] = worker->slot;
	pthread_cond_signal(&has_ended);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

/* --- generations ------------------------------------------------------------------------------- */

static struct {
	uint64_t threads, sets, samples, lost, discarded, children, failed;
} total;

static void begin_thread(unsigned int slot)
{
	struct worker *worker = &workers[slot];
	uint64_t seed = worker->seed + 1;

	/* names, and so numbers, of events stay */
	for (int n = 0; n < EVENTS; n++)
		forget(&worker->event[n]);
	worker->seed = seed;
	worker->random = (first_seed * THREADS + slot) * 0x9e3779b97f4a7c15u + seed * 0xbf58476d1ce4e5b9u;
	worker->random += worker->random == 0;
	worker->sets = worker->samples = worker->lost = worker->discarded = worker->children = 0;
	if (pthread_create(&worker->thread, NULL, work, worker))
		test_bail_out("pthread_create", PAPI_ENOMEM);
}

static void join_thread(unsigned int slot)
{
	struct worker *worker = &workers[slot];

	pthread_join(worker->thread, NULL);
	total.threads++;
	total.sets += worker->sets;
	total.samples += worker->samples;
	total.lost += worker->lost;
	total.discarded += worker->discarded;
	total.children += worker->children;
	if (worker->wrong.count && total.failed++ < REPORTS_MOST)
		printf("# thread %" PRIu64 " of slot %u, EventSet %" PRIu64 ": %s\n", worker->seed,
		       slot, worker->sets, worker->wrong.first);
	worker->wrong.count = 0;
}

static unsigned int wait_for_one(void)
{
	unsigned int slot;

	pthread_mutex_lock(&mutex);
	while (!ended_count)
		pthread_cond_wait(&has_ended, &mutex);
	slot = ended[--ended_count];
	pthread_mutex_unlock(&mutex);
	return slot;
}

/* At least one thread in each slot, and as many as come in these seconds */
static void generation(int seconds)
{
	uint64_t end = test_now() + (uint64_t)seconds * 1000000000u;
	unsigned int living = THREADS;

	for (unsigned int slot = 0; slot < THREADS; slot++)
		begin_thread(slot);
	while (living) {
		unsigned int slot = wait_for_one();

		join_thread(slot);
		if (test_now() < end)
			begin_thread(slot);
		else
			living--;
	}
}

/* --- what is left between them ---------------------------------------------------------------------- */

struct state {
	struct process process;
	int registered; /* threads that PAPI knows */
};

/* The helper thread stays for a moment; and of one that was joined the kernel keeps its name as long. */
static void look(struct state *state)
{
	time_t end = time(NULL) + PATIENCE_S;

	while (process_threads() > first_threads && time(NULL) < end)
		usleep(10000);
	malloc_trim(0);
	process_look(&state->process);
	state->registered = 0;
	PAPI_list_threads(NULL, &state->registered);
}

/* An EventSet of the thread itself has all its samples: no lock was kept, no thread is in the way. */
static int lives(enum load_kind kind)
{
	struct worker *worker = &workers[0];
	struct event *event = &worker->event[0];
	int is_well;

	current = worker;
	worker->set = PAPI_NULL;
	worker->wrong.count = 0;
	for (int n = 0; n < EVENTS; n++)
		worker->event[n].is_in = 0;
	is_well = !FAILS(worker, PAPI_create_eventset(&worker->set)) &&
		  !FAILS(worker, PAPI_add_event(worker->set, event->code));
	event->is_in = 1;
	event->kind = kind;
	event->period = 1;
	forget(event);
	is_well = is_well && !FAILS(worker, set_kind(worker, event)) && !run(worker, 0);
	if (is_well)
		check_samples(worker, event);
	FAILS(worker, PAPI_cleanup_eventset(worker->set));
	FAILS(worker, PAPI_destroy_eventset(&worker->set));
	current = NULL;
	if (worker->wrong.count)
		printf("# %s: %s\n", load_kind_names[kind], worker->wrong.first);
	return !worker->wrong.count;
}

static int all_live(void)
{
	int live = 1;

	for (enum load_kind kind = LOAD_BATCH; kind < LOAD_KINDS; kind++)
		live &= lives(kind);
	return live;
}

/* The same in a child that has all of PAPI to itself */
static int child_lives(void)
{
	int status = -1;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		alarm(PATIENCE_S);
		_exit(all_live() ? 0 : 1);
	}
	return child > 0 && waitpid(child, &status, 0) == child && !status;
}

/* What has been found in one of the generations; what is told once, at the end */
static struct {
	int descriptors, rings, threads, registered, signals, lives, children;
	size_t allocated, resident; /* most beyond the first time */
} left;

static size_t beyond(size_t now, size_t before)
{
	return now > before ? now - before : 0;
}

static void compare(const struct state *before, const struct state *now)
{
	const struct process *now_has = &now->process, *had = &before->process;
	size_t allocated = beyond(now_has->allocated, had->allocated);
	size_t resident = beyond(now_has->resident, had->resident);

	left.descriptors += now_has->descriptors != had->descriptors;
	left.rings += now_has->rings != 0;
	left.threads += now_has->threads != first_threads;
	left.registered += now->registered != before->registered;
	left.signals += process_signals_differ(had, now_has) != 0;
	left.allocated = allocated > left.allocated ? allocated : left.allocated;
	left.resident = resident > left.resident ? resident : left.resident;
}

static unsigned int generations(int seconds)
{
	uint64_t end = test_now() + (uint64_t)seconds * 1000000000u;
	struct state before, now;
	unsigned int count = 0;

	generation(WARM_SECONDS);
	left.lives += !all_live();
	generation(WARM_SECONDS);
	look(&before);
	do {
		generation(seconds < GENERATION_SECONDS ? seconds : GENERATION_SECONDS);
		left.lives += !all_live();
		left.children += !IS_SANITIZED && !child_lives();
		look(&now);
		compare(&before, &now);
		count++;
	} while (test_now() < end && total.failed < REPORTS_MOST);
	return count;
}

/* --- all of it ------------------------------------------------------------------------------------ */

/* A deadlock ends, too: who is in what? */
static void on_alarm(int number)
{
	char line[200];

	(void)number;
	for (unsigned int slot = 0; slot < THREADS; slot++) {
		const struct worker *worker = &workers[slot];
		int bytes = snprintf(line, sizeof(line), "# slot %u, thread %d: %s\n", slot, (int)worker->tid,
				     worker->doing ? worker->doing : "");

		if (workers[slot].tid && write(STDOUT_FILENO, line, (size_t)bytes) < 0)
			break;
	}
	_exit(1);
}

static void name_events(void)
{
	for (unsigned int slot = 0; slot < THREADS; slot++) {
		workers[slot].slot = slot;
		for (int n = 0; n < EVENTS; n++) {
			struct event *event = &workers[slot].event[n];
			char name[PAPI_MAX_STR_LEN] = "precis:::SW_CPU_CLOCK";

			if (n < BREAKPOINTS) {
				event->cell = &workers[slot].cell[n];
				test_name_breakpoint(name, (uintptr_t)event->cell);
			}
			test_must(PAPI_event_name_to_code(name, &event->code), name);
		}
	}
}

/* valgrind has the libraries by which it begins loaded into each program. */
static int has_others_pages(void)
{
	const char *loaded = getenv("LD_PRELOAD");

	return IS_SANITIZED || (loaded && strstr(loaded, "vgpreload"));
}

static void report(unsigned int count)
{
	printf("# %u generations, %" PRIu64 " threads, %" PRIu64 " EventSets, %" PRIu64 " children\n", count,
	       total.threads, total.sets, total.children);
	printf("# %" PRIu64 " samples, %" PRIu64 " lost, %" PRIu64 " discarded\n", total.samples, total.lost,
	       total.discarded);
	printf("# most beyond the first generations: %zu bytes allocated, %zu resident\n", left.allocated,
	       left.resident);
	tap_equal((int64_t)total.failed, 0, "threads of which a count or a sample is missing");
	tap_equal(left.lives, 0, "generations after which an EventSet has not all of its samples");
	if (IS_SANITIZED)
		tap_skip("a child may wait for a lock of the sanitizer's for ever", "children");
	else
		tap_equal(left.children, 0, "children that could not sample themselves");
	tap_equal(left.descriptors, 0, "generations that left descriptors open");
	tap_equal(left.rings, 0, "rings mapped");
	tap_equal(left.threads, 0, "threads running");
	tap_equal(left.registered, 0, "threads registered with PAPI");
	tap_equal(left.signals, 0, "another handler or mask of signals");
	tap_ok(left.allocated <= MALLOC_SLACK, "no memory is left allocated");
	if (has_others_pages())
		tap_skip("a sanitizer, or valgrind, keeps pages of its own", "no memory is left resident");
	else
		tap_ok(left.resident <= RSS_SLACK, "nor resident");
}

static int soak(int seconds)
{
	struct state before, after;

#if defined(__SANITIZE_THREAD__)
	first_threads = 2; /* its own begins with the first that the program makes */
#else
	first_threads = process_threads();
#endif
	look(&before);
	test_init();
	test_must(PAPI_thread_init((unsigned long (*)(void))pthread_self), "PAPI_thread_init");
	name_events();
	report(generations(seconds));
	PAPI_shutdown();
	look(&after);
	tap_equal(process_signals_differ(&before.process, &after.process), 0,
		  "PAPI_shutdown leaves the signals to the program");
	tap_equal(after.process.threads, first_threads, "and no thread");
	tap_equal(after.process.rings, 0, "no ring");
	tap_equal(after.process.descriptors, before.process.descriptors, "and no descriptor");
	return tap_done();
}

int main(int argc, char **argv)
{
	const int is_quiet = argc > 1 && !strcmp(argv[1], "TESTS_QUIET");
	const char *text = argc > 1 && !is_quiet ? argv[1] : getenv("PRECIS_SOAK_SECONDS");
	int seconds = text ? atoi(text) : 3;

	if (argc == 2 && !strcmp(argv[1], "--after-exec"))
		return after_exec();
	test_begin(argc, argv);
	if (argc > 2)
		clock_period = atoi(argv[2]);
	if (argc > 3)
		first_seed = strtoull(argv[3], NULL, 0);
	if (seconds <= 0 || clock_period <= 0 || !realpath(argv[0], program)) {
		fprintf(stderr, "usage: precis_soak [SECONDS [CLOCK-PERIOD [SEED]]]\n");
		return 2;
	}
	test_need_breakpoints();
	if (load_breakpoints_are_wrong()) {
		tap_skip("this machine miscounts several breakpoints, also without PAPI",
			 "no sample is missing");
		return tap_done();
	}
	signal(SIGALRM, on_alarm);
	alarm((unsigned int)seconds + DEADLOCK_S);
	take_signals();
	return soak(seconds);
}
