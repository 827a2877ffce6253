/* SPDX-License-Identifier: BSD-3-Clause */
/* See strata.h. */
#include "strata.h"

#include <stdlib.h>
#include <string.h>

#define FULL (STRATA_MOST / 4 * 3)

int strata_open(struct strata *strata)
{
	memset(strata, 0, sizeof(*strata));
	strata->strata = calloc(STRATA_MOST, sizeof(*strata->strata));
	strata->experiments = malloc(STRATA_EXPERIMENTS_MOST * sizeof(*strata->experiments));
	strata->seen = malloc(STRATA_SEEN_MOST * sizeof(*strata->seen));
	strata->groups = malloc((FULL + 2) * sizeof(*strata->groups));
	strata->by_line = malloc(FULL * sizeof(struct stratum *));
	strata->order = malloc(STRATA_SEEN_MOST * sizeof(*strata->order));
	return strata->strata && strata->experiments && strata->seen && strata->groups &&
			       strata->by_line && strata->order
		       ? 0
		       : -1;
}

void strata_close(struct strata *strata)
{
	free(strata->strata);
	free(strata->experiments);
	free(strata->seen);
	free(strata->groups);
	free(strata->by_line);
	free(strata->order);
	memset(strata, 0, sizeof(*strata));
}

static uint64_t line_of(uint64_t address)
{
	return address & ~UINT64_C(63);
}

/* Its number, STRATA_MOST: 'rest' */
static uint32_t stratum_of(struct strata *strata, uint64_t line, uint32_t writer, int is_new)
{
	const uint64_t hash =
		((line >> 6) + writer * UINT64_C(0xd1342543)) * UINT64_C(0x9e3779b97f4a7c15);
	uint32_t at = (uint32_t)(hash >> 40) % STRATA_MOST;

	for (; strata->strata[at].line; at = (at + 1) % STRATA_MOST) {
		if (strata->strata[at].line == line && strata->strata[at].writer == writer)
			return at;
	}
	if (!is_new || strata->count == FULL)
		return STRATA_MOST;
	strata->count++;
	strata->strata[at].line = line;
	strata->strata[at].writer = writer;
	return at;
}

static struct stratum *at_number(struct strata *strata, uint32_t number)
{
	return number < STRATA_MOST ? &strata->strata[number] : &strata->rest;
}

void strata_store(struct strata *strata, uint64_t address, uint32_t writer, double weight,
		  int is_candidate)
{
	struct stratum *stratum =
		at_number(strata, stratum_of(strata, line_of(address), writer, 1));

	stratum->stores += weight;
	stratum->squares += weight * weight;
	stratum->candidates += (uint64_t)is_candidate;
	strata->stores += weight;
	strata->candidates += (uint64_t)is_candidate;
}

int strata_has_room(const struct strata *strata)
{
	return strata->experiment_count < STRATA_EXPERIMENTS_MOST &&
	       strata->seen_count + WATCH_THREADS_MOST <= STRATA_SEEN_MOST;
}

/* Candidates for each of the last experiments */
static double late_mean(const struct strata *strata)
{
	const uint32_t count = strata->made < STRATA_LATE ? (uint32_t)strata->made : STRATA_LATE;
	double sum = 0;

	for (uint32_t n = 0; n < count; n++)
		sum += strata->late[n];
	return sum / count;
}

void strata_experiment(struct strata *strata, uint64_t address, uint32_t writer, double weight,
		       uint64_t candidates)
{
	struct strata_experiment *experiment = &strata->experiments[strata->experiment_count++];

	strata->late[strata->made++ % STRATA_LATE] = (double)candidates;
	strata->made_of[writer]++;
	*experiment = (struct strata_experiment){
		.line = line_of(address),
		.writer = writer,
		.stratum = stratum_of(strata, line_of(address), writer, 0),
		.first = strata->seen_count,
		.weight = weight,
		.late = late_mean(strata),
	};
	at_number(strata, experiment->stratum)->experiments++;
	/* the first ones have none before: they are averaged together */
	for (uint32_t n = 0; strata->made <= STRATA_LATE && n < strata->experiment_count; n++)
		strata->experiments[n].late = experiment->late;
}

void strata_see(struct strata *strata, uint32_t reader, const struct live_amount *amount)
{
	const uint32_t last = strata->experiment_count - 1;

	strata->seen[strata->seen_count++] = (struct strata_seen){ last, reader, *amount };
	strata->experiments[last].count++;
	live_amount_add(&strata->experiments[last].sent, amount);
}

void strata_unwatched(struct strata *strata, uint32_t writer)
{
	strata->unwatched_of[writer]++;
}

void strata_clear(struct strata *strata)
{
	memset(strata->strata, 0, STRATA_MOST * sizeof(*strata->strata));
	memset(&strata->rest, 0, sizeof(strata->rest));
	strata->count = strata->experiment_count = strata->seen_count = 0;
	strata->stores = 0;
	strata->candidates = 0;
}
