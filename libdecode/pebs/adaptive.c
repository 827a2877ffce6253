/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Adaptive records, formats 4 to 6: bytes to words.
 * Layout: Intel SDM vol. 3, "Adaptive PEBS"; Linux 7.3 asm/perf_event.h, struct pebs_basic.
 */
#include <precis/error.h>

#include "../sample/bytes.h"
#include "adaptive.h"
#include "formats.h"
#include "groups.h"

/* The words of one group; 'group' is a constant wherever this is called. */
static inline void load_words(uint32_t group, const uint8_t *at, struct precis_pebs *pebs)
{
	uint32_t captured = pebs->captured; /* by itself: the bytes may lie anywhere */

#define PRECIS_ADAPTIVE_WORD(its_group, offset, shift, bits, name)                                 \
	if (group == PRECIS_PEBS_GROUP_##its_group) {                                              \
		pebs->word[PRECIS_PEBS_##name] = load_le64(at + (offset)) >> (shift) &             \
						 ~UINT64_C(0) >> (64 - (bits));                    \
		captured |= 1u << PRECIS_PEBS_##name;                                              \
	}
#include "words.def"
	pebs->captured = captured;
	pebs->groups |= group;
}

/* Everything behind Basic. */
static int take_groups(struct pebs_cursor *cursor, struct precis_pebs *pebs,
		       struct precis_pebs_groups *groups)
{
	uint64_t word = pebs->format_word;
	const uint8_t *at;
	int rc;

	if (word & ADAPTIVE_MEMORY) {
		at = pebs_take(cursor, PEBS_MEMORY_BYTES);
		if (!at)
			return PRECIS_E_BAD_SIZE;
		load_words(PRECIS_PEBS_GROUP_MEMORY, at, pebs);
	}
	if (word & ADAPTIVE_GPR) {
		at = pebs_take(cursor, 8 * PEBS_REGISTERS);
		if (!at)
			return PRECIS_E_BAD_SIZE;
		precis_pebs_load_registers(at, pebs);
	}
	if (word & ADAPTIVE_XMM) {
		at = pebs_take(cursor, PEBS_XMM_BYTES);
		if (!at)
			return PRECIS_E_BAD_SIZE;
		pebs->groups |= PRECIS_PEBS_GROUP_XMM;
		if (groups)
			groups->xmm = at;
	}
	if (word & ADAPTIVE_LBR) {
		rc = precis_pebs_take_branches(
			cursor,
			(word >> ADAPTIVE_LBR_COUNT_SHIFT & (ADAPTIVE_LBR_COUNT_MAX - 1)) + 1, pebs,
			groups);
		if (rc < 0)
			return rc;
	}
	if (word & (ADAPTIVE_COUNTERS | ADAPTIVE_METRICS)) {
		rc = precis_pebs_take_counters(cursor, pebs, groups);
		if (rc == PRECIS_E_UNKNOWN_BITS)
			pebs->unknown_groups = ADAPTIVE_METRICS;
		if (rc < 0)
			return rc;
	}
	return cursor->left ? PRECIS_E_BAD_SIZE : 0;
}

int precis_pebs_parse_adaptive(const uint8_t *at, size_t count, struct precis_pebs *pebs,
			       struct precis_pebs_groups *groups, size_t *fault)
{
	struct pebs_cursor cursor;
	uint64_t word;
	size_t bytes;
	int rc;

	(void)fault;
	if (count < ADAPTIVE_BASIC_BYTES)
		return PRECIS_E_TRUNCATED;
	word = load_le64(at);
	bytes = word >> ADAPTIVE_SIZE_SHIFT;
	pebs->format_word = word;
	pebs->unknown_groups = adaptive_unknown(pebs->format, word);
	if (bytes < ADAPTIVE_BASIC_BYTES || bytes % 8)
		return PRECIS_E_BAD_SIZE;
	if (bytes > count)
		return PRECIS_E_TRUNCATED;
	if (pebs->unknown_groups) {
		pebs->bytes = (uint32_t)bytes;
		return PRECIS_E_UNKNOWN_BITS;
	}
	load_words(PRECIS_PEBS_GROUP_BASIC, at, pebs);
	cursor.at = at + ADAPTIVE_BASIC_BYTES;
	cursor.left = bytes - ADAPTIVE_BASIC_BYTES;
	rc = take_groups(&cursor, pebs, groups);
	if (rc == 0 || rc == PRECIS_E_UNKNOWN_BITS)
		pebs->bytes = (uint32_t)bytes;
	return rc;
}
