/* SPDX-License-Identifier: BSD-3-Clause */
/* What of a type's layout costs, as far as its samples support that: see advice.def. */
#ifndef ANALYSIS_TYPE_PAGE_ADVICE_H
#define ANALYSIS_TYPE_PAGE_ADVICE_H

#include "member_tally.h"

enum advice_id {
#define ADVICE(name, least) ADVICE_##name,
#include "advice.def"
	ADVICE_IDS
};

/* One of them, and its ground: the part of a whole that is certainly more than its row says */
struct advice {
	const char *name; /* static */
	char *text; /* a sentence, to be freed */
	struct weighted part, whole;
};

/*
 * All that can be said of a type.
 * @param all         samples of the event, of whatever
 * @param confidence  of the document's intervals
 * @param types       of how many the same is asked: all together are wrong as seldom as one alone would be
 * @return how many; -1 if memory is short
 */
int advice_of(const struct type_tally *tally, const struct weighted *all,
	      struct confidence confidence, uint32_t types, struct advice advice[ADVICE_IDS]);

#endif
