/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The type of blocks of the heap of which the calls that asked for them tell none, by votes: what the
 * instructions that accessed them say that is there.
 */
#ifndef ANALYSIS_OBJECTS_TYPE_VOTES_H
#define ANALYSIS_OBJECTS_TYPE_VOTES_H

#include "program_types.h"
#include "type_agreement.h"

/*
 * Blocks of the same calls and size have one type; where none is elected, those of the same calls of any
 * size, as of an array that grows. Of more of these no votes are counted.
 */
#define VOTE_BLOCKS_MOST 4096u

struct voted_blocks;

/* Zeroed memory has none. */
struct type_votes {
	struct voted_blocks **slots; /* a hash table */
	uint32_t count;
	int is_elected; /* all have voted */
};

/* What the operand of an instruction that accessed it says of a place of the block */
struct type_vote {
	struct type_place place;
	const char *file; /* that has the type; outlives the votes */
	uint32_t width; /* of the operand; 0: not known */
	int is_of_characters; /* the block's calls tell characters */
};

/* block->offset is that of the access. 0, or -1 if memory is short */
int type_votes_add(struct type_votes *votes, const struct program_block *block,
		   const struct type_vote *vote);

/*
 * Is that there, or a part of what is, if the block is of the type of 'there'? An access that crosses a
 * page faults at the second one: the address is behind where the operand begins, but within it.
 * @return enum type_agreement, or -1 if memory is short
 */
int type_vote_agreement(const struct type_place *there, const struct type_vote *vote,
			struct type_agreements *agreements, struct precis_data_type_paths *paths);

/*
 * Of each kind of blocks the type that nine of ten votes agree with: that is there, or has there what they
 * say. It has four votes at least, and the block's size is a multiple of its own; of an array votes are
 * of several elements, or it may be a part of something larger. Accesses by characters abstain: they may be
 * to anything. Where the calls tell characters, which C makes anything of, they are votes for these, and
 * numbers are no type: texts are read by words, too.
 *
 * @param paths  room for them
 * @return how many kinds have one, or -1 if memory is short
 */
int type_votes_elect(struct type_votes *votes, struct type_agreements *agreements,
		     struct precis_data_type_paths *paths);

/* Does an access by that type say nothing of what is there? */
int type_vote_abstains(const struct precis_data_type *type);

struct elected_type {
	const struct precis_data_type *type; /* NULL: none has been elected */
	const char *file;
};

/* 0: nobody has voted, or not all have */
int type_votes_of(const struct type_votes *votes, const struct program_block *block,
		  struct elected_type *elected);

void type_votes_free(struct type_votes *votes);

#endif
