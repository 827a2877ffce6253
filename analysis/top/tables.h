/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of places. */
#ifndef ANALYSIS_TOP_TABLES_H
#define ANALYSIS_TOP_TABLES_H

#include "places.h"

/* All is read. */
void top_tables(struct document *document, const struct top *top);

#endif
