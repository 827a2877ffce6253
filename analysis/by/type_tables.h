/* SPDX-License-Identifier: BSD-3-Clause */
/* What tells the types of an event's samples, and how far both ways agree, as tables of a report. */
#ifndef ANALYSIS_BY_TYPE_TABLES_H
#define ANALYSIS_BY_TYPE_TABLES_H

#include "state.h"

#define BY_TYPE_TABLES 4u

/* Table n of an event, from 0. @return 0 if there is none: nothing of that kind was told */
int by_type_table(struct document *document, const struct by *by, uint32_t kind, uint32_t place,
		  uint32_t n);

#endif
