/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recordings of ibs_op by cycles and by micro-ops: samples of the two are of different populations, which
 * no figure adds up. Such recordings are read once for each, and each has tables of its own.
 */
#ifndef REPORT_UNITS_H
#define REPORT_UNITS_H

#include "analysis/run.h"
#include "command/recording/selection.h"

#define UNITS 2u

/* Has it counted samples of both? */
int units_are_mixed(const struct analysis_run *run);

/* What is to be selected for the n-th, of UNITS; other events go with the first. */
void units_select(struct selection *selection, uint32_t n);

/* What findings of the n-th say, and the filter that selects as it does */
const char *units_word(uint32_t n);
const char *units_filter(uint32_t n);

/* The document of the n-th: tables of its samples are called by the unit; others are the first one's. */
void units_name(struct document *document, uint32_t n);

#endif
