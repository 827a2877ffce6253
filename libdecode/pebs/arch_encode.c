/* SPDX-License-Identifier: BSD-3-Clause */
/* Architectural PEBS: words to bytes, in one fragment or several. */
#include <precis/error.h>

#include "../sample/abi.h"
#include "../sample/bytes.h"
#include "arch.h"
#include "formats.h"
#include "groups.h"
#include "vectors.h"

#define COUNTER_GROUPS (PRECIS_PEBS_GROUP_COUNTERS | PRECIS_PEBS_GROUP_METRICS)
#define WITH_VIEWS (PEBS_VECTOR_MASK | PRECIS_PEBS_GROUP_LBR | COUNTER_GROUPS)

/* A fragment that is being written. */
struct fragment {
	size_t start;
	uint64_t header;
	int is_open;
};

static void store_words(const struct precis_pebs *pebs, uint32_t group, uint8_t *at)
{
#define PRECIS_ARCH_WORD(its_group, offset, shift, bits, name)                                     \
	if (group == PRECIS_PEBS_GROUP_##its_group)                                                \
		store_le64(at + (offset), pebs->word[PRECIS_PEBS_##name] << (shift));
#include "words.def"
}

static int put_basic(const struct precis_pebs *pebs, struct fragment *fragment,
		     struct pebs_output *out)
{
	uint8_t *at = precis_pebs_claim(out, ARCH_BASIC_BYTES);

	if (!at)
		return PRECIS_E_NO_SPACE;
	store_words(pebs, PRECIS_PEBS_GROUP_BASIC, at);
	if (pebs->flags & PRECIS_PEBS_RETIRE_LATENCY_VALID)
		store_le64(at + ARCH_RETIRE_OFFSET,
			   load_le64(at + ARCH_RETIRE_OFFSET) | ARCH_RETIRE_VALID);
	fragment->header |= ARCH_BASIC;
	return 0;
}

static int put_memory(const struct precis_pebs *pebs, struct fragment *fragment,
		      struct pebs_output *out)
{
	uint8_t *at = precis_pebs_claim(out, ARCH_MEMORY_BYTES);

	if (!at)
		return PRECIS_E_NO_SPACE;
	store_words(pebs, PRECIS_PEBS_GROUP_MEMORY, at);
	fragment->header |= ARCH_MEMORY;
	return 0;
}

static int put_registers(const struct precis_pebs *pebs, struct fragment *fragment,
			 struct pebs_output *out)
{
	uint8_t *at = precis_pebs_claim(out, ARCH_GPR_BYTES);

	if (!at)
		return PRECIS_E_NO_SPACE;
	precis_pebs_store_registers(pebs, at);
	store_le64(at + ARCH_SSP_OFFSET, pebs->gpr[PRECIS_PEBS_SSP]);
	fragment->header |= ARCH_GPR;
	return 0;
}

/* The first vector registers of a fragment have a header in front. */
static int put_vectors(const struct precis_pebs_groups *groups, const struct pebs_vectors *row,
		       struct fragment *fragment, struct pebs_output *out)
{
	if (!(fragment->header & ARCH_VECTORS)) {
		uint8_t *at = precis_pebs_claim(out, ARCH_VECTORS_HEADER);

		if (!at)
			return PRECIS_E_NO_SPACE;
		store_le64(at, groups->xstate);
	}
	fragment->header |= ARCH_BIT(row->header_bit);
	return precis_pebs_put_bytes(out, pebs_vectors_of(groups, row),
				     (size_t)row->registers * row->bytes);
}

static int put_lbr(const struct precis_pebs_groups *groups, struct fragment *fragment,
		   struct pebs_output *out)
{
	uint64_t code = ARCH_LBR_VARIABLE;
	int rc;

	if (groups->lbr_count > ARCH_SIZE / PEBS_BRANCH_BYTES)
		return PRECIS_E_BAD_SIZE;
	rc = precis_pebs_put_bytes(out, groups->lbr_header, ARCH_LBR_HEADER);
	if (rc < 0)
		return rc;
	if (groups->lbr_count == ARCH_LBR_STEP || groups->lbr_count == 2 * ARCH_LBR_STEP)
		code = groups->lbr_count / ARCH_LBR_STEP;
	else if (load_le64(groups->lbr_header + ARCH_LBR_DEPTH_OFFSET) != groups->lbr_count)
		return PRECIS_E_ARGUMENT;
	fragment->header |= code << ARCH_LBR_SHIFT;
	return precis_pebs_put_bytes(out, groups->lbr,
				     (size_t)PEBS_BRANCH_BYTES * groups->lbr_count);
}

static int put_counters(const struct precis_pebs *pebs, const struct precis_pebs_groups *groups,
			struct fragment *fragment, struct pebs_output *out)
{
	uint64_t bits = 0;

	if (groups->gp_counters)
		bits |= ARCH_COUNTERS_GP;
	if (groups->fixed_counters)
		bits |= ARCH_COUNTERS_FIXED;
	if (groups->metrics)
		bits |= ARCH_COUNTERS_METRICS;
	fragment->header |= bits ? bits : ARCH_COUNTERS_ALLOWED;
	return precis_pebs_put_counters(out, pebs, groups);
}

static int put_group(const struct precis_pebs *pebs, const struct precis_pebs_groups *groups,
		     uint32_t group, struct fragment *fragment, struct pebs_output *out)
{
	switch (group) {
	case PRECIS_PEBS_GROUP_BASIC:
		return put_basic(pebs, fragment, out);
	case PRECIS_PEBS_GROUP_MEMORY:
		return put_memory(pebs, fragment, out);
	case PRECIS_PEBS_GROUP_GPR:
		return put_registers(pebs, fragment, out);
	case PRECIS_PEBS_GROUP_LBR:
		return put_lbr(groups, fragment, out);
	case PRECIS_PEBS_GROUP_COUNTERS:
		return put_counters(pebs, groups, fragment, out);
	}
	for (uint32_t i = 0; i < PEBS_VECTOR_GROUPS; i++) {
		if (precis_pebs_vectors[i].group == group)
			return put_vectors(groups, &precis_pebs_vectors[i], fragment, out);
	}
	return PRECIS_E_ARGUMENT;
}

static int open_fragment(struct fragment *fragment, const struct precis_pebs *pebs,
			 struct pebs_output *out)
{
	fragment->start = out->used;
	fragment->header = pebs->flags & PRECIS_PEBS_MODE_64 ? ARCH_MODE_64 : 0;
	fragment->is_open = 1;
	return precis_pebs_claim(out, ARCH_HEADER_BYTES) ? 0 : PRECIS_E_NO_SPACE;
}

static int close_fragment(struct fragment *fragment, uint64_t continued, struct pebs_output *out)
{
	size_t bytes = out->used - fragment->start;
	size_t padding = (ARCH_UNIT - bytes % ARCH_UNIT) % ARCH_UNIT;

	if (!precis_pebs_claim(out, padding))
		return PRECIS_E_NO_SPACE;
	bytes += padding;
	if (bytes > ARCH_SIZE)
		return PRECIS_E_BAD_SIZE;
	store_le64(out->at + fragment->start, fragment->header | continued | bytes);
	return 0;
}

static int put_null(struct pebs_output *out)
{
	uint8_t *at = precis_pebs_claim(out, ARCH_HEADER_BYTES);

	if (!at)
		return PRECIS_E_NO_SPACE;
	store_le64(at, ARCH_HEADER_BYTES);
	return 0;
}

static int can_be_written(const struct precis_pebs *pebs, const struct precis_pebs_groups *groups)
{
	const uint32_t known = PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_MEMORY |
			       PRECIS_PEBS_GROUP_GPR | WITH_VIEWS;

	if (!(pebs->groups & PRECIS_PEBS_GROUP_BASIC) || (pebs->groups & ~known) ||
	    !precis_pebs_has_words(pebs, pebs->groups) ||
	    pebs->word[PRECIS_PEBS_RETIRE_LATENCY] > UINT16_MAX ||
	    !(pebs->flags & PRECIS_PEBS_RETIRE_LATENCY_TOLD))
		return 0;
	if ((pebs->groups & PRECIS_PEBS_GROUP_GPR) &&
	    !(pebs->gpr_captured >> PRECIS_PEBS_SSP & 1))
		return 0;
	return groups || !(pebs->groups & WITH_VIEWS);
}

static int encode(const struct precis_pebs *pebs, const struct precis_pebs_groups *groups,
		  uint32_t split, uint32_t nulls, struct pebs_output *out)
{
	struct fragment fragment = { 0, 0, 0 };
	uint32_t present = pebs->groups;
	int rc = 0;

	if (!can_be_written(pebs, groups))
		return PRECIS_E_ARGUMENT;
	/* metrics are a part of the counters */
	if (present & COUNTER_GROUPS)
		present = (present & ~COUNTER_GROUPS) | PRECIS_PEBS_GROUP_COUNTERS;
	/* the numbers of the groups are in the order of a record */
	for (uint32_t group = 1; !rc && group <= PRECIS_PEBS_GROUP_COUNTERS; group <<= 1) {
		if (!(present & group))
			continue;
		if (fragment.is_open && ((split | nulls) & group)) {
			rc = close_fragment(&fragment, ARCH_CONTINUED, out);
			fragment.is_open = 0;
		}
		if (!rc && (nulls & group))
			rc = put_null(out);
		if (!rc && !fragment.is_open)
			rc = open_fragment(&fragment, pebs, out);
		if (!rc)
			rc = put_group(pebs, groups, group, &fragment, out);
	}
	return rc ? rc : close_fragment(&fragment, 0, out);
}

int precis_pebs_encode_arch(const struct precis_pebs *pebs,
			    const struct precis_pebs_groups *groups, struct pebs_output *out)
{
	return encode(pebs, groups, 0, 0, out);
}

int precis_pebs_encode_fragments(const struct precis_pebs *pebs,
				 const struct precis_pebs_groups *groups, uint32_t split,
				 uint32_t nulls, void *bytes, size_t room)
{
	struct pebs_output out = { (uint8_t *)bytes, room, 0 };
	int rc;

	ABI_IN(struct precis_pebs, pebs,
	       precis_pebs_encode_fragments(&abi, groups, split, nulls, bytes, room));
	ABI_MAY_IN(struct precis_pebs_groups, groups,
		   precis_pebs_encode_fragments(pebs, &abi, split, nulls, bytes, room));
	if (pebs->format != PRECIS_PEBS_FORMAT_ARCH || !bytes)
		return PRECIS_E_ARGUMENT;
	rc = encode(pebs, groups, split, nulls, &out);
	return rc < 0 ? rc : (int)out.used;
}
