/* SPDX-License-Identifier: BSD-3-Clause */
/* How many samples have a field, and why the others do not. */
#ifndef ANALYSIS_REASONS_H
#define ANALYSIS_REASONS_H

#include <precis/precis.h>

#include "kinds.h"
#include "statistics/table.h"

/* Populations that are asked for: ops by kind (kinds.h), and those that are none. */
enum {
	POPULATION_FETCH = OP_KINDS,
	POPULATION_UNDECODABLE,
	POPULATION_COUNT
};
#define POPULATION(n) (1u << (n))
#define POPULATION_LOADS (POPULATION(PRECIS_OP_LOAD) | POPULATION(PRECIS_OP_LOAD_STORE))
#define POPULATION_STORES POPULATION(PRECIS_OP_STORE)
#define POPULATION_PREFETCHES POPULATION(PRECIS_OP_PREFETCH)
#define POPULATION_MEMORY (POPULATION_LOADS | POPULATION_STORES | POPULATION_PREFETCHES)
#define POPULATION_OPS (POPULATION(POPULATION_FETCH) - 1)

struct reason_count {
	const char *reason, *detail; /* static strings of the library */
	uint64_t samples[POPULATION_COUNT];
};

struct field_reasons {
	uint64_t present[POPULATION_COUNT];
	struct reason_count *reasons;
	size_t count;
};

struct reasons {
	struct field_reasons fields[PRECIS_FIELD_COUNT];
	int failed; /* memory was short */
};

void reasons_free(struct reasons *reasons);

/* 'samples' samples like this one, all of that population. */
void reasons_add(struct reasons *reasons, const struct precis_sample *sample, uint32_t field,
		 uint32_t population, uint64_t samples);

/* What others have, too: what is new comes behind what was there. */
void reasons_merge(struct reasons *reasons, const struct reasons *others);

/* Of these populations (bits): how many have the field, how many there are. */
uint64_t reasons_present(const struct reasons *reasons, uint32_t field, uint32_t populations);
uint64_t reasons_total(const struct reasons *reasons, uint32_t field, uint32_t populations);

/* If no sample has the field, and all of them lack it for that reason: its detail; else NULL. */
const char *reasons_only(const struct reasons *reasons, uint32_t field, enum precis_reason reason);

/* All of it as a coverage of the document's last table; nothing if there are no such samples. */
void reasons_tell(const struct reasons *reasons, uint32_t field, uint32_t populations,
		  struct document *document);

#endif
