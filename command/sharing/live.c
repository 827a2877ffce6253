/* SPDX-License-Identifier: BSD-3-Clause */
/* See live.h. */
#include "live.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/process/threads.h"
#include "command/usage/complain.h"
#include "command/usage/interruption.h"
#include "live_comdetective.h"
#include "live_experiment.h"

#define IDLE_NS 1000000L

/* --- samples --- */

static int is_strange(const struct live *live, const struct sampled_access *access)
{
	const int needs_bytes = live->source.origin == ORIGIN_PROGRAM;

	return !access->address || access->address >> 47 || (needs_bytes && !access->bytes) ||
	       access->bytes > 64 || access->weight < 1 || access->weight >= 1e12 ||
	       !access->flags || access->flags & ~(ACCESS_LOADS | ACCESS_STORES);
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
	thread = live_thread_of(live, access->tid);
	line = live_line_of(live, access->address);
	if (!thread)
		return;
	habit = live_habit_of(live, access->address, access->tid, 1);
	if (habit)
		live_habit_learn(habit, access);
	if (live->comdetective)
		live_comdetective_sample(live, thread, access);
	if (!(access->flags & ACCESS_STORES)) {
		thread->loads++;
		thread->load_weight += access->weight;
		return;
	}
	thread->stores++;
	thread->store_weight += access->weight;
	if (access->weight > live->result->heaviest)
		live->result->heaviest = access->weight;
	if (!live->comdetective)
		candidates_consider(&live->candidates, &live->random, access,
				    (uint32_t)(thread - live->result->threads),
				    line ? line->in_vain : 0);
}

static int by_time(const void *a, const void *b)
{
	const struct sampled_access *left = a, *right = b;

	return (left->time > right->time) - (left->time < right->time);
}

static uint32_t take_all(struct live *live)
{
	static struct sampled_access batch[LIVE_BATCH];
	uint32_t count = 0;

	while (count < LIVE_BATCH && access_source_next(&live->source, &batch[count]))
		count++;
	/* rings are read one behind the other */
	if (live->comdetective)
		qsort(batch, count, sizeof(batch[0]), by_time);
	for (uint32_t n = 0; n < count; n++)
		take(live, &batch[n]);
	return count;
}

/*
 * Experiments stand for all stores from which one was chosen; there are more, from which none was. How many
 * of them are the writer's is known, too: where most experiments find something, the mean of what they find
 * times these is surer than their sum. Where few do, it is not, and too high as long as few are made.
 */
double live_scale(const struct live_result *result, const struct live_thread *writer)
{
	const struct poisson_sum *sent = &writer->sent.all;
	const double mean = writer->represented > 0 ? sent->sum / writer->represented : 0;
	const double around =
		sent->variance - 2 * mean * writer->cross + mean * mean * writer->squares;

	if (around < sent->variance)
		return writer->store_weight / writer->represented;
	return result->represented > 0 ? result->considered / result->represented : 0;
}

/* --- the program --- */

static int begin_source(struct live *live)
{
	const struct live_request *request = live->request;
	const int error = access_source_prepare(&live->source, &request->source,
						request->command != NULL);

	if (!error)
		return EXIT_OK;
	complain(request->command_name, "%s: %s",
		 request->source.accesses ? request->source.accesses : "memfd_create",
		 error == -EINVAL ? "not a ring of accesses that a program hands over"
				  : strerror(-error));
	return EXIT_FAILED;
}

static int begin_program(struct live *live)
{
	const struct live_request *request = live->request;
	int code;

	if (request->command) {
		code = program_begin(&live->program, request->command, HANDED_ENVIRONMENT,
				     request->command_name);
		if (code)
			return code;
	} else {
		live->program = (struct program){ .pid = request->pid, .gate = -1 };
	}
	live->watch.pid = live->program.pid;
	threads_allow_files();
	if (!access_source_open(&live->source, &request->source, live->program.pid,
				request->command != NULL)) {
		if (request->command)
			program_release(&live->program, live->source.origin == ORIGIN_PROGRAM);
		return EXIT_OK;
	}
	complain(request->command_name, "the PMU samples no accesses here: %s%s",
		 live->source.why_no_pmu,
		 request->command ? "" : "; a program can hand its own over (--accesses FILE)");
	return EXIT_FAILED;
}

static int begin(struct live *live)
{
	const struct live_request *request = live->request;
	int code = begin_source(live), error;

	if (code)
		return code;
	error = watch_open(&live->watch, request->pid);
	if (error) {
		complain(request->command_name, "no debug register can be had: %s",
			 error == -ENOSPC ? "a debugger has them" : strerror(-error));
		return EXIT_FAILED;
	}
	if (request->method == LIVE_COMDETECTIVE) {
		live->comdetective = calloc(1, sizeof(*live->comdetective));
		if (!live->comdetective) {
			complain(request->command_name, "out of memory");
			return EXIT_FAILED;
		}
	}
	return begin_program(live);
}

/* --- what it does --- */

static uint64_t watching_ns(const struct live *live)
{
	return live->watch.hits * live->watch.hit_ns + live->arming_ns;
}

static uint64_t cost_of(const struct live *live)
{
	return watching_ns(live) + access_source_cost_ns(&live->source);
}

/* One more experiment, if it costs what the others did in the mean. Of the first one that is not known. */
static int is_affordable(const struct live *live)
{
	const uint64_t made = live->result->experiments;
	const double next = made ? (double)watching_ns(live) / (double)made : 0;

	return (double)cost_of(live) + next <=
	       live->request->most_overhead * (double)(watch_now_ns() - live->begun);
}

static int is_over(const struct live *live, const volatile sig_atomic_t *interruption)
{
	const double seconds = (double)(watch_now_ns() - live->begun) / 1e9;

	return live->program.has_ended || *interruption ||
	       (live->request->seconds > 0 && seconds >= live->request->seconds);
}

/* What comes next: an experiment, more accesses, or nothing for a while */
static void go_on(struct live *live, uint32_t taken)
{
	if (live->comdetective)
		live_comdetective_hits(live);
	if (live->candidates.count && is_affordable(live)) {
		live_experiment(live);
		live->candidates.count = 0;
		live->candidates.considered = 0;
	} else if (taken < LIVE_BATCH) {
		live_pause_for(live->comdetective ? LIVE_PAUSE_NS : IDLE_NS);
		access_source_look(&live->source);
	}
	program_look(&live->program);
}

static void observe(struct live *live)
{
	const volatile sig_atomic_t *interruption = interruption_await();

	live->begun = watch_now_ns();
	while (!is_over(live, interruption))
		go_on(live, take_all(live));
	while (take_all(live))
		;
	if (*interruption && live->request->command && !live->program.has_ended)
		kill(live->program.pid, SIGTERM);
}

static void finish(struct live *live)
{
	const struct pmu_reader *pmu = &live->source.pmu;
	struct live_result *result = live->result;

	result->pid = live->program.pid;
	result->seconds = (double)(watch_now_ns() - live->begun) / 1e9;
	result->cost_ns = cost_of(live);
	result->hits = live->watch.hits;
	result->overrun = live->watch.lost;
	result->hit_ns = live->watch.hit_ns;
	result->line_bytes = live->watch.line_bytes;
	result->refused = live->watch.refused;
	result->refused_error = live->watch.error;
	result->watch_beyond = live->watch.beyond;
	result->execs = live->watch.execs;
	result->considered = live->candidates.all;
	result->origin = live->source.origin;
	if (live->comdetective) /* nothing is scaled */
		result->considered = result->represented = 1;
	snprintf(result->why_no_pmu, sizeof(result->why_no_pmu), "%s", live->source.why_no_pmu);
	if (live->source.handed.ring)
		result->dropped =
			__atomic_load_n(&live->source.handed.ring->dropped, __ATOMIC_RELAXED);
	if (live->source.origin != ORIGIN_PMU)
		return;
	snprintf(result->pmu_event, sizeof(result->pmu_event), "%s", pmu_reader_name(pmu));
	/* whether or not one came */
	result->heaviest = pmu->events[0].weight;
	result->dropped = pmu->lost;
	result->samples = pmu->samples;
	result->elsewhere = pmu->elsewhere;
	result->others = pmu->others;
	result->pmu_refused = pmu->refused;
	result->pmu_error = pmu->error;
	result->cpus_without = pmu->cpus_without;
	result->sampling_ns = pmu_reader_cost_ns(pmu);
	result->sample_ns = pmu->sample_ns;
}

static void run(struct live *live, int *code)
{
	*code = begin(live);
	if (!*code) {
		observe(live);
		finish(live);
	}
	watch_close(&live->watch);
	access_source_close(&live->source);
	program_await(&live->program);
	live->result->end = live->program.end;
}

int live_run(const struct live_request *request, struct live_result *result)
{
	struct live *live = calloc(1, sizeof(*live));
	int code = EXIT_FAILED;

	memset(result, 0, sizeof(*result));
	result->flows =
		calloc((size_t)WATCH_THREADS_MOST * WATCH_THREADS_MOST, sizeof(*result->flows));
	result->lines = calloc(LIVE_LINES_MOST, sizeof(*result->lines));
	result->habits = calloc(LIVE_HABITS_MOST, sizeof(*result->habits));
	if (live) {
		live->hits = malloc(LIVE_HITS_MOST * sizeof(*live->hits));
		live->program.gate = -1;
	}
	if (!live || !live->hits || !result->habits || !result->flows || !result->lines) {
		complain(request->command_name, "out of memory");
	} else {
		live->request = request;
		live->result = result;
		live->random = random_of(request->seed);
		run(live, &code);
	}
	if (live) {
		free(live->hits);
		free(live->comdetective);
	}
	free(live);
	return code;
}

void live_free(struct live_result *result)
{
	free(result->flows);
	free(result->lines);
	free(result->habits);
	free(result->maps);
	memset(result, 0, sizeof(*result));
}
