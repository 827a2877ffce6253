/* SPDX-License-Identifier: BSD-3-Clause */
/* All lines, and what each is about. */
#include "validity.h"

#include "ibs_notes.h"
#include "pebs_notes.h"

#define ALL_OF_PEBS                                                                                \
	(VALIDITY_PEBS | VALIDITY_ACCESSES | VALIDITY_LATENCY | VALIDITY_RETIRE |                 \
	 VALIDITY_PLACES | VALIDITY_CORE)

static const char *generic_only(const struct subject *of)
{
	return of->event->kind == PRECIS_EVENT_OTHER ?
		       "neither IBS nor a precise event of an Intel CPU: perf's generic fields only" :
		       NULL;
}

static const struct {
	validity_note_fn *line;
	uint32_t topics;
} notes[] = {
	{ generic_only, VALIDITY_OTHERS },
	{ ibs_note_no_raw, VALIDITY_OPS | VALIDITY_FETCHES },
	{ ibs_note_undecodable, VALIDITY_OPS | VALIDITY_FETCHES },
	{ ibs_note_unknown_cpu, VALIDITY_OPS | VALIDITY_FETCHES },
	{ ibs_note_wrong_cpu, VALIDITY_OPS | VALIDITY_FETCHES },
	{ ibs_note_layout, 0 },
	{ ibs_note_l3_miss_only, VALIDITY_OPS | VALIDITY_FETCHES },
	{ ibs_note_latency_filter, VALIDITY_OPS },
	{ ibs_note_streaming_stores, VALIDITY_OPS },
	{ ibs_note_fetch_latency_filter, VALIDITY_FETCHES },
	{ pebs_note_cpu_unknown, ALL_OF_PEBS },
	{ pebs_note_access_lacks, VALIDITY_ACCESSES },
	{ pebs_note_latency_lacks, VALIDITY_LATENCY },
	{ pebs_note_retire_lacks, VALIDITY_RETIRE },
	{ pebs_note_is_auxiliary, ALL_OF_PEBS },
	{ pebs_note_auxiliary_lacks, VALIDITY_LATENCY },
	{ pebs_note_threshold, ALL_OF_PEBS },
	{ pebs_note_skid, VALIDITY_PLACES },
	{ pebs_note_doubt, VALIDITY_CORE },
};

/* The topics that figures of that kind of event have */
static uint32_t topics_of(uint32_t kind)
{
	static const uint32_t topics[] = {
		[PRECIS_EVENT_OTHER] = VALIDITY_OTHERS,
		[PRECIS_EVENT_IBS_OP] = VALIDITY_OPS,
		[PRECIS_EVENT_IBS_FETCH] = VALIDITY_FETCHES,
		[PRECIS_EVENT_PEBS] = ALL_OF_PEBS,
	};

	return kind < sizeof(topics) / sizeof(topics[0]) ? topics[kind] : 0;
}

const char *validity_line(const struct validity *validity, const struct validity_event *event,
			  uint32_t n, uint32_t *topics, char *room, size_t bytes)
{
	const struct subject of = { validity, event, event->event, room, bytes };

	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++) {
		const char *line = notes[i].line(&of);

		if (!line || n--)
			continue;
		*topics = notes[i].topics & topics_of(event->event->kind);
		return line;
	}
	return NULL;
}
