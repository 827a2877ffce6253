/* SPDX-License-Identifier: BSD-3-Clause */
/* See loss_lines.h. */
#include "loss_lines.h"

#include <stdlib.h>

int loss_is_nothing(const struct precis_loss *loss)
{
	return !loss->lost_records && !loss->counted && !loss->counters_ignored &&
	       !loss->lost_samples_records && !loss->filtered && !loss->throttle &&
	       !loss->unthrottle && !loss->aux_truncated && !loss->aux_partial &&
	       !loss->aux_collisions;
}

/* --- lines --- */

/* Most lost first, then longest throttled, then by CPU or thread, and event */
static int compare(const void *left, const void *right)
{
	const struct loss_line *a = left, *b = right;
	const uint64_t keys[][2] = {
		{ loss_samples_lost(&b->loss), loss_samples_lost(&a->loss) },
		{ b->loss.throttled_ns, a->loss.throttled_ns },
		{ b->loss.throttle, a->loss.throttle },
		{ a->loss.cpu, b->loss.cpu },
		{ a->thread.tid, b->thread.tid },
		{ a->loss.event, b->loss.event },
	};

	for (size_t n = 0; n < sizeof(keys) / sizeof(keys[0]); n++) {
		if (keys[n][0] != keys[n][1])
			return keys[n][0] < keys[n][1] ? -1 : 1;
	}
	return 0;
}

uint32_t loss_lines_of_cpus(const struct precis_file *file, struct loss_line **lines)
{
	uint32_t count = precis_file_loss_count(file), found = 0;
	struct loss_line *line = calloc(count + 1u, sizeof(*line));

	*lines = line;
	for (uint32_t n = 0; line && n < count; n++) {
		line[found].loss.size = sizeof(line->loss);
		precis_file_loss(file, n, &line[found].loss);
		found += line[found].loss.cpu != PRECIS_LOSS_NONE;
	}
	if (found)
		qsort(line, found, sizeof(*line), compare);
	return found;
}

uint32_t loss_lines_of_threads(const struct precis_file *file, struct loss_line **lines)
{
	uint32_t count = precis_file_loss_thread_count(file), found = 0;
	struct loss_line *line = calloc(count + 1u, sizeof(*line));

	*lines = line;
	for (uint32_t n = 0; line && n < count; n++) {
		line[found].loss.size = sizeof(line->loss);
		line[found].thread.size = sizeof(line->thread);
		precis_file_loss_thread(file, n, &line[found].loss, &line[found].thread);
		found += line[found].thread.tid != PRECIS_LOSS_NONE;
	}
	if (found)
		qsort(line, found, sizeof(*line), compare);
	return found;
}

/* --- what is known --- */

static int knows_thread(const struct precis_file *file, const struct loss_line *line,
			enum precis_loss_by_thread least)
{
	return !loss_line_is_thread(line) || !precis_file_event(file, line->loss.event) ||
	       precis_file_loss_by_thread(file, line->loss.event) >= (int)least;
}

/* The event's buffers are others' too; but what no buffer reports is of no event's. */
int loss_line_knows_lost(const struct precis_file *file, const struct loss_line *line)
{
	return knows_thread(file, line, PRECIS_LOSS_THREADS_ALL) &&
	       (!precis_file_event(file, line->loss.event) || precis_file_event_count(file) == 1 ||
		line->loss.lost);
}

static int has_counters(const struct precis_event *event)
{
	return (event->layout->read_format & PRECIS_FORMAT_LOST) != 0;
}

/* Readings of the event that do not say which CPU they are of */
static uint64_t counted_elsewhere(const struct precis_file *file, uint32_t event)
{
	struct precis_loss loss = { .size = sizeof(loss) };

	precis_file_loss_sum(file, event, PRECIS_LOSS_NONE, &loss);
	return loss.counted;
}

/* Is it the whole event, on all CPUs? */
static int is_of_event(const struct loss_line *line)
{
	return !loss_line_is_thread(line) && line->loss.cpu == PRECIS_LOSS_ANY;
}

int loss_line_knows_counted(const struct precis_file *file, const struct loss_line *line)
{
	const struct precis_event *event = precis_file_event(file, line->loss.event);

	if (!event || !knows_thread(file, line, PRECIS_LOSS_THREADS_COUNTED))
		return 0;
	if (line->loss.counted)
		return 1;
	if (!has_counters(event))
		return 0;
	return is_of_event(line) || (loss_line_is_thread(line) && event->layout->id_from_end) ||
	       !counted_elsewhere(file, line->loss.event);
}

static int any_buffer_lost(const struct precis_file *file)
{
	struct precis_file_counts counts = { .size = sizeof(counts) };

	return !precis_file_counts(file, &counts) && counts.lost_records;
}

static int anything_lost(const struct precis_file *file)
{
	struct precis_loss loss = { .size = sizeof(loss) };

	precis_file_loss_sum(file, PRECIS_LOSS_ANY, PRECIS_LOSS_ANY, &loss);
	return loss_samples_lost(&loss) != 0;
}

/* Some view of what the line lost is there, be it that nothing was told. */
static int is_told(const struct precis_file *file, const struct loss_line *line)
{
	return loss_line_knows_lost(file, line) || loss_line_knows_counted(file, line) ||
	       (!any_buffer_lost(file) && knows_thread(file, line, PRECIS_LOSS_THREADS_ALL));
}

/* That nothing was lost: were all counters read, and do they say what they are of? */
static int is_certain(const struct recording *recording, const struct loss_line *line)
{
	const struct precis_file *file = recording->file;

	return loss_line_knows_counted(file, line) && !recording->broken &&
	       precis_file_loss_knowledge(file, line->loss.event) == PRECIS_LOSS_COUNTED;
}

/* The line's event, or all of them */
static uint64_t count_of_event(const struct precis_file *file, uint32_t event, int is_traced)
{
	struct precis_event_counts counts = { .size = sizeof(counts) };
	struct precis_file_counts all = { .size = sizeof(all) };

	if (!precis_file_event_counts(file, event, &counts))
		return is_traced ? counts.traced : counts.samples;
	precis_file_counts(file, &all);
	return is_traced ? 0 : all.samples;
}

static const char *why_untold(const struct loss_line *line)
{
	return loss_line_is_thread(line) ? "threads share the event's counter or buffers" :
					   "buffers do not say of which event records are";
}

const char *loss_line_why_no_share(const struct recording *recording, const struct loss_line *line)
{
	const struct precis_file *file = recording->file;
	const struct precis_loss *loss = &line->loss;

	if (!anything_lost(file) &&
	    (!is_certain(recording, line) || !loss->samples || loss->samples == PRECIS_LOSS_UNCOUNTED))
		return "";
	if (!is_told(file, line))
		return why_untold(line);
	if (loss->samples == PRECIS_LOSS_UNCOUNTED)
		return "samples do not say where they were taken";
	if (count_of_event(file, loss->event, 1))
		return "samples are in a trace";
	if (!count_of_event(file, loss->event, 0))
		return "no sample came, so that what was lost may be other records";
	if (!loss_samples_lost(loss))
		return is_certain(recording, line) && loss->samples ? NULL : "";
	return NULL;
}

/* An event without samples takes no knowledge away from those that have some. */
static int counts_for_all(const struct precis_file *file, uint32_t event)
{
	struct precis_event_counts counts = { .size = sizeof(counts) };
	struct precis_file_counts all = { .size = sizeof(all) };

	precis_file_counts(file, &all);
	precis_file_event_counts(file, event, &counts);
	return counts.samples || !all.samples;
}

/* The least that 'of' says of any event that counts: at most 'most'; 0 if there is no event */
static int least_known(const struct precis_file *file, int most,
		       int (*of)(const struct precis_file *file, uint32_t event))
{
	uint32_t count = precis_file_event_count(file);
	int least = count ? most : 0;

	for (uint32_t n = 0; n < count; n++) {
		int known = of(file, n);

		if (known < least && counts_for_all(file, n))
			least = known;
	}
	return least;
}

_Static_assert(PRECIS_LOSS_UNKNOWN == 0 && PRECIS_LOSS_THREADS_UNTOLD == 0, "the least are 0");

enum precis_loss_knowledge losses_knowledge(const struct precis_file *file)
{
	return (enum precis_loss_knowledge)least_known(file, PRECIS_LOSS_COUNTED,
						       precis_file_loss_knowledge);
}

enum precis_loss_by_thread losses_by_thread(const struct precis_file *file)
{
	return (enum precis_loss_by_thread)least_known(file, PRECIS_LOSS_THREADS_ALL,
						       precis_file_loss_by_thread);
}
