/* SPDX-License-Identifier: BSD-3-Clause */
/* See span.h. */
#include "span.h"

#include "traces.h"

/* What perf record wrote of its samples; those of an AUX area it does not know. */
static int is_noted(const struct recording *recording, struct recording_span *span)
{
	struct precis_pebs_pt_counts traces = { .size = sizeof(traces) };
	struct precis_file_info info = { .size = sizeof(info) };

	if (precis_file_info(recording->file, &info) || !info.has_sample_time ||
	    info.first_time >= info.last_time || recording_traces(recording, &traces))
		return 0;
	*span = (struct recording_span){ info.first_time, info.last_time };
	return 1;
}

static void extend(struct recording_span *span, uint64_t time)
{
	span->first = time < span->first ? time : span->first;
	span->last = time > span->last ? time : span->last;
}

/* What is broken is told by who reads it next. */
static void read_through(struct precis_input *input, struct recording_span *span)
{
	uint64_t wanted[PRECIS_FIELD_WORDS] = { 0 }, time;
	const struct precis_item *item;
	struct precis_sample sample;

	precis_fields_add(wanted, PRECIS_FIELD_TIME);
	precis_sample_init(&sample);
	while (precis_input_next(input, &item) > 0) {
		if (item->kind == PRECIS_ITEM_SAMPLE && !precis_input_sample(input, wanted, NULL, &sample) &&
		    precis_get_time(&sample, &time))
			extend(span, time);
	}
}

const char *recording_span(const struct recording *recording, const struct recording_options *options,
			   struct recording_span *span)
{
	struct recording_options unsorted = *options;
	struct recording again;

	if (is_noted(recording, span))
		return NULL;
	*span = (struct recording_span){ .first = UINT64_MAX };
	if (recording_is_stream(recording->is_stdin ? "-" : recording->path))
		return "what can be read but once has no span before its end";
	unsorted.order = 0;
	if (recording_open_again(&again, recording, &unsorted))
		return "it cannot be read once more";
	read_through(again.input, span);
	recording_close(&again);
	return span->first > span->last ? "none of its samples has a time" : NULL;
}
