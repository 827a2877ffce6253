/* SPDX-License-Identifier: BSD-3-Clause */
/* See transfers.h. */
#include "transfers.h"

#include <stddef.h>

static const uint8_t snoops[] = {
#define SHARING_SNOOP(state, is_transfer) [PRECIS_MEM_SNOOP_##state] = is_transfer,
#include "transfers.def"
#undef SHARING_SNOOP
};

static const struct {
	uint32_t core;
	int is_blind;
	const char *text;
} remarks[] = {
#define SHARING_REMARK(core, is_blind, text) { PRECIS_AMD_##core, is_blind, text },
#include "transfers.def"
#undef SHARING_REMARK
};

int sharing_is_transfer(const struct precis_sample *load)
{
	uint64_t snoop, is_forwarded, level;

	if (precis_get(load, PRECIS_FIELD_LINE_FORWARDED, &is_forwarded) && is_forwarded)
		return 1;
	if (precis_get(load, PRECIS_FIELD_MEM_SNOOP, &snoop) && snoop < sizeof(snoops))
		return snoops[snoop];
	/* no other cache had a part in it, which the sample says by its level */
	if (precis_get(load, PRECIS_FIELD_MEM_LEVEL, &level) &&
	    precis_why(load, PRECIS_FIELD_MEM_SNOOP) == PRECIS_NOT_APPLICABLE)
		return 0;
	return -1;
}

int sharing_remark(const struct precis_cpu *cpu, struct sharing_remark *remark)
{
	const uint32_t cores =
		cpu && cpu->vendor != PRECIS_VENDOR_UNKNOWN ? precis_amd_cores_of(cpu, 0) : 0;

	for (size_t n = 0; n < sizeof(remarks) / sizeof(remarks[0]); n++) {
		if (cores != UINT32_C(1) << remarks[n].core)
			continue;
		*remark = (struct sharing_remark){
			.core = precis_amd_core_name(remarks[n].core),
			.text = remarks[n].text,
			.is_blind = remarks[n].is_blind,
		};
		return 1;
	}
	return 0;
}
