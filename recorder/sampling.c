/* SPDX-License-Identifier: BSD-3-Clause */
/* See sampling.h. */
#include "sampling.h"

#include "random.h"
#include "thread_state.h"

#define JUDGED_EVERY 10e6 /* ns of a thread's CPU time */
#define AT_ONCE 4 /* times what it may cost in these: it is not waited for them */
#define LOOKED_EVERY (UINT64_C(1) << 22) /* ticks, until its CPU time is asked for again */
#define PASSED_NS 5.0 /* what a block costs that is left out, with its free() */
#define INTERVAL_MOST (UINT64_C(1) << 40)

/* Of what it may cost: the rest is what no clock of its own sees, as what the program's caches then lack */
#define SEEN 0.75

/* What was not spent may be spent later, but no more than that of so much CPU time. */
#define CREDIT_OF 1e9 /* ns */
/* Of what it may cost, where that was kept, and where it was not, until it is again */
#define AIM 0.9
#define AIM_IN_DEBT 0.5
#define LITTLE 0.5 /* less than so much of it: more can be recorded */
/* One look may be wrong by much. */
#define FEWER_AT_FIRST 16.0
#define FEWER_MOST 4.0
#define MORE_MOST 2.0
/* To leave out more saves nothing of what blocks cost that are left out: recording has so much of all. */
#define RECORDING_LEAST 0.25

/* With an interval of so much of the size all blocks of that are recorded but for 3 in 10 000. */
#define ALL_FROM 8u

static uint64_t always, least_interval;
static double may_cost; /* of a thread's time; 0: whatever it costs */

/* What the threads that begin next begin with: as was found right for one last */
static uint64_t next_interval, next_large_interval;

void sampling_set_up(const struct options *options, int is_child)
{
	always = options->size ? options->size : options->interval ? UINT64_MAX : 0;
	least_interval = options->interval;
	may_cost = options->interval || options->size ? SEEN * (double)options->overhead / 100 : 0;
	if (is_child)
		return;
	next_interval = options->interval;
	next_large_interval = 0;
}

/* By how far both clocks have come since they were read last */
void sampling_count_own(struct thread *thread)
{
	const uint64_t ticks = ticks_now() - thread->window_ticks;
	const uint64_t wall = clock_nanoseconds(CLOCK_MONOTONIC) - thread->window_wall;

	if (!wall)
		return;
	thread->own.ticks += (uint64_t)((double)thread->own.ns * (double)ticks / (double)wall);
	thread->own.ns = 0;
}

static void begin_window(struct thread *thread)
{
	struct sampling *sampling = &thread->sampling;

	sampling_count_own(thread);
	sampling->own = thread->own.ticks;
	sampling->cpu = clock_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
	sampling->passed = sampling->small = sampling->large = sampling->large_bytes = 0;
	sampling->allocations = thread->allocations;
	thread->window_wall = clock_nanoseconds(CLOCK_MONOTONIC);
	thread->window_ticks = ticks_now();
	sampling->look_at = may_cost > 0 ? thread->window_ticks + LOOKED_EVERY : UINT64_MAX;
}

static void draw(struct thread *thread)
{
	if (thread->interval)
		thread->until_sample = random_gap(&thread->random, thread->interval);
	if (thread->large_interval)
		thread->until_large = random_gap(&thread->random, thread->large_interval);
}

void sampling_begin(struct thread *thread)
{
	thread->always = always;
	thread->interval = __atomic_load_n(&next_interval, __ATOMIC_RELAXED);
	thread->large_interval = __atomic_load_n(&next_large_interval, __ATOMIC_RELAXED);
	draw(thread);
	if (may_cost > 0) {
		lock(LOCK_CARRIED);
		thread->sampling.carried = shared.carried;
		shared.carried = (struct carried){ 0, 0, 0 };
		unlock(LOCK_CARRIED);
	}
	begin_window(thread);
}

int sampling_wants_slowly(struct thread *thread)
{
	if (!thread->interval) {
		thread->until_sample = INT64_MAX;
		return 0;
	}
	thread->until_sample = random_gap(&thread->random, thread->interval);
	thread->sampling.small++;
	return 1;
}

int sampling_wants_large(struct thread *thread, uint64_t size)
{
	struct sampling *sampling = &thread->sampling;

	thread->until_large -= (int64_t)size;
	if (thread->until_large <= 0) {
		thread->until_large = random_gap(&thread->random, thread->large_interval);
		sampling->large++;
		return 1;
	}
	sampling->passed++;
	return 0;
}

int sampling_is_of_all(void)
{
	return !always;
}

int sampling_wants_of_nobody(uint64_t size)
{
	uint64_t before;

	if (size >= always || !least_interval)
		return size >= always;
	before = __atomic_fetch_add(&shared.passed_bytes, size, __ATOMIC_RELAXED);
	return before / least_interval != (before + size) / least_interval;
}

/* --- judgement --- */

/* Times what it was; 0: all of them */
static uint64_t changed(uint64_t interval, double factor)
{
	const double wanted = (double)interval * factor;

	return wanted < (double)INTERVAL_MOST ? (uint64_t)wanted : INTERVAL_MOST;
}

/* That of all blocks from the size on one is recorded for so many that there are, if all were of the mean */
static uint64_t first_interval(const struct sampling *sampling, double fewer)
{
	const double mean = (double)sampling->large_bytes / (double)sampling->large;
	const uint64_t interval = (uint64_t)(-mean / natural_logarithm(1 - 1 / fewer));

	return interval < always / ALL_FROM + 1 ? always / ALL_FROM + 1
	       : interval < INTERVAL_MOST       ? interval
						: INTERVAL_MOST;
}

static void record_fewer(struct thread *thread, double fewer)
{
	const struct sampling *sampling = &thread->sampling;

	if (sampling->small >= sampling->large)
		thread->interval = changed(thread->interval, fewer);
	else if (thread->large_interval)
		thread->large_interval = changed(thread->large_interval, fewer);
	else if (sampling->large_bytes)
		thread->large_interval = first_interval(sampling, fewer);
}

static void record_more(struct thread *thread, double more)
{
	if (thread->large_interval) {
		thread->large_interval = changed(thread->large_interval, 1 / more);
		if (thread->large_interval <= always / ALL_FROM)
			thread->large_interval = 0;
	} else if (thread->interval > least_interval) {
		thread->interval = changed(thread->interval, 1 / more);
		if (thread->interval < least_interval)
			thread->interval = least_interval;
	}
}

/*
 * How many times what recording cost in this window it may cost from here on. 1: that is right.
 * @param passed  what blocks cost that were left out, ns
 */
static double to_change(const struct thread *thread, double *balance, double own, double passed,
			double cpu)
{
	const double fewest = 1 / (thread->large_interval ? FEWER_MOST : FEWER_AT_FIRST);
	double cost = own / cpu, may = may_cost - passed / cpu;

	if (may < RECORDING_LEAST * may_cost)
		may = RECORDING_LEAST * may_cost;
	*balance += may * cpu - own;
	if (*balance > may_cost * CREDIT_OF)
		*balance = may_cost * CREDIT_OF;
	if (*balance < 0 && cost > AIM_IN_DEBT * may)
		return AIM_IN_DEBT * may / cost > fewest ? AIM_IN_DEBT * may / cost : fewest;
	if (*balance > 0 && cost < LITTLE * may)
		return AIM * may > MORE_MOST * cost ? MORE_MOST : AIM * may / cost;
	return 1;
}

/* What it took in this window for all the blocks that it did not record, ns */
static double passing_time_of(const struct thread *thread)
{
	const struct sampling *sampling = &thread->sampling;
	const uint64_t recorded = sampling->small + sampling->large;
	const uint64_t allocations = thread->allocations - sampling->allocations;

	return allocations > recorded ? PASSED_NS * (double)(allocations - recorded) : 0;
}

/* What it took in this window, ns */
static double own_time_of(struct thread *thread)
{
	double wall, ticks;

	sampling_count_own(thread);
	wall = (double)(clock_nanoseconds(CLOCK_MONOTONIC) - thread->window_wall);
	ticks = (double)(ticks_now() - thread->window_ticks);
	return ticks > 0 ? (double)(thread->own.ticks - thread->sampling.own) * wall / ticks : 0;
}

void sampling_changed(struct thread *thread, uint64_t ns)
{
	/* it is not to be seen in the next window, which would raise them again */
	thread->sampling.carried.balance -= (double)ns;
	draw(thread);
	__atomic_store_n(&next_interval, thread->interval, __ATOMIC_RELAXED);
	__atomic_store_n(&next_large_interval, thread->large_interval, __ATOMIC_RELAXED);
	begin_window(thread);
}

int sampling_judge(struct thread *thread)
{
	struct sampling *sampling = &thread->sampling;
	const uint64_t interval = thread->interval, large_interval = thread->large_interval;
	double cpu = (double)(clock_nanoseconds(CLOCK_THREAD_CPUTIME_ID) - sampling->cpu), own,
	       times;

	sampling->look_at = ticks_now() + LOOKED_EVERY;
	if (!(may_cost > 0))
		return 0;
	own = own_time_of(thread) + sampling->carried.own;
	cpu += sampling->carried.cpu;
	if (!(cpu > 0) || (cpu < JUDGED_EVERY && own < AT_ONCE * may_cost * JUDGED_EVERY))
		return 0;
	times = to_change(thread, &sampling->carried.balance, own, passing_time_of(thread), cpu);
	sampling->carried.own = sampling->carried.cpu = 0;
	if (times < 1)
		record_fewer(thread, 1 / times);
	else if (times > 1)
		record_more(thread, times);
	if (thread->interval != interval || thread->large_interval != large_interval)
		return 1;
	begin_window(thread);
	return 0;
}

void sampling_end(struct thread *thread)
{
	struct carried *carried = &thread->sampling.carried;

	if (!(may_cost > 0))
		return;
	carried->own += own_time_of(thread);
	carried->cpu += (double)(clock_nanoseconds(CLOCK_THREAD_CPUTIME_ID) - thread->sampling.cpu);
	lock(LOCK_CARRIED);
	shared.carried.own += carried->own;
	shared.carried.cpu += carried->cpu;
	shared.carried.balance += carried->balance;
	unlock(LOCK_CARRIED);
}
