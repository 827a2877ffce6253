/* SPDX-License-Identifier: BSD-3-Clause */
/* All lines, and what each is about. */
#include "validity.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/recordings.h"
#include "analysis/weights.h"
#include "ibs_notes.h"
#include "pebs_notes.h"

#define ALL_OF_PEBS                                                                                \
	(TOPIC_PEBS | TOPIC_ACCESSES | TOPIC_LATENCY | TOPIC_RETIRE |                 \
	 TOPIC_PLACES | TOPIC_CORE)

static const char *generic_only(const struct subject *of)
{
	return of->event->kind == PRECIS_EVENT_OTHER ?
		       "neither IBS nor a precise event of an Intel CPU: perf's generic fields only" :
		       NULL;
}

/* A program of its own may ask the kernel for a frequency and not for periods; perf record does not. */
static const char *periods_lack(const struct subject *of)
{
	return of->event->is_frequency && of->event->layout && !weights_are_own(of->event) ?
		       "sampled at a frequency, and samples do not tell their periods: each counts "
		       "as one, whatever it stands for" :
		       NULL;
}

/* Times are rounded, and the last reading is some time before the end. */
#define COUNTED_ALWAYS 0.995

/* As its samples and records tell: few recordings have these (perf record -s, groups with :S). */
static const char *multiplexed(const struct subject *of)
{
	struct precis_event_counts counts = { .size = sizeof(counts) };

	if (!of->recording->file ||
	    precis_file_event_counts(of->recording->file, of->event->index, &counts) ||
	    (double)counts.running_ns >= COUNTED_ALWAYS * (double)counts.enabled_ns)
		return NULL;
	snprintf(of->room, of->bytes,
		 "counted only %.1f%% of the time that it was on (multiplexing): others had its counter, "
		 "and of what ran then there are no samples",
		 100 * (double)counts.running_ns / (double)counts.enabled_ns);
	return of->room;
}

/* As far as it is told. 'written' bytes of the line are there. */
static int put_throttled(const struct subject *of, const struct recording_gaps *gaps, int written)
{
	struct precis_throttled_share share = { .size = sizeof(share) };
	char *at = of->room + written;
	const size_t room = of->bytes - (size_t)written;

	if (!precis_file_throttled_share(of->recording->file, of->event->index, PRECIS_LOSS_ANY,
					 &share) && share.of_ns)
		return snprintf(at, room, "none were taken for %.2f%% of the time (throttled); ",
				100 * (double)share.throttled_ns / (double)share.of_ns);
	return snprintf(at, room, "sampling was throttled %" PRIu64 " times; ", gaps->throttled);
}

/* What did not fit into a buffer is of all events that write into it: a share is known of one alone. */
static int put_lost(const struct subject *of, uint64_t lost)
{
	struct precis_event_counts counts = { .size = sizeof(counts) };

	if (precis_file_event_count(of->recording->file) > 1)
		return snprintf(of->room, of->bytes, "%" PRIu64 " records of all events were lost; ", lost);
	precis_file_event_counts(of->recording->file, of->event->index, &counts);
	return snprintf(of->room, of->bytes, "%" PRIu64 " samples were lost, %.2f%% of all; ", lost,
			100 * (double)lost / (double)(lost + counts.samples));
}

/* Shares and latencies are of the samples that came; those that did not may have been others. */
static const char *gaps(const struct subject *of)
{
	const struct recording_gaps own = recording_gaps_of(of->recording->file, of->event->index);
	const uint64_t lost = recording_gaps_of(of->recording->file, PRECIS_LOSS_ANY).lost;
	int written = 0;

	if (!lost && !own.throttled)
		return NULL;
	if (lost)
		written = put_lost(of, lost);
	if (own.throttled)
		written += put_throttled(of, &own, written);
	snprintf(of->room + written, of->bytes - (size_t)written, "figures are of the others");
	return of->room;
}

static const struct {
	validity_note_fn *line;
	uint32_t topics;
} notes[] = {
	{ generic_only, TOPIC_OTHERS },
	{ periods_lack, TOPIC_OTHERS | TOPIC_OPS | TOPIC_FETCHES | ALL_OF_PEBS },
	{ gaps, TOPIC_OTHERS | TOPIC_OPS | TOPIC_FETCHES | ALL_OF_PEBS },
	{ multiplexed, TOPIC_OTHERS | TOPIC_OPS | TOPIC_FETCHES | ALL_OF_PEBS },
	{ ibs_note_no_raw, TOPIC_OPS | TOPIC_FETCHES },
	{ ibs_note_undecodable, TOPIC_OPS | TOPIC_FETCHES },
	{ ibs_note_unknown_cpu, TOPIC_OPS | TOPIC_FETCHES },
	{ ibs_note_wrong_cpu, TOPIC_OPS | TOPIC_FETCHES },
	{ ibs_note_layout, 0 },
	{ ibs_note_takes_turns, TOPIC_OPS | TOPIC_FETCHES },
	{ ibs_note_l3_miss_only, TOPIC_OPS | TOPIC_FETCHES },
	{ ibs_note_latency_filter, TOPIC_OPS },
	{ ibs_note_streaming_stores, TOPIC_OPS },
	{ ibs_note_fetch_latency_filter, TOPIC_FETCHES },
	{ pebs_note_cpu_unknown, ALL_OF_PEBS },
	{ pebs_note_access_lacks, TOPIC_ACCESSES },
	{ pebs_note_latency_lacks, TOPIC_LATENCY },
	{ pebs_note_retire_lacks, TOPIC_RETIRE },
	{ pebs_note_is_auxiliary, ALL_OF_PEBS },
	{ pebs_note_auxiliary_lacks, TOPIC_LATENCY },
	{ pebs_note_threshold, ALL_OF_PEBS },
	{ pebs_note_skid, TOPIC_PLACES },
	{ pebs_note_doubt, TOPIC_CORE },
};

/* The topics that figures of that kind of event have */
static uint32_t topics_of(uint32_t kind)
{
	static const uint32_t topics[] = {
		[PRECIS_EVENT_OTHER] = TOPIC_OTHERS,
		[PRECIS_EVENT_IBS_OP] = TOPIC_OPS,
		[PRECIS_EVENT_IBS_FETCH] = TOPIC_FETCHES,
		[PRECIS_EVENT_PEBS] = ALL_OF_PEBS,
	};

	return kind < sizeof(topics) / sizeof(topics[0]) ? topics[kind] : 0;
}

struct validity validity_of(const struct precis_file *file, const struct precis_cpu *cpu,
			    int old_fetch_layout)
{
	struct validity validity = { file, cpu, old_fetch_layout, { 0 } };
	const uint32_t count = file ? precis_file_event_count(file) : 0;

	for (uint32_t n = 0; n < count; n++)
		validity.of_kind[precis_file_event(file, n)->kind % EVENT_KINDS]++;
	return validity;
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
