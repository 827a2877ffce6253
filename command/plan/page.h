/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan as a page. */
#ifndef PLAN_PAGE_H
#define PLAN_PAGE_H

#include "costs.h"
#include "counted_run.h"
#include "document/facts.h"

struct plan {
	const struct plan_options *options;
	const struct plan_setting *setting;
	const struct plan_event *event;
	const struct counted_run *counted; /* NULL: the rate was given */
	struct precis_plan_cost cost;
	char note[PLAN_NOTE]; /* of plan_cost_find() */
	struct precis_plan_setup setup;
	struct precis_plan_wish wish;
	struct precis_plan_advice advice; /* size 0: a period was given, nothing is advised */
	struct precis_plan_prediction prediction;
	uint64_t ends_large_pebs; /* parts that do */
};

void plan_page(struct document *document, const struct plan *plan);

#endif
