/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that adaptive and architectural records share, taken one after another. */
#ifndef PRECIS_PEBS_GROUPS_H
#define PRECIS_PEBS_GROUPS_H

#include <precis/pebs_record.h>

#define PEBS_MEMORY_BYTES 32u
#define PEBS_REGISTERS 18u /* of the GPR group */
#define PEBS_XMM_BYTES 256u
#define PEBS_BRANCH_BYTES 24u
#define PEBS_COUNTERS_HEADER 16u
#define PEBS_METRICS_BYTES 16u
#define PEBS_METRICS_THERE 3u /* in the header of the counters */

/* What is left of a record or fragment. */
struct pebs_cursor {
	const uint8_t *at;
	size_t left;
};

/* The next bytes; NULL if there are fewer. */
static inline const uint8_t *pebs_take(struct pebs_cursor *cursor, size_t bytes)
{
	const uint8_t *at = cursor->at;

	if (bytes > cursor->left)
		return NULL;
	cursor->at += bytes;
	cursor->left -= bytes;
	return at;
}

/* FLAGS to R15, in the order of these groups. */
void precis_pebs_load_registers(const uint8_t *at, struct precis_pebs *pebs);

/*
 * 'count' branches, and the counters with their header and metrics.
 * 0; PRECIS_E_BAD_SIZE: they do not fit; PRECIS_E_UNKNOWN_BITS: metrics of an unknown kind
 */
int precis_pebs_take_branches(struct pebs_cursor *cursor, uint64_t count, struct precis_pebs *pebs,
			      struct precis_pebs_groups *groups);
int precis_pebs_take_counters(struct pebs_cursor *cursor, struct precis_pebs *pebs,
			      struct precis_pebs_groups *groups);

/* Bytes of the values that such a header announces; 'metrics': are they there. */
size_t precis_pebs_counters_bytes(uint32_t gp, uint32_t fixed, int metrics);

#endif
