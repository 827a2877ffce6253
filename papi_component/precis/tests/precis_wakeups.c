/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When samples arrive: at a watermark as many as it says, of a helper thread
 * without anybody's asking, by signals each at once.
 */
#define _GNU_SOURCE /* CPU_SET() */
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "precis_test.h"

#define ROUNDS 20
/* A busy machine may take its time; one that never delivers fails. */
#define PATIENCE_S 60
/* A record of all fields that a breakpoint has is shorter. */
#define RECORD_BYTES_MOST 128

static volatile long cell __attribute__((aligned(8)));
static uint64_t samples; /* atomic: what is told of a sample has been noted before */
static int in_signal, elsewhere;

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	(void)sample;
	in_signal += arrival->context != NULL;
	elsewhere += test_tid() != *(pid_t *)user;
	__atomic_add_fetch(&samples, 1, __ATOMIC_ACQ_REL);
}

static int wait_for(uint64_t expected)
{
	time_t end = time(NULL) + PATIENCE_S;

	while (__atomic_load_n(&samples, __ATOMIC_ACQUIRE) < expected && time(NULL) < end)
		;
	return __atomic_load_n(&samples, __ATOMIC_ACQUIRE) == expected;
}

static void begin(int set, int code, uint32_t delivery, uint32_t watermark)
{
	static pid_t tid;
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = delivery,
		.period = 1,
		.callback = on_sample,
		.watermark_samples = watermark,
		.user = &tid,
	};

	tid = test_tid();
	samples = 0;
	in_signal = elsewhere = 0;
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	test_must(PAPI_start(set), "PAPI_start");
}

/* As many accesses as a watermark says, and nothing else: they must arrive. */
static int arrive(uint32_t delivery, uint32_t watermark)
{
	for (uint64_t round = 1; round <= ROUNDS; round++) {
		for (uint32_t n = 0; n < watermark; n++)
			cell = n;
		if (!wait_for(round * watermark)) {
			printf("# delivery %u, round %" PRIu64 ": %" PRIu64 " samples of %" PRIu64
			       "\n",
			       delivery, round, samples, round * watermark);
			return 0;
		}
	}
	return 1;
}

static void check_watermark(int set, int code, uint32_t watermark)
{
	struct precis_papi_statistics statistics;
	uint64_t wakeups, half_full;

	begin(set, code, PRECIS_PAPI_WATERMARK, watermark);
	tap_ok(arrive(PRECIS_PAPI_WATERMARK, watermark), "watermark of %u: samples arrive",
	       watermark);
	statistics = test_statistics(set, code);
	wakeups = statistics.wakeups;
	half_full = statistics.samples * RECORD_BYTES_MOST / (statistics.ring_bytes / 2);
	tap_ok(wakeups >= ROUNDS && wakeups <= ROUNDS + half_full,
	       "with one signal each time, %" PRIu64 " of them, and one for each half ring",
	       wakeups);
	tap_equal(in_signal, (int64_t)(ROUNDS * watermark), "all in a signal handler");
	tap_equal(elsewhere, 0, "on the thread that is sampled");
	cell = 1;
	/* At a watermark of 1 it sends a signal of its own, which must not come while the next set runs. */
	if (watermark == 1)
		wait_for(ROUNDS + 1);
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	tap_equal((int64_t)samples, ROUNDS * (int64_t)watermark + 1,
		  "PAPI_stop delivers the rest");
}

static void check_thread(int set, int code, uint32_t watermark)
{
	uint64_t wakeups;

	begin(set, code, PRECIS_PAPI_THREAD, watermark);
	tap_ok(arrive(PRECIS_PAPI_THREAD, watermark ? watermark : 3),
	       "thread, watermark of %u: samples arrive", watermark);
	wakeups = test_statistics(set, code).wakeups;
	tap_ok(wakeups >= ROUNDS, "the helper thread has been woken: %" PRIu64, wakeups);
	tap_ok(!in_signal && (uint64_t)elsewhere == samples, "all in a thread of the component's");
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
}

/* The helper thread, by its name. @return its number; 0: there is none */
static pid_t find_helper(void)
{
	DIR *threads = opendir("/proc/self/task");
	struct dirent *entry;
	pid_t found = 0;

	while (threads && !found && (entry = readdir(threads))) {
		char path[300], name[32] = "";
		FILE *file;

		snprintf(path, sizeof(path), "/proc/self/task/%s/comm", entry->d_name);
		file = fopen(path, "r");
		if (!file)
			continue;
		if (fgets(name, sizeof(name), file) && !strcmp(name, "precis\n"))
			found = (pid_t)atoi(entry->d_name);
		fclose(file);
	}
	if (threads)
		closedir(threads);
	return found;
}

/* Begun by a thread that is bound to one CPU, it may still use all that the process had. */
static void check_helper(int set, int code)
{
	time_t end = time(NULL) + PATIENCE_S;
	cpu_set_t before, one, its;
	pid_t helper = 0;
	int cpu = 0;

	if (sched_getaffinity(0, sizeof(before), &before))
		test_bail_out("sched_getaffinity", PAPI_ESYS);
	while (!CPU_ISSET(cpu, &before))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
	begin(set, code, PRECIS_PAPI_THREAD, 1);
	CPU_ZERO(&its);
	while ((!helper || !CPU_EQUAL(&its, &before)) && time(NULL) < end) {
		helper = find_helper();
		if (helper && sched_getaffinity(helper, sizeof(its), &its))
			CPU_ZERO(&its);
	}
	tap_ok(helper != 0, "the helper thread has a name");
	if (CPU_COUNT(&before) > 1)
		tap_ok(CPU_EQUAL(&its, &before),
		       "and may use the CPUs of the process, not its starter's one");
	else
		tap_skip("there is one CPU", "and may use the CPUs of the process");
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	sched_setaffinity(0, sizeof(before), &before);
}

/* --- threads that are idle ------------------------------------------------------------- */

#define IDLE_THREADS 100
#define IDLE_US 2000000 /* after which the helper thread expects none of them any more */
#define FEW 3 /* samples that no watermark tells of */

static pthread_barrier_t idle, awake, done;

static void *be_idle(void *unused)
{
	static volatile long cells[IDLE_THREADS];
	static unsigned int taken;
	volatile long *its = &cells[__atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED)];
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = PRECIS_PAPI_THREAD,
		.period = 1,
		.callback = on_sample,
		.ring_bytes = 4096,
		.user = &(pid_t){ 0 },
	};
	int set, code;

	(void)unused;
	test_must(PAPI_register_thread(), "PAPI_register_thread");
	set = test_set_of_breakpoint(its, &code);
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	test_must(PAPI_start(set), "PAPI_start");
	pthread_barrier_wait(&idle);
	pthread_barrier_wait(&awake);
	for (long n = 0; n < FEW; n++)
		*its = n;
	pthread_barrier_wait(&done);
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	test_destroy(&set);
	test_must(PAPI_unregister_thread(), "PAPI_unregister_thread");
	return NULL;
}

static void check_idle(void)
{
	pthread_t threads[IDLE_THREADS];
	int all_came;

	samples = 0;
	pthread_barrier_init(&idle, NULL, IDLE_THREADS + 1);
	pthread_barrier_init(&awake, NULL, IDLE_THREADS + 1);
	pthread_barrier_init(&done, NULL, IDLE_THREADS + 1);
	for (int n = 0; n < IDLE_THREADS; n++)
		test_must(pthread_create(&threads[n], NULL, be_idle, NULL), "pthread_create");
	pthread_barrier_wait(&idle);
	usleep(IDLE_US);
	pthread_barrier_wait(&awake);
	all_came = wait_for(IDLE_THREADS * FEW);
	tap_ok(all_came, "a few samples of each of %d threads that were idle arrive, too", IDLE_THREADS);
	pthread_barrier_wait(&done);
	for (int n = 0; n < IDLE_THREADS; n++)
		pthread_join(threads[n], NULL);
}

static void check_sample(int set, int code)
{
	begin(set, code, PRECIS_PAPI_SAMPLE, 0);
	tap_ok(arrive(PRECIS_PAPI_SAMPLE, 1), "signal for each sample: it arrives");
	tap_equal((int64_t)test_statistics(set, code).wakeups, ROUNDS, "with one signal each");
	tap_ok(in_signal == ROUNDS && !elsewhere, "in a handler on the thread that is sampled");
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
}

int main(int argc, char **argv)
{
	int set, code;

	test_begin(argc, argv);
	test_init_breakpoints();
	test_must(PAPI_thread_init((unsigned long (*)(void))pthread_self), "PAPI_thread_init");
	set = test_set_of_breakpoint(&cell, &code);
	check_helper(set, code); /* first: before there is one */
	check_watermark(set, code, 1);
	check_watermark(set, code, 5);
	check_watermark(set, code, 100);
	check_thread(set, code, 0);
	check_thread(set, code, 1);
	check_thread(set, code, 50);
	check_sample(set, code);
	test_destroy(&set);
	check_idle();
	return tap_done();
}
