/* SPDX-License-Identifier: BSD-3-Clause */
/* What of a machine decides about how well it samples. */
#ifndef BENCH_PREFLIGHT_H
#define BENCH_PREFLIGHT_H

#include "bench/accuracy/events.h"
#include "command/info/machine.h"
#include "statistics/table.h"

/* What the events ask of it; 'machine' must outlive it. */
struct bench_machine preflight_machine(const struct machine *machine);

/* A table of it, with what each finding means for samples of so many threads at once, at most */
void preflight_describe(const struct machine *machine, uint32_t threads, struct document *document);

/* The same table of what was found before: its beginning, and each row. NULL: there is none */
void preflight_begin(struct document *document);
void preflight_row(struct document *document, const char *name, const char *finding, const char *remark);

/* That table of a document; NULL: there is none */
const struct table *preflight_table(const struct document *document);
/* What was found; NULL: there is no such row, or it is absent. The text is the table's. */
const char *preflight_finding(const struct table *table, const char *name);

#endif
