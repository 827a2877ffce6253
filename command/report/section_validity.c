/* SPDX-License-Identifier: BSD-3-Clause */
/* How far figures can be believed: what precis info says of an event, below its tables. */
#include "command/validity/validity.h"
#include "sections.h"

/* The events that have samples */
static uint32_t sampled_events(const struct collection *collection)
{
	struct precis_event_counts counts = { .size = sizeof(counts) };
	uint32_t sampled = 0;
	uint32_t count = collection->file ? precis_file_event_count(collection->file) : 0;

	for (uint32_t n = 0; n < count; n++) {
		precis_file_event_counts(collection->file, n, &counts);
		sampled += counts.samples || counts.traced;
	}
	return sampled;
}

static void warn(struct document *document, const struct collection *collection,
		 const struct validity_event *samples, int is_one_of_several)
{
	const struct validity recording = {
		.file = collection->file,
		.cpu = collection_cpu(collection),
	};
	uint32_t number = samples->event->index, topics;
	char room[VALIDITY_ROOM];
	const char *line;

	for (uint32_t n = 0; (line = validity_line(&recording, samples, n, &topics, room,
						   sizeof(room))); n++) {
		if (topics)
			document_warn(document, topics, number,
				      is_one_of_several ? samples->event->name : "", line);
	}
}

/* Cores that IBS samples can be of; flags that they have */
static void tell_ibs(const struct collection *collection, struct validity_event *samples)
{
	int is_op = samples->event->kind == PRECIS_EVENT_IBS_OP;
	const struct flag *l3_miss_only = is_op ? &collection->op.l3_miss_only :
						  &collection->fetch.l3_miss_only;
	uint32_t cores = is_op ? collection->op.cores : collection->fetch.cores;

	samples->is_l3_miss_only = l3_miss_only->known && l3_miss_only->yes == l3_miss_only->known;
	samples->cores = cores ? cores : precis_amd_cores_of(collection_cpu(collection), 0);
}

/* The event's own samples, or those of the one that it is configured like */
static const char *retire_lacks(const struct collection *collection, uint32_t number)
{
	for (uint32_t n = 0; n < collection->pebs.count; n++) {
		const struct pebs_event *event = collection->pebs.events[n];

		if (event->number == number)
			return reasons_only(&event->reasons, PRECIS_FIELD_RETIRE_LATENCY,
					    PRECIS_NOT_CAPTURED);
	}
	return NULL;
}

void section_validity(struct document *document, const struct collection *collection)
{
	int is_one_of_several = sampled_events(collection) > 1;
	uint32_t count = collection->file ? precis_file_event_count(collection->file) : 1;

	for (uint32_t n = 0; n < count; n++) {
		struct precis_event_counts counts = { .size = sizeof(counts) };
		struct validity_event samples = { .event = collection_event(collection, n) };

		if (collection->file)
			precis_file_event_counts(collection->file, n, &counts);
		if (collection->file && !counts.samples && !counts.traced)
			continue;
		samples.undecodable = counts.undecodable;
		samples.retire_lacks = retire_lacks(collection, n);
		if (samples.event->kind == PRECIS_EVENT_IBS_OP ||
		    samples.event->kind == PRECIS_EVENT_IBS_FETCH)
			tell_ibs(collection, &samples);
		warn(document, collection, &samples, is_one_of_several);
	}
}
