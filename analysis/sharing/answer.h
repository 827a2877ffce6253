/* SPDX-License-Identifier: BSD-3-Clause */
/* What comes of all that was counted: who in which order, which lines first, what went from whom to whom. */
#ifndef ANALYSIS_SHARING_ANSWER_H
#define ANALYSIS_SHARING_ANSWER_H

#include "state.h"

/* So many have a row and a column in the matrix: those with most transfers, which come first */
#define SHARING_MATRIX_MOST 16u

#define SHARING_PARTY_TEXT 64u

struct sharing_ranked_line {
	double rank;
	uint32_t line; /* from 0 */
};

struct sharing_pair {
	uint32_t writer, reader; /* places in 'order' */
};

struct sharing_answer {
	const struct sharing *sharing;
	int has_source;   /* samples tell which loads got a line from another cache */
	struct sharing_estimate estimate; /* by numbers of parties */
	uint32_t *order;  /* numbers of parties, as they are listed */
	uint32_t *seated; /* places in that, by recording, node and CPU alone */
	uint32_t parties, in_matrix;
	struct sharing_ranked_line *lines; /* that are shared, the worst first */
	uint32_t line_count;
	struct sharing_pair *pairs; /* between which there are transfers, most first */
	uint32_t pair_count;
	struct sharing_scratch scratch;
};

/* 0, or -1 if memory is short; to be freed in any case */
int sharing_answer_init(struct sharing_answer *answer, const struct sharing *sharing);

/* The same of an estimate that was made otherwise, and is the answer's then: there are no lines. */
int sharing_answer_of(struct sharing_answer *answer, const struct sharing *sharing,
		      struct sharing_estimate *estimate);
void sharing_answer_free(struct sharing_answer *answer);

/* From one place of the order to another */
const struct sharing_flow *sharing_answer_flow(const struct sharing_answer *answer, uint32_t writer,
					       uint32_t reader);

static inline const struct sharing_party *sharing_answer_party(const struct sharing_answer *answer,
							     uint32_t place)
{
	return &answer->sharing->parties.list[answer->order[place]];
}

/* The place of a party, by its number */
uint32_t sharing_answer_place(const struct sharing_answer *answer, uint32_t party);

/* Who is at that place; where there are several recordings, of which of them */
void sharing_answer_text(const struct sharing_answer *answer, uint32_t place, char text[SHARING_PARTY_TEXT]);

/* Words of enum sharing_by, in its order; NULL behind the last */
extern const char *const sharing_by_words[];

/* What they are, in one word and in several: "thread", "threads" */
const char *sharing_party_word(const struct sharing_request *request, int is_plural);

#endif
