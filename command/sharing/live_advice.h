/* SPDX-License-Identifier: BSD-3-Clause */
/* What to move apart, so that lines of a program that runs are not falsely shared any more. */
#ifndef SHARING_LIVE_ADVICE_H
#define SHARING_LIVE_ADVICE_H

#include "analysis/sharing/answer.h"
#include "live_parties.h"
#include "statistics/table.h"

struct live_advice {
	const struct live_result *result;
	const struct sharing_answer *answer;
	const uint32_t *party_of; /* of each thread (live_parties.h) */
	uint32_t pid;
	const struct live_line *const *lines; /* in the order in which they are listed */
	uint32_t count, top; /* 'top': rows of each */
	double transfers; /* of all lines */
};

/* A thread's party, or LIVE_NOBODY */
uint32_t live_party_of(const struct live_advice *of, uint32_t tid);

/* A table with a row for each two neighbours on one of the lines; none where there is nothing to say */
void live_advise(struct document *document, const struct live_advice *of);

#endif
