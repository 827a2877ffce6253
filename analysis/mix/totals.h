/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What counters of a recording counted in all, beside what its samples stand for: counts that were read along
 * with samples (PERF_SAMPLE_READ: perf record -e '{cycles,instructions}:S'), and those of tasks that ended
 * (PERF_RECORD_READ: perf record -s, attr.inherit_stat).
 *
 * A count is of the time that its event was enabled: where it shared a counter with others it is multiplied
 * by time enabled / time running. An ended task's counts are those of inherited events, so the first task of
 * all has none: what its samples stand for is taken in their place.
 */
#ifndef ANALYSIS_MIX_TOTALS_H
#define ANALYSIS_MIX_TOTALS_H

#include <precis/precis.h>

#include "numbering.h"

/* Zeroed memory has none. */
struct mix_totals {
	struct numbering keys; /* of counters and of tasks: see totals.c */
	double *value; /* by key */
	uint32_t room;
	uint32_t unread; /* blocks of counts that could not be taken apart */
};

/* Where a total comes from */
enum mix_total_source {
	MIX_TOTAL_NONE = 0,
	MIX_TOTAL_READ_WITH_SAMPLES, /* counts read along with samples */
	MIX_TOTAL_READ_AT_END /* counts of tasks that ended */
};

/** In words, for a page */
const char *mix_total_source_text(enum mix_total_source source);

struct mix_total {
	enum mix_total_source source;
	double value;
	double error; /* relative, of what was not counted: from the last read of a counter to its end */
	double read; /* the part of it that was counted and not sampled */
};

/**
 * What a sample tells of counters: its own event's, or those of its group.
 * @param weight  what it stands for
 * @return 0, or -1: memory is short
 */
int mix_totals_sample(struct mix_totals *totals, struct precis_file *file,
		      const struct precis_event *event, const struct precis_perf_sample *sample,
		      uint64_t weight);

/** Any record; READ alone tells something. @return 0, or -1: memory is short */
int mix_totals_record(struct mix_totals *totals, struct precis_file *file,
		      const struct precis_record *record);

/** Of one event. MIX_TOTAL_NONE: nothing was counted */
struct mix_total mix_total_of(const struct mix_totals *totals, const struct precis_event *event);

void mix_totals_free(struct mix_totals *totals);

#endif
