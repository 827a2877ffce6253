/* SPDX-License-Identifier: BSD-3-Clause */
/* What samples say of a type, row by row of its shape. */
#ifndef ANALYSIS_TYPE_PAGE_MEMBER_TALLY_H
#define ANALYSIS_TYPE_PAGE_MEMBER_TALLY_H

#include "analysis/kinds.h"
#include "shape.h"
#include "statistics/moments.h"

/* Latencies that there are, each by its own definition; threads that are told apart */
#define TALLY_LATENCIES_MOST 16u
#define TALLY_THREADS_MOST 64u
/* Functions that are told apart, the first ones; objects that are known to be different */
#define TALLY_FUNCTIONS_MOST 64u
#define TALLY_STARTS_MOST 16u

struct tally_row {
	struct weighted samples;
	struct flag *is; /* of each column BY_IS */
	struct moments *latencies;
	uint64_t *threads; /* numbers, each once: the recording's, then the thread's */
	uint32_t thread_count;
	int has_more_threads;
	struct weighted *functions; /* samples by the tally's functions; NULL: of none so far */
};

/* Rows of the type as a whole come behind those of its shape. */
struct type_tally {
	const struct type_shape *shape;
	struct tally_row *rows; /* shape->count + 1 */
	struct flag *flags;
	struct moments *latencies;
	uint32_t flag_count, latency_count;
	struct weighted untold; /* samples in no row */
	struct weighted aligned; /* of objects that begin where a cache line does */
	struct weighted straddling; /* of objects no longer than a line that are in two */
	char *functions[TALLY_FUNCTIONS_MOST];
	uint32_t function_count;
	uint64_t starts[TALLY_STARTS_MOST]; /* where objects begin */
	uint32_t start_count;
	struct weighted several; /* that touch several members, or may be of either */
};

/* One sample of it */
struct tally_sample {
	struct weighted weighted;
	uint64_t weight; /* 0: not known */
	const uint8_t *is; /* of each flag 0: not known, 1: no, 2: yes */
	uint32_t latencies; /* bits of those that it has */
	uint64_t values[TALLY_LATENCIES_MOST];
	uint64_t start; /* where the object begins */
	int has_thread;
	uint32_t thread;
	const char *function; /* that touched it; NULL: not known */
};

/* NULL if memory is short */
struct type_tally *member_tally_new(const struct type_shape *shape, uint32_t flags, uint32_t latencies);
void member_tally_free(struct type_tally *tally);

/* A sample that touches so many rows. 0, or -1 if memory is short */
int member_tally_add(struct type_tally *tally, const struct tally_sample *sample, const uint32_t *touched,
	      uint32_t count);

/* Those of another of the same shape; of recording 'recording', 0: the same. 0, or -1 likewise */
int member_tally_merge(struct type_tally *to, const struct type_tally *from, uint32_t recording);

static inline const struct tally_row *member_tally_whole(const struct type_tally *tally)
{
	return &tally->rows[tally->shape->count];
}

#endif
