/* SPDX-License-Identifier: BSD-3-Clause */
/* What was seen when the code behind a call was followed: calls ask again, of blocks of other sizes. */
#ifndef PRECIS_SYMBOLS_TYPES_FOLLOWED_H
#define PRECIS_SYMBOLS_TYPES_FOLLOWED_H

#include "model.h"

/** Where in a block a pointer leads to that is of a type: to its first byte, or behind any number of … */
enum block_part {
	BLOCK_START,
	BLOCK_ELEMENT, /* … elements of that size */
	BLOCK_ELSEWHERE /* … bytes */
};

/** What becomes of the pointer at last */
struct result_end {
	int is_returned; /* the function was seen to return it; 0 says nothing */
	int is_given; /* or to put it where argument 'argument' of its own points */
	uint32_t argument;
	uint64_t moved; /* behind so many bytes that it keeps for itself */
	int is_number; /* what the call returns is no pointer: half of it is taken */
	int has_pointers; /* the function was seen to keep pointers in the block … */
	int is_kept; /* … or to keep the block, or something in it, elsewhere than where it gives it */
};

/* Of what tells more it is not kept */
#define FOLLOWED_OFFERS 16u

struct followed {
	uint64_t return_address;
	uint32_t given;
	uint32_t count;
	int is_whole; /* nobody has said yes before the end */
	int has_more; /* than there is room for */
	struct result_end end; /* if it is whole */
	struct followed_offer {
		const struct precis_data_type *type;
		uint32_t evidence;
		enum block_part part;
	} offer[FOLLOWED_OFFERS];
};

/** What is known of a call, or room for it; NULL: memory is short. It lasts until the next is asked for. */
struct followed *precis_followed_find(struct precis_data_types *types, uint64_t return_address,
				      uint32_t given);

/** @return 0 if it has been noted before */
int precis_followed_note(struct followed *followed, const struct followed_offer *offer);

#endif
