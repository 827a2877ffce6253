/* SPDX-License-Identifier: BSD-3-Clause */
/* All tables of who shares lines with whom. */
#ifndef ANALYSIS_SHARING_TABLES_H
#define ANALYSIS_SHARING_TABLES_H

#include "analysis/reasons.h"
#include "state.h"
#include "statistics/table.h"

void sharing_tables(struct document *document, const struct sharing *sharing,
		    const struct reasons *reasons);

#endif
