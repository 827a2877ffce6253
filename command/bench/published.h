/* SPDX-License-Identifier: BSD-3-Clause */
/* Beside what was measured here: what has been published of other machines. */
#ifndef BENCH_PUBLISHED_H
#define BENCH_PUBLISHED_H

#include "cells.h"
#include "statistics/table.h"

/* A table of all that has a counterpart, and in what the set-ups differ; none if nothing has one */
void present_published(const struct bench_cells *cells, const struct bench_arguments *arguments,
		       struct document *document);

#endif
