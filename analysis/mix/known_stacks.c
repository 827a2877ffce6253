/* SPDX-License-Identifier: BSD-3-Clause */
/* See known_stacks.h. */
#include "known_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "statistics/random.h"

#define SLOTS 32768u /* a power of two, as is: */
#define LINE 64u

/*
 * Of so many stacks that are looked for, a third is to be known: where fewer are, what it takes to look for
 * them and to know them is more than is gained. Else the next ones are taken as they come.
 */
#define TRIAL 4096u
#define TRIAL_LEAST (TRIAL / 3)
#define PAUSE (15 * TRIAL)

struct known_stacks {
	struct code_digest_keys keys;
	struct known_stack *slot;
	uint32_t count, most;
	uint32_t tried, found, pause;
};

/* The same in each run */
static void draw_keys(struct code_digest_keys *keys)
{
	struct random random = random_of(0);

	for (uint32_t n = 0; n < CODE_DIGEST_ENTRIES_MOST; n++) {
		keys->of[n].from = random_next(&random);
		keys->of[n].to = random_next(&random);
	}
}

struct known_stacks *known_stacks_new(uint32_t most)
{
	struct known_stacks *known = calloc(1, sizeof(*known));

	if (!known)
		return NULL;
	known->slot = aligned_alloc(LINE, SLOTS * sizeof(*known->slot));
	if (!known->slot) {
		free(known);
		return NULL;
	}
	memset(known->slot, 0, SLOTS * sizeof(*known->slot));
	known->most = most;
	draw_keys(&known->keys);
	return known;
}

/* Is it a stack of the trial, or one of the pause behind it? */
static inline int is_tried(struct known_stacks *known)
{
	if (known->pause) {
		known->pause--;
		return 0;
	}
	if (known->tried == TRIAL) {
		known->pause = known->found < TRIAL_LEAST ? PAUSE : 0;
		known->tried = known->found = 0;
	}
	known->tried++;
	return 1;
}

static inline struct known_stack *slot_of(const struct known_stacks *known,
					  const struct known_stack *key)
{
	const uint64_t hash =
		(key->digest.high ^ key->digest.low ^ key->task) * UINT64_C(0x9e3779b97f4a7c15);

	return &known->slot[hash >> 48 & (SLOTS - 1)];
}

const struct known_stack *known_stacks_find(struct known_stacks *known,
					    const struct precis_perf_sample *sample,
					    struct known_stack *key)
{
	const struct known_stack *slot;

	key->entries = is_tried(known) ? code_stack_digest(&known->keys, sample, &key->digest) : 0;
	if (!key->entries)
		return NULL;
	slot = slot_of(known, key);
	if (slot->digest.low != key->digest.low || slot->digest.high != key->digest.high ||
	    slot->entries != key->entries || slot->task != key->task || slot->epoch != key->epoch)
		return NULL;
	known->found++;
	return slot;
}

uint32_t known_stacks_add(struct known_stacks *known, const struct known_stack *key)
{
	struct known_stack *slot = slot_of(known, key);

	if (known->count == known->most) {
		memset(known->slot, 0, SLOTS * sizeof(*known->slot));
		known->count = 0;
	}
	*slot = *key;
	slot->number = known->count++;
	return slot->number;
}

void known_stacks_free(struct known_stacks *known)
{
	if (!known)
		return;
	free(known->slot);
	free(known);
}
