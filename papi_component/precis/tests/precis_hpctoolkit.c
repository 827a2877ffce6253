/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What HPCToolkit calls, in its order: lists of components and events, threads
 * that register, PAPI_overflow for several events at once, all signals blocked
 * around what must not be interrupted; then fork(2) and exec(2).
 */
#define _GNU_SOURCE /* registers in <ucontext.h> */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include "precis_tools.h"

#define THREADS 3
#define BREAKPOINTS 2
#define EVENTS (BREAKPOINTS + 2)
#define ROUNDS 200u /* of each thread; every second one with signals blocked */
#define STORES 50u /* in a round, to each cell */

static const int periods[EVENTS] = { 1, 3, 100000, 1 }; /* breakpoints, clock, page faults */
enum { CLOCK = BREAKPOINTS, FAULTS };

struct hpc_thread {
	volatile long cell[BREAKPOINTS];
	int set, code[EVENTS];
	const void *stack;
	volatile uint64_t samples[EVENTS], strange, in_critical, empty_vectors;
	volatile sig_atomic_t critical;
	struct precis_papi_statistics statistics[EVENTS];
	long long values[EVENTS];
	uint64_t stores; /* to each cell */
	int error;
	const char *what;
};

static __thread struct hpc_thread *current;

static int fail(struct hpc_thread *hpc, int error, const char *what)
{
	if (error != PAPI_OK && !hpc->error) {
		hpc->error = error;
		hpc->what = what;
	}
	return error != PAPI_OK;
}

/* An event's place in the thread's list; -1: not there */
static int place_of(const struct hpc_thread *hpc, int code)
{
	for (int n = 0; n < EVENTS; n++) {
		if (hpc->code[n] == code)
			return n;
	}
	return -1;
}

static void on_overflow(int set, void *address, long long vector, void *context)
{
	struct hpc_thread *hpc = current;
	int index[EVENTS], count = EVENTS, codes[EVENTS], most = EVENTS;

	if (!hpc)
		return;
	if (!vector) { /* HPCToolkit skips these */
		hpc->empty_vectors = hpc->empty_vectors + 1;
		return;
	}
	if (hpc->critical)
		hpc->in_critical = hpc->in_critical + 1;
	if (set != hpc->set || !tools_can_unwind(context, hpc->stack) ||
	    PAPI_get_overflow_event_index(set, vector, index, &count) != PAPI_OK ||
	    PAPI_list_events(set, codes, &most) != PAPI_OK) {
		hpc->strange = hpc->strange + 1;
		return;
	}
	for (int n = 0; n < count; n++) {
		int place = index[n] < most ? place_of(hpc, codes[index[n]]) : -1;

		if (place < 0 || (place < BREAKPOINTS && !tools_is_store(address)))
			hpc->strange = hpc->strange + 1;
		else
			hpc->samples[place] = hpc->samples[place] + 1;
	}
}

static int add_events(struct hpc_thread *hpc)
{
	static const char *const others[] = { "precis:::SW_CPU_CLOCK", "precis:::SW_PAGE_FAULTS" };

	for (int n = 0; n < EVENTS; n++) {
		char name[PAPI_MAX_STR_LEN];

		if (n < BREAKPOINTS)
			test_name_breakpoint(name, (uintptr_t)&hpc->cell[n]);
		else
			snprintf(name, sizeof(name), "%s", others[n - BREAKPOINTS]);
		if (fail(hpc, PAPI_event_name_to_code(name, &hpc->code[n]), "event_name_to_code") ||
		    fail(hpc, PAPI_add_event(hpc->set, hpc->code[n]), "add_event"))
			return -1;
	}
	return 0;
}

static int begin(struct hpc_thread *hpc)
{
	hpc->set = PAPI_NULL;
	if (fail(hpc, PAPI_create_eventset(&hpc->set), "create_eventset") || add_events(hpc))
		return -1;
	for (int n = 0; n < EVENTS; n++) {
		if (fail(hpc, PAPI_overflow(hpc->set, hpc->code[n], periods[n], 0, on_overflow),
			 "overflow"))
			return -1;
	}
	return fail(hpc, PAPI_start(hpc->set), "start");
}

static void end(struct hpc_thread *hpc)
{
	if (fail(hpc, PAPI_stop(hpc->set, hpc->values), "stop"))
		return;
	for (int n = 0; n < EVENTS; n++) {
		hpc->statistics[n].size = sizeof(hpc->statistics[n]);
		fail(hpc, precis_papi_get_statistics(hpc->set, hpc->code[n], &hpc->statistics[n]),
		     "get_statistics");
		fail(hpc, PAPI_overflow(hpc->set, hpc->code[n], 0, 0, on_overflow), "overflow(0)");
	}
	fail(hpc, PAPI_cleanup_eventset(hpc->set), "cleanup_eventset");
	fail(hpc, PAPI_destroy_eventset(&hpc->set), "destroy_eventset");
}

static void store(struct hpc_thread *hpc, uint64_t times)
{
	for (int n = 0; n < BREAKPOINTS; n++)
		tools_store(&hpc->cell[n], times);
	hpc->stores += times;
}

/* Where HPCToolkit must not be interrupted: what happened meanwhile comes afterwards. */
static void critical(struct hpc_thread *hpc)
{
	sigset_t all, before;

	test_fill_signals(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	hpc->critical = 1;
	store(hpc, STORES);
	hpc->critical = 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void profile(struct hpc_thread *hpc, uint32_t rounds)
{

	hpc->stack = __builtin_frame_address(0);
	current = hpc;
	if (!begin(hpc)) {
		for (uint32_t n = 0; n < rounds; n++) {
			if (n % 2)
				critical(hpc);
			else
				store(hpc, STORES);
		}
		end(hpc);
	}
	current = NULL;
}

static void *run_thread(void *argument)
{
	struct hpc_thread *hpc = argument;

	if (!fail(hpc, PAPI_register_thread(), "register_thread")) {
		profile(hpc, ROUNDS);
		fail(hpc, PAPI_unregister_thread(), "unregister_thread");
	}
	return NULL;
}

/* @return the first breakpoint whose samples are not those there have to be; BREAKPOINTS if none */
static int first_inexact(const struct hpc_thread *hpc)
{
	for (int n = 0; n < BREAKPOINTS; n++) {
		if (hpc->samples[n] != hpc->stores / (uint64_t)periods[n] ||
		    hpc->values[n] != (long long)hpc->stores)
			return n;
	}
	return BREAKPOINTS;
}

static void report(const struct hpc_thread *hpc, const char *who)
{
	if (!tap_ok(!hpc->error, "%s: every call of PAPI's succeeds", who))
		printf("# PAPI_%s: %d: %s\n", hpc->what, hpc->error, PAPI_strerror(hpc->error));
	for (int n = 0; n < EVENTS; n++) {
		if (n < BREAKPOINTS) {
			test_count_hits(hpc->values[n], hpc->stores);
			tap_equal((int64_t)hpc->samples[n],
				  (int64_t)(hpc->stores / (uint64_t)periods[n]),
				  "%s, breakpoint %d: one sample for every %d stores", who, n,
				  periods[n]);
		}
		tap_equal((int64_t)(hpc->samples[n]), (int64_t)hpc->statistics[n].samples,
			  "%s, event %d: one call for each sample", who, n);
		tap_equal((int64_t)(hpc->statistics[n].lost + hpc->statistics[n].discarded), 0,
			  "%s, event %d: none is lost", who, n);
	}
	tap_ok(!hpc->strange && !hpc->empty_vectors && !hpc->in_critical,
	       "%s: each sample names its event, and can be unwound", who);
	if (hpc->strange || hpc->empty_vectors || hpc->in_critical)
		printf("# %" PRIu64 " strange, %" PRIu64 " without an event, %" PRIu64
		       " where signals are blocked\n",
		       hpc->strange, hpc->empty_vectors, hpc->in_critical);
}

static void test_threads(void)
{
	static struct hpc_thread all[THREADS];
	pthread_t threads[THREADS];
	char who[32];

	for (int n = 0; n < THREADS; n++) {
		if (pthread_create(&threads[n], NULL, run_thread, &all[n]))
			test_bail_out("pthread_create", PAPI_ENOMEM);
	}
	for (int n = 0; n < THREADS; n++) {
		pthread_join(threads[n], NULL);
		snprintf(who, sizeof(who), "thread %d", n);
		report(&all[n], who);
	}
}

/* --- what hpcrun -L lists -------------------------------------------------------- */

static void test_lists(void)
{
	int component = PAPI_get_component_index("precis"), code = PAPI_NATIVE_MASK, events = 0;
	int wrong = 0, error;
	PAPI_event_info_t info;

	tap_ok(component >= 0 && component < PAPI_num_components(), "the component is counted");
	for (error = PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component); error == PAPI_OK;
	     error = PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component)) {
		events++;
		if (PAPI_get_event_info(code, &info) != PAPI_OK ||
		    info.event_code != (unsigned int)code || !info.symbol[0] ||
		    !info.long_descr[0] || PAPI_get_event_component(code) != component)
			wrong++;
	}
	tap_ok(events > 0, "events are listed");
	tap_equal(wrong, 0, "each event in the list has its code, a name and a description");
}

/* --- fork and exec ---------------------------------------------------------------- */

/* Descriptors of perf events that this process has; -1: not known */
static int perf_events(void)
{
	DIR *directory = opendir("/proc/self/fd");
	const struct dirent *entry;
	int count = 0;

	if (!directory)
		return -1;
	while ((entry = readdir(directory))) {
		char target[64] = "";

		if (readlinkat(dirfd(directory), entry->d_name, target, sizeof(target) - 1) > 0)
			count += !strcmp(target, "anon_inode:[perf_event]");
	}
	closedir(directory);
	return count;
}

/* Set up as the parent was, and then another program in the midst of it */
static int child_that_execs(const char *program)
{
	static struct hpc_thread hpc;

	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT ||
	    PAPI_thread_init((unsigned long (*)(void))pthread_self) != PAPI_OK)
		return 2;
	profile(&hpc, 10);
	if (hpc.error || first_inexact(&hpc) != BREAKPOINTS)
		return 3;
	hpc.stack = __builtin_frame_address(0);
	current = &hpc;
	if (begin(&hpc))
		return 4;
	store(&hpc, STORES);
	execl(program, program, "executed", (char *)NULL);
	return 5;
}

static int wait_for(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	return status;
}

static void test_fork(void)
{
	static struct hpc_thread hpc;
	int status = -1;
	pid_t pid;

	hpc.stack = __builtin_frame_address(0);
	current = &hpc;
	if (!begin(&hpc)) {
		store(&hpc, STORES);
		pid = fork();
		if (!pid)
			_exit(child_that_execs("/proc/self/exe"));
		store(&hpc, STORES);
		status = wait_for(pid);
		store(&hpc, STORES);
		end(&hpc);
	}
	current = NULL;
	tap_equal(status, 0, "a child samples, and executes a program that knows nothing of it");
	report(&hpc, "the parent of a child");
}

static pid_t child_of_callback;

static void fork_on_sample(const struct precis_sample *sample,
			   const struct precis_papi_arrival *arrival, void *user)
{
	uint64_t *calls = user;

	(void)sample;
	(void)arrival;
	if (++*calls == 1)
		child_of_callback = fork();
}

/* Two events have samples; the first one's callback forks: the child has no more of either. */
static void test_fork_in_callback(void)
{
	static volatile long cells[2];
	uint64_t calls[2] = { 0, 1 };
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.period = 1,
		.callback = fork_on_sample,
	};
	long long values[2];
	int set = PAPI_NULL;

	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	for (int n = 0; n < 2; n++) {
		sampling.user = &calls[n];
		test_must(precis_papi_set_sampling(set, test_add_breakpoint(set, &cells[n]),
						   &sampling),
			  "precis_papi_set_sampling");
	}
	test_must(PAPI_start(set), "PAPI_start");
	for (int n = 0; n < 2; n++)
		tools_store(&cells[n], 5);
	test_must(PAPI_read(set, values), "PAPI_read");
	if (!child_of_callback)
		_exit(calls[0] == 1 && calls[1] == 1 ? 0 : 1);
	test_must(PAPI_stop(set, values), "PAPI_stop");
	tap_ok(calls[0] == 5 && calls[1] == 6,
	       "a callback that forks gets all samples in the parent");
	tap_equal(wait_for(child_of_callback), 0, "and none in the child");
	test_destroy(&set);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	alarm(1800); /* a deadlock ends, too, but not a slow machine's run */
	if (argc == 2 && !strcmp(argv[1], "executed"))
		return perf_events() == 0 ? 0 : 6;
	test_init_breakpoints();
	PAPI_set_domain(PAPI_DOM_ALL); /* it is for component 0, which may be disabled */
	test_must(PAPI_thread_init((unsigned long (*)(void))pthread_self), "PAPI_thread_init");
	test_lists();
	test_threads();
	test_fork();
	test_fork_in_callback();
	return tap_done();
}
