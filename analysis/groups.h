/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which samples an analysis does not tell apart: groups, and combinations of them.
 *
 * precis_ibs_field_bits() names the bits that decide over a field. What has the same bits of all fields
 * that matter is the same to all; what these bits come to (outcomes.h) is the same more often. A group
 * is what comes to the same in an analysis's fields. Looking groups up for each analysis and sample
 * would be slow, so samples are counted by combinations, which are the groups that a sample is of
 * together, and of bits that were seen not long ago it is remembered whose they are. Where a recording
 * has more combinations than are kept (registers that look random), their counts go to the groups, of
 * which there are far fewer.
 *
 * Without registers, and where outcomes have no room, bits are keys of groups and combinations, too.
 */
#ifndef ANALYSIS_GROUPS_H
#define ANALYSIS_GROUPS_H

#include "analysis.h"
#include "statistics/weighted.h"

/* What list.c has fits; tests/analysis/test_analyses.c says so first */
#define ANALYSES_MOST 16u
#define COMBINATION_NUMBERS 12u
/* So many of them have notes (analysis.h). */
#define NOTES_MOST 4u
/* Of an analysis, and of all together */
#define GROUP_SLOTS_LOG2 11u
#define GROUP_SLOTS (1u << GROUP_SLOTS_LOG2)
#define GROUPS_MOST (GROUP_SLOTS / 4 * 3)
#define COMBINATION_SLOTS_LOG2 12u
#define COMBINATION_SLOTS (1u << COMBINATION_SLOTS_LOG2)
#define COMBINATIONS_MOST (COMBINATION_SLOTS / 4 * 3)

/*
 * What is the same in all samples of a group. 'measured' belongs to it, since whether a number is
 * there can depend on the number itself (a count of 0 is none).
 */
struct group_key {
	uint64_t form;     /* how samples weigh, event, payload, or what is wrong with it */
	uint64_t measured; /* which numbers it has */
	/*
	 * Of these registers the bits that decide. Of fetches 'data' tells whether there is no linear
	 * address, over which an erratum (1197) decides; without registers 'control' is the event's place
	 */
	uint64_t control, data, data2, data3;
};

/* The bits that decide */
struct group_bits {
	struct group_key op, fetch; /* of ibs_fetch 'control' is IbsFetchCtl */
};

/* One number of each sample, and where it is counted */
struct number_to {
	struct latencies *latencies;
	uint32_t field;
};

struct group {
	struct weighted varied; /* samples of combinations that are no more, if their weights are their own */
	uint32_t place, note; /* see analysis.h */
	uint32_t first; /* place of its sample that is decoded in full (firsts.h) */
	uint32_t number_count;
	struct number_to numbers[ANALYSIS_NUMBERS];
};

/* Of those analyses that have them, one word each */
struct notes {
	uint32_t of[NOTES_MOST];
};

#define COMBINATION_ALIGNMENT 64u /* a line of the processor's cache */

/*
 * What counting a sample needs comes first: of most it is two lines, the second one for numbers behind the
 * first two. Memory is waited for where registers vary much, and a combination that begins anywhere in a
 * line would be one more.
 */
struct combination {
	_Alignas(COMBINATION_ALIGNMENT) uint64_t samples; /* 0: a free slot */
	uint32_t place, number_count;
	struct notes notes; /* of its groups */
	struct number_to numbers[COMBINATION_NUMBERS];
	struct group_key key;
	uint16_t of[ANALYSES_MOST]; /* by analysis: its group's number, from 1; 0: not its */
};

/* Do bits of the unit's registers decide over it at all? */
int unit_has_field(enum precis_ibs_unit unit, uint32_t field);

/* 'decided': fields that are told apart, 'measured': fields whose numbers vary; sets */
struct group_bits group_bits_of(const uint64_t *decided, const uint64_t *measured);

/*
 * Keys of samples. 'measured': which numbers the sample has, bits of fields of word 0; 'weight': as of
 * group_form(); 'part': of the event, of a sample without registers of IBS.
 */
struct group_key group_key_of_words(uint64_t measured, const struct precis_sample *sample,
				    uint32_t part, uint32_t weight);

#define GROUP_SOURCE_SHIFT 48
#define GROUP_KIND_SHIFT 56
#define GROUP_OF_OUTCOMES (UINT64_C(1) << 55) /* what of source is not used: the key is no key of bits */
#define GROUP_WEIGHT_SHIFT 58

/* 'weight': how its samples weigh (weights.h) */
static inline uint64_t group_form(uint32_t weight, uint32_t event_kind, uint32_t source,
				  uint32_t captured, uint32_t caps)
{
	return (uint64_t)weight << GROUP_WEIGHT_SHIFT | (uint64_t)event_kind << GROUP_KIND_SHIFT |
	       (uint64_t)source << GROUP_SOURCE_SHIFT | (uint64_t)captured << 32 | caps;
}

static inline uint32_t group_source(const struct group_key *key)
{
	return (uint32_t)(key->form >> GROUP_SOURCE_SHIFT & 0x7f);
}

/* enum precis_event_kind */
static inline uint32_t group_event_kind_of(uint64_t form)
{
	return (uint32_t)(form >> GROUP_KIND_SHIFT & (EVENT_KINDS - 1));
}

static inline uint32_t group_event_kind(const struct group_key *key)
{
	return group_event_kind_of(key->form);
}

static inline uint32_t group_weight_of(uint64_t form)
{
	return (uint32_t)(form >> GROUP_WEIGHT_SHIFT);
}

static inline uint32_t group_weight(const struct group_key *key)
{
	return group_weight_of(key->form);
}

static inline struct group_key group_key_of_op(const struct group_bits *bits, uint64_t measured,
					       uint32_t weight, const struct precis_ibs_op *op)
{
	return (struct group_key){
		.form = group_form(weight, PRECIS_EVENT_IBS_OP, PRECIS_SOURCE_IBS_OP, op->captured,
				   op->caps),
		.measured = measured,
		.control = op->op_ctl & bits->op.control,
		.data = op->op_data & bits->op.data,
		.data2 = op->op_data2 & bits->op.data2,
		.data3 = op->op_data3 & bits->op.data3,
	};
}

static inline struct group_key group_key_of_fetch(const struct group_bits *bits, uint64_t measured,
						  uint32_t weight,
						  const struct precis_ibs_fetch *fetch)
{
	return (struct group_key){
		.form = group_form(weight, PRECIS_EVENT_IBS_FETCH, PRECIS_SOURCE_IBS_FETCH,
				   fetch->captured, fetch->caps),
		.measured = measured,
		.control = fetch->fetch_ctl & bits->fetch.control,
		.data = !fetch->fetch_lin_ad,
	};
}

static inline struct group_key group_key_of(const struct group_bits *bits, uint64_t measured,
					    const struct precis_sample *sample, uint32_t part,
					    uint32_t weight)
{
	if (__builtin_expect(sample->source == PRECIS_SOURCE_IBS_OP, 1))
		return group_key_of_op(bits, measured, weight, &sample->registers.ibs_op);
	if (sample->source == PRECIS_SOURCE_IBS_FETCH)
		return group_key_of_fetch(bits, measured, weight, &sample->registers.ibs_fetch);
	return group_key_of_words(measured, sample, part, weight);
}

/* Multiply-shift; who makes a recording collide makes its report slow and not wrong */
static inline uint32_t group_home(const struct group_key *key, uint32_t slots_log2)
{
	uint64_t hash = key->form + key->control * UINT64_C(0x9e3779b97f4a7c15) +
			key->measured * UINT64_C(0xc2b2ae3d27d4eb4f) +
			key->data * UINT64_C(0x165667b19e3779f9) +
			key->data2 * UINT64_C(0xd6e8feb86659fd93) +
			key->data3 * UINT64_C(0xa0761d6478bd642f);

	return (uint32_t)(hash >> (64u - slots_log2));
}

static inline int group_keys_equal(const struct group_key *a, const struct group_key *b)
{
	return a->data3 == b->data3 && a->data == b->data && a->measured == b->measured &&
	       a->data2 == b->data2 && a->control == b->control && a->form == b->form;
}

#endif
