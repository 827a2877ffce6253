/* SPDX-License-Identifier: BSD-3-Clause */
/* Damage to recordings: deterministic, number n of a seed is always the same. */
#ifndef TESTS_HOSTILE_MUTATION_H
#define TESTS_HOSTILE_MUTATION_H

#include "tests/hostile/structure.h"

/* Larger than any form, small enough for a pipe's buffer */
#define MUTATED_BYTES ((size_t)60000)

struct mutator {
	const struct form *form;
	struct structure structure[FORM_PARTS];
	struct form_part result[FORM_PARTS]; /* the damaged recording */
	uint8_t *plain[FORM_PARTS]; /* what compressed records hold; NULL if there are none */
	size_t plain_count[FORM_PARTS];
};

void mutator_init(struct mutator *mutator, const struct form *form);
/* Make damaged recording 'number' into mutator->result. */
void mutator_make(struct mutator *mutator, uint64_t seed, uint64_t number);
void mutator_free(struct mutator *mutator);

#endif
