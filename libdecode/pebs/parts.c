/* SPDX-License-Identifier: BSD-3-Clause */
/* What lies in the large groups of a record, one by one. */
#include <string.h>

#include <precis/error.h>

#include "../sample/abi.h"
#include "../sample/bytes.h"
#include "groups.h"
#include "vectors.h"

#define LOW_REGISTERS 16u /* XMM0 to 15 and what belongs to them; above: ZMM16 to 31 */

static int usable(const struct precis_pebs_groups *groups)
{
	return groups && groups->size >= sizeof(*groups);
}

int precis_pebs_branch(const struct precis_pebs_groups *groups, uint32_t n,
		       struct precis_pebs_branch *branch)
{
	const uint8_t *at;

	ABI_IN(struct precis_pebs_groups, groups, precis_pebs_branch(&abi, n, branch));
	if (!usable(groups) || !branch)
		return PRECIS_E_ARGUMENT;
	if (!groups->lbr || n >= groups->lbr_count)
		return 0;
	at = groups->lbr + (size_t)PEBS_BRANCH_BYTES * n;
	branch->from = load_le64(at);
	branch->to = load_le64(at + 8);
	branch->info = load_le64(at + 16);
	return 1;
}

int precis_pebs_lbr_header(const struct precis_pebs_groups *groups,
			   struct precis_pebs_lbr_header *header)
{
	const uint8_t *at;

	ABI_IN(struct precis_pebs_groups, groups, precis_pebs_lbr_header(&abi, header));
	ABI_OUT(struct precis_pebs_lbr_header, header, precis_pebs_lbr_header(groups, &abi));
	if (!usable(groups))
		return PRECIS_E_ARGUMENT;
	if (!groups->has_lbr_header || !groups->lbr_header)
		return 0;
	at = groups->lbr_header;
	header->lbr_ctl = load_le64(at + 0x08);
	header->depth = load_le64(at + 0x10);
	header->ler_from = load_le64(at + 0x18);
	header->ler_to = load_le64(at + 0x20);
	header->ler_info = load_le64(at + 0x28);
	return 1;
}

/* The values of the counters below number n of a mask. */
static size_t before(uint32_t mask, uint32_t n)
{
	return precis_pebs_counters_bytes(mask & ((1u << n) - 1), 0, 0);
}

int precis_pebs_counter(const struct precis_pebs_groups *groups, uint32_t counter, uint64_t *value)
{
	uint32_t n = counter % PRECIS_PEBS_FIXED_COUNTER;
	uint32_t mask;
	size_t from = 0;

	ABI_IN(struct precis_pebs_groups, groups, precis_pebs_counter(&abi, counter, value));
	if (!usable(groups) || !value || counter >= 2 * PRECIS_PEBS_FIXED_COUNTER)
		return PRECIS_E_ARGUMENT;
	mask = counter < PRECIS_PEBS_FIXED_COUNTER ? groups->gp_counters : groups->fixed_counters;
	if (!groups->counters || !(mask >> n & 1))
		return 0;
	if (counter >= PRECIS_PEBS_FIXED_COUNTER)
		from = precis_pebs_counters_bytes(groups->gp_counters, 0, 0);
	*value = load_le64(groups->counters + from + before(mask, n));
	return 1;
}

int precis_pebs_metrics(const struct precis_pebs_groups *groups, uint64_t *slots,
			uint64_t *perf_metrics)
{
	size_t from;

	ABI_IN(struct precis_pebs_groups, groups, precis_pebs_metrics(&abi, slots, perf_metrics));
	if (!usable(groups) || !slots || !perf_metrics)
		return PRECIS_E_ARGUMENT;
	if (!groups->counters || !groups->metrics)
		return 0;
	from = precis_pebs_counters_bytes(groups->gp_counters, groups->fixed_counters, 0);
	*slots = load_le64(groups->counters + from);
	*perf_metrics = load_le64(groups->counters + from + 8);
	return 1;
}

int precis_pebs_register(const struct precis_pebs_groups *groups, uint32_t group, uint32_t n,
			 void *bytes)
{
	ABI_IN(struct precis_pebs_groups, groups, precis_pebs_register(&abi, group, n, bytes));
	if (!usable(groups) || !bytes)
		return PRECIS_E_ARGUMENT;
	for (uint32_t i = 0; i < PEBS_VECTOR_GROUPS; i++) {
		const struct pebs_vectors *row = &precis_pebs_vectors[i];
		const uint8_t *at = pebs_vectors_of(groups, row);

		if (row->group != group)
			continue;
		if (n >= row->registers)
			return PRECIS_E_ARGUMENT;
		if (!at)
			return 0;
		memcpy(bytes, at + (size_t)n * row->bytes, row->bytes);
		return row->bytes;
	}
	return PRECIS_E_ARGUMENT;
}

int precis_pebs_vector(const struct precis_pebs_groups *groups, uint32_t n, void *bytes)
{
	static const uint32_t pieces[] = { PRECIS_PEBS_GROUP_XMM, PRECIS_PEBS_GROUP_YMMH,
					   PRECIS_PEBS_GROUP_ZMMH };
	uint8_t *at = (uint8_t *)bytes;
	int length = 0;

	ABI_IN(struct precis_pebs_groups, groups, precis_pebs_vector(&abi, n, bytes));
	if (!usable(groups) || !bytes || n >= 2 * LOW_REGISTERS)
		return PRECIS_E_ARGUMENT;
	if (n >= LOW_REGISTERS)
		return precis_pebs_register(groups, PRECIS_PEBS_GROUP_HI16_ZMM, n - LOW_REGISTERS,
					    bytes);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		int more = precis_pebs_register(groups, pieces[i], n, at + length);

		if (more <= 0)
			break;
		length += more;
	}
	return length;
}
