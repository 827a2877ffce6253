/* SPDX-License-Identifier: BSD-3-Clause */
/* See sightings.h. */
#include "sightings.h"

#include <stdlib.h>
#include <string.h>

#include <precis/error.h>
#include <precis/kernel_records.h>

#include "crew.h"
#include "joining.h"

struct mix_sightings {
	struct mix_locating locating;
	struct mix_seer *seers; /* 'count' of them; what one saw is in the first at the end */
	uint32_t count;
	struct mix_crew *crew; /* NULL: one sees all by itself */
};

int mix_sightings_new(struct precis_symbols *symbols, struct mix_sightings **sightings)
{
	struct mix_sightings *made = calloc(1, sizeof(*made));

	*sightings = made;
	if (!made)
		return -1;
	pthread_mutex_init(&made->locating.lock, NULL);
	made->locating.generation = 1;
	made->seers = calloc(1, sizeof(*made->seers));
	made->count = made->seers != NULL;
	if (made->count && mix_seer_new(made->seers, &made->locating, 0) == 0 &&
	    code_texts_new(symbols, &made->locating.texts) == 0)
		return 0;
	mix_sightings_free(made);
	*sightings = NULL;
	return -1;
}

void mix_sightings_free(struct mix_sightings *sightings)
{
	if (!sightings)
		return;
	mix_crew_end(sightings->crew);
	for (uint32_t n = 0; n < sightings->count; n++)
		mix_seer_free(&sightings->seers[n]);
	free(sightings->seers);
	code_texts_free(sightings->locating.texts);
	pthread_mutex_destroy(&sightings->locating.lock);
	free(sightings);
}

void mix_sightings_keep(struct mix_sightings *sightings, uint32_t most)
{
	sightings->locating.places_most = most;
}

void mix_sightings_open_with(struct mix_sightings *sightings, code_open_fn *open_file,
			     const void *data)
{
	code_texts_open_with(sightings->locating.texts, open_file, data);
}

int mix_sightings_bpf(struct mix_sightings *sightings, struct precis_bytes section, uint32_t bits)
{
	return code_texts_bpf(sightings->locating.texts, section.data, section.bytes, bits) ==
			       PRECIS_E_NO_MEMORY
		       ? -1
		       : 0;
}

/* --- several threads --- */

/* As many seers as threads, or as memory is there for. @return 0, or -1: memory is short */
static int make_seers(struct mix_sightings *sightings, uint32_t threads)
{
	struct mix_seer *seers = calloc(threads, sizeof(*seers));
	uint32_t count = 0;

	if (!seers)
		return -1;
	while (count < threads && mix_seer_new(&seers[count], &sightings->locating, 1) == 0 &&
	       mix_seer_begin(&seers[count]) == 0)
		count++;
	for (uint32_t n = count; n < threads; n++)
		mix_seer_free(&seers[n]);
	if (count < 2) {
		if (count)
			mix_seer_free(&seers[0]);
		free(seers);
		return -1;
	}
	mix_seer_free(&sightings->seers[0]);
	free(sightings->seers);
	sightings->seers = seers;
	sightings->count = count;
	return 0;
}

int mix_sightings_begin(struct mix_sightings *sightings, uint32_t threads)
{
	const uint32_t most = threads < MIX_THREADS_MOST ? threads : MIX_THREADS_MOST;

	if (most > 1 && !sightings->crew && !sightings->seers[0].places.count &&
	    make_seers(sightings, most) == 0) {
		sightings->locating.is_shared = 1;
		sightings->crew = mix_crew_new(sightings->seers, sightings->count);
		if (sightings->crew)
			return 0;
		/* There is no thread to be had: the first sees all */
		sightings->locating.is_shared = 0;
	}
	return mix_seer_begin(&sightings->seers[0]);
}

int mix_sightings_settle(struct mix_sightings *sightings)
{
	int failed = mix_crew_end(sightings->crew) < 0;

	sightings->crew = NULL;
	sightings->locating.is_shared = 0;
	if (sightings->count > 1)
		failed |= joining_of(&sightings->locating, sightings->seers, &sightings->count) < 0;
	return mix_seer_settle(&sightings->seers[0]) < 0 || failed ? -1 : 0;
}

void mix_sightings_pause(struct mix_sightings *sightings)
{
	if (sightings->crew)
		mix_crew_pause(sightings->crew);
}

/* --- records --- */

static int changes_places(uint32_t type)
{
	switch (type) {
	case PRECIS_RECORD_MMAP:
	case PRECIS_RECORD_MMAP2:
	case PRECIS_RECORD_COMM:
	case PRECIS_RECORD_FORK:
	case PRECIS_RECORD_KSYMBOL:
	case PRECIS_RECORD_TEXT_POKE:
		return 1;
	default:
		return 0;
	}
}

int mix_sightings_learn_from(uint32_t type)
{
	return changes_places(type) || type == PRECIS_RECORD_HEADER_BUILD_ID;
}

int mix_sightings_record(struct mix_sightings *sightings, const struct precis_record *record,
			 uint64_t time)
{
	if (changes_places(record->type))
		sightings->locating.generation++;
	return code_texts_record(sightings->locating.texts, record, time) == PRECIS_E_NO_MEMORY ? -1
												: 0;
}

/* --- what is seen --- */

int mix_see_sample(struct mix_sightings *sightings, const struct mix_witness *who, uint64_t address)
{
	if (!sightings->crew)
		return mix_seer_sample(&sightings->seers[0], who, address);
	mix_crew_sample(sightings->crew, who, address);
	return 0;
}

int mix_see_branch(struct mix_sightings *sightings, const struct mix_witness *who, uint64_t from,
		   uint64_t to)
{
	if (!sightings->crew)
		return mix_seer_branch(&sightings->seers[0], who, from, to);
	mix_crew_branch(sightings->crew, who, from, to);
	return 0;
}

int mix_see_stack(struct mix_sightings *sightings, const struct mix_witness *who,
		  struct code_streams *streams, const struct precis_perf_sample *sample)
{
	if (!sightings->crew)
		return mix_seer_stack(&sightings->seers[0], who, streams, sample);
	mix_crew_stack(sightings->crew, who, streams, sample);
	return 0;
}

const struct mix_observations *mix_sightings_seen(const struct mix_sightings *sightings)
{
	return &sightings->seers[0].seen;
}

uint32_t mix_sightings_places(const struct mix_sightings *sightings)
{
	return sightings->seers[0].places.count;
}

struct mix_place mix_sightings_place(const struct mix_sightings *sightings, uint32_t number)
{
	return mix_place_of(&sightings->seers[0].places.key[number]);
}

struct code_texts *mix_sightings_texts(const struct mix_sightings *sightings)
{
	return sightings->locating.texts;
}
