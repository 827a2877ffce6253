/* SPDX-License-Identifier: BSD-3-Clause */
/* What the encoders of all formats share. */
#include "record_output.h"

#include <string.h>

#include <precis/error.h>

#include "../sample/bytes.h"
#include "groups.h"

uint8_t *precis_pebs_claim(struct pebs_output *out, size_t bytes)
{
	uint8_t *at = out->at + out->used;

	if (bytes > out->room - out->used)
		return NULL;
	out->used += bytes;
	memset(at, 0, bytes);
	return at;
}

int precis_pebs_put_bytes(struct pebs_output *out, const uint8_t *from, size_t bytes)
{
	uint8_t *at;

	if (!bytes)
		return 0;
	if (!from)
		return PRECIS_E_ARGUMENT;
	at = precis_pebs_claim(out, bytes);
	if (!at)
		return PRECIS_E_NO_SPACE;
	memcpy(at, from, bytes);
	return 0;
}

/* Adaptive and architectural groups have the same words. */
static uint32_t words_of(uint32_t groups)
{
	uint32_t words = 0;

#define PRECIS_ADAPTIVE_WORD(group, offset, shift, bits, name)                                     \
	if (groups & PRECIS_PEBS_GROUP_##group)                                                    \
		words |= 1u << PRECIS_PEBS_##name;
#include "words.def"
	return words;
}

static uint32_t registers_of(uint32_t groups)
{
	return groups & PRECIS_PEBS_GROUP_GPR ? (1u << PEBS_REGISTERS) - 1 : 0;
}

int precis_pebs_has_words(const struct precis_pebs *pebs, uint32_t groups)
{
	return !(words_of(groups) & ~pebs->captured) &&
	       !(registers_of(groups) & ~pebs->gpr_captured);
}

void precis_pebs_store_registers(const struct precis_pebs *pebs, uint8_t *at)
{
#define PRECIS_GROUP_REGISTER(slot, name)                                                          \
	store_le64(at + 8 * (slot), pebs->gpr[PRECIS_PEBS_##name]);
#include "registers.def"
}

int precis_pebs_put_counters(struct pebs_output *out, const struct precis_pebs *pebs,
			     const struct precis_pebs_groups *groups)
{
	int metrics = (pebs->groups & PRECIS_PEBS_GROUP_METRICS) != 0;
	uint8_t *header = precis_pebs_claim(out, PEBS_COUNTERS_HEADER);

	if (!groups || metrics != (groups->metrics != 0))
		return PRECIS_E_ARGUMENT;
	if (!(pebs->groups & PRECIS_PEBS_GROUP_COUNTERS) &&
	    (groups->gp_counters || groups->fixed_counters))
		return PRECIS_E_ARGUMENT;
	if (!header)
		return PRECIS_E_NO_SPACE;
	store_le32(header, groups->gp_counters);
	store_le32(header + 4, groups->fixed_counters);
	store_le32(header + 8, metrics ? PEBS_METRICS_THERE : 0);
	return precis_pebs_put_bytes(out, groups->counters,
				     precis_pebs_counters_bytes(groups->gp_counters,
								groups->fixed_counters, metrics));
}
