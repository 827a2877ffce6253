/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of one size, NetBurst and formats 0 to 3: words to bytes. */
#include <precis/error.h>

#include "../sample/bytes.h"
#include "formats.h"
#include "fixed.h"

int precis_pebs_encode_fixed(const struct precis_pebs *pebs,
			     const struct precis_pebs_groups *groups, struct pebs_output *out)
{
	uint32_t format = pebs->format;
	uint8_t *at;

	(void)groups;
	if ((FIXED_REGISTERS_64 & ~pebs->gpr_captured) || (fixed_words(format) & ~pebs->captured))
		return PRECIS_E_ARGUMENT;
	at = precis_pebs_claim(out, fixed_bytes(format));
	if (!at)
		return PRECIS_E_NO_SPACE;
#define PRECIS_FIXED_REGISTER(slot, name)                                                          \
	store_le64(at + 8 * (slot), pebs->gpr[PRECIS_PEBS_##name]);
#include "registers.def"
#define PRECIS_FIXED_WORD(formats, offset, name)                                                   \
	if ((formats) >> format & 1)                                                               \
		store_le64(at + (offset), pebs->word[PRECIS_PEBS_##name]);
#include "words.def"
	return 0;
}

int precis_pebs_encode_netburst_32(const struct precis_pebs *pebs,
				   const struct precis_pebs_groups *groups, struct pebs_output *out)
{
	uint64_t high = 0;
	uint8_t *at;

	(void)groups;
	if (FIXED_REGISTERS_32 & ~pebs->gpr_captured)
		return PRECIS_E_ARGUMENT;
	at = precis_pebs_claim(out, FIXED_BYTES_NETBURST_32);
	if (!at)
		return PRECIS_E_NO_SPACE;
#define PRECIS_FIXED_REGISTER(slot, name)                                                          \
	if (FIXED_REGISTERS_32 >> PRECIS_PEBS_##name & 1) {                                        \
		store_le32(at + 4 * (slot), (uint32_t)pebs->gpr[PRECIS_PEBS_##name]);              \
		high |= pebs->gpr[PRECIS_PEBS_##name] >> 32;                                       \
	}
#include "registers.def"
	/* half a register is not the register */
	return high ? PRECIS_E_ARGUMENT : 0;
}
