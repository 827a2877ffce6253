/* SPDX-License-Identifier: BSD-3-Clause */
/* See crew.h. */
#include "crew.h"

#include <stdlib.h>
#include <string.h>

#include "tallies.h"

/*
 * Larger than a processor's second cache: a batch has left the reader's by the time that another thread
 * takes it. Lines that are still there, written to, come one by one, which takes longer than seeing what is
 * in them.
 */
#define BATCH_BYTES (UINT32_C(1) << 20)
#define BATCHES_EACH 2u /* of a thread: one that it is at, one that waits for it; … */
#define BATCHES_MORE 4u /* … and for the reader */

/* One that was put down. The bytes of a stack follow. */
struct sight {
	struct mix_witness who;
	uint64_t number; /* among all */
	uint64_t from, to; /* a sample has 'from' alone */
	struct code_streams *streams;
	uint64_t branch_count;
	uint32_t kind; /* enum mix_tally_kind */
	uint32_t bytes; /* of a stack */
};
#define ALIGNMENT sizeof(uint64_t)

struct batch {
	unsigned char bytes[BATCH_BYTES]; /* first: aligned as what follows */
	struct batch *next;
	uint32_t filled;
};

struct worker {
	struct mix_crew *crew;
	struct mix_seer *seer;
	pthread_t thread;
	int is_running;
};

struct mix_crew {
	struct batch *filling; /* by the reader alone */
	uint64_t number;
	struct mix_seer *own; /* the reader's */
	uint32_t count; /* of workers, the reader apart */
	struct worker *workers;
	struct batch *batches; /* all of them */
	pthread_mutex_t lock;
	pthread_cond_t handed, done;
	/* Under the lock: */
	struct batch *first, **last; /* that wait */
	struct batch *empty;
	uint32_t busy; /* workers that are at a batch */
	int is_ended;
	int failed;
};

/* --- seeing --- */

static int see_stack(struct mix_seer *seer, const struct sight *sight)
{
	const struct precis_perf_sample sample = {
		.size = sizeof(sample),
		.present = PRECIS_SAMPLE_BRANCH_STACK,
		.branch_count = sight->branch_count,
		.branches = { (const uint8_t *)(sight + 1), sight->bytes },
	};

	return mix_seer_stack(seer, &sight->who, sight->streams, &sample);
}

static int see_one(struct mix_seer *seer, const struct sight *sight)
{
	mix_seer_at(seer, sight->number);
	switch (sight->kind) {
	case MIX_SAMPLE:
		return mix_seer_sample(seer, &sight->who, sight->from);
	case MIX_BRANCH:
		return mix_seer_branch(seer, &sight->who, sight->from, sight->to);
	default:
		return see_stack(seer, sight);
	}
}

static size_t room_of(size_t bytes)
{
	return sizeof(struct sight) + (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* @return 0, or -1: memory is short */
static int see_batch(struct mix_seer *seer, struct batch *batch)
{
	const unsigned char *at = batch->bytes;
	int failed = 0;

	while (at < batch->bytes + batch->filled && !failed) {
		const struct sight *sight = (const struct sight *)(const void *)at;

		failed = see_one(seer, sight) < 0;
		at += room_of(sight->bytes);
	}
	batch->filled = 0;
	return failed ? -1 : 0;
}

/* --- turns: all of these under the lock --- */

static void push(struct mix_crew *crew, struct batch *batch)
{
	batch->next = NULL;
	*crew->last = batch;
	crew->last = &batch->next;
}

/* @return NULL: none waits */
static struct batch *pull(struct mix_crew *crew)
{
	struct batch *batch = crew->first;

	if (batch) {
		crew->first = batch->next;
		crew->last = crew->first ? crew->last : &crew->first;
	}
	return batch;
}

static void give_back(struct mix_crew *crew, struct batch *batch)
{
	batch->next = crew->empty;
	crew->empty = batch;
}

/* The next one that waits, which is unlocked meanwhile. @return 0: there is none */
static int take_turn(struct mix_crew *crew, struct mix_seer *seer)
{
	struct batch *batch = pull(crew);
	int failed;

	if (!batch)
		return 0;
	pthread_mutex_unlock(&crew->lock);
	failed = see_batch(seer, batch) < 0;
	pthread_mutex_lock(&crew->lock);
	crew->failed |= failed;
	give_back(crew, batch);
	return 1;
}

static void *work(void *data)
{
	struct worker *worker = data;
	struct mix_crew *crew = worker->crew;

	pthread_mutex_lock(&crew->lock);
	while (crew->first || !crew->is_ended) {
		crew->busy++;
		while (take_turn(crew, worker->seer))
			pthread_cond_signal(&crew->done);
		crew->busy--;
		pthread_cond_signal(&crew->done);
		if (!crew->is_ended)
			pthread_cond_wait(&crew->handed, &crew->lock);
	}
	pthread_mutex_unlock(&crew->lock);
	return NULL;
}

/* --- the reader --- */

static void free_crew(struct mix_crew *crew)
{
	pthread_cond_destroy(&crew->handed);
	pthread_cond_destroy(&crew->done);
	pthread_mutex_destroy(&crew->lock);
	free(crew->workers);
	free(crew->batches);
	free(crew);
}

static int begin_workers(struct mix_crew *crew, struct mix_seer *seers)
{
	uint32_t running = 0;

	for (uint32_t n = 0; n < crew->count; n++) {
		struct worker *worker = &crew->workers[n];

		*worker = (struct worker){ .crew = crew, .seer = &seers[n + 1] };
		worker->is_running = !pthread_create(&worker->thread, NULL, work, worker);
		running += worker->is_running != 0;
	}
	return running ? 0 : -1;
}

struct mix_crew *mix_crew_new(struct mix_seer *seers, uint32_t count)
{
	const uint32_t batches = BATCHES_EACH * count + BATCHES_MORE;
	struct mix_crew *crew = calloc(1, sizeof(*crew));

	if (!crew)
		return NULL;
	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->handed, NULL);
	pthread_cond_init(&crew->done, NULL);
	crew->own = seers;
	crew->count = count - 1;
	crew->last = &crew->first;
	crew->workers = calloc(crew->count, sizeof(*crew->workers));
	crew->batches = calloc(batches, sizeof(*crew->batches));
	if (!crew->workers || !crew->batches || begin_workers(crew, seers) < 0) {
		free_crew(crew);
		return NULL;
	}
	crew->filling = crew->batches;
	pthread_mutex_lock(&crew->lock);
	for (uint32_t n = 1; n < batches; n++)
		give_back(crew, &crew->batches[n]);
	pthread_mutex_unlock(&crew->lock);
	return crew;
}

static void hand_over(struct mix_crew *crew)
{
	pthread_mutex_lock(&crew->lock);
	push(crew, crew->filling);
	pthread_cond_signal(&crew->handed);
	while (!crew->empty && take_turn(crew, crew->own))
		;
	/* Where none waits, others are at all of them. */
	while (!crew->empty)
		pthread_cond_wait(&crew->done, &crew->lock);
	crew->filling = crew->empty;
	crew->empty = crew->filling->next;
	pthread_mutex_unlock(&crew->lock);
}

/* @return what is to be filled in behind that */
static struct sight *put_down(struct mix_crew *crew, const struct mix_witness *who, uint32_t kind,
			      size_t bytes)
{
	const size_t room = room_of(bytes);
	struct sight *sight;

	if (crew->filling->filled + room > BATCH_BYTES)
		hand_over(crew);
	sight = (struct sight *)(void *)(crew->filling->bytes + crew->filling->filled);
	crew->filling->filled += (uint32_t)room;
	*sight = (struct sight){
		.who = *who, .number = crew->number++, .kind = kind, .bytes = (uint32_t)bytes
	};
	return sight;
}

void mix_crew_sample(struct mix_crew *crew, const struct mix_witness *who, uint64_t address)
{
	put_down(crew, who, MIX_SAMPLE, 0)->from = address;
}

void mix_crew_branch(struct mix_crew *crew, const struct mix_witness *who, uint64_t from,
		     uint64_t to)
{
	struct sight *sight = put_down(crew, who, MIX_BRANCH, 0);

	sight->from = from;
	sight->to = to;
}

void mix_crew_stack(struct mix_crew *crew, const struct mix_witness *who,
		    struct code_streams *streams, const struct precis_perf_sample *sample)
{
	/* A record, and so a stack, has no more than 64 KiB. */
	const size_t bytes =
		sample->present & PRECIS_SAMPLE_BRANCH_STACK ? sample->branches.bytes : 0;
	struct sight *sight = put_down(crew, who, MIX_STREAM, bytes);

	sight->streams = streams;
	sight->branch_count = bytes ? sample->branch_count : 0;
	if (bytes)
		memcpy(sight + 1, sample->branches.data, bytes);
}

/* First what waits, as what is being filled comes behind it */
void mix_crew_pause(struct mix_crew *crew)
{
	int failed;

	pthread_mutex_lock(&crew->lock);
	while (take_turn(crew, crew->own))
		;
	pthread_mutex_unlock(&crew->lock);
	failed = see_batch(crew->own, crew->filling) < 0;
	pthread_mutex_lock(&crew->lock);
	crew->failed |= failed;
	while (crew->busy)
		pthread_cond_wait(&crew->done, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
}

int mix_crew_end(struct mix_crew *crew)
{
	int failed;

	if (!crew)
		return 0;
	mix_crew_pause(crew);
	pthread_mutex_lock(&crew->lock);
	crew->is_ended = 1;
	pthread_cond_broadcast(&crew->handed);
	pthread_mutex_unlock(&crew->lock);
	for (uint32_t n = 0; n < crew->count; n++) {
		if (crew->workers[n].is_running)
			pthread_join(crew->workers[n].thread, NULL);
	}
	failed = crew->failed;
	free_crew(crew);
	return failed ? -1 : 0;
}
