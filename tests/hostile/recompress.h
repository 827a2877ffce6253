/* SPDX-License-Identifier: BSD-3-Clause */
/* Other contents for the compressed records of a recording. */
#ifndef TESTS_HOSTILE_RECOMPRESS_H
#define TESTS_HOSTILE_RECOMPRESS_H

#include "tests/hostile/structure.h"

/*
 * The part again, in the place of its compressed records others that hold
 * 'plain', cut at places that 'state' chooses: inside records, too.
 * Nothing changes without libzstd.
 */
void recompress(const struct form_part *part, const struct structure *structure,
		const uint8_t *plain, size_t plain_count, uint64_t *state, struct form_part *result,
		size_t room);

#endif
