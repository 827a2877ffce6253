/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_comdetective.h. */
#include "live_comdetective.h"

#include <errno.h>

#include "comdetective.h"
#include "sharing/live_state.h"
#include "trapped_code.h"

static void add_found(struct live_flow *flow, const struct comdetective_found *found)
{
	poisson_sum_add(&flow->all, 1, found->weight);
	poisson_sum_add(found->is_true ? &flow->met : &flow->apart, 1, found->weight);
}

static void count_found(struct live *live, const struct live_thread *thread,
			const struct comdetective_found *found)
{
	struct live_result *result = live->result;
	const uint32_t reader = (uint32_t)(thread - result->threads);
	struct live_line *line = live_line_of(live, found->line);

	/* samples count without a register, and lines want names */
	if (result->found % LIVE_LOOK_EVERY == 0)
		live->host->look_around(live->host->of);
	add_found(&result->flows[found->writer * WATCH_THREADS_MOST + reader], found);
	add_found(&result->threads[found->writer].sent, found);
	add_found(&result->total, found);
	result->found++;
	if (!line)
		return;
	*(found->is_true ? &line->met : &line->apart) += found->weight;
	live_line_see(line, found->is_true);
}

static void arm(struct live *live, uint32_t tid,
		const struct watch_register registers[WATCH_REGISTERS])
{
	const uint64_t begun = watch_now_ns();
	struct watch_thread *thread = watch_find(&live->watch, tid);
	struct live_result *result = live->result;
	int error;

	if (live->has_ended)
		return;
	if ((result->experiments + result->gone + result->unwatched) % LIVE_LOOK_EVERY == 0)
		live->host->look_around(live->host->of);
	if (!thread) {
		watch_look(&live->watch);
		thread = watch_find(&live->watch, tid);
	}
	error = thread ? watch_arm(&live->watch, thread, registers) : -ESRCH;
	result->experiments += !error;
	result->gone += error == -ESRCH;
	result->unwatched += error && error != -ESRCH;
	live->budget.arming_ns += watch_now_ns() - begun;
}

static void sample(struct live *live, const struct live_thread *thread,
		   const struct sampled_access *access)
{
	struct watch_register registers[WATCH_REGISTERS];
	struct comdetective_found found;

	switch (comdetective_sample(live->of_rules,
				    (uint32_t)(thread - live->result->threads), access,
				    &live->random, &found, registers)) {
	case COMDETECTIVE_FOUND:
		count_found(live, thread, &found);
		break;
	case COMDETECTIVE_ARM:
		arm(live, access->tid, registers);
		break;
	case COMDETECTIVE_NOTHING:
		break;
	}
}

static void take_hit(struct live *live, const struct watch_hit *hit)
{
	struct live_thread *thread = live_thread_of(live, hit->tid);
	struct watch_thread *watched = watch_find(&live->watch, hit->tid);
	const uint32_t number = (uint32_t)(thread ? thread - live->result->threads : 0);
	struct comdetective *board = live->of_rules;
	struct comdetective_found found;
	uint16_t flags;

	if (!thread || !watched || !board->threads[number].is_armed ||
	    hit->time < watched->armed_at)
		return;
	watch_disarm_one(watched);
	flags = trapped_code_in(live->host->pid, hit->ip);
	live_sites_trap(&live->result->sites, watched, hit, flags);
	if (comdetective_trap(board, number, watched->addresses[hit->slot], hit->time, flags,
			      &found))
		count_found(live, thread, &found);
}

static void hits(struct live *live)
{
	const size_t count = watch_read(&live->watch, live->hits, LIVE_HITS_MOST);

	for (size_t n = 0; n < count; n++)
		take_hit(live, &live->hits[n]);
}

const struct live_rules live_comdetective = {
	.bytes = sizeof(struct comdetective),
	.sample = sample,
	.hits = hits,
};
