/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that adaptive and architectural records share. */
#include <precis/error.h>

#include "../sample/bytes.h"
#include "groups.h"

void precis_pebs_load_registers(const uint8_t *at, struct precis_pebs *pebs)
{
#define PRECIS_GROUP_REGISTER(slot, name)                                                          \
	pebs->gpr[PRECIS_PEBS_##name] = load_le64(at + 8 * (slot));                                \
	pebs->gpr_captured |= 1u << PRECIS_PEBS_##name;
#include "registers.def"
	pebs->groups |= PRECIS_PEBS_GROUP_GPR;
}

int precis_pebs_take_branches(struct pebs_cursor *cursor, uint64_t count, struct precis_pebs *pebs,
			      struct precis_pebs_groups *groups)
{
	const uint8_t *at;

	/* a depth out of a record may be any number */
	if (count > cursor->left / PEBS_BRANCH_BYTES)
		return PRECIS_E_BAD_SIZE;
	at = pebs_take(cursor, count * PEBS_BRANCH_BYTES);
	pebs->groups |= PRECIS_PEBS_GROUP_LBR;
	if (groups) {
		groups->lbr = at;
		groups->lbr_count = (uint32_t)count;
	}
	return 0;
}

static size_t bits_set(uint32_t word)
{
	size_t count = 0;

	for (; word; word &= word - 1)
		count++;
	return count;
}

size_t precis_pebs_counters_bytes(uint32_t gp, uint32_t fixed, int metrics)
{
	return 8 * (bits_set(gp) + bits_set(fixed)) + (metrics ? PEBS_METRICS_BYTES : 0);
}

int precis_pebs_take_counters(struct pebs_cursor *cursor, struct precis_pebs *pebs,
			      struct precis_pebs_groups *groups)
{
	const uint8_t *header = pebs_take(cursor, PEBS_COUNTERS_HEADER), *values;
	uint32_t gp, fixed, metrics;

	if (!header)
		return PRECIS_E_BAD_SIZE;
	gp = load_le32(header);
	fixed = load_le32(header + 4);
	metrics = load_le32(header + 8);
	if (metrics && metrics != PEBS_METRICS_THERE)
		return PRECIS_E_UNKNOWN_BITS;
	values = pebs_take(cursor, precis_pebs_counters_bytes(gp, fixed, metrics != 0));
	if (!values)
		return PRECIS_E_BAD_SIZE;
	/* a header without anything is still a group of counters: of none */
	if (gp || fixed || !metrics)
		pebs->groups |= PRECIS_PEBS_GROUP_COUNTERS;
	if (metrics)
		pebs->groups |= PRECIS_PEBS_GROUP_METRICS;
	if (groups) {
		groups->gp_counters = gp;
		groups->fixed_counters = fixed;
		groups->metrics = metrics != 0;
		groups->counters = values;
	}
	return 0;
}
