/* SPDX-License-Identifier: BSD-3-Clause */
/* Random PEBS records of every format and of every combination of groups. */
#ifndef TESTS_PROPERTY_PEBS_RECORDS_H
#define TESTS_PROPERTY_PEBS_RECORDS_H

#include <precis/error.h>
#include <precis/pebs.h>

#include "tests/property/random.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define RECORD_MAX 16384

/* A record before it is bytes: its large groups have their bytes here. */
struct made_record {
	struct precis_pebs pebs;
	struct precis_pebs_groups views;
	uint32_t split, nulls; /* architectural: see precis_pebs_encode_fragments() */
	uint8_t vectors[2048], lbr_header[48], lbr[256 * 24], counters[66 * 8];
};

static const uint32_t made_formats[] = { 0, 1, 2, 3, 4, 5, 6, 15, 16, 17 };

/* In how many ways records of a format can be put together of groups. */
static inline uint32_t made_combinations(uint32_t format)
{
	switch (format) {
	case PRECIS_PEBS_FORMAT_4:
	case PRECIS_PEBS_FORMAT_5:
		return 1u << 4;
	case PRECIS_PEBS_FORMAT_6:
		return 1u << 6;
	case PRECIS_PEBS_FORMAT_ARCH:
		return 1u << 10;
	default:
		return 1;
	}
}

/* The groups of combination n: bit i of n is row i. */
static inline uint32_t made_groups(uint32_t format, uint32_t n)
{
	static const uint32_t adaptive[] = { PRECIS_PEBS_GROUP_MEMORY, PRECIS_PEBS_GROUP_GPR,
					     PRECIS_PEBS_GROUP_XMM, PRECIS_PEBS_GROUP_LBR,
					     PRECIS_PEBS_GROUP_COUNTERS,
					     PRECIS_PEBS_GROUP_METRICS };
	uint32_t groups = PRECIS_PEBS_GROUP_BASIC;

	if (format == PRECIS_PEBS_FORMAT_ARCH)
		return groups | n << 1;
	for (uint32_t i = 0; i < COUNT(adaptive); i++)
		groups |= n >> i & 1 ? adaptive[i] : 0;
	return groups;
}

static inline void made_fixed(uint64_t *state, struct precis_pebs *pebs)
{
	static const uint32_t words[] = { 0, 0x71, 0xf5, 0xfe };
	int is_32 = pebs->format == PRECIS_PEBS_FORMAT_NETBURST_32;

	pebs->captured = pebs->format <= 3 ? words[pebs->format] : 0;
	pebs->gpr_captured = is_32 ? 0x3ff : 0x3ffff;
	pebs->groups = PRECIS_PEBS_GROUP_GPR | (pebs->captured ? PRECIS_PEBS_GROUP_MEMORY : 0);
	pebs->flags = is_32 ? PRECIS_PEBS_REGISTERS_32 : 0;
	for (uint32_t i = 0; is_32 && i < PRECIS_PEBS_GPR_COUNT; i++)
		pebs->gpr[i] = (uint32_t)random_next(state);
}

static inline uint32_t made_count(uint64_t *state, uint32_t format)
{
	static const uint32_t counts[] = { 1, 2, 3, 8, 16, 31, 32, 256 };
	uint32_t count = counts[random_next(state) % COUNT(counts)];

	return format == PRECIS_PEBS_FORMAT_ARCH && random_next(state) % 9 == 0 ? 0 : count;
}

/* Masks that leave few, many and all counters; none only where there are metrics. */
static inline uint32_t made_mask(uint64_t *state)
{
	return (uint32_t)random_register(state);
}

static inline void made_views(uint64_t *state, struct made_record *made)
{
	uint32_t groups = made->pebs.groups;
	struct precis_pebs_groups *views = &made->views;

	views->xmm = groups & PRECIS_PEBS_GROUP_XMM ? made->vectors : NULL;
	views->ymmh = groups & PRECIS_PEBS_GROUP_YMMH ? made->vectors + 256 : NULL;
	views->opmask = groups & PRECIS_PEBS_GROUP_OPMASK ? made->vectors + 512 : NULL;
	views->zmmh = groups & PRECIS_PEBS_GROUP_ZMMH ? made->vectors + 512 : NULL;
	views->hi16_zmm = groups & PRECIS_PEBS_GROUP_HI16_ZMM ? made->vectors + 1024 : NULL;
	if (made->pebs.format == PRECIS_PEBS_FORMAT_ARCH &&
	    (groups & (PRECIS_PEBS_GROUP_XMM | PRECIS_PEBS_GROUP_YMMH | PRECIS_PEBS_GROUP_OPMASK |
		       PRECIS_PEBS_GROUP_ZMMH | PRECIS_PEBS_GROUP_HI16_ZMM)))
		views->xstate = random_next(state);
	if (groups & PRECIS_PEBS_GROUP_LBR) {
		views->lbr_count = made_count(state, made->pebs.format);
		views->lbr = made->lbr;
		if (made->pebs.format == PRECIS_PEBS_FORMAT_ARCH) {
			views->has_lbr_header = 1;
			views->lbr_header = made->lbr_header;
			memset(made->lbr_header + 0x10, 0, 8);
			made->lbr_header[0x10] = (uint8_t)views->lbr_count;
			made->lbr_header[0x11] = (uint8_t)(views->lbr_count >> 8);
		}
	}
	if (groups & (PRECIS_PEBS_GROUP_COUNTERS | PRECIS_PEBS_GROUP_METRICS))
		views->counters = made->counters;
	if (groups & PRECIS_PEBS_GROUP_COUNTERS) {
		views->gp_counters = made_mask(state) | 1;
		views->fixed_counters = made_mask(state);
	}
	views->metrics = (groups & PRECIS_PEBS_GROUP_METRICS) != 0;
}

/* Combination n of a format, with random contents. */
static inline void make_record(uint64_t *state, uint32_t format, uint32_t n,
			       struct made_record *made)
{
	struct precis_pebs *pebs = &made->pebs;
	uint8_t *bytes = made->vectors;

	memset(made, 0, sizeof(*made));
	pebs->size = sizeof(*pebs);
	made->views.size = sizeof(made->views);
	pebs->format = format;
	for (size_t i = 0; i < PRECIS_PEBS_WORD_COUNT; i++)
		pebs->word[i] = random_register(state);
	for (size_t i = 0; i < PRECIS_PEBS_GPR_COUNT; i++)
		pebs->gpr[i] = random_register(state);
	for (size_t i = 0; i < sizeof(made->vectors) + sizeof(made->lbr_header) +
				       sizeof(made->lbr) + sizeof(made->counters); i++)
		bytes[i] = (uint8_t)random_next(state);
	if (precis_pebs_format_bytes(format)) {
		made_fixed(state, pebs);
		return;
	}
	pebs->word[PRECIS_PEBS_RETIRE_LATENCY] &= 0xffff;
	pebs->groups = made_groups(format, n);
	pebs->captured = pebs->groups & PRECIS_PEBS_GROUP_MEMORY ? 0x1fe : 0x10e;
	if (format == PRECIS_PEBS_FORMAT_ARCH) {
		pebs->flags = PRECIS_PEBS_RETIRE_LATENCY_TOLD;
		pebs->flags |= random_next(state) % 2 ? PRECIS_PEBS_RETIRE_LATENCY_VALID : 0;
		pebs->flags |= random_next(state) % 2 ? PRECIS_PEBS_MODE_64 : 0;
		if (random_next(state) % 2) {
			made->split = (uint32_t)random_register(state);
			made->nulls = (uint32_t)(random_register(state) & random_next(state));
		}
	}
	if (pebs->groups & PRECIS_PEBS_GROUP_GPR)
		pebs->gpr_captured = format == PRECIS_PEBS_FORMAT_ARCH ? 0x7ffff : 0x3ffff;
	made_views(state, made);
}

static inline int made_encode(const struct made_record *made, uint8_t *bytes, size_t room)
{
	if (made->pebs.format == PRECIS_PEBS_FORMAT_ARCH)
		return precis_pebs_encode_fragments(&made->pebs, &made->views, made->split,
						    made->nulls, bytes, room);
	return precis_pebs_encode(&made->pebs, &made->views, bytes, room);
}

#endif
