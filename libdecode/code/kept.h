/* SPDX-License-Identifier: BSD-3-Clause */
/* The instructions of texts, decoded once for each place and kept. */
#ifndef LIBDECODE_CODE_KEPT_H
#define LIBDECODE_CODE_KEPT_H

#include "form_set.h"
#include "texts.h"

/* What is known of a place */
#define KEPT_DECODED 1u
#define KEPT_ENTRY 2u   /* control arrives there: a block begins */
#define KEPT_REACHED 4u /* control arrives there from an entry */

struct kept {
	uint64_t offset, target; /* target: offset in the text */
	uint32_t form;
	uint8_t length; /* 0: 'absent' */
	uint8_t absent, marks, has_target;
};

/* Zeroed memory has none. */
struct kept_text {
	struct code_text *text;
	struct kept *slot; /* of a hash table; no marks: empty */
	uint32_t count, slots; /* a power of 2 */
};

#define KEPT_MOST (UINT32_C(1) << 26) /* places of a text: 1.5 GiB */

/** What is known of a place; made if need be. NULL if memory is short. Valid until the next call. */
struct kept *kept_at(struct kept_text *kept, uint64_t offset, uint32_t marks);

/** The same without making one: NULL if there is none */
struct kept *kept_find(const struct kept_text *kept, uint64_t offset);

/**
 * The instruction at a place, as it was at a time: what no TEXT_POKE touches is decoded once.
 * @return 0, PRECIS_E_NO_MEMORY
 */
int kept_instruction(struct kept_text *kept, struct form_set *forms, uint64_t offset, uint64_t time,
		     struct kept *instruction);

#endif
