/* SPDX-License-Identifier: BSD-3-Clause */
/* Adaptive records, formats 4 to 6: words to bytes. */
#include <precis/error.h>

#include "../sample/bytes.h"
#include "adaptive.h"
#include "formats.h"
#include "groups.h"

#define COUNTER_GROUPS (PRECIS_PEBS_GROUP_COUNTERS | PRECIS_PEBS_GROUP_METRICS)

static uint32_t groups_of_format(uint32_t format)
{
	uint32_t groups = PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_MEMORY |
			  PRECIS_PEBS_GROUP_GPR | PRECIS_PEBS_GROUP_XMM | PRECIS_PEBS_GROUP_LBR;

	return format >= PRECIS_PEBS_FORMAT_6 ? groups | COUNTER_GROUPS : groups;
}

/* The low half of the first word. */
static uint64_t format_bits(const struct precis_pebs *pebs, const struct precis_pebs_groups *groups)
{
	static const struct {
		uint32_t group;
		uint64_t bit;
	} rows[] = {
		{ PRECIS_PEBS_GROUP_MEMORY, ADAPTIVE_MEMORY },
		{ PRECIS_PEBS_GROUP_GPR, ADAPTIVE_GPR },
		{ PRECIS_PEBS_GROUP_XMM, ADAPTIVE_XMM },
		{ PRECIS_PEBS_GROUP_LBR, ADAPTIVE_LBR },
		{ PRECIS_PEBS_GROUP_COUNTERS, ADAPTIVE_COUNTERS },
		{ PRECIS_PEBS_GROUP_METRICS, ADAPTIVE_METRICS },
	};
	uint64_t bits = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (pebs->groups & rows[i].group)
			bits |= rows[i].bit;
	}
	if (pebs->groups & PRECIS_PEBS_GROUP_LBR)
		bits |= (uint64_t)(groups->lbr_count - 1) << ADAPTIVE_LBR_COUNT_SHIFT;
	return bits;
}

static int can_be_written(const struct precis_pebs *pebs, const struct precis_pebs_groups *groups)
{
	if (!(pebs->groups & PRECIS_PEBS_GROUP_BASIC) ||
	    (pebs->groups & ~groups_of_format(pebs->format)) ||
	    !precis_pebs_has_words(pebs, pebs->groups) ||
	    pebs->word[PRECIS_PEBS_RETIRE_LATENCY] > UINT16_MAX)
		return 0;
	if (!groups)
		return !(pebs->groups &
			 (PRECIS_PEBS_GROUP_XMM | PRECIS_PEBS_GROUP_LBR | COUNTER_GROUPS));
	return !(pebs->groups & PRECIS_PEBS_GROUP_LBR) ||
	       (groups->lbr_count && groups->lbr_count <= ADAPTIVE_LBR_COUNT_MAX);
}

/* The words of one group. */
static void store_words(const struct precis_pebs *pebs, uint32_t group, uint8_t *at)
{
#define PRECIS_ADAPTIVE_WORD(its_group, offset, shift, bits, name)                                 \
	if (group == PRECIS_PEBS_GROUP_##its_group)                                                \
		store_le64(at + (offset), pebs->word[PRECIS_PEBS_##name] << (shift));
#include "words.def"
}

static int put_memory(const struct precis_pebs *pebs, struct pebs_output *out)
{
	uint8_t *at = precis_pebs_claim(out, PEBS_MEMORY_BYTES);

	if (!at)
		return PRECIS_E_NO_SPACE;
	store_words(pebs, PRECIS_PEBS_GROUP_MEMORY, at);
	return 0;
}

static int put_registers(const struct precis_pebs *pebs, struct pebs_output *out)
{
	uint8_t *at = precis_pebs_claim(out, 8 * PEBS_REGISTERS);

	if (!at)
		return PRECIS_E_NO_SPACE;
	precis_pebs_store_registers(pebs, at);
	return 0;
}

int precis_pebs_encode_adaptive(const struct precis_pebs *pebs,
				const struct precis_pebs_groups *groups, struct pebs_output *out)
{
	uint8_t *first;
	int rc = 0;

	if (!can_be_written(pebs, groups))
		return PRECIS_E_ARGUMENT;
	first = precis_pebs_claim(out, ADAPTIVE_BASIC_BYTES);
	if (!first)
		return PRECIS_E_NO_SPACE;
	store_words(pebs, PRECIS_PEBS_GROUP_BASIC, first);
	if (pebs->groups & PRECIS_PEBS_GROUP_MEMORY)
		rc = put_memory(pebs, out);
	if (!rc && (pebs->groups & PRECIS_PEBS_GROUP_GPR))
		rc = put_registers(pebs, out);
	if (!rc && (pebs->groups & PRECIS_PEBS_GROUP_XMM))
		rc = precis_pebs_put_bytes(out, groups->xmm, PEBS_XMM_BYTES);
	if (!rc && (pebs->groups & PRECIS_PEBS_GROUP_LBR))
		rc = precis_pebs_put_bytes(out, groups->lbr,
					   (size_t)PEBS_BRANCH_BYTES * groups->lbr_count);
	if (!rc && (pebs->groups & COUNTER_GROUPS))
		rc = precis_pebs_put_counters(out, pebs, groups);
	/* the retire latency stands between the groups and the size */
	store_le64(first, load_le64(first) | format_bits(pebs, groups) |
				  (uint64_t)out->used << ADAPTIVE_SIZE_SHIFT);
	return rc;
}
