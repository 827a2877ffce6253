/* SPDX-License-Identifier: BSD-3-Clause */
/* What is measured: threads that inherit, other threads, CPUs, the kernel; and threads that end. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <time.h>

#include "precis_test.h"

#define ACCESSES 700
#define PERIOD 7

static volatile long cell __attribute__((aligned(8)));
static volatile uint64_t samples;
static uint64_t wrong_tid, wrong_cpu, in_kernel, in_user;
static volatile pid_t expected_tid;
static int expected_cpu = -1;

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	uint64_t value;

	(void)arrival;
	(void)user;
	samples++;
	wrong_tid +=
		expected_tid && (!precis_get_tid(sample, &value) || (pid_t)value != expected_tid);
	wrong_cpu += expected_cpu >= 0 &&
		     (!precis_get_cpu(sample, &value) || (int)value != expected_cpu);
	if (precis_get_ip(sample, &value)) {
		in_kernel += value >> 63;
		in_user += !(value >> 63);
	}
}

static struct precis_papi_sampling sampling_of(uint32_t delivery, uint64_t period)
{
	samples = wrong_tid = wrong_cpu = in_kernel = in_user = 0;
	expected_tid = 0;
	expected_cpu = -1;
	return (struct precis_papi_sampling){ .size = sizeof(struct precis_papi_sampling),
					      .delivery = delivery,
					      .period = period,
					      .callback = on_sample };
}

static void access_cell(void)
{
	for (long n = 0; n < ACCESSES; n++)
		__atomic_store_n(&cell, n, __ATOMIC_RELAXED); /* threads do so at once */
}

/* --- inherit ---------------------------------------------------------------------- */

/* Children that nobody has told PAPI of, and a process; all at once, on whatever CPUs */
#define CHILDREN 6
#define LARGE ((uint64_t)1 << 20) /* a ring for all samples, or not */
#define SMALL 4096u

#define FAMILY (CHILDREN + 2) /* the thread itself and the process as well */

static pid_t family[FAMILY];
static struct {
	pid_t tid;
	uint64_t samples;
} seen[FAMILY]; /* by the callback */
static uint64_t of_more; /* tids than there are */

static void on_child(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		     void *user)
{
	uint64_t tid = 0;
	int n = 0;

	on_sample(sample, arrival, user);
	precis_get_tid(sample, &tid);
	while (n < FAMILY && seen[n].tid && seen[n].tid != (pid_t)tid)
		n++;
	if (n == FAMILY) {
		of_more++;
		return;
	}
	seen[n].tid = (pid_t)tid;
	seen[n].samples++;
}

static uint64_t samples_of(pid_t tid)
{
	for (int n = 0; n < FAMILY; n++) {
		if (seen[n].tid == tid)
			return seen[n].samples;
	}
	return 0;
}

static uint64_t samples_of_family(void)
{
	uint64_t sum = 0;

	for (int n = 0; n < FAMILY; n++)
		sum += samples_of(family[n]);
	return sum;
}

static void forget(void)
{
	memset(seen, 0, sizeof(seen));
	of_more = samples = 0;
}

static void *access_as_child(void *child)
{
	*(pid_t *)child = test_tid();
	access_cell();
	return NULL;
}

static void have_children(int many)
{
	pthread_t threads[CHILDREN];
	pid_t child;

	family[CHILDREN] = test_tid();
	access_cell();
	for (int n = 0; n < many; n++)
		test_must(pthread_create(&threads[n], NULL, access_as_child, &family[n]),
			  "pthread_create");
	for (int n = 0; n < many; n++)
		pthread_join(threads[n], NULL);
	child = fork();
	if (!child) {
		access_cell();
		_exit(0);
	}
	family[CHILDREN + 1] = child;
	waitpid(child, NULL, 0);
}

static int inherit(int set, int inherits)
{
	PAPI_option_t option = { .inherit = { .eventset = set, .inherit = inherits } };

	return PAPI_set_opt(PAPI_INHERIT, &option);
}

static int inheriting_set(int *code)
{
	int set = test_set_of_breakpoint(&cell, code);

	test_must(inherit(set, PAPI_INHERIT_ALL), "PAPI_INHERIT");
	return set;
}

static void check_inherit_counted(void)
{
	int code, set = inheriting_set(&code);
	long long count[1];

	test_must(PAPI_start(set), "PAPI_start");
	have_children(1);
	test_must(PAPI_stop(set, count), "PAPI_stop");
	tap_equal(count[0], 3 * ACCESSES, "inherited: the count has the children's part");
	test_destroy(&set);
}

static void check_inherit(uint32_t delivery, uint64_t period, uint64_t ring_bytes)
{
	struct precis_papi_sampling sampling = sampling_of(delivery, period);
	struct precis_papi_statistics statistics;
	int code, set = test_set_of_breakpoint(&cell, &code), wrong = 0;
	long long count[1], generated;

	sampling.callback = on_child;
	sampling.ring_bytes = ring_bytes;
	forget();
	/* in the one order or the other */
	if (delivery == PRECIS_PAPI_BATCH)
		test_must(inherit(set, PAPI_INHERIT_ALL), "PAPI_INHERIT");
	tap_call(precis_papi_set_sampling(set, code, &sampling), "inherited, delivery %u: sampled",
		 delivery);
	if (delivery != PRECIS_PAPI_BATCH)
		test_must(inherit(set, PAPI_INHERIT_ALL), "PAPI_INHERIT");
	for (int run = 1; run <= 2; run++) { /* the statistics are of one, the samples of both */
		test_must(PAPI_start(set), "PAPI_start");
		have_children(CHILDREN);
		test_must(PAPI_read(set, count), "PAPI_read");
		tap_equal(count[0], FAMILY * ACCESSES, "the count has all of the children");
		test_must(PAPI_reset(set), "PAPI_reset");
		access_cell();
		test_must(PAPI_stop(set, count), "PAPI_stop");
		tap_equal(count[0], ACCESSES, "and nothing of them after PAPI_reset");
		statistics = test_statistics(set, code);
		generated = (FAMILY + 1) * ACCESSES / (long long)period;
		if (period == 1)
			tap_equal((int64_t)(statistics.samples + statistics.lost), generated,
				  "samples and lost ones are all");
		else /* a period for each thread and CPU: what remains of them has no sample */
			tap_ok(statistics.samples > 0 && !statistics.lost &&
				       (long long)statistics.samples <= generated,
			       "samples: %" PRIu64 " of at most %lld", statistics.samples,
			       generated);
		tap_equal(statistics.lost > 0, ring_bytes == SMALL,
			  "none is lost but of a small ring");
		tap_equal((int64_t)samples, (int64_t)statistics.samples, "each was delivered");
		tap_ok(samples_of_family() == samples && !of_more,
		       "and is of a thread that there was");
		for (int n = 0; n < FAMILY && period == 1 && ring_bytes != SMALL; n++)
			wrong += samples_of(family[n]) != (n == CHILDREN ? 2 : 1) * ACCESSES;
		tap_equal(wrong, 0, "each thread has its own");
		forget();
	}
	test_must(inherit(set, PAPI_INHERIT_NONE), "PAPI_INHERIT");
	test_must(PAPI_start(set), "PAPI_start");
	have_children(1);
	test_must(PAPI_stop(set, count), "PAPI_stop");
	statistics = test_statistics(set, code);
	tap_ok(count[0] == ACCESSES && samples_of(test_tid()) == samples &&
		       (long long)(samples + statistics.lost) == ACCESSES / (long long)period,
	       "no longer inherited, it is of its thread");
	samples = 0;
	test_must(inherit(set, PAPI_INHERIT_ALL), "PAPI_INHERIT");
	test_must(precis_papi_set_sampling(set, code, NULL), "precis_papi_set_sampling");
	test_must(PAPI_start(set), "PAPI_start");
	have_children(1);
	test_must(PAPI_stop(set, count), "PAPI_stop");
	tap_equal(count[0], 3 * ACCESSES, "no longer sampled, it counts");
	tap_equal((int64_t)samples, 0, "and has no samples");
	test_destroy(&set);
}

/*
 * Children that go on while the EventSet is stopped. PAPI_stop reads the count before it stops the
 * event: there may be a few samples more.
 */
#define AT_ONCE 2
static int children_must_end;

static void *access_on(void *unused)
{
	while (!__atomic_load_n(&children_must_end, __ATOMIC_RELAXED)) {
		__atomic_store_n(&cell, 1, __ATOMIC_RELAXED);
		sched_yield(); /* valgrind runs one thread at a time */
	}
	return unused;
}

static void check_inherit_stopped(uint32_t delivery)
{
	struct precis_papi_sampling sampling = sampling_of(delivery, 1);
	struct precis_papi_statistics statistics;
	int code, set = inheriting_set(&code);
	pthread_t threads[AT_ONCE];
	long long count[1];
	int wrong = 0;

	children_must_end = 0;
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	for (int n = 0; n < AT_ONCE; n++)
		test_must(pthread_create(&threads[n], NULL, access_on, NULL), "pthread_create");
	for (int run = 0; run < 5; run++) {
		test_must(PAPI_start(set), "PAPI_start");
		for (int n = 0; n < 2; n++) {
			access_cell();
			precis_papi_drain(set);
		}
		test_must(PAPI_stop(set, count), "PAPI_stop");
		statistics = test_statistics(set, code);
		wrong += (long long)(statistics.samples + statistics.lost) < count[0] ||
			 statistics.samples != samples || count[0] < 2 * ACCESSES;
		samples = 0;
	}
	tap_equal(wrong, 0,
		  "delivery %u, stopped while children run: none of the "
		  "count is without a sample",
		  delivery);
	__atomic_store_n(&children_must_end, 1, __ATOMIC_RELAXED);
	for (int n = 0; n < AT_ONCE; n++)
		pthread_join(threads[n], NULL);
	test_destroy(&set);
}

static void check_inherit_refused(void)
{
	static const struct {
		uint32_t delivery;
		double max_overhead;
		const char *word;
	} cases[] = {
		{ PRECIS_PAPI_SAMPLE, 0, "BATCH and THREAD" },
		{ PRECIS_PAPI_WATERMARK, 0, "BATCH and THREAD" },
		{ PRECIS_PAPI_BATCH, 0.1, "max_overhead" },
	};
	struct precis_papi_sampling sampling = sampling_of(PRECIS_PAPI_SAMPLE, 1);
	int code, set = inheriting_set(&code), error;

	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		sampling.delivery = cases[n].delivery;
		sampling.max_overhead = cases[n].max_overhead;
		error = precis_papi_set_sampling(set, code, &sampling);
		tap_ok(error == PAPI_ENOSUPP && strstr(precis_papi_strerror(error), cases[n].word),
		       "inherited: refused: %s", precis_papi_strerror(error));
	}
	test_destroy(&set);
	set = test_set_of_breakpoint(&cell, &code);
	sampling.delivery = PRECIS_PAPI_SAMPLE;
	sampling.max_overhead = 0;
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	error = inherit(set, PAPI_INHERIT_ALL);
	tap_ok(error == PAPI_ENOSUPP && strstr(precis_papi_strerror(error), "BATCH and THREAD"),
	       "nor can an event with signals be inherited afterwards");
	test_must(PAPI_start(set), "PAPI_start");
	access_cell();
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	tap_equal((int64_t)samples, ACCESSES, "it has its samples as before");
	test_destroy(&set);
}

/* --- another thread ------------------------------------------------------------------- */

static pthread_barrier_t barrier;

static void *access_when_told(void *unused)
{
	expected_tid = test_tid();
	pthread_barrier_wait(&barrier); /* here I am */
	pthread_barrier_wait(&barrier); /* started */
	access_cell();
	pthread_barrier_wait(&barrier); /* done */
	pthread_barrier_wait(&barrier); /* stopped */
	return unused;
}

static void check_attached(uint32_t delivery)
{
	struct precis_papi_sampling sampling = sampling_of(delivery, PERIOD);
	int set = PAPI_NULL, code;
	long long count[1];
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	test_must(pthread_create(&thread, NULL, access_when_told, NULL), "pthread_create");
	pthread_barrier_wait(&barrier);
	set = test_set_of_breakpoint(&cell, &code);
	test_must(PAPI_attach(set, (unsigned long)expected_tid), "PAPI_attach");
	tap_call(precis_papi_set_sampling(set, code, &sampling),
		 "delivery %u: attached to a thread", delivery);
	test_must(PAPI_start(set), "PAPI_start");
	access_cell(); /* not this thread's */
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	test_must(PAPI_stop(set, count), "PAPI_stop");
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	tap_equal(count[0], ACCESSES, "the count is that thread's");
	tap_equal((int64_t)samples, ACCESSES / PERIOD, "the samples, too");
	tap_equal((int64_t)wrong_tid, 0, "and they say so");
	sampling.delivery = PRECIS_PAPI_SAMPLE;
	tap_equal(precis_papi_set_sampling(set, code, &sampling), PAPI_EINVAL,
		  "no signals from an attached EventSet");
	test_destroy(&set);
	pthread_barrier_destroy(&barrier);
}

/* --- CPUs ---------------------------------------------------------------------------------- */

static void pin(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
}

static void work(void)
{
	for (unsigned int n = 0; n < 1000000; n++)
		__asm__ volatile("" : : "r"(n));
}

static void check_cpu(int by_granularity)
{
	struct precis_papi_sampling sampling = sampling_of(PRECIS_PAPI_BATCH, 1000000);
	PAPI_option_t cpu = { .cpu = { .cpu_num = 0 } };
	PAPI_option_t granularity = { .granularity = { .granularity = PAPI_GRN_SYS } };
	int code, error, set = test_set_of("SW_CPU_CLOCK", &code);
	time_t end = time(NULL) + 60;
	const char *what = by_granularity ? "PAPI_GRN_SYS" : "PAPI_CPU_ATTACH";
	cpu_set_t before;

	sched_getaffinity(0, sizeof(before), &before);
	pin(0);
	cpu.cpu.eventset = granularity.granularity.eventset = set;
	error = by_granularity ? PAPI_set_opt(PAPI_GRANUL, &granularity)
			       : PAPI_set_opt(PAPI_CPU_ATTACH, &cpu);
	if (error == PAPI_EPERM) {
		tap_skip("whole CPUs may not be measured by this user", "%s", what);
	} else {
		tap_call(error, "%s", what);
		tap_call(precis_papi_set_sampling(set, code, &sampling), "sampled");
		expected_cpu = 0;
		test_must(PAPI_start(set), "PAPI_start");
		while (samples < 20 && time(NULL) < end) {
			work();
			precis_papi_drain(set);
		}
		test_must(PAPI_stop(set, NULL), "PAPI_stop");
		tap_ok(samples >= 20 && !wrong_cpu, "samples come, and are of that CPU");
	}
	sched_setaffinity(0, sizeof(before), &before);
	test_destroy(&set);
}

/* --- domains --------------------------------------------------------------------------------- */

static void check_domain(int domain, const char *name)
{
	struct precis_papi_sampling sampling = sampling_of(PRECIS_PAPI_BATCH, 200000);
	PAPI_option_t option = { .domain = { .domain = domain } };
	int code, error, set = test_set_of("SW_CPU_CLOCK", &code);
	time_t end = time(NULL) + 60;
	int enough;

	option.domain.eventset = set;
	error = PAPI_set_opt(PAPI_DOMAIN, &option);
	if (error == PAPI_EPERM) {
		tap_skip("the kernel may not be measured by this user", "%s", name);
		test_destroy(&set);
		return;
	}
	tap_call(error, "domain %s", name);
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	test_must(PAPI_start(set), "PAPI_start");
	do {
		work();
		for (unsigned int n = 0; n < 10000; n++)
			getppid();
		precis_papi_drain(set);
		enough = (!(domain & PAPI_DOM_USER) || in_user >= 5) &&
			 (!(domain & PAPI_DOM_KERNEL) || in_kernel >= 5);
	} while (!enough && time(NULL) < end);
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	tap_ok(enough, "has its samples: user %" PRIu64 ", kernel %" PRIu64, in_user, in_kernel);
	tap_ok((domain & PAPI_DOM_USER || !in_user) && (domain & PAPI_DOM_KERNEL || !in_kernel),
	       "and no others");
	test_destroy(&set);
}

/* --- a thread that ends ----------------------------------------------------------------------- */

static int left_set, left_code;

static void *leave_samples(void *argument)
{
	struct precis_papi_sampling sampling = sampling_of(*(uint32_t *)argument, 1);

	test_must(PAPI_register_thread(), "PAPI_register_thread");
	left_set = PAPI_NULL;
	test_must(PAPI_create_eventset(&left_set), "PAPI_create_eventset");
	left_code = test_add_breakpoint(left_set, &cell);
	sampling.watermark_samples = sampling.delivery == PRECIS_PAPI_WATERMARK ? 10000 : 0;
	test_must(precis_papi_set_sampling(left_set, left_code, &sampling),
		  "precis_papi_set_sampling");
	test_must(PAPI_start(left_set), "PAPI_start");
	access_cell();
	return NULL;
}

static void check_exit(uint32_t delivery)
{
	long long count[1] = { 0 };
	pthread_t thread;

	test_must(pthread_create(&thread, NULL, leave_samples, &delivery), "pthread_create");
	pthread_join(thread, NULL);
	tap_call(PAPI_stop(left_set, count), "delivery %u: its thread has ended, it is stopped",
		 delivery);
	tap_equal(count[0], ACCESSES, "the count is there");
	tap_equal((int64_t)samples, ACCESSES, "and all samples");
	tap_call(PAPI_cleanup_eventset(left_set), "it is cleaned up");
	tap_call(PAPI_destroy_eventset(&left_set), "and destroyed");
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	test_init_breakpoints();
	test_must(PAPI_thread_init((unsigned long (*)(void))pthread_self), "PAPI_thread_init");
	check_inherit_counted();
	check_inherit(PRECIS_PAPI_BATCH, 1, LARGE);
	check_inherit(PRECIS_PAPI_THREAD, 1, LARGE);
	check_inherit(PRECIS_PAPI_BATCH, PERIOD, LARGE);
	check_inherit(PRECIS_PAPI_BATCH, 1, SMALL);
	check_inherit_stopped(PRECIS_PAPI_BATCH);
	check_inherit_stopped(PRECIS_PAPI_THREAD);
	check_inherit_refused();
	check_attached(PRECIS_PAPI_BATCH);
	check_attached(PRECIS_PAPI_THREAD);
	check_cpu(0);
	check_cpu(1);
	check_domain(PAPI_DOM_USER, "user");
	check_domain(PAPI_DOM_KERNEL, "kernel");
	check_domain(PAPI_DOM_USER | PAPI_DOM_KERNEL, "user and kernel");
	for (uint32_t delivery = 0; delivery <= PRECIS_PAPI_SAMPLE; delivery++)
		check_exit(delivery);
	return tap_done();
}
