/* SPDX-License-Identifier: BSD-3-Clause */
/* See recordings.h. */
#include "recordings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int recordings_add(struct analysis_recordings *recordings, const struct precis_input *input)
{
	uint32_t first = recordings_events(recordings);
	struct analysis_recording *more =
		realloc(recordings->list, (recordings->count + 1) * sizeof(*more));

	if (!more)
		return -1;
	recordings->list = more;
	more[recordings->count++] = (struct analysis_recording){ input, first };
	return 0;
}

void recordings_free(struct analysis_recordings *recordings)
{
	free(recordings->list);
	memset(recordings, 0, sizeof(*recordings));
}

uint32_t recordings_events(const struct analysis_recordings *recordings)
{
	const struct analysis_recording *last;

	if (!recordings->count)
		return 0;
	last = &recordings->list[recordings->count - 1];
	return last->first + precis_input_event_count(last->input);
}

static const struct analysis_recording *recording_of(const struct analysis_recordings *recordings,
						     uint32_t number)
{
	uint32_t low = 0, high = recordings->count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (recordings->list[middle].first <= number)
			low = middle;
		else
			high = middle;
	}
	return &recordings->list[low];
}

const struct precis_event *recordings_event(const struct analysis_recordings *recordings,
					    uint32_t number)
{
	const struct analysis_recording *recording = recording_of(recordings, number);

	return precis_input_event(recording->input, number - recording->first);
}

int cpus_are_alike(const struct precis_cpu *a, const struct precis_cpu *b)
{
	return a->vendor == b->vendor && a->family == b->family && a->model == b->model &&
	       a->stepping == b->stepping;
}

int recordings_are_alike(const struct analysis_recordings *recordings, uint32_t number,
			 uint32_t other)
{
	const struct precis_event *a = recordings_event(recordings, number);
	const struct precis_event *b = recordings_event(recordings, other);

	/* Linux numbers PMUs and tracepoints anew whenever it starts; names stay */
	return a && b && a->kind == b->kind && a->core_type == b->core_type &&
	       a->type == b->type && a->config == b->config && a->config1 == b->config1 &&
	       a->config2 == b->config2 &&
	       (a->kind == PRECIS_EVENT_PEBS || strcmp(a->name, b->name) == 0) &&
	       cpus_are_alike(precis_input_cpu(recording_of(recordings, number)->input),
			      precis_input_cpu(recording_of(recordings, other)->input));
}

uint64_t loss_in_buffers(const struct precis_loss *loss)
{
	return loss->lost > loss->counted ? loss->lost : loss->counted;
}

uint64_t loss_samples_lost(const struct precis_loss *loss)
{
	return loss_in_buffers(loss) + loss->lost_samples;
}

static void add_gaps(struct recording_gaps *gaps, const struct precis_file *file, uint32_t event)
{
	struct precis_loss loss = { .size = sizeof(loss) };

	if (precis_file_loss_sum(file, event, PRECIS_LOSS_ANY, &loss))
		return;
	gaps->lost += loss_samples_lost(&loss);
	gaps->throttled += loss.throttle;
	gaps->throttled_ns += loss.throttled_ns;
}

struct recording_gaps recording_gaps_of(const struct precis_file *file, uint32_t event)
{
	struct recording_gaps gaps = { 0 };

	if (file)
		add_gaps(&gaps, file, event);
	if (file && event != PRECIS_LOSS_ANY) /* of a buffer that all write into */
		add_gaps(&gaps, file, PRECIS_LOSS_NONE);
	return gaps;
}

/* The longest period of the kind's events that have samples; 0: of one it is not known, or what it lost */
static uint64_t longest_counted_period(const struct precis_file *file, uint32_t kind)
{
	uint64_t longest = 0;

	for (uint32_t n = 0; n < precis_file_event_count(file); n++) {
		const struct precis_event *event = precis_file_event(file, n);
		struct precis_event_counts counts = { .size = sizeof(counts) };

		if (event->kind != kind || precis_file_event_counts(file, n, &counts) || !counts.samples)
			continue;
		if (event->is_frequency || !event->sample_period ||
		    precis_file_loss_knowledge(file, n) != PRECIS_LOSS_COUNTED)
			return 0;
		longest = event->sample_period > longest ? event->sample_period : longest;
	}
	return longest;
}

double recording_events_missed(const struct precis_file *file, uint32_t kind)
{
	const struct recording_gaps gaps = recording_gaps_of(file, PRECIS_LOSS_ANY);
	uint64_t period;

	if (gaps.throttled)
		return NAN;
	if (!gaps.lost)
		return 0;
	period = longest_counted_period(file, kind);
	return period ? (double)gaps.lost * (double)period : NAN;
}
