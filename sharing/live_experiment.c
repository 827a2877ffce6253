/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_experiment.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall() */
#endif
#include "live_experiment.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "live_strata.h"
#include "patience.h"

static void aim(struct live *live, struct experiment_setup *setup, struct watch_thread *thread)
{
	static const struct experiment_hints nothing;
	const struct live_habit *habit = live_habit_of(live, setup->line, thread->tid, 0);
	struct watch_register registers[WATCH_REGISTERS];

	experiment_watch(setup, thread->tid, habit ? &habit->hints : &nothing, &live->random,
			 registers);
	watch_aim(&live->watch, thread, registers);
}

/*
 * Where not all threads have room, or may have files open, those that access anything have: of a thousand
 * threads that wait for work a few may be all that do some.
 */
static void look_for_threads(struct live *live)
{
	const struct live_result *result = live->result;

	watch_look(&live->watch);
	for (uint32_t n = 0; n < result->thread_count; n++)
		watch_prefer(&live->watch, result->threads[n].tid);
}

/*
 * The others first: when the writer is watched, all are. Most of the work is done before the first one
 * is, as threads that are watched meet their registers at each access meanwhile. 0: the writer is not
 * watched
 */
static int arm_all(struct live *live, struct experiment_setup *setup)
{
	struct watch *watch = &live->watch;
	struct watch_thread *writer;
	uint64_t begun;
	int is_there;

	look_for_threads(live);
	live_count_unarmed(live);
	for (uint32_t n = 0; n < watch->count; n++)
		watch_take(watch, &watch->threads[n]);
	live->registers = LIVE_OFF;
	begun = watch_now_ns();
	for (uint32_t n = 0; n < watch->count; n++)
		aim(live, setup, &watch->threads[n]);
	for (uint32_t n = 0; n < watch->count; n++) {
		if (watch->threads[n].tid != setup->writer)
			watch_start(&watch->threads[n]);
	}
	writer = watch_find(watch, setup->writer);
	is_there = writer && !watch_start(writer);
	setup->armed_at = watch_now_ns();
	live->budget.arming_ns += setup->armed_at - begun;
	return is_there;
}

static void disarm_all(struct live *live)
{
	const uint64_t begun = watch_now_ns();

	watch_disarm(&live->watch);
	live_count_armed(live);
	live->budget.arming_ns += watch_now_ns() - begun;
}

/* Up to the end, or to the time at which there is none any more. How many hits */
static size_t await_end(struct live *live, const struct experiment_setup *setup)
{
	const uint64_t begun = watch_now_ns();
	uint64_t anchor = 0;
	size_t count = 0, in_order = 0;
	int has_ended = 0;

	while (!has_ended && !live->has_ended &&
	       watch_now_ns() - (anchor ? anchor : begun) < live->settings->window_ns) {
		size_t more;

		live_pause_for(LIVE_PAUSE_NS);
		more = watch_read(&live->watch, live->hits + count, LIVE_HITS_MOST - count);
		count += more;
		if (more)
			has_ended = experiment_has_ended(setup, live->hits, in_order, count,
							 &anchor);
		in_order = count;
		live_look_for_end(live);
	}
	disarm_all(live);
	return count + watch_read(&live->watch, live->hits + count, LIVE_HITS_MOST - count);
}

/* What was seen of a thread, for one store */
static struct live_amount amount_of(const struct experiment_seen *seen)
{
	const double same = seen->weight - seen->other, other = seen->other;
	const double unsure_other = seen->unsure_kind, unsure = seen->unsure;
	const double unsure_same = unsure + unsure_other;

	return seen->meets ? (struct live_amount){ same, other, unsure, unsure_same, unsure_other }
			   : (struct live_amount){ other, same, unsure, unsure_other, unsure_same };
}

static void learn_kinds(struct live *live, const struct experiment_result *experiment)
{
	for (uint32_t n = 0; n < experiment->count; n++) {
		const struct experiment_seen *seen = &experiment->seen[n];
		struct live_habit *habit = live_habit_of(live, live->setup.line, seen->tid, 0);

		if (habit)
			experiment_learn_kinds(&habit->hints, seen);
	}
}

static void count_seen(struct live *live, const struct experiment_result *experiment,
		       struct live_line *line)
{
	for (uint32_t n = 0; n < experiment->count; n++) {
		const struct experiment_seen *seen = &experiment->seen[n];
		const struct live_thread *reader = live_thread_of(live, seen->tid);
		const struct live_amount amount = amount_of(seen);

		if (!reader)
			continue;
		strata_see(&live->strata, (uint32_t)(reader - live->result->threads), &amount);
		live->result->found++;
		if (line)
			live_line_see(line, seen->meets);
	}
}

/*
 * The writer has ended, and stores no more: nobody got that. Or it is there, and nobody may watch it, so
 * that nothing is known of such stores.
 */
static void count_unwatched(struct live *live, struct live_thread *writer, struct live_line *line)
{
	if (syscall(SYS_tgkill, live->host->pid, writer->tid, 0) && errno == ESRCH) {
		live_strata_experiment(live);
		live->result->experiments++;
		live->result->gone++;
		return;
	}
	strata_unwatched(&live->strata, live->candidates.chosen.writer);
	live->result->unwatched++;
	writer->is_unwatched = 1;
	if (line)
		line->unseen_store_samples++;
}

static void count_end(struct live_result *result, const struct experiment_result *experiment)
{
	result->used_up += experiment->used_up;
	if (experiment->end == EXPERIMENT_NO_ANCHOR)
		result->no_anchor++;
	else if (experiment->end == EXPERIMENT_TIMED_OUT)
		result->timed_out++;
	else
		result->stored++;
}

/*
 * The end came before its own. Of a program that has ended that is no matter: nobody came, or will. To
 * leave out such experiments would be to leave out long ones, in which nobody came more often than in
 * others. Where there was no anchor there is nothing to be seen.
 */
static int says_nothing(const struct live *live, const struct experiment_result *experiment)
{
	return live->has_ended &&
	       (experiment->end == EXPERIMENT_NO_ANCHOR ||
		(experiment->end == EXPERIMENT_TIMED_OUT && !live->host->is_all));
}

static uint64_t patience_with(struct live *live, uint32_t writer, const struct live_line *line)
{
	const struct live_habit *habit = line ? live_habit_of(live, line->line, writer, 0) : NULL;

	return habit ? patience_of(line->store_samples, line->stores, habit->stores,
				   live->result->heaviest)
		     : 0;
}

/* Of the line's stores, as far as samples tell: those of threads that are not watched */
static double share_unwatched(const struct live_line *line)
{
	return line->all_store_samples
		       ? (double)line->unseen_store_samples / (double)line->all_store_samples
		       : 0;
}

void live_experiment(struct live *live)
{
	const struct candidate *candidate = &live->candidates.chosen;
	struct experiment_result *experiment = &live->experiment;
	struct experiment_setup *setup = &live->setup;
	struct live_line *line = live_line_of(live, candidate->access.address);
	struct live_thread *writer = &live->result->threads[candidate->writer];
	const uint64_t execs = live->watch.execs;
	size_t hits;

	experiment_begin(setup, candidate->access.address, candidate->access.bytes, writer->tid,
			 line ? line->store_samples : 0, live->watch.line_bytes == 64);
	setup->stored_at = candidate->access.time;
	setup->window_ns = live->settings->window_ns;
	setup->patience = patience_with(live, writer->tid, line);
	setup->unwatched = line ? share_unwatched(line) : 0;
	if (live->watch.hit_ns / 2 > setup->same_ns)
		setup->same_ns = live->watch.hit_ns / 2;
	if (live->result->experiments % LIVE_LOOK_EVERY == 0)
		live->host->look_around(live->host->of);
	if (!arm_all(live, setup)) {
		disarm_all(live);
		watch_read(&live->watch, live->hits, LIVE_HITS_MOST);
		count_unwatched(live, writer, line);
		return;
	}
	writer->is_unwatched = 0;
	hits = await_end(live, setup);
	experiment_judge(setup, live->hits, hits, experiment);
	if (live->watch.execs == execs)
		live_sites_trapped(&live->result->sites, &live->watch, live->hits, hits);
	if (says_nothing(live, experiment) || live->watch.execs != execs)
		return; /* its memory is another program's */
	if (experiment->end == EXPERIMENT_ABSENT) {
		live->result->absent++;
		return;
	}
	live->result->experiments++;
	count_end(live->result, experiment);
	live_strata_experiment(live);
	learn_kinds(live, experiment);
	count_seen(live, experiment, line);
	if (!line)
		return;
	line->experiments++;
	line->in_vain = candidates_in_vain(line->in_vain, experiment->count != 0);
}
