/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of one size, NetBurst and formats 0 to 3: bytes to words. */
#include <precis/error.h>

#include "../sample/bytes.h"
#include "fixed.h"
#include "formats.h"

/* 'format' and 'bytes' are constants wherever this is called: nothing but loads is left. */
static inline int parse_fixed(uint32_t format, uint32_t bytes, const uint8_t *at, size_t count,
			      struct precis_pebs *pebs)
{
	if (count < bytes)
		return PRECIS_E_TRUNCATED;
#define PRECIS_FIXED_REGISTER(slot, name)                                                          \
	pebs->gpr[PRECIS_PEBS_##name] = load_le64(at + 8 * (slot));
#include "registers.def"
#define PRECIS_FIXED_WORD(formats, offset, name)                                                   \
	if ((formats) >> format & 1)                                                               \
		pebs->word[PRECIS_PEBS_##name] = load_le64(at + (offset));
#include "words.def"
	pebs->gpr_captured = FIXED_REGISTERS_64;
	pebs->captured = fixed_words(format);
	pebs->groups = fixed_groups(pebs->captured);
	pebs->bytes = bytes;
	return 0;
}

#define PARSE(n)                                                                                   \
	int precis_pebs_parse_##n(const uint8_t *at, size_t count, struct precis_pebs *pebs,       \
				  struct precis_pebs_groups *groups, size_t *fault)                  \
	{                                                                                          \
		(void)groups, (void)fault;                                                          \
		return parse_fixed(PRECIS_PEBS_FORMAT_##n, FIXED_BYTES_##n, at, count, pebs);      \
	}

PARSE(0)
PARSE(1)
PARSE(2)
PARSE(3)

int precis_pebs_parse_netburst_32(const uint8_t *at, size_t count, struct precis_pebs *pebs,
				  struct precis_pebs_groups *groups, size_t *fault)
{
	(void)groups, (void)fault;
	if (count < FIXED_BYTES_NETBURST_32)
		return PRECIS_E_TRUNCATED;
#define PRECIS_FIXED_REGISTER(slot, name)                                                          \
	if (FIXED_REGISTERS_32 >> PRECIS_PEBS_##name & 1)                                          \
		pebs->gpr[PRECIS_PEBS_##name] = load_le32(at + 4 * (slot));
#include "registers.def"
	pebs->gpr_captured = FIXED_REGISTERS_32;
	pebs->groups = fixed_groups(0);
	pebs->flags = PRECIS_PEBS_REGISTERS_32;
	pebs->bytes = FIXED_BYTES_NETBURST_32;
	return 0;
}
