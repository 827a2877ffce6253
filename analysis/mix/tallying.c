/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches that go round between the two threads. */
#include "tallying.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A few batches that stay in a cache, and of which each is hundreds of stacks: hardly anybody waits */
#define BATCHES 4u
#define BATCH_ENTRIES 4096u

/* One observation. The jumps of a stack follow, and its streams' numbers, some in the room of one entry */
struct entry {
	uint64_t period, cluster;
	uint32_t first, to; /* a sample's block; a branch */
	uint32_t kind, jumps;
};

/* Kinds of these, beside those of tallies */
enum { KNOW_STACK = MIX_BRANCH + 1, KNOWN_STACK };

#define EACH_BYTES (sizeof(struct mix_jump) + sizeof(uint32_t))

struct batch {
	struct entry entries[BATCH_ENTRIES];
	uint32_t count;
};

struct mix_tallying {
	struct mix_observations *observations;
	struct batch *filled; /* by the reader alone, until it is handed over */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* Under the lock: batches that were handed over, and that were counted, in all */
	uint64_t handed, counted;
	int is_ended;
	int failed; /* the thread's until the end */
	struct batch batches[BATCHES];
};

static uint32_t entries_of(uint32_t jumps)
{
	return 1 +
	       (uint32_t)((jumps * EACH_BYTES + sizeof(struct entry) - 1) / sizeof(struct entry));
}

/* --- the thread --- */

static int count_one(struct mix_observations *observations, const struct entry *entry)
{
	const struct mix_jump *jumps = (const void *)(entry + 1);

	switch (entry->kind) {
	case MIX_SAMPLE:
		return mix_add_sample(observations, entry->first, entry->period, entry->cluster);
	case MIX_BRANCH:
		return mix_add_branch(observations, (struct mix_jump){ entry->first, entry->to },
				      entry->period, entry->cluster);
	case KNOW_STACK:
		return mix_know_stack(observations, entry->first, jumps,
				      (const void *)(jumps + entry->jumps), entry->jumps);
	case KNOWN_STACK:
		return mix_add_known_stack(observations, entry->first, entry->period,
					   entry->cluster);
	default:
		return mix_add_numbered_stack(observations, jumps,
					      (const void *)(jumps + entry->jumps), entry->jumps,
					      entry->period, entry->cluster);
	}
}

static void count_batch(struct mix_tallying *tallying, const struct batch *batch)
{
	for (uint32_t n = 0; n < batch->count && !tallying->failed; n += entries_of(batch->entries[n].jumps))
		tallying->failed = count_one(tallying->observations, &batch->entries[n]) < 0;
}

/* NULL: all is counted, and nothing will come */
static const struct batch *wait_for_batch(struct mix_tallying *tallying)
{
	const struct batch *batch = NULL;

	pthread_mutex_lock(&tallying->lock);
	while (tallying->counted == tallying->handed && !tallying->is_ended)
		pthread_cond_wait(&tallying->changed, &tallying->lock);
	if (tallying->counted < tallying->handed)
		batch = &tallying->batches[tallying->counted % BATCHES];
	pthread_mutex_unlock(&tallying->lock);
	return batch;
}

static void *count_all(void *data)
{
	struct mix_tallying *tallying = data;
	const struct batch *batch;

	while ((batch = wait_for_batch(tallying))) {
		count_batch(tallying, batch);
		pthread_mutex_lock(&tallying->lock);
		tallying->counted++;
		pthread_cond_signal(&tallying->changed);
		pthread_mutex_unlock(&tallying->lock);
	}
	return NULL;
}

/* --- the reader --- */

struct mix_tallying *mix_tallying_begin(struct mix_observations *observations)
{
	struct mix_tallying *tallying = calloc(1, sizeof(*tallying));

	if (!tallying)
		return NULL;
	tallying->observations = observations;
	tallying->filled = tallying->batches;
	pthread_mutex_init(&tallying->lock, NULL);
	pthread_cond_init(&tallying->changed, NULL);
	if (!pthread_create(&tallying->thread, NULL, count_all, tallying))
		return tallying;
	pthread_cond_destroy(&tallying->changed);
	pthread_mutex_destroy(&tallying->lock);
	free(tallying);
	return NULL;
}

/* The filled batch goes to the thread; the next one is waited for. */
static void hand_over(struct mix_tallying *tallying, int is_ended)
{
	pthread_mutex_lock(&tallying->lock);
	tallying->handed++;
	tallying->is_ended = is_ended;
	pthread_cond_signal(&tallying->changed);
	while (tallying->handed - tallying->counted == BATCHES)
		pthread_cond_wait(&tallying->changed, &tallying->lock);
	pthread_mutex_unlock(&tallying->lock);
	tallying->filled = &tallying->batches[tallying->handed % BATCHES];
	tallying->filled->count = 0;
}

static struct entry *next_entry(struct mix_tallying *tallying, uint32_t jumps)
{
	struct entry *entry;

	if (tallying->filled->count + entries_of(jumps) > BATCH_ENTRIES)
		hand_over(tallying, 0);
	entry = &tallying->filled->entries[tallying->filled->count];
	tallying->filled->count += entries_of(jumps);
	return entry;
}

void mix_tally_sample(struct mix_tallying *tallying, uint32_t block, uint64_t period, uint64_t cluster)
{
	*next_entry(tallying, 0) =
		(struct entry){ .period = period, .cluster = cluster, .first = block, .kind = MIX_SAMPLE };
}

/* One of a stack as it is. @return its entry, whose other members are zeroed */
static struct entry *put_stack(struct mix_tallying *tallying, uint32_t kind,
			       const struct mix_jump *jumps, const uint32_t *streams,
			       uint32_t count)
{
	struct entry *entry = next_entry(tallying, count);
	struct mix_jump *to = (void *)(entry + 1);

	*entry = (struct entry){ .kind = kind, .jumps = count };
	memcpy(to, jumps, count * sizeof(*jumps));
	memcpy(to + count, streams, (count ? count - 1 : 0) * sizeof(*streams));
	return entry;
}

void mix_tally_stack(struct mix_tallying *tallying, const struct mix_jump *jumps,
		     const uint32_t *streams, uint32_t count, uint64_t period, uint64_t cluster)
{
	struct entry *entry = put_stack(tallying, MIX_STREAM, jumps, streams, count);

	entry->period = period;
	entry->cluster = cluster;
}

void mix_tally_know(struct mix_tallying *tallying, uint32_t number, const struct mix_jump *jumps,
		    const uint32_t *streams, uint32_t count)
{
	put_stack(tallying, KNOW_STACK, jumps, streams, count)->first = number;
}

void mix_tally_known_stack(struct mix_tallying *tallying, uint32_t number, uint64_t period,
			   uint64_t cluster)
{
	*next_entry(tallying, 0) = (struct entry){
		.period = period, .cluster = cluster, .first = number, .kind = KNOWN_STACK
	};
}

void mix_tally_branch(struct mix_tallying *tallying, struct mix_jump jump, uint64_t period,
		      uint64_t cluster)
{
	*next_entry(tallying, 0) = (struct entry){ .period = period, .cluster = cluster, .first = jump.from,
						   .to = jump.to, .kind = MIX_BRANCH };
}

int mix_tallying_end(struct mix_tallying *tallying)
{
	int failed;

	if (!tallying)
		return 0;
	hand_over(tallying, 1);
	pthread_join(tallying->thread, NULL);
	failed = tallying->failed;
	pthread_cond_destroy(&tallying->changed);
	pthread_mutex_destroy(&tallying->lock);
	free(tallying);
	return failed ? -1 : 0;
}
