/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What TAU calls, in its order: EventSets by component index, two metrics, one of
 * them sampled by PAPI_overflow, and PAPI_read with PAPI_reset at every timer
 * event of every thread; then a fork(2), after which it begins anew.
 */
#define _GNU_SOURCE /* registers in <ucontext.h> */
#include <pthread.h>
#include <sys/wait.h>

#include "precis_tools.h"

#define COMPONENTS 4 /* TAU_PAPI_MAX_COMPONENTS: its arrays are not longer */
#define THREADS 3
/* Of each thread; and if the environment wants few repetitions */
#define TIMER_EVENTS 100000u
#define FEW_TIMER_EVENTS 20000u
#define PERIOD 7 /* of the breakpoint, in stores */
#define CLOCK_PERIOD 200000 /* nanoseconds */

/* How many stores lie between two timer events: any number will do */
#define STORES(timer_event) ((timer_event) % 3)

static const char *const codes_of[] = { "SW_CPU_CLOCK", "BREAKPOINT" };
enum { CLOCK, STORE, METRICS };

struct tau_thread {
	volatile long cell;
	int set[COMPONENTS];
	int code[METRICS];
	int source; /* the metric that is sampled */
	long long values[METRICS]; /* sums of what was read before each reset */
	int backward; /* reads that were below 0 */
	uint64_t stores;
	const void *stack;
	volatile uint64_t samples, strange;
	struct precis_papi_statistics statistics;
	int error;
	const char *what;
};

static __thread struct tau_thread *current;

static unsigned long thread_id(void)
{
	return (unsigned long)test_tid();
}

static void on_overflow(int set, void *address, long long vector, void *context)
{
	struct tau_thread *tau = current;

	if (!tau)
		return;
	tau->samples = tau->samples + 1;
	if ((uintptr_t)address >> 48 == 0xffff || !vector ||
	    set != tau->set[PAPI_get_component_index("precis")] ||
	    !tools_can_unwind(context, tau->stack) ||
	    (tau->source == STORE && !tools_is_store(address)))
		tau->strange = tau->strange + 1;
}

static int fail(struct tau_thread *tau, int error, const char *what)
{
	if (error != PAPI_OK && !tau->error) {
		tau->error = error;
		tau->what = what;
	}
	return error != PAPI_OK;
}

static int add_metric(struct tau_thread *tau, int metric)
{
	char name[PAPI_MAX_STR_LEN];
	int component;

	if (metric == STORE)
		snprintf(name, sizeof(name), "precis:::%s:addr=0x%" PRIxPTR ":len=8:access=w",
			 codes_of[metric], (uintptr_t)&tau->cell);
	else
		snprintf(name, sizeof(name), "precis:::%s", codes_of[metric]);
	if (fail(tau, PAPI_event_name_to_code(name, &tau->code[metric]), "event_name_to_code") ||
	    fail(tau, PAPI_query_event(tau->code[metric]), "query_event"))
		return -1;
	component = PAPI_get_event_component(tau->code[metric]);
	if (component < 0 || component >= COMPONENTS)
		return fail(tau, PAPI_ENOCMP, "get_event_component");
	return fail(tau, PAPI_add_event(tau->set[component], tau->code[metric]), "add_event");
}

/* TAU has an EventSet for each component, though most stay empty. */
static int begin(struct tau_thread *tau, int precis)
{
	for (int n = 0; n < COMPONENTS; n++) {
		tau->set[n] = PAPI_NULL;
		if (fail(tau, PAPI_create_eventset(&tau->set[n]), "create_eventset"))
			return -1;
		if (n < PAPI_num_components())
			PAPI_assign_eventset_component(tau->set[n], n);
	}
	for (int metric = 0; metric < METRICS; metric++) {
		if (add_metric(tau, metric))
			return -1;
	}
	if (fail(tau,
		 PAPI_overflow(tau->set[precis], tau->code[tau->source],
			       tau->source == STORE ? PERIOD : CLOCK_PERIOD, 0, on_overflow),
		 "overflow"))
		return -1;
	return fail(tau, PAPI_start(tau->set[precis]), "start");
}

static int timer_event(struct tau_thread *tau, int precis)
{
	long long values[METRICS];

	if (fail(tau, PAPI_read(tau->set[precis], values), "read") ||
	    fail(tau, PAPI_reset(tau->set[precis]), "reset"))
		return -1;
	for (int metric = 0; metric < METRICS; metric++) {
		tau->values[metric] += values[metric];
		tau->backward += values[metric] < 0;
	}
	return 0;
}

static void end(struct tau_thread *tau, int precis)
{
	long long values[METRICS] = { 0 };

	if (fail(tau, PAPI_stop(tau->set[precis], values), "stop"))
		return;
	for (int metric = 0; metric < METRICS; metric++)
		tau->values[metric] += values[metric];
	tau->statistics.size = sizeof(tau->statistics);
	fail(tau,
	     precis_papi_get_statistics(tau->set[precis], tau->code[tau->source], &tau->statistics),
	     "get_statistics");
	for (int n = 0; n < COMPONENTS; n++) {
		PAPI_cleanup_eventset(tau->set[n]);
		PAPI_destroy_eventset(&tau->set[n]);
	}
}

static void profile(struct tau_thread *tau, uint64_t timer_events)
{
	int precis = PAPI_get_component_index("precis");

	tau->stack = __builtin_frame_address(0);
	current = tau;
	if (!begin(tau, precis)) {
		for (uint64_t n = 0; n < timer_events && !timer_event(tau, precis); n++) {
			tools_store(&tau->cell, STORES(n));
			tau->stores += STORES(n);
		}
		/* the clock's samples come when they come */
		while (tau->source == CLOCK && tau->samples < 10 && !timer_event(tau, precis)) {
			tools_store(&tau->cell, 1);
			tau->stores++;
		}
		end(tau, precis);
	}
	current = NULL;
}

static void *run_thread(void *argument)
{
	const char *few = getenv("PRECIS_FEW_REPETITIONS");

	profile(argument, few && *few && *few != '0' ? FEW_TIMER_EVENTS : TIMER_EVENTS);
	PAPI_unregister_thread();
	return NULL;
}

/* @return whether all is as it has to be */
static int is_exact(const struct tau_thread *tau)
{
	uint64_t expected = tau->stores / PERIOD;

	return !tau->error && !tau->backward && !tau->strange &&
	       tau->values[STORE] == (long long)tau->stores && tau->values[CLOCK] > 0 &&
	       (tau->source != STORE ||
		tau->samples + tau->statistics.lost + tau->statistics.discarded == expected);
}

static void report(const struct tau_thread *tau, const char *who)
{
	const char *source = codes_of[tau->source];

	if (!tap_ok(!tau->error, "%s, source %s: every call of PAPI's succeeds", who, source))
		printf("# PAPI_%s: %d: %s\n", tau->what, tau->error, PAPI_strerror(tau->error));
	tap_equal(tau->values[STORE], (int64_t)tau->stores,
		  "%s, source %s: what was read before each reset adds up to all stores", who,
		  source);
	tap_ok(!tau->backward && tau->values[CLOCK] > 0, "%s, source %s: the clock only advances",
	       who, source);
	tap_equal((int64_t)tau->strange, 0,
		  "%s, source %s: each sample has an address and a context to unwind from", who,
		  source);
	tap_equal((int64_t)tau->samples, (int64_t)tau->statistics.samples,
		  "%s, source %s: one call for each sample", who, source);
	if (tau->source == STORE) {
		tap_equal((int64_t)tau->samples, (int64_t)(tau->stores / PERIOD),
			  "%s, source %s: one sample for every %d stores", who, source, PERIOD);
		tap_equal((int64_t)(tau->statistics.lost + tau->statistics.discarded), 0,
			  "%s, source %s: none is lost", who, source);
	}
}

static void test_threads(int source)
{
	static struct tau_thread all[THREADS];
	pthread_t threads[THREADS];
	char who[32];

	memset(all, 0, sizeof(all));
	for (int n = 0; n < THREADS; n++) {
		all[n].source = source;
		if (pthread_create(&threads[n], NULL, run_thread, &all[n]))
			test_bail_out("pthread_create", PAPI_ENOMEM);
	}
	for (int n = 0; n < THREADS; n++) {
		pthread_join(threads[n], NULL);
		snprintf(who, sizeof(who), "thread %d", n);
		report(&all[n], who);
	}
}

/*
 * TAU's child of fork(2) does all again, from PAPI_library_init on. Before that
 * it may get rid of what it believes is its own: the parent must not notice.
 */
static int child(struct tau_thread *parents, int precis)
{
	long long values[METRICS];
	static struct tau_thread tau = { .source = STORE };
	int version;

	PAPI_read(parents->set[precis], values);
	PAPI_reset(parents->set[precis]);
	PAPI_stop(parents->set[precis], values);
	PAPI_cleanup_eventset(parents->set[precis]);
	version = PAPI_library_init(PAPI_VER_CURRENT);
	if (version != PAPI_VER_CURRENT || PAPI_thread_init(thread_id) != PAPI_OK)
		return 2;
	profile(&tau, 1000);
	return is_exact(&tau) && tau.samples ? 0 : 1;
}

static void test_fork(void)
{
	static struct tau_thread tau = { .source = STORE };
	int precis = PAPI_get_component_index("precis"), status = -1;
	pid_t pid;

	tau.stack = __builtin_frame_address(0);
	current = &tau;
	if (!begin(&tau, precis)) {
		for (int n = 0; n < 100; n++) {
			tools_store(&tau.cell, 10);
			timer_event(&tau, precis);
		}
		pid = fork();
		if (!pid)
			_exit(child(&tau, precis));
		for (int n = 0; n < 100; n++) {
			tools_store(&tau.cell, 10);
			timer_event(&tau, precis);
		}
		waitpid(pid, &status, 0); /* whatever it did, it has done by now */
		tools_store(&tau.cell, 5);
		tau.stores = 2005;
		end(&tau, precis);
	}
	current = NULL;
	tap_ok(WIFEXITED(status) && !WEXITSTATUS(status),
	       "a child that begins anew has samples of its own (status 0x%x)", status);
	report(&tau, "the parent of a child");
}

int main(int argc, char **argv)
{
	int component;

	test_begin(argc, argv);
	alarm(1800); /* a deadlock ends, too, but not a slow machine's run */
	test_init_breakpoints();
	test_must(PAPI_thread_init(thread_id), "PAPI_thread_init");
	component = PAPI_get_component_index("precis");
	tap_ok(component >= 0 && component < COMPONENTS,
	       "the component's index, %d, is one that TAU has room for", component);
	test_threads(STORE);
	test_threads(CLOCK);
	test_fork();
	return tap_done();
}
