/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Architectural PEBS: bytes to words.
 * Layout: Intel SDM vol. 3, "Architectural PEBS"; Linux 7.3 asm/perf_event.h, struct
 * arch_pebs_header and those behind it. Groups of vector registers beyond XMM: the
 * series "Support SIMD/eGPRs/SSP registers sampling" on linux-kernel (2025, 2026).
 */
#include <precis/error.h>

#include "../sample/bytes.h"
#include "arch.h"
#include "formats.h"
#include "groups.h"
#include "vectors.h"

/*
 * The header at 'offset', if its fragment lies within the bytes. A size that
 * is too small would stop a walk: 0 is what a CPU has never written.
 */
static int read_header(const uint8_t *at, size_t count, size_t offset, uint64_t *header)
{
	uint64_t bytes;

	if (count - offset < ARCH_HEADER_BYTES)
		return PRECIS_E_TRUNCATED;
	*header = load_le64(at + offset);
	bytes = *header & ARCH_SIZE;
	if (bytes < ARCH_HEADER_BYTES || bytes % 8)
		return PRECIS_E_BAD_SIZE;
	return bytes > count - offset ? PRECIS_E_TRUNCATED : 0;
}

/*
 * Follows the fragments of a record: 'bytes' of all of them, the first header,
 * and whether each header is one that can be understood.
 */
static int walk_fragments(const uint8_t *at, size_t count, struct precis_pebs *pebs, size_t *fault)
{
	uint64_t header, seen = 0;
	size_t offset = 0;
	int rc = 0, error;

	do {
		error = read_header(at, count, offset, &header);
		if (error) {
			/* no telling where the next record is; what was wrong before is still */
			*fault = rc ? *fault : offset;
			return rc ? rc : error;
		}
		if (!arch_is_null(header) && !rc) {
			uint64_t unknown = header & ~ARCH_KNOWN;

			*fault = offset;
			if (!pebs->fragments++)
				pebs->format_word = header;
			if (!seen && !(header & ARCH_BASIC)) {
				pebs->bytes = (uint32_t)(offset + (header & ARCH_SIZE));
				return PRECIS_E_FRAGMENT;
			}
			if (seen & header & ARCH_BASIC) {
				/* another record begins: of this one the rest is missing */
				pebs->bytes = (uint32_t)offset;
				pebs->unknown_groups = ARCH_BASIC;
				return PRECIS_E_UNKNOWN_BITS;
			}
			unknown |= seen & header & ARCH_GROUPS;
			if (unknown) {
				pebs->unknown_groups = unknown;
				rc = PRECIS_E_UNKNOWN_BITS;
			}
			seen |= header & ARCH_GROUPS;
		}
		offset += header & ARCH_SIZE;
		if (offset > ARCH_RECORD_MAX) {
			*fault = offset;
			return PRECIS_E_BAD_SIZE;
		}
	} while (arch_continues(header));
	pebs->bytes = (uint32_t)offset;
	return rc;
}

/* The words of one group; 'group' is a constant wherever this is called. */
static inline void load_words(uint32_t group, const uint8_t *at, struct precis_pebs *pebs)
{
	uint32_t captured = pebs->captured; /* by itself: the bytes may lie anywhere */

#define PRECIS_ARCH_WORD(its_group, offset, shift, bits, name)                                     \
	if (group == PRECIS_PEBS_GROUP_##its_group) {                                              \
		pebs->word[PRECIS_PEBS_##name] = load_le64(at + (offset)) >> (shift) &             \
						 ~UINT64_C(0) >> (64 - (bits));                    \
		captured |= 1u << PRECIS_PEBS_##name;                                              \
	}
#include "words.def"
	pebs->captured = captured;
	pebs->groups |= group;
}

static int take_basic(struct pebs_cursor *cursor, struct precis_pebs *pebs)
{
	const uint8_t *at = pebs_take(cursor, ARCH_BASIC_BYTES);

	if (!at)
		return PRECIS_E_BAD_SIZE;
	load_words(PRECIS_PEBS_GROUP_BASIC, at, pebs);
	pebs->flags |= PRECIS_PEBS_RETIRE_LATENCY_TOLD;
	if (load_le64(at + ARCH_RETIRE_OFFSET) & ARCH_RETIRE_VALID)
		pebs->flags |= PRECIS_PEBS_RETIRE_LATENCY_VALID;
	return 0;
}

static int take_memory(struct pebs_cursor *cursor, struct precis_pebs *pebs)
{
	const uint8_t *at = pebs_take(cursor, ARCH_MEMORY_BYTES);

	if (!at)
		return PRECIS_E_BAD_SIZE;
	load_words(PRECIS_PEBS_GROUP_MEMORY, at, pebs);
	return 0;
}

static int take_registers(struct pebs_cursor *cursor, struct precis_pebs *pebs)
{
	const uint8_t *at = pebs_take(cursor, ARCH_GPR_BYTES);

	if (!at)
		return PRECIS_E_BAD_SIZE;
	precis_pebs_load_registers(at, pebs);
	pebs->gpr[PRECIS_PEBS_SSP] = load_le64(at + ARCH_SSP_OFFSET);
	pebs->gpr_captured |= 1u << PRECIS_PEBS_SSP;
	return 0;
}

static int take_vectors(struct pebs_cursor *cursor, uint64_t header, struct precis_pebs *pebs,
			struct precis_pebs_groups *groups)
{
	const uint8_t *at = pebs_take(cursor, ARCH_VECTORS_HEADER);

	if (!at)
		return PRECIS_E_BAD_SIZE;
	if (groups)
		groups->xstate |= load_le64(at);
	for (uint32_t i = 0; i < PEBS_VECTOR_GROUPS; i++) {
		const struct pebs_vectors *row = &precis_pebs_vectors[i];

		if (!(header & ARCH_BIT(row->header_bit)))
			continue;
		at = pebs_take(cursor, (size_t)row->registers * row->bytes);
		if (!at)
			return PRECIS_E_BAD_SIZE;
		pebs->groups |= row->group;
		if (groups)
			pebs_set_vectors(groups, row, at);
	}
	return 0;
}

static int take_lbr(struct pebs_cursor *cursor, uint64_t header, struct precis_pebs *pebs,
		    struct precis_pebs_groups *groups)
{
	const uint8_t *at = pebs_take(cursor, ARCH_LBR_HEADER);
	uint64_t code = (header & ARCH_LBR) >> ARCH_LBR_SHIFT;

	if (!at)
		return PRECIS_E_BAD_SIZE;
	if (groups) {
		groups->lbr_header = at;
		groups->has_lbr_header = 1;
	}
	return precis_pebs_take_branches(cursor,
					 code == ARCH_LBR_VARIABLE ?
						 load_le64(at + ARCH_LBR_DEPTH_OFFSET) :
						 code * ARCH_LBR_STEP,
					 pebs, groups);
}

/* One fragment whose header has been judged; 'cursor' is behind the header. */
static int take_groups(struct pebs_cursor *cursor, uint64_t header, struct precis_pebs *pebs,
		       struct precis_pebs_groups *groups)
{
	int rc = 0;

	if (header & ARCH_BASIC)
		rc = take_basic(cursor, pebs);
	if (!rc && (header & ARCH_MEMORY))
		rc = take_memory(cursor, pebs);
	if (!rc && (header & ARCH_GPR))
		rc = take_registers(cursor, pebs);
	if (!rc && (header & ARCH_VECTORS))
		rc = take_vectors(cursor, header, pebs, groups);
	if (!rc && (header & ARCH_LBR))
		rc = take_lbr(cursor, header, pebs, groups);
	if (!rc && (header & ARCH_COUNTERS)) {
		rc = precis_pebs_take_counters(cursor, pebs, groups);
		if (rc == PRECIS_E_UNKNOWN_BITS)
			pebs->unknown_groups = ARCH_COUNTERS_METRICS;
	}
	return rc;
}

static int is_padding(size_t left, uint64_t bytes)
{
	return !left || (left < ARCH_UNIT && bytes % ARCH_UNIT == 0);
}

int precis_pebs_parse_arch(const uint8_t *at, size_t count, struct precis_pebs *pebs,
			   struct precis_pebs_groups *groups, size_t *fault)
{
	int rc = walk_fragments(at, count, pebs, fault);
	size_t bytes;

	for (size_t offset = 0; !rc && offset < pebs->bytes; offset += bytes) {
		uint64_t header = load_le64(at + offset);
		struct pebs_cursor cursor;

		bytes = header & ARCH_SIZE;
		*fault = offset;
		if (arch_is_null(header))
			continue;
		cursor.at = at + offset + ARCH_HEADER_BYTES;
		cursor.left = bytes - ARCH_HEADER_BYTES;
		if (header & ARCH_MODE_64)
			pebs->flags |= PRECIS_PEBS_MODE_64;
		rc = take_groups(&cursor, header, pebs, groups);
		if (!rc && !is_padding(cursor.left, bytes))
			rc = PRECIS_E_BAD_SIZE;
	}
	if (rc == PRECIS_E_BAD_SIZE)
		pebs->bytes = 0;
	return rc;
}
