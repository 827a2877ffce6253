/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading through a recording for what can be said of it as a whole. */
#include <stdlib.h>
#include <string.h>

#include "info.h"
#include "command/usage/complain.h"
#include "command/recording/traces.h"

static void note_time(struct info *info, const struct precis_sample *sample)
{
	uint64_t time;

	if (!precis_get_time(sample, &time))
		return;
	if (!info->has_time || time < info->first_time)
		info->first_time = time;
	if (!info->has_time || time > info->last_time)
		info->last_time = time;
	info->has_time = 1;
}

/* Room for all events that are known by now: in pipe mode more come. 0, or -1 without memory */
static int know_events(struct info *info)
{
	uint32_t count = precis_file_event_count(info->recording->file);
	struct info_event *events = realloc(info->events, (count + 1u) * sizeof(*events));

	if (!events)
		return -1;
	memset(events + info->event_count, 0, (count - info->event_count) * sizeof(*events));
	for (uint32_t n = info->event_count; n < count; n++)
		events[n].event = precis_file_event(info->recording->file, n);
	info->events = events;
	info->event_count = count;
	return 0;
}

static void note_sample(struct info *info, const struct precis_sample *sample)
{
	uint64_t index;
	uint64_t is_l3_miss_only;
	struct info_event *event;

	if (!precis_get_event(sample, &index) ||
	    (index >= info->event_count && know_events(info)))
		return;
	event = &info->events[index];
	for (unsigned int i = 0; i < PRECIS_FIELD_WORDS; i++)
		event->present[i] |= sample->present[i];
	if (precis_get_l3_miss_only(sample, &is_l3_miss_only) && is_l3_miss_only)
		event->is_l3_miss_only = 1;
	/* One that was decoded tells more than one that was not. */
	if (!event->has_sample || (event->first.payload_error && !sample->payload_error)) {
		event->first = *sample;
		event->has_sample = 1;
	}
	note_time(info, sample);
}

static void take_sample(struct info *info, struct precis_sample *sample)
{
	int code = precis_input_sample(info->recording->input, NULL, NULL, sample);

	if (!code)
		note_sample(info, sample);
	else if (code == PRECIS_E_NO_MEMORY)
		recording_out_of_memory(info->recording);
}

static void read_through(struct info *info)
{
	struct recording *recording = info->recording;
	const struct precis_item *item;
	struct precis_sample sample;

	precis_sample_init(&sample);
	while (recording_next(recording, &item)) {
		uint32_t type = item->record ? item->record->type : INFO_RECORD_TYPES;

		if (item->record)
			info->record_counts[type < INFO_RECORD_TYPES ? type : 0]++;
		if (item->kind == PRECIS_ITEM_SAMPLE)
			take_sample(info, &sample);
	}
}

static void note_absence(struct info_event *event, uint32_t field)
{
	enum precis_reason reason = precis_why(&event->first, (enum precis_field)field);
	const char *detail = precis_why_detail(&event->first, (enum precis_field)field);
	struct info_absence *absence = event->absence;
	uint32_t n = 0;

	while (n < event->absence_count &&
	       (absence[n].reason != reason || strcmp(absence[n].detail, detail)))
		n++;
	if (n == event->absence_count) {
		absence[n].reason = reason;
		absence[n].detail = detail;
		event->absence_count++;
	}
	precis_fields_add(absence[n].fields, field);
}

static void conclude(struct info *info, struct info_event *event)
{
	event->counts.size = sizeof(event->counts);
	precis_file_event_counts(info->recording->file, event->event->index, &event->counts);
	event->cores = event->first.cores ? event->first.cores : precis_amd_cores_of(&info->cpu, 0);
	for (uint32_t field = 0; event->has_sample && field < PRECIS_FIELD_COUNT; field++) {
		if (!precis_fields_have(event->present, field) &&
		    !precis_fields_have(event->first.present, field))
			note_absence(event, field);
	}
}

static int is_old_layout(const struct info *info, const struct recording_options *options)
{
	const char *release = options->os_release ? options->os_release : info->file.os_release;

	if (options->fetch_layout)
		return options->fetch_layout == PRECIS_FETCH_LAYOUT_OLD;
	return precis_ibs_fetch_layout_is_old(release);
}

static int out_of_memory(struct info *info)
{
	complain(info->recording->command, "out of memory");
	info_free(info);
	return EXIT_FAILED;
}

int info_gather(struct info *info, struct recording *recording,
		const struct recording_options *options)
{
	int old_fetch_layout;

	memset(info, 0, sizeof(*info));
	info->recording = recording;
	info->file.size = sizeof(info->file);
	precis_file_info(recording->file, &info->file);
	info->cpu = *precis_file_cpu(recording->file);
	old_fetch_layout = is_old_layout(info, options);
	if (know_events(info))
		return out_of_memory(info);
	read_through(info);
	if (know_events(info))
		return out_of_memory(info);
	precis_file_info(recording->file, &info->file); /* a stream's end tells more of it */
	info->validity = validity_of(recording->file, &info->cpu, old_fetch_layout);
	for (uint32_t n = 0; n < info->event_count; n++)
		conclude(info, &info->events[n]);
	info->counts.size = sizeof(info->counts);
	precis_file_counts(recording->file, &info->counts);
	info->traces.size = sizeof(info->traces);
	if (!recording_traces(recording, &info->traces))
		info->traces.size = 0;
	/* Without times in the samples perf writes an empty span, or one of all ones. */
	if (info->file.has_sample_time && info->file.last_time &&
	    info->file.first_time <= info->file.last_time && info->file.first_time != UINT64_MAX) {
		info->has_time = 1;
		info->first_time = info->file.first_time;
		info->last_time = info->file.last_time;
	}
	return EXIT_OK;
}

void info_free(struct info *info)
{
	free(info->events);
	info->events = NULL;
}
