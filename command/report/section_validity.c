/* SPDX-License-Identifier: BSD-3-Clause */
/* How far figures can be believed: what precis info says of an event, below its tables. */
#include "analysis/analyses.h"
#include "analysis/pebs/counts.h"
#include "analysis/samples.h"
#include "command/validity/validity.h"
#include "sections.h"

/* Has the event samples? Of a dump's one that is not asked. */
static int is_sampled(const struct precis_file *file, uint32_t number, uint64_t *undecodable)
{
	struct precis_event_counts counts = { .size = sizeof(counts) };

	*undecodable = 0;
	if (!file)
		return 1;
	precis_file_event_counts(file, number, &counts);
	*undecodable = counts.undecodable;
	return counts.samples || counts.traced;
}

static uint32_t sampled_events(const struct precis_input *input)
{
	uint32_t sampled = 0;
	uint64_t undecodable;

	for (uint32_t n = 0; n < precis_input_event_count(input); n++)
		sampled += (uint32_t)is_sampled(precis_input_file(input), n, &undecodable);
	return sampled;
}

static void warn(struct document *document, const struct precis_input *input,
		 const struct validity_event *samples, int is_one_of_several)
{
	const struct validity recording = {
		.file = precis_input_file(input),
		.cpu = precis_input_cpu(input),
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
static void tell_ibs(const struct analysis_run *run, struct validity_event *told)
{
	const struct samples *samples = analysis_state(run, &analysis_samples);
	const struct unit_samples *unit = told->event->kind == PRECIS_EVENT_IBS_OP ?
						  &samples->ops : &samples->fetches;
	const struct flag *l3_miss_only = &unit->l3_miss_only;

	told->is_l3_miss_only = l3_miss_only->known && l3_miss_only->yes == l3_miss_only->known;
	told->cores = unit->cores ? unit->cores :
				    precis_amd_cores_of(precis_input_cpu(run->about.input), 0);
}

/* The event's own samples, or those of the one that it is configured like */
static const char *retire_lacks(const struct analysis_run *run, uint32_t number)
{
	const struct pebs_event *event =
		pebs_event_numbered(analysis_state(run, &analysis_pebs), number);

	return event ? reasons_only(&event->reasons, PRECIS_FIELD_RETIRE_LATENCY,
				    PRECIS_NOT_CAPTURED) : NULL;
}

void section_validity(struct document *document, const struct analysis_run *run)
{
	const struct precis_input *input = run->about.input;
	int is_one_of_several = sampled_events(input) > 1;

	for (uint32_t n = 0; n < precis_input_event_count(input); n++) {
		struct validity_event told = { .event = precis_input_event(input, n) };

		if (!is_sampled(precis_input_file(input), n, &told.undecodable))
			continue;
		told.retire_lacks = retire_lacks(run, n);
		if (told.event->kind == PRECIS_EVENT_IBS_OP ||
		    told.event->kind == PRECIS_EVENT_IBS_FETCH)
			tell_ibs(run, &told);
		warn(document, input, &told, is_one_of_several);
	}
}
