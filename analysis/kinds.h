/* SPDX-License-Identifier: BSD-3-Clause */
/* Enumerated fields as indexes of tables, with a place for samples that lack them. */
#ifndef ANALYSIS_KINDS_H
#define ANALYSIS_KINDS_H

#include <precis/precis.h>

#include "statistics/weighted.h"

#define OP_UNTOLD (PRECIS_OP_BRANCH + 1)
#define OP_KINDS (OP_UNTOLD + 1)
#define LEVELS (PRECIS_MEM_LEVEL_L0 + 1)       /* 0: not reported */
#define REMOTES (PRECIS_MEM_REMOTE_SOCKET + 2) /* the last: not reported */
#define REMOTE_ABSENT (REMOTES - 1)
#define SNOOPS (PRECIS_MEM_SNOOP_NONE_OR_MISS + 2) /* the last: not reported */
#define SNOOP_ABSENT (SNOOPS - 1)
#define TLB_LEVELS (PRECIS_TLB_LEVEL_L1_OR_L2 + 1) /* 0: not reported */

/* What accesses memory, by what the hardware tells of it */
enum access { ACCESS_LOAD, ACCESS_STORE, ACCESS_PREFETCH, ACCESS_COUNT };

/* A field that is true or false: which samples have it, in which it is true. */
struct flag {
	struct weighted known, yes;
};

static inline void count_flag(struct flag *flag, const struct precis_sample *sample,
			      enum precis_field field, const struct weighted *samples)
{
	uint64_t value;

	if (!precis_get(sample, field, &value))
		return;
	weighted_add(&flag->known, samples);
	if (value)
		weighted_add(&flag->yes, samples);
}

/* An enumerated field as an index, 'absent' where it is not there */
static inline uint32_t index_of(const struct precis_sample *sample, enum precis_field field,
				uint32_t count, uint32_t absent)
{
	uint64_t value;

	return precis_get(sample, field, &value) && value < count ? (uint32_t)value : absent;
}

static inline uint32_t kind_of(const struct precis_sample *sample)
{
	return index_of(sample, PRECIS_FIELD_OP, OP_KINDS, OP_UNTOLD);
}

static inline uint32_t level_of(const struct precis_sample *sample)
{
	return index_of(sample, PRECIS_FIELD_MEM_LEVEL, LEVELS, 0);
}

static inline uint32_t remote_of(const struct precis_sample *sample)
{
	return index_of(sample, PRECIS_FIELD_MEM_REMOTE, REMOTES, REMOTE_ABSENT);
}

/* Of ibs_op: registers, or what the kernel made of them? */
static inline int is_op(uint32_t source, uint32_t event_kind)
{
	return source == PRECIS_SOURCE_IBS_OP ||
	       (source == PRECIS_SOURCE_PERF_WORDS && event_kind == PRECIS_EVENT_IBS_OP);
}

static inline int sample_is_op(const struct precis_sample *sample)
{
	return is_op(sample->source, sample->event_kind);
}

/* What its periods count: IBS_OP_CNT_CTL, in the event's config where the hardware has it */
static inline enum precis_period_unit op_event_unit(const struct precis_event *event)
{
	return event->config >> 19 & 1 ? PRECIS_PERIOD_UNIT_OPS : PRECIS_PERIOD_UNIT_CYCLES;
}

/* ACCESS_COUNT: none, or not told */
static inline enum access access_of(uint32_t kind)
{
	switch (kind) {
	case PRECIS_OP_LOAD:
	case PRECIS_OP_LOAD_STORE:
		return ACCESS_LOAD;
	case PRECIS_OP_STORE:
		return ACCESS_STORE;
	case PRECIS_OP_PREFETCH:
		return ACCESS_PREFETCH;
	default:
		return ACCESS_COUNT;
	}
}

#endif
