/* SPDX-License-Identifier: BSD-3-Clause */
/* See findings.h. */
#include "findings.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/findings/sources.h"
#include "analysis/in_step.h"

#define OF_ROOM 64u

/* Linux tells of a load that did not wait as little as of one of which that is not known: of all loads. */
static void offer_condition(struct findings *findings, enum finding_id id,
			    const struct pebs_event *event, enum pebs_condition condition,
			    const struct weighted *loads, const char *of)
{
	const struct flag *flag = &event->condition[ACCESS_LOAD][condition];

	if (flag->known.samples)
		findings_share(findings, id, pebs_condition_fields[condition], &flag->yes, loads, of,
			       NULL);
}

static void offer(struct findings *findings, const struct pebs_event *event, const char *of)
{
	const struct weighted loads = pebs_access_total(event, ACCESS_LOAD);
	const struct weighted known = weighted_rest(&loads, &event->tlb[ACCESS_LOAD][0]);

	findings_sources(findings, event->level[ACCESS_LOAD], of);
	findings_share(findings, FINDING_ID_page_walks, PRECIS_FIELD_TLB_LEVEL,
		       &event->tlb[ACCESS_LOAD][PRECIS_TLB_LEVEL_WALK], &known, of, NULL);
	offer_condition(findings, FINDING_ID_locked, event, CONDITION_LOCKED, &loads, of);
	offer_condition(findings, FINDING_ID_forwarding_failed, event, CONDITION_DATA_BLOCKED, &loads,
			of);
}

void pebs_findings(struct findings *findings, const struct pebs *pebs)
{
	for (const struct pebs_event *event = pebs_event_next(pebs, NULL); event;
	     event = pebs_event_next(pebs, event)) {
		char of[OF_ROOM] = "sampled loads";

		if (pebs->count > 1)
			snprintf(of, sizeof(of), "loads of event %" PRIu32, event->number);
		in_step_offer(findings, pebs->about, PRECIS_EVENT_PEBS, event->place);
		if (event->samples.samples)
			offer(findings, event, of);
	}
}
