/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures that several analyses have. */
#ifndef ANALYSIS_FIGURES_H
#define ANALYSIS_FIGURES_H

#include <precis/fields.h>

#include "statistics/table.h"
#include "latencies.h"

/* What an op does; "not reported" */
const char *name_of_kind(uint32_t kind);

/* The row of a key figure: which of some are so, as the field says. */
void row_figure(struct document *document, const char *name, enum precis_field field,
		const char *of, const struct weighted *part, const struct weighted *whole);

/* A row for a level and node, "not reported" where the level is 0; 'before' stands before it. */
void row_level(struct document *document, const char *before, uint32_t level, uint32_t remote);

/* The table of a latency's key figures, which its name and meaning head. To be dropped if empty. */
void key_latencies_begin(struct document *document, enum precis_field field);

/* Its row of some of them together, NULLs being empty; none if no sample has that latency. */
void row_key_latency(struct document *document, const char *name,
		     struct latencies *const *latencies, size_t count);

/* The cells of LATENCY_COLUMNS. NULL is empty: all absent but for the count. */
void cells_latency(struct document *document, const struct latencies *latencies);
/* Of some together */
void cells_latency_of_all(struct document *document, struct latencies *const *latencies,
			  size_t count);

#endif
