/* SPDX-License-Identifier: BSD-3-Clause */
/* See live.h. */
#include "live.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "live_experiment.h"
#include "live_strata.h"
#include "switch_cost.h"

/* Context switches of threads are counted that often, and of those whose registers are closed */
#define COUNT_NS 10000000u
#define COUNT_CLOSED_NS 100000000u
/* Until then a program may still create its threads */
#define SETTLED_NS 1000000000u
/* With so many accesses at once there may soon be more than their ring has room for */
#define MANY (LIVE_BATCH / 16)
#define FIRST_PRIORITY (-20)
/* Of a thread, in the first experiment: two registers, while others are armed and while they are disarmed */
#define FIRST_HITS 4u
/* And at the least */
#define FIRST_NS 1000000u

/* --- samples --- */

static int is_strange(const struct live *live, const struct sampled_access *access)
{
	return !access->address || access->address >> 47 ||
	       (live->host->tells_bytes && !access->bytes) || access->bytes > 64 ||
	       access->weight < 1 || access->weight >= 1e12 || !access->flags ||
	       access->flags & ~(ACCESS_LOADS | ACCESS_STORES);
}

static void consider(struct live *live, const struct sampled_access *access, uint32_t writer,
		     int32_t in_vain)
{
	const int is_candidate =
		candidates_consider(&live->candidates, &live->random, access, writer, in_vain);

	strata_store(&live->strata, access->address, writer, access->weight, is_candidate);
}

static void take(struct live *live, const struct sampled_access *access)
{
	struct live_thread *thread;
	struct live_habit *habit;
	struct live_line *line;

	live->result->accesses++;
	if (is_strange(live, access)) {
		live->result->strange++;
		return;
	}
	if (live_is_foreign(live, access->tid)) {
		live->result->foreign++;
		return;
	}
	thread = live_thread_of(live, access->tid);
	line = live_line_of(live, access->address);
	if (line && access->flags & ACCESS_STORES) {
		line->all_store_samples++;
		line->unseen_store_samples += !thread || thread->is_unwatched;
	}
	if (!thread)
		return;
	habit = live_habit_of(live, access->address, access->tid, 1);
	if (habit)
		live_habit_learn(habit, access);
	live_sites_sampled(&live->result->sites, access);
	if (live->settings->rules)
		live->settings->rules->sample(live, thread, access);
	if (!(access->flags & ACCESS_STORES)) {
		thread->loads++;
		thread->load_weight += access->weight;
		return;
	}
	thread->stores++;
	thread->store_weight += access->weight;
	if (line) {
		line->stores += access->weight;
		line->store_samples++;
	}
	if (access->weight > live->result->heaviest)
		live->result->heaviest = access->weight;
	if (!live->settings->rules)
		consider(live, access, (uint32_t)(thread - live->result->threads),
			 line ? line->in_vain : 0);
}

static int by_time(const void *a, const void *b)
{
	const struct sampled_access *left = a, *right = b;

	return (left->time > right->time) - (left->time < right->time);
}

static uint32_t take_all(struct live *live)
{
	uint32_t count = 0;

	while (count < LIVE_BATCH && live->host->next(live->host->of, &live->batch[count]))
		count++;
	/* rings are read one behind the other */
	if (live->settings->rules)
		qsort(live->batch, count, sizeof(live->batch[0]), by_time);
	for (uint32_t n = 0; n < count; n++)
		take(live, &live->batch[n]);
	return count;
}

/* --- what it does --- */

static struct budget *budget_of(struct live *live)
{
	live->budget.hits = live->watch.hits;
	live->budget.experiments = live->result->experiments;
	live->budget.first_ns = FIRST_HITS * live->result->thread_count * live->watch.hit_ns;
	if (live->budget.first_ns < FIRST_NS)
		live->budget.first_ns = FIRST_NS;
	return &live->budget;
}

static int is_over(const struct live *live)
{
	const double seconds = (double)(watch_now_ns() - live->budget.begun) / 1e9;

	return live->has_ended || live->host->is_enough(live->host->of) ||
	       (live->settings->seconds > 0 && seconds >= live->settings->seconds);
}

/* How often threads are switched that have had no registers; while more come that is not known yet. */
static void look_at_bare(struct live *live)
{
	const uint32_t before = live->watch.count;
	const int is_early = watch_now_ns() - live->budget.begun < SETTLED_NS;
	double share;

	live_count_unarmed(live);
	watch_look(&live->watch);
	if (!before || (live->watch.count > before && is_early))
		live->budget.bare_ns = 0;
	share = budget_spared_share(&live->budget);
	if (share > live->budget.most / 2)
		live->result->spared_share = share;
}

static int is_affordable(struct live *live)
{
	return budget_affords(budget_of(live), watch_now_ns(), live->host->cost_ns(live->host->of));
}

/* Before the first one, once more: a program may have created its threads just now. */
static int is_time_for_experiment(struct live *live)
{
	if (!live->candidates.count || !is_affordable(live))
		return 0;
	if (live->registers != LIVE_BARE)
		return 1;
	look_at_bare(live);
	return is_affordable(live);
}

/* Registers that are off cost something at each context switch: where that is too much there are none. */
static void keep_or_close(struct live *live)
{
	const uint64_t every = live->registers == LIVE_CLOSED ? COUNT_CLOSED_NS : COUNT_NS;

	if (live->settings->rules || watch_now_ns() - live->switches_at < every)
		return;
	if (live->registers == LIVE_BARE)
		look_at_bare(live);
	else
		live_count_unarmed(live);
	if (live->registers != LIVE_OFF || !live->are_dear)
		return;
	watch_rest(&live->watch);
	live->registers = LIVE_CLOSED;
}

static void experiment(struct live *live)
{
	const uint64_t before = budget_experiments_ns(budget_of(live)), begun = watch_now_ns();

	live_experiment(live);
	budget_made_one(budget_of(live), before);
	candidates_tried(&live->candidates, begun, watch_now_ns());
	live->pause_ns = 0;
}

/* Until there is more */
static void pause_for_more(struct live *live, uint32_t taken)
{
	live->pause_ns = budget_pause_ns(taken >= MANY ? 0 : live->pause_ns);
	live_pause_for(live->settings->rules ? LIVE_PAUSE_NS : (long)live->pause_ns);
}

/* What comes next: an experiment, more accesses, or nothing for a while */
static void go_on(struct live *live, uint32_t taken)
{
	const struct live_rules *rules = live->settings->rules;

	if (rules)
		rules->hits(live);
	if (is_time_for_experiment(live)) {
		experiment(live);
	} else if (taken < LIVE_BATCH) {
		keep_or_close(live);
		pause_for_more(live, taken);
		live->host->look(live->host->of);
	}
	live_look_for_end(live);
}

void live_tell(struct live *live)
{
	struct live_result *result = live->result;

	if (!live->settings->rules && live->registers != LIVE_BARE)
		live_count_unarmed(live);
	result->seconds = (double)(watch_now_ns() - live->budget.begun) / 1e9;
	result->cost_ns = budget_watching_ns(budget_of(live)) + live->host->cost_ns(live->host->of);
	result->switches = live->budget.armed;
	result->switch_ns = live->budget.armed_ns;
	result->switches_cost_ns = budget_switches_ns(&live->budget);
	result->hits = live->watch.hits;
	result->overrun = live->watch.lost;
	result->hit_ns = live->watch.hit_ns;
	result->line_bytes = live->watch.line_bytes;
	result->refused = live->watch.refused;
	result->refused_error = live->watch.error;
	result->watch_beyond = live->watch.beyond;
	result->execs = live->watch.execs;
	if (!live->settings->rules)
		live_strata_tell(live);
}

/*
 * Registers are armed for as long as who watches waits for a CPU: where that is allowed the calling thread
 * comes before others. What its priority was
 */
static int come_first(void)
{
	const int before = getpriority(PRIO_PROCESS, 0);

	setpriority(PRIO_PROCESS, 0, FIRST_PRIORITY);
	return before;
}

void live_observe(struct live *live, const struct live_host *host)
{
	const int priority = come_first();

	live->host = host;
	live->watch.pid = host->pid;
	if (host->pid == getpid())
		watch_spare_caller(&live->watch);
	live->budget.begun = watch_now_ns();
	while (!is_over(live))
		go_on(live, take_all(live));
	while (take_all(live))
		;
	setpriority(PRIO_PROCESS, 0, priority);
	live_tell(live);
}

/* --- the handle --- */

static int has_memory(const struct live *live)
{
	const struct live_result *result = live->result;

	return live->hits && live->settled.flows && result->flows && result->lines &&
	       result->habits && (!live->settings->rules || live->of_rules);
}

static void measure_switches(struct live *live)
{
	struct switch_cost cost;

	switch_cost_measure(&live->watch, &cost);
	live->budget.closed_ns = cost.closed_ns;
	live->budget.off_ns = cost.off_ns;
	live->budget.armed_ns = cost.armed_ns;
	live->result->switch_error = cost.error;
}

enum live_fault live_open(struct live **opened, const struct live_settings *settings,
			  struct live_result *result, int *error)
{
	struct live *live = calloc(1, sizeof(*live));

	memset(result, 0, sizeof(*result));
	*opened = live;
	*error = 0;
	if (!live)
		return LIVE_NO_MEMORY;
	live->settings = settings;
	live->result = result;
	live->random = random_of(settings->seed);
	live->hits = malloc(LIVE_HITS_MOST * sizeof(*live->hits));
	if (settings->rules)
		live->of_rules = calloc(1, settings->rules->bytes);
	result->flows =
		calloc((size_t)WATCH_THREADS_MOST * WATCH_THREADS_MOST, sizeof(*result->flows));
	live->settled.flows = calloc((size_t)WATCH_THREADS_MOST * WATCH_THREADS_MOST,
				     sizeof(*live->settled.flows));
	result->lines = calloc(LIVE_LINES_MOST, sizeof(*result->lines));
	result->habits = calloc(LIVE_HABITS_MOST, sizeof(*result->habits));
	if (live_sites_open(&result->sites) || strata_open(&live->strata) || !has_memory(live))
		return LIVE_NO_MEMORY;
	*error = -watch_open(&live->watch, 0);
	if (*error)
		return LIVE_NO_REGISTER;
	live->budget.most = settings->most_overhead;
	live->budget.hit_ns = live->watch.hit_ns;
	if (!settings->rules) /* which count no switches */
		measure_switches(live);
	return LIVE_FINE;
}

void live_close(struct live *live)
{
	if (!live)
		return;
	watch_close(&live->watch);
	free(live->hits);
	free(live->of_rules);
	strata_close(&live->strata);
	free(live->settled.flows);
	free(live);
}

void live_free(struct live_result *result)
{
	free(result->flows);
	free(result->lines);
	free(result->habits);
	live_sites_free(&result->sites);
	memset(result, 0, sizeof(*result));
}
