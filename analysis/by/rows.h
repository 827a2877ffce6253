/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples that are alike in the keys asked for, in bounded memory: what a row has of them.
 *
 * As long as rows have room all is exact. When they have not, the lighter half goes, with the bounds
 * that heavy.h has: a row that comes (again) has what came since, and 'missed' at most before that.
 */
#ifndef ANALYSIS_BY_ROWS_H
#define ANALYSIS_BY_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/kinds.h"
#include "request.h"
#include "row_blocks.h"

/* What a key says of a sample; what the two mean is the key's. 'b' BY_ABSENT: 'a' says why not */
struct by_value {
	uint64_t a, b;
};
#define BY_ABSENT UINT64_MAX

struct by_row {
	struct by_value key[BY_KEYS_MOST];
	uint64_t weight; /* since it is there, of what sorts rows */
	uint64_t missed; /* at most so much came before that */
	struct weighted samples;
	struct weighted measured; /* those that have the latency */
	struct weighted cycles;   /* each weighs its latency times what it weighs itself */
	int is_unlisted; /* its values have not all been kept */
	uint32_t parts;  /* of time that are told apart: behind the flags */
	struct flag is[]; /* of each column BY_IS in its order */
};

/* What its samples of each part of the time weigh */
static inline uint64_t *by_row_trend(const struct by_row *row, uint32_t flags)
{
	return (uint64_t *)(uintptr_t)(row->is + flags);
}

/* One value of the latency in one row */
struct by_latency {
	uint32_t row, value;
	uint64_t samples, weight; /* samples 0: a free slot */
};

struct by_rows {
	unsigned char *bytes; /* 'count' rows of 'stride' bytes */
	size_t stride;
	uint32_t keys; /* that tell rows apart */
	uint32_t parts;
	uint32_t count, room, limit;
	uint32_t *slots; /* numbers of rows, from 1; 0: free */
	uint32_t slot_count;
	uint64_t floor, total, dropped; /* as in heavy.h */
	struct by_latency *values; /* a hash table; NULL: none so far */
	uint32_t value_count, value_slots;
	int has_dropped_values;
	struct row_blocks blocks; /* recorded by chance, that samples of the rows are in */
};

#define BY_ROWS_BYTES (8u << 20)
#define BY_ROWS_MOST 16384u
#define BY_VALUES_MOST (1u << 18)

/* flags: columns BY_IS; parts: of time. 0, or -1 if memory is short */
int by_rows_init(struct by_rows *rows, uint32_t keys, uint32_t flags, uint32_t parts);
void by_rows_free(struct by_rows *rows);

static inline struct by_row *by_row(const struct by_rows *rows, uint32_t n)
{
	return (struct by_row *)(void *)(rows->bytes + n * rows->stride);
}

/* The row of these keys, valid until the next call, which may drop rows; NULL if memory is short */
struct by_row *by_rows_add(struct by_rows *rows, const struct by_value *key, uint64_t weight);

/* Keys of rows have been changed, and no two are alike. */
void by_rows_index(struct by_rows *rows);

/* The lighter half goes, with what is known of it. 0, or -1 if memory is short */
int by_rows_drop(struct by_rows *rows);

/* NULL if it is not there */
const struct by_row *by_rows_find(const struct by_rows *rows, const struct by_value *key);

/* A value of the row's latency. 0, or -1 if memory is short */
int by_rows_add_value(struct by_rows *rows, struct by_row *row, uint32_t value, uint64_t samples,
		      uint64_t weight);

/*
 * The table of values as another one had it, which is empty: so many slots, of which the n-th gets a value
 * of a row. 0, or -1: memory is short, or there can be no such table
 */
int by_rows_open_values(struct by_rows *rows, uint32_t slots);
int by_rows_put_value(struct by_rows *rows, uint32_t n, const struct by_latency *value);

/* Samples of a row are in that block. 0, or -1 if memory is short */
int by_rows_add_block(struct by_rows *rows, const struct by_row *row, uint64_t id, double probability,
		      uint64_t weight);

/* One more in a part of the time */
void by_row_add_part(struct by_row *row, uint32_t flags, uint32_t part, uint64_t weight);

/* What sums are of both */
void by_row_combine(struct by_row *to, const struct by_row *from, uint32_t flags);

/* What is left of 'whole' without a part of it */
void by_row_subtract(struct by_row *whole, const struct by_row *part, uint32_t flags);

/* All of others, whose keys are this one's by now. 0, or -1 if memory is short */
int by_rows_merge(struct by_rows *rows, const struct by_rows *others, uint32_t flags);

#endif
