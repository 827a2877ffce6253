/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_experiment.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall() */
#endif
#include "live_experiment.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

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
 * The others first: when the writer is watched, all are. Most of the work is done before the first one is, as
 * threads that are watched meet their registers at each access meanwhile. 0: the writer is not watched
 */
static int arm_all(struct live *live, struct experiment_setup *setup)
{
	struct watch *watch = &live->watch;
	struct watch_thread *writer;
	uint64_t begun;
	int is_there;

	watch_look(watch);
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
	live->budget.arming_ns += watch_now_ns() - begun;
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

/* What was seen of a thread stands for so many stores. */
static struct live_amount amount_of(const struct experiment_seen *seen, double stores)
{
	const double same = stores * (seen->weight - seen->other), other = stores * seen->other;
	const double unsure_other = stores * seen->unsure_kind;
	const double unsure = stores * seen->unsure, unsure_same = unsure + unsure_other;

	return seen->meets ? (struct live_amount){ same, other, unsure, unsure_same, unsure_other }
			   : (struct live_amount){ other, same, unsure, unsure_other, unsure_same };
}

static void add(struct live_amount *to, const struct live_amount *more)
{
	to->met += more->met;
	to->apart += more->apart;
	to->unsure += more->unsure;
	to->unsure_met += more->unsure_met;
	to->unsure_apart += more->unsure_apart;
}

static void count_seen(struct live *live, const struct experiment_result *experiment,
		       struct live_line *line)
{
	struct live_thread *writer = &live->result->threads[live->candidates.chosen.writer];
	const double stores = candidates_represented(&live->candidates);
	struct live_amount all = { .met = 0 };

	for (uint32_t n = 0; n < experiment->count; n++) {
		const struct experiment_seen *seen = &experiment->seen[n];
		const struct live_thread *reader = live_thread_of(live, seen->tid);
		const struct live_amount amount = amount_of(seen, stores);

		if (!reader)
			continue;
		live_count(live, live->candidates.chosen.writer, reader, line, seen->meets,
			   &amount);
		add(&all, &amount);
	}
	live_count_sent(writer, &all);
}

/* One more, or one less that says nothing */
static void count_made(struct live *live, int more)
{
	live->result->experiments += (uint64_t)more;
	live->result->represented += more * live->candidates.considered;
}

/*
 * The writer has ended, and stores no more; or it is there, and nobody may watch it, so that nothing is known
 * of these stores: they are none of those that experiments stand for.
 */
static void count_unwatched(struct live *live, uint32_t writer)
{
	if (syscall(SYS_tgkill, live->host->pid, writer, 0) && errno == ESRCH) {
		live->result->gone++;
		return;
	}
	count_made(live, -1);
	live->candidates.all -= live->candidates.considered;
	live->result->unwatched++;
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
			 live->watch.line_bytes == 64);
	if (live->result->experiments % LIVE_LOOK_EVERY == 0)
		live->host->look_around(live->host->of);
	count_made(live, 1);
	if (!arm_all(live, setup)) {
		disarm_all(live);
		watch_read(&live->watch, live->hits, LIVE_HITS_MOST);
		count_unwatched(live, setup->writer);
		return;
	}
	if (live->candidates.considered > live->result->most_represented)
		live->result->most_represented = live->candidates.considered;
	hits = await_end(live, setup);
	experiment_judge(setup, live->hits, hits, experiment);
	if (live->watch.execs == execs)
		live_sites_trapped(&live->result->sites, &live->watch, live->hits, hits);
	if ((live->has_ended && experiment->end != EXPERIMENT_STORED) ||
	    live->watch.execs != execs) {
		/* it was the program that ended, or its memory is another's: that says nothing */
		count_made(live, -1);
		return;
	}
	count_end(live->result, experiment);
	count_seen(live, experiment, line);
	if (!line)
		return;
	line->experiments++;
	line->in_vain = experiment->count ? 0 : line->in_vain + 1;
}
