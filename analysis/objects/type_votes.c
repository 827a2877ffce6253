/* SPDX-License-Identifier: BSD-3-Clause */
/* See type_votes.h. */
#include "type_votes.h"

#include <stdlib.h>
#include <string.h>

#define ANY_SIZE UINT64_C(0)
#define SLOTS (2 * VOTE_BLOCKS_MOST)
/* Of blocks so many types are told apart, the first ones: more are votes for none of them */
#define TYPES_MOST 8u
/* Places of a type that are compared with other types; all its votes count as these do */
#define PLACES_MOST 16u
/* What is elected has so many votes, of so many elements if it has as many */
#define VOTES_LEAST 4u
#define ELEMENTS_LEAST 4u
#define OF_TEN 9u

struct place_votes {
	uint64_t in_block, block_bytes;
	struct type_vote vote;
	uint64_t votes;
	uint64_t
		order; /* those with the least are kept: it is chance which, and the same in any order */
};

struct candidate {
	const struct precis_data_type *type;
	const char *file;
	uint64_t votes;
	struct place_votes places[PLACES_MOST];
	uint32_t count;
};

struct voted_blocks {
	uint64_t hash, bytes; /* ANY_SIZE */
	struct candidate *candidates;
	uint32_t count;
	uint64_t others; /* votes for more types than are told apart */
	int is_of_characters;
	struct elected_type elected;
};

/* --- which blocks --- */

static uint64_t mixed(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static uint64_t hash_of(const struct program_block *block, uint64_t bytes)
{
	uint64_t hash = mixed(block->count, bytes);

	for (const char *at = block->file; at && *at; at++)
		hash = mixed(hash, (unsigned char)*at);
	for (uint32_t n = 0; n < block->count; n++)
		hash = mixed(hash, block->offsets[n]);
	return hash;
}

/* The slot that has those of the same calls and of that size, or where they go */
static struct voted_blocks **find(const struct type_votes *votes, const struct program_block *block,
				  uint64_t bytes, uint64_t *hash)
{
	uint32_t n;

	*hash = hash_of(block, bytes);
	n = (uint32_t)(*hash % SLOTS);
	while (votes->slots[n] &&
	       (votes->slots[n]->hash != *hash || votes->slots[n]->bytes != bytes))
		n = (n + 1) % SLOTS;
	return &votes->slots[n];
}

static struct voted_blocks *blocks_new(uint64_t hash, uint64_t bytes)
{
	struct voted_blocks *blocks = calloc(1, sizeof(*blocks));

	if (blocks)
		*blocks = (struct voted_blocks){ .hash = hash, .bytes = bytes };
	return blocks;
}

/* --- voting --- */

/* Types of a name are one: each unit of a program has its own. NULL: there are too many, or no memory */
static struct candidate *candidate_of(struct voted_blocks *blocks, const struct type_vote *vote,
				      int *failed)
{
	const char *name = precis_data_type_name(vote->place.type);
	struct candidate *more;

	for (uint32_t n = 0; n < blocks->count; n++) {
		struct candidate *one = &blocks->candidates[n];

		if (one->type == vote->place.type ||
		    !strcmp(precis_data_type_name(one->type), name))
			return one;
	}
	if (blocks->count == TYPES_MOST)
		return NULL;
	more = realloc(blocks->candidates, (blocks->count + 1) * sizeof(*more));
	*failed = !more;
	if (!more)
		return NULL;
	blocks->candidates = more;
	more += blocks->count++;
	*more = (struct candidate){ .type = vote->place.type, .file = vote->file };
	return more;
}

static void keep_place(struct candidate *candidate, const struct program_block *block,
		       const struct type_vote *vote)
{
	const uint64_t order = mixed(mixed(block->offset, vote->place.offset), block->bytes);
	struct place_votes *last = candidate->places;

	for (uint32_t n = 0; n < candidate->count; n++) {
		struct place_votes *one = &candidate->places[n];

		if (one->in_block == block->offset && one->block_bytes == block->bytes &&
		    one->vote.place.offset == vote->place.offset) {
			one->votes++;
			return;
		}
		last = one->order > last->order ? one : last;
	}
	if (candidate->count < PLACES_MOST)
		last = &candidate->places[candidate->count++];
	else if (order >= last->order)
		return;
	*last = (struct place_votes){ block->offset, block->bytes, *vote, 1, order };
}

static int add(struct type_votes *votes, const struct program_block *block, uint64_t bytes,
	       const struct type_vote *vote)
{
	uint64_t hash;
	struct voted_blocks **blocks = find(votes, block, bytes, &hash);
	struct candidate *candidate;
	int failed = 0;

	if (!*blocks) {
		if (votes->count == VOTE_BLOCKS_MOST)
			return 0;
		*blocks = blocks_new(hash, bytes);
		if (!*blocks)
			return -1;
		votes->count++;
	}
	candidate = candidate_of(*blocks, vote, &failed);
	if (!candidate) {
		(*blocks)->others++;
		return failed ? -1 : 0;
	}
	candidate->votes++;
	(*blocks)->is_of_characters |= vote->is_of_characters;
	keep_place(candidate, block, vote);
	return 0;
}

int type_votes_add(struct type_votes *votes, const struct program_block *block,
		   const struct type_vote *vote)
{
	if (!votes->slots)
		votes->slots = calloc(SLOTS, sizeof(struct voted_blocks *));
	if (!votes->slots || add(votes, block, block->bytes, vote) < 0)
		return -1;
	return add(votes, block, ANY_SIZE, vote);
}

/* --- electing --- */

struct election {
	const struct voted_blocks *blocks;
	struct type_agreements *agreements;
	struct precis_data_type_paths *paths;
	const struct candidate *best;
	uint64_t best_votes, best_bytes;
};

/* Numbers of one byte, of which all memory is made; enumerations are not meant for that */
int type_vote_abstains(const struct precis_data_type *type)
{
	const struct precis_data_type *is;
	uint64_t bytes;

	while (precis_data_type_target(type, &is) > 0 && is &&
	       precis_data_type_kind(type) == PRECIS_DATA_KIND_BASE)
		type = is;
	return precis_data_type_kind(type) == PRECIS_DATA_KIND_BASE &&
	       precis_data_type_bytes(type, &bytes, NULL) > 0 && bytes == 1;
}

static int is_number(const struct precis_data_type *type)
{
	const uint32_t kind = precis_data_type_kind(type);

	return kind == PRECIS_DATA_KIND_BASE || kind == PRECIS_DATA_KIND_ENUMERATION;
}

struct support {
	uint64_t votes; /* that agree */
	uint64_t elements[PLACES_MOST]; /* of which votes for the very type are */
	uint32_t count;
	uint64_t most; /* of the largest of the blocks */
};

/* Is the size that of one or some of so many bytes? And what stands before them */
static int fits(uint64_t block_bytes, uint64_t bytes, uint64_t *cookie)
{
	*cookie = program_types_cookie(block_bytes, bytes);
	return bytes && bytes <= block_bytes && (block_bytes - *cookie) % bytes == 0;
}

static void note_element(struct support *support, uint64_t element)
{
	for (uint32_t n = 0; n < support->count; n++) {
		if (support->elements[n] == element)
			return;
	}
	if (support->count < PLACES_MOST)
		support->elements[support->count++] = element;
}

int type_vote_agreement(const struct type_place *there, const struct type_vote *vote,
			struct type_agreements *agreements, struct precis_data_type_paths *paths)
{
	const struct type_place begin = { there->type, vote->place.offset };
	int agreement = type_agreement(agreements, there, &vote->place, vote->width, 1, paths);
	uint64_t bytes;

	if (agreement != TYPES_DIFFER || precis_data_type_bytes(there->type, &bytes, NULL) <= 0 ||
	    !bytes)
		return agreement;
	if ((there->offset + bytes - vote->place.offset % bytes) % bytes < vote->width)
		agreement = type_agreement(agreements, &begin, &vote->place, vote->width, 1, paths);
	return agreement;
}

/* What one type's votes say of another that blocks may be of. 0, or -1 if memory is short */
static int add_support(const struct election *election, const struct candidate *of, uint64_t bytes,
		       const struct candidate *by, struct support *support)
{
	uint64_t kept = 0, agree = 0, cookie;

	for (uint32_t n = 0; n < by->count; n++) {
		const struct place_votes *one = &by->places[n];
		struct type_place there = { of->type, 0 };
		int agreement;

		kept += one->votes;
		if (!fits(one->block_bytes, bytes, &cookie) || one->in_block < cookie)
			continue;
		there.offset = (one->in_block - cookie) % bytes;
		if (one->block_bytes / bytes > support->most)
			support->most = one->block_bytes / bytes;
		agreement = type_vote_agreement(&there, &one->vote, election->agreements,
						election->paths);
		if (agreement < 0)
			return -1;
		agree += agreement != TYPES_DIFFER ? one->votes : 0;
		if (agreement == TYPES_SAME)
			note_element(support, (one->in_block - cookie) / bytes);
	}
	if (kept)
		support->votes += (by->votes * agree + kept / 2) / kept;
	return 0;
}

static int is_better(const struct election *election, const struct candidate *candidate,
		     uint64_t votes, uint64_t bytes)
{
	if (!election->best || votes != election->best_votes)
		return votes > election->best_votes;
	if (bytes != election->best_bytes)
		return bytes > election->best_bytes;
	return strcmp(precis_data_type_name(candidate->type),
		      precis_data_type_name(election->best->type)) < 0;
}

static int stand(struct election *election, const struct candidate *candidate)
{
	const struct voted_blocks *blocks = election->blocks;
	struct support support = { .votes = 0 };
	uint64_t bytes, all = blocks->others;

	if (precis_data_type_bytes(candidate->type, &bytes, NULL) <= 0 ||
	    (blocks->is_of_characters && is_number(candidate->type)))
		return 0;
	for (uint32_t n = 0; n < blocks->count; n++) {
		const struct candidate *by = &blocks->candidates[n];

		if (by != candidate && type_vote_abstains(by->type) &&
		    !type_vote_abstains(candidate->type)) {
			all += blocks->is_of_characters ? by->votes : 0;
			continue;
		}
		all += by->votes;
		if (add_support(election, candidate, bytes, by, &support) < 0)
			return -1;
	}
	if (support.votes < VOTES_LEAST || support.votes * 10 < all * OF_TEN ||
	    support.count < (support.most < ELEMENTS_LEAST ? support.most : ELEMENTS_LEAST))
		return 0;
	if (!is_better(election, candidate, support.votes, bytes))
		return 0;
	election->best = candidate;
	election->best_votes = support.votes;
	election->best_bytes = bytes;
	return 0;
}

int type_votes_elect(struct type_votes *votes, struct type_agreements *agreements,
		     struct precis_data_type_paths *paths)
{
	int count = 0;

	votes->is_elected = 1;
	for (uint32_t slot = 0; votes->slots && slot < SLOTS; slot++) {
		struct election election = { votes->slots[slot], agreements, paths, NULL, 0, 0 };

		if (!votes->slots[slot])
			continue;
		for (uint32_t n = 0; n < election.blocks->count; n++) {
			if (stand(&election, &election.blocks->candidates[n]) < 0)
				return -1;
		}
		if (!election.best)
			continue;
		votes->slots[slot]->elected =
			(struct elected_type){ election.best->type, election.best->file };
		count++;
	}
	return count;
}

int type_votes_of(const struct type_votes *votes, const struct program_block *block,
		  struct elected_type *elected)
{
	const struct voted_blocks *of_size, *any;
	uint64_t hash, bytes, cookie;

	*elected = (struct elected_type){ NULL, NULL };
	if (!votes->slots || !votes->is_elected)
		return 0;
	of_size = *find(votes, block, block->bytes, &hash);
	any = *find(votes, block, ANY_SIZE, &hash);
	if (of_size && of_size->elected.type)
		*elected = of_size->elected;
	else if (any && any->elected.type &&
		 precis_data_type_bytes(any->elected.type, &bytes, NULL) > 0 &&
		 fits(block->bytes, bytes, &cookie))
		*elected = any->elected;
	return of_size || any;
}

void type_votes_free(struct type_votes *votes)
{
	for (uint32_t n = 0; votes->slots && n < SLOTS; n++) {
		if (!votes->slots[n])
			continue;
		free(votes->slots[n]->candidates);
		free(votes->slots[n]);
	}
	free(votes->slots);
	*votes = (struct type_votes){ .slots = NULL };
}
