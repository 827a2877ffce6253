/* SPDX-License-Identifier: BSD-3-Clause */
/* See stack_digest.h. */
#include "stack_digest.h"

#include "libdecode/sample/branch_entry.h"

__extension__ typedef unsigned __int128 wide;

uint32_t code_stack_digest(const struct code_digest_keys *keys,
			   const struct precis_perf_sample *sample,
			   struct code_stack_digest *digest)
{
	const uint64_t entries = branch_entries(sample);
	const uint8_t *data = sample->branches.data;
	uint64_t rings = 0, wrong_paths = 0;
	wide sum = 0;

	if (!entries || entries > CODE_DIGEST_ENTRIES_MOST)
		return 0;
	for (uint32_t n = 0; n < entries; n++) {
		const struct branch_entry entry = branch_entry_read(data + n * sizeof(entry));

		rings |= entry.from ^ entry.to;
		wrong_paths |= branch_flag(entry.flags, BRANCH_SPECULATION) ==
			       PRECIS_SPECULATION_WRONG_PATH;
		sum += (wide)(entry.from + keys->of[n].from) * (entry.to + keys->of[n].to);
	}
	*digest = (struct code_stack_digest){ (uint64_t)sum, (uint64_t)(sum >> 64) };
	return rings >> 63 || wrong_paths ? 0 : (uint32_t)entries;
}
