/* SPDX-License-Identifier: BSD-3-Clause */
/* See switch_cost.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* CPU affinity, syscall() */
#endif
#include "switch_cost.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "timeslices.h"

#define ROUNDS 20u
#define TURNS 25u
/* A CPU that others want, too: what has been measured until then has to do */
#define LONGEST_NS UINT64_C(100000000)

enum state { BARE, OFF, ARMED, STATES };

struct pair {
	int there, back; /* eventfds */
	uint32_t tid; /* of the other thread */
	int must_end;
	clockid_t its_time;
};

static int give(int fd)
{
	const uint64_t one = 1;

	return write(fd, &one, sizeof(one)) == (ssize_t)sizeof(one);
}

static int await(int fd)
{
	uint64_t count;
	ssize_t bytes;

	do
		bytes = read(fd, &count, sizeof(count));
	while (bytes < 0 && errno == EINTR);
	return bytes == (ssize_t)sizeof(count);
}

static void *give_back(void *data)
{
	struct pair *pair = data;

	pair->tid = (uint32_t)syscall(SYS_gettid);
	while (give(pair->back) && await(pair->there) &&
	       !__atomic_load_n(&pair->must_end, __ATOMIC_ACQUIRE))
		;
	return NULL;
}

static uint64_t time_of(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* CPU time of both threads */
static uint64_t time_of_both(const struct pair *pair)
{
	return time_of(CLOCK_THREAD_CPUTIME_ID) + time_of(pair->its_time);
}

/* One switch, in ns; each turn is two. 0: no */
static uint64_t pass_turns(const struct pair *pair)
{
	const uint64_t begun = time_of_both(pair);

	for (uint32_t n = 0; n < TURNS; n++) {
		if (!give(pair->there) || !await(pair->back))
			return 0;
	}
	return (time_of_both(pair) - begun) / (2 * TURNS);
}

/* Where nothing is stored to. 0, or -errno */
static int bring_into(struct watch *watch, const struct pair *pair, enum state state)
{
	static const uint64_t untouched[WATCH_REGISTERS] __attribute__((aligned(64)));
	struct watch_register registers[WATCH_REGISTERS];
	int error = 0;

	for (uint32_t n = 0; n < WATCH_REGISTERS; n++)
		registers[n] = (struct watch_register){ (uintptr_t)&untouched[n], 8, WATCH_STORES };
	if (state == BARE) {
		watch_forget(watch);
	} else if (state == OFF) {
		watch_meet(watch, (uint32_t)syscall(SYS_gettid));
		watch_meet(watch, pair->tid);
		error = watch->count == 2 ? 0 : -watch->error;
	} else {
		for (uint32_t n = 0; n < watch->count && !error; n++)
			error = watch_arm(watch, &watch->threads[n], registers);
	}
	return error;
}

/* The quickest round: others are of what else the CPU does */
static int measure_rounds(struct watch *watch, const struct pair *pair, struct switch_cost *cost)
{
	uint64_t least[STATES] = { UINT64_MAX, UINT64_MAX, UINT64_MAX };
	const uint64_t begun = watch_now_ns();

	for (uint32_t round = 0; round < ROUNDS && watch_now_ns() - begun < LONGEST_NS; round++) {
		for (enum state state = BARE; state < STATES; state++) {
			const int error = bring_into(watch, pair, state);
			const uint64_t each = error ? 0 : pass_turns(pair);

			if (!each)
				return error ? error : -EIO;
			least[state] = each < least[state] ? each : least[state];
		}
	}
	cost->off_ns = least[OFF] > least[BARE] ? least[OFF] - least[BARE] : 0;
	cost->armed_ns = least[ARMED] > least[BARE] ? least[ARMED] - least[BARE] : 0;
	return 0;
}

/* Both threads on the CPU of the caller; no signal of the program's is for the other one. */
static int create(struct pair *pair, pthread_t *thread, const cpu_set_t *cpu)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	int error = pthread_attr_init(&attributes);

	if (error)
		return -error;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_attr_setaffinity_np(&attributes, sizeof(*cpu), cpu);
	if (!error)
		error = pthread_create(thread, &attributes, give_back, pair);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return -error;
}

static int measure_pair(struct watch *watch, struct pair *pair, const cpu_set_t *cpu,
			struct switch_cost *cost)
{
	pthread_t thread;
	int error = create(pair, &thread, cpu);

	if (error)
		return error;
	error = await(pair->back) ? -pthread_getcpuclockid(thread, &pair->its_time) : -EIO;
	if (!error)
		error = measure_rounds(watch, pair, cost);
	watch_forget(watch);
	__atomic_store_n(&pair->must_end, 1, __ATOMIC_RELEASE);
	give(pair->there);
	pthread_join(thread, NULL);
	return error;
}

static int measure_on_cpu(struct watch *watch, struct switch_cost *cost)
{
	struct pair pair = { .there = eventfd(0, EFD_CLOEXEC), .back = eventfd(0, EFD_CLOEXEC) };
	const int cpu_number = sched_getcpu();
	cpu_set_t cpu, before;
	int error = -EIO;

	CPU_ZERO(&cpu);
	if (cpu_number >= 0 && cpu_number < CPU_SETSIZE)
		CPU_SET(cpu_number, &cpu);
	if (pair.there < 0 || pair.back < 0)
		error = -EMFILE;
	else if (sched_getaffinity(0, sizeof(before), &before) ||
		 sched_setaffinity(0, sizeof(cpu), &cpu))
		error = -errno;
	else {
		error = measure_pair(watch, &pair, &cpu, cost);
		sched_setaffinity(0, sizeof(before), &before);
	}
	if (pair.there >= 0)
		close(pair.there);
	if (pair.back >= 0)
		close(pair.back);
	return error;
}

/* Does this kernel count switches? 0, or -errno */
static int count_own(void)
{
	const int fd = timeslices_open(getpid(), (uint32_t)syscall(SYS_gettid));
	uint64_t count;
	int error;

	if (fd < 0)
		return fd == -ENOENT ? -ENODATA : fd;
	error = timeslices_read(fd, &count);
	close(fd);
	return error;
}

void switch_cost_measure(struct watch *watch, struct switch_cost *cost)
{
	int error = count_own();

	*cost = (struct switch_cost){ 0 };
	if (!error)
		error = measure_on_cpu(watch, cost);
	cost->error = -error;
}
