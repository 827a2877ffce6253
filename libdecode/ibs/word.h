/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's data source word of an IBS sample: what it says of the registers behind it. */
#ifndef PRECIS_IBS_WORD_H
#define PRECIS_IBS_WORD_H

#include <stdint.h>

#include "../sample/access.h"
#include "../sample/vendor.h"

/* Why a part of an access is absent, besides those of every vendor. */
enum ibs_word_why {
	WHY_BEFORE_OWN = WHY_COUNT - 1,
#define PRECIS_ACCESS_WHY(id, reason, detail) WHY_##id,
#include "word_whys.def"
#undef PRECIS_ACCESS_WHY
	WHY_END
};
_Static_assert((unsigned int)WHY_END <= ACCESS_WHY_MASK + 1, "a sample has room for them");

/* What one of them means. PRESENT for others */
struct why precis_ibs_word_why(uint32_t why);

/*
 * The dynamic gates (gates.def) that did not hold in the registers of a load or store: all
 * fields that need one are not applicable, whether or not the word tells them.
 */
uint64_t precis_ibs_word_denies(uint32_t cores, uint64_t word);

#endif
