/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures with intervals as facts. */
#ifndef PLAN_ESTIMATES_H
#define PLAN_ESTIMATES_H

#include <precis/plan.h>

#include "document/facts.h"

#define ESTIMATE_TEXT 96

/*
 * What text says of a figure: "1.02 [0.98, 1.06]", 'times' it; an end that is not known is "-", and without
 * both the figure alone.
 */
void estimate_text(const struct precis_plan_estimate *estimate, double times, int digits,
		   char text[ESTIMATE_TEXT]);

/* A fact with value, low and high as they are, in that unit: the unit is a member, too */
void fact_estimate(struct document *document, const char *name,
		   const struct precis_plan_estimate *estimate, const char *unit);

/* Absent for a reason if it is NAN */
void member_known(struct document *document, const char *name, double value, const char *reason);

#endif
