/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows in the order asked for, those of one key in those of the key before. */
#ifndef ANALYSIS_BY_TABLES_H
#define ANALYSIS_BY_TABLES_H

#include "state.h"

/* The columns that the request leaves open. */
void by_choose_columns(struct by *by);

/* 0, or -1 if memory is short */
int by_make_table_columns(struct by *by);

void by_tables(struct document *document, const struct by *by);

/* 'add' adds what is to be told of each event that has samples, in the order of tables. */
typedef void by_add_fn(struct document *document, const struct by *by, uint32_t kind, uint32_t place);
void by_each_event(struct document *document, const struct by *by, by_add_fn *add);

/* The last table is of that event: its name, what warnings find it by, and how wide intervals are. */
void by_table_of(struct document *document, const struct by *by, uint32_t kind, uint32_t place);

/* What cycles are of the event's samples: a field; -1: they have none */
int by_event_latency(const struct by *by, const struct by_event *event, uint32_t kind);

/* Why figures of the last table may lack something */
void by_note_gaps(struct document *document, const struct by *by);

#endif
