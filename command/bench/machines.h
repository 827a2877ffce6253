/* SPDX-License-Identifier: BSD-3-Clause */
/* What differs between two machines, and between how they were measured, before figures are compared. */
#ifndef BENCH_MACHINES_H
#define BENCH_MACHINES_H

#include "read.h"

/* A table, the last one: settings and rows of the preflight tables that are not the same. */
void machines_present(const struct bench_file *there, const struct bench_arguments *arguments,
		      struct document *document);

#endif
