/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Members of a struct as a table, by which it is saved and loaded.
 *
 * A table has all members of its struct in their order, those that are not saved as well, with the reason in
 * a comment: tests/analysis/test_saving.c fails where a member is in none.
 */
#ifndef ANALYSIS_SAVING_FIELDS_H
#define ANALYSIS_SAVING_FIELDS_H

#include "analysis/latencies.h"
#include "analysis/reasons.h"
#include "saving.h"

enum saved_kind {
	SAVED_KIND_END,
	SAVED_KIND_NOT, /* of this run alone, or by saving functions */
	SAVED_KIND_U8,
	SAVED_KIND_U32, /* also int and enumerations */
	SAVED_KIND_U64,
	SAVED_KIND_DOUBLE,
	SAVED_KIND_WEIGHTED, /* struct weighted, and what consists of these */
	SAVED_KIND_LATENCIES, /* struct latencies *, NULL allowed */
	SAVED_KIND_REASONS
};

struct saved_field {
	const char *name;
	uint8_t kind; /* enum saved_kind */
	uint8_t since; /* the version that it came with */
	uint32_t bytes; /* of each … */
	uint32_t offset, count; /* … of an array of any dimensions */
};

#define SAVED_AS(kind, element, of, member)                                                                 \
	{ #member, kind, 1, sizeof(element), offsetof(of, member),                                    \
	  sizeof(((of *)0)->member) / (sizeof(element)) }
#define SAVED_U8(of, member) SAVED_AS(SAVED_KIND_U8, uint8_t, of, member)
#define SAVED_U32(of, member) SAVED_AS(SAVED_KIND_U32, uint32_t, of, member)
#define SAVED_U64(of, member) SAVED_AS(SAVED_KIND_U64, uint64_t, of, member)
#define SAVED_DOUBLE(of, member) SAVED_AS(SAVED_KIND_DOUBLE, double, of, member)
#define SAVED_WEIGHTED(of, member) SAVED_AS(SAVED_KIND_WEIGHTED, struct weighted, of, member)
#define SAVED_LATENCIES(of, member) SAVED_AS(SAVED_KIND_LATENCIES, struct latencies *, of, member)
#define SAVED_REASONS(of, member) SAVED_AS(SAVED_KIND_REASONS, struct reasons, of, member)
#define SAVED_NOT(of, member)                                                                              \
	{ #member, SAVED_KIND_NOT, 1, 1, offsetof(of, member), sizeof(((of *)0)->member) }
#define SAVED_END { NULL, SAVED_KIND_END, 0, 0, 0, 0 }

/* All members of that struct. What is loaded goes into a zeroed one; members of later versions stay 0. */
void saved_fields(struct saving *saving, void *of, const struct saved_field *fields);

/* Whatever was loaded of them is to be freed as if it had been counted. */
void saved_weighted(struct saving *saving, struct weighted *weighted);
void saved_reasons(struct saving *saving, struct reasons *reasons);

#endif
