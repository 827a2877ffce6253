/* SPDX-License-Identifier: BSD-3-Clause */
/* See saved_dump.h. */
#include "saved_dump.h"

/* Those that there are: a version with more of them says so. */
static void words(struct saving *saving, uint64_t *words, uint32_t most, const char *what)
{
	uint32_t count = most;

	saved_below(saving, &count, (uint64_t)most + 1, what);
	for (uint32_t n = 0; n < count; n++)
		saved_u64(saving, &words[n]);
}

static void record(struct saving *saving, struct precis_pebs *pebs)
{
	pebs->size = sizeof(*pebs);
	saved_u32(saving, &pebs->format);
	if (!precis_pebs_format_name(pebs->format))
		saving_damaged(saving, "expected a format of PEBS, found %u", pebs->format);
	saved_u32(saving, &pebs->bytes);
	saved_u32(saving, &pebs->groups);
	saved_u32(saving, &pebs->captured);
	saved_u32(saving, &pebs->gpr_captured);
	saved_u32(saving, &pebs->flags);
	saved_u32(saving, &pebs->fragments);
	saved_u64(saving, &pebs->unknown_groups);
	saved_u64(saving, &pebs->format_word);
	words(saving, pebs->word, PRECIS_PEBS_WORD_CAPACITY, "words of a record");
	words(saving, pebs->gpr, PRECIS_PEBS_GPR_COUNT, "registers of a record");
}

void saved_dump(struct saving *saving, struct reading *reading)
{
	saved_u64(saving, &reading->walk.records);
	saved_u64(saving, &reading->walk.unread.count);
	record(saving, &reading->sample.registers.pebs);
}
