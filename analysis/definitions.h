/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each latency is. Those of different definitions share no table and no column: they cannot
 * be compared, and their sums mean nothing.
 */
#ifndef ANALYSIS_DEFINITIONS_H
#define ANALYSIS_DEFINITIONS_H

#include <precis/precis.h>

struct latency_definition {
	uint32_t field;
	uint32_t topics;     /* of topics.h */
	const char *summary; /* the table of its key figures; NULL: it is none */
	const char *table;   /* the one that is nothing but it; NULL: it stands beside samples */
	const char *heading; /* "load_latency: cycles from …" */
};

/* NULL of a field that is none of these */
const struct latency_definition *latency_definition(enum precis_field field);

#endif
