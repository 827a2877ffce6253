/* SPDX-License-Identifier: BSD-3-Clause */
/* How far figures can be believed: what precis info says of an event, below its tables. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analyses.h"
#include "analysis/pebs/counts.h"
#include "analysis/samples.h"
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

/* Cores that IBS samples can be of; flags that they have */
static void tell_ibs(const struct analysis_run *run, struct validity_event *told)
{
	const struct samples *samples = analysis_state(run, &analysis_samples);
	const struct unit_samples *unit = told->event->kind == PRECIS_EVENT_IBS_OP ?
						  &samples->ops : &samples->fetches;
	const struct flag *l3_miss_only = &unit->l3_miss_only;

	told->is_l3_miss_only = l3_miss_only->known.samples &&
			       l3_miss_only->yes.samples == l3_miss_only->known.samples;
	told->cores = unit->cores ? unit->cores :
				    precis_amd_cores_of(precis_input_cpu(run->about.input), 0);
}

/* The event's own samples, or those of the one that it is configured like */
static const char *retire_lacks(const struct analysis_run *run, uint32_t number)
{
	const void *pebs = analysis_state(run, &analysis_pebs);
	const struct pebs_event *event = pebs ? pebs_event_numbered(pebs, number) : NULL;

	return event ? reasons_only(&event->reasons, PRECIS_FIELD_RETIRE_LATENCY,
				    PRECIS_NOT_CAPTURED) : NULL;
}

int validity_judge(struct reported *reported)
{
	const struct analysis_run *run = reported->run;
	uint32_t count = precis_input_event_count(reported->input);

	reported->judged = calloc((size_t)count + 1, sizeof(*reported->judged));
	if (!reported->judged)
		return -1;
	for (uint32_t n = 0; n < count; n++) {
		struct validity_event told = { .event = precis_input_event(reported->input, n) };

		if (!selection_has_unit(reported->selection, told.event) ||
		    !is_sampled(precis_input_file(reported->input), n, &told.undecodable))
			continue;
		told.retire_lacks = retire_lacks(run, n);
		if (told.event->kind == PRECIS_EVENT_IBS_OP ||
		    told.event->kind == PRECIS_EVENT_IBS_FETCH)
			tell_ibs(run, &told);
		reported->judged[reported->judged_count++] = told;
	}
	return 0;
}

void reported_free(struct reported *reported)
{
	free(reported->judged);
}

static int has_event_named(const struct reported *reported, size_t count, const char *name)
{
	for (size_t n = 0; n < count; n++) {
		for (uint32_t i = 0; i < reported[n].judged_count; i++) {
			if (strcmp(reported[n].judged[i].event->name, name) == 0)
				return 1;
		}
	}
	return 0;
}

int validity_is_of_several(const struct reported *reported, size_t count)
{
	uint32_t judged = 0;

	for (size_t n = 0; n < count && judged < 2; n++) {
		for (uint32_t i = 0; i < reported[n].judged_count; i++)
			judged += !has_event_named(reported, n, reported[n].judged[i].event->name);
	}
	return judged > 1;
}

/* The number that tables know the event by: that of another recording's that is configured alike */
static uint32_t number_of(const struct analysis_run *run, const struct reported *reported,
			  const struct precis_event *event)
{
	uint32_t number = reported->first_event + event->index;
	uint32_t first = event_number_first(&run->events[event->kind], number);

	return first < reported->first_event ? first : number;
}

static void warn(struct document *document, const struct analysis_run *run,
		 const struct reported *reported, const struct validity *recording,
		 const struct validity_event *judged, int is_one_of_several)
{
	uint32_t number = number_of(run, reported, judged->event), topics;
	char room[VALIDITY_ROOM];
	const char *line;

	for (uint32_t n = 0; (line = validity_line(recording, judged, n, &topics, room,
						   sizeof(room))); n++) {
		if (topics)
			document_warn(document, topics, number,
				      is_one_of_several ? judged->event->name : "", line);
	}
}

void section_validity(struct document *document, const struct analysis_run *run,
		      const struct reported *reported, int is_one_of_several)
{
	const struct validity recording = validity_of(precis_input_file(reported->input),
						      precis_input_cpu(reported->input), 0);

	for (uint32_t n = 0; n < reported->judged_count; n++)
		warn(document, run, reported, &recording, &reported->judged[n], is_one_of_several);
}
