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

/* A thread's registers, in this order: before it had some they are neither off nor closed. */
enum state { BARE, OFF, ARMED, CLOSED, STATES };

struct runner {
	pthread_t thread;
	uint32_t tid;
	clockid_t its_time;
};

struct pair {
	int turns[2], done; /* eventfds */
	int must_end;
	int count; /* of runners that there are */
	struct runner runners[2];
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

static int is_next(struct pair *pair, int runner)
{
	return await(pair->turns[runner]) && !__atomic_load_n(&pair->must_end, __ATOMIC_ACQUIRE);
}

static uint32_t own_tid(void)
{
	return (uint32_t)syscall(SYS_gettid);
}

/* So many turns to the other one and back, each time that it is asked */
static void *lead(void *data)
{
	struct pair *pair = data;

	pair->runners[0].tid = own_tid();
	while (give(pair->done) && is_next(pair, 0)) {
		for (uint32_t n = 0; n < TURNS; n++) {
			if (!give(pair->turns[1]) || !is_next(pair, 0))
				return NULL;
		}
	}
	return NULL;
}

static void *give_back(void *data)
{
	struct pair *pair = data;

	pair->runners[1].tid = own_tid();
	if (!give(pair->done))
		return NULL;
	while (is_next(pair, 1) && give(pair->turns[0]))
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
	return time_of(pair->runners[0].its_time) + time_of(pair->runners[1].its_time);
}

/* One switch, in ns; each turn is two. 0: no */
static uint64_t pass_turns(const struct pair *pair)
{
	const uint64_t begun = time_of_both(pair);

	if (!give(pair->turns[0]) || !await(pair->done))
		return 0;
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
	if (state == OFF) {
		watch_meet(watch, pair->runners[0].tid);
		watch_meet(watch, pair->runners[1].tid);
		for (uint32_t n = 0; n < watch->count && !error; n++)
			error = watch_take(watch, &watch->threads[n]);
	} else if (state == ARMED) {
		for (uint32_t n = 0; n < watch->count && !error; n++)
			error = watch_arm(watch, &watch->threads[n], registers);
	} else {
		watch_forget(watch);
	}
	return error;
}

/* The less of what it was and of what it is now. 0, or -errno */
static int measure_pair(struct watch *watch, const struct pair *pair, uint64_t least[STATES])
{
	for (enum state state = BARE; state < STATES; state++) {
		const int error = bring_into(watch, pair, state);
		const uint64_t each = error ? 0 : pass_turns(pair);

		if (!each)
			return error ? error : -EIO;
		least[state] = each < least[state] ? each : least[state];
	}
	return 0;
}

/* One more, on the CPU of the caller; no signal of the program's is for it. 0, or -errno */
static int create(struct pair *pair, void *(*run)(void *), const cpu_set_t *cpu)
{
	struct runner *runner = &pair->runners[pair->count];
	pthread_attr_t attributes;
	sigset_t all, before;
	int error = pthread_attr_init(&attributes);

	if (error)
		return -error;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_attr_setaffinity_np(&attributes, sizeof(*cpu), cpu);
	if (!error)
		error = pthread_create(&runner->thread, &attributes, run, pair);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	if (error)
		return -error;
	pair->count++;
	return await(pair->done) ? -pthread_getcpuclockid(runner->thread, &runner->its_time) : -EIO;
}

static void end(struct pair *pair)
{
	__atomic_store_n(&pair->must_end, 1, __ATOMIC_RELEASE);
	for (int n = 0; n < pair->count; n++) {
		give(pair->turns[n]);
		pthread_join(pair->runners[n].thread, NULL);
	}
	pair->count = pair->must_end = 0;
}

/* Two new threads: what they had before would be there at their switches. 0, or -errno */
static int measure_new(struct watch *watch, struct pair *pair, const cpu_set_t *cpu,
		       uint64_t least[STATES])
{
	int error = create(pair, lead, cpu);

	if (!error)
		error = create(pair, give_back, cpu);
	if (!error)
		error = measure_pair(watch, pair, least);
	watch_forget(watch);
	end(pair);
	return error;
}

static uint64_t more_than(uint64_t before, uint64_t ns)
{
	return ns > before ? ns - before : 0;
}

/* The quickest round: others are of what else the CPU does */
static int measure_rounds(struct watch *watch, struct pair *pair, const cpu_set_t *cpu,
			  struct switch_cost *cost)
{
	uint64_t least[STATES] = { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX };
	const uint64_t begun = watch_now_ns();

	for (uint32_t round = 0; round < ROUNDS && watch_now_ns() - begun < LONGEST_NS; round++) {
		const int error = measure_new(watch, pair, cpu, least);

		if (error)
			return error;
	}
	cost->closed_ns = more_than(least[BARE], least[CLOSED]);
	cost->off_ns = more_than(least[BARE], least[OFF]);
	cost->armed_ns = more_than(least[BARE], least[ARMED]);
	return 0;
}

static int measure_on_cpu(struct watch *watch, struct switch_cost *cost)
{
	struct pair pair = { .turns = { eventfd(0, EFD_CLOEXEC), eventfd(0, EFD_CLOEXEC) },
			     .done = eventfd(0, EFD_CLOEXEC) };
	const int fds[] = { pair.turns[0], pair.turns[1], pair.done };
	const int cpu_number = sched_getcpu();
	cpu_set_t cpu, before;
	int error = -EIO;

	CPU_ZERO(&cpu);
	if (cpu_number >= 0 && cpu_number < CPU_SETSIZE)
		CPU_SET(cpu_number, &cpu);
	if (fds[0] < 0 || fds[1] < 0 || fds[2] < 0)
		error = -EMFILE;
	else if (sched_getaffinity(0, sizeof(before), &before) ||
		 sched_setaffinity(0, sizeof(cpu), &cpu))
		error = -errno;
	else {
		error = measure_rounds(watch, &pair, &cpu, cost);
		sched_setaffinity(0, sizeof(before), &before);
	}
	for (size_t n = 0; n < sizeof(fds) / sizeof(fds[0]); n++) {
		if (fds[n] >= 0)
			close(fds[n]);
	}
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
