/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of losses: numbers in its rows, what they mean in its notes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "losses.h"

#define CPU_ROWS 10
#define NS_PER_MS 1e6

static const struct column columns[] = {
	{ "event", NULL, 0 },
	{ "cpu", NULL, 0 },
	{ "lost", "lost", 0 },
	{ "counted", "counted", 0 },
	{ "lost_samples", "in PMU", 0 },
	{ "throttled", "throttled", 0 },
	{ NULL, "ms", 0 },
	{ "throttled_ns", NULL, 0 },
	{ "throttled_percent", "% of time", 0 },
	{ NULL, "longest ms", 0 },
	{ "longest_ns", NULL, 0 },
	{ "open", NULL, 0 },
	{ "open_ns", NULL, 0 },
	{ "unfinished", NULL, 0 },
	{ "unmatched", NULL, 0 },
	{ "filtered", NULL, 0 },
	{ "aux_truncated", NULL, 0 },
	{ "aux_partial", NULL, 0 },
	{ "aux_collisions", NULL, 0 },
};

/* The two views of what did not fit into the buffers miss each some of it. */
static uint64_t lost_in_buffers(const struct precis_loss *loss)
{
	return loss->lost > loss->counted ? loss->lost : loss->counted;
}

static int is_nothing(const struct precis_loss *loss)
{
	return !loss->lost_records && !loss->counted && !loss->counters_ignored &&
	       !loss->lost_samples_records && !loss->filtered && !loss->throttle &&
	       !loss->unthrottle && !loss->aux_truncated && !loss->aux_partial &&
	       !loss->aux_collisions;
}

static void cell_known_count(struct document *document, int is_known, uint64_t count)
{
	if (is_known)
		cell_count(document, count);
	else
		cell_absent(document);
}

static void cell_ms(struct document *document, uint64_t ns)
{
	cell_decimal(document, (double)ns / NS_PER_MS, 1);
}

static void cells_throttled(struct document *document, const struct precis_file *file,
			    const struct precis_loss *loss)
{
	struct precis_throttled_share share = { .size = sizeof(share) };

	cell_count(document, loss->throttle);
	cell_ms(document, loss->throttled_ns);
	cell_count(document, loss->throttled_ns);
	if (!precis_file_throttled_share(file, loss->event, loss->cpu, &share) && share.of_ns)
		cell_decimal(document, 100.0 * (double)share.throttled_ns / (double)share.of_ns,
			     share.ids);
	else
		cell_absent(document);
	cell_ms(document, loss->longest_ns);
	cell_count(document, loss->longest_ns);
	cell_count(document, loss->open);
	cell_count(document, loss->open_ns);
	cell_count(document, loss->unfinished);
	cell_count(document, loss->unmatched);
}

/* After row_begin(). A buffer has no samples of its own, and an event among others no buffer. */
static void cells(struct document *document, const struct precis_file *file,
		  const struct precis_loss *loss)
{
	const struct precis_event *event = precis_file_event(file, loss->event);

	cell_known_count(document, event != NULL, loss->event);
	cell_known_count(document, loss->cpu < PRECIS_LOSS_ANY, loss->cpu);
	cell_known_count(document, !event || precis_file_event_count(file) == 1 || loss->lost,
			 loss->lost);
	cell_known_count(document,
			 event &&
				 (event->layout->read_format & PRECIS_FORMAT_LOST || loss->counted),
			 loss->counted);
	if (event || !is_nothing(loss)) {
		cell_count(document, loss->lost_samples);
		cells_throttled(document, file, loss);
		cell_count(document, loss->filtered);
		cell_count(document, loss->aux_truncated);
		cell_count(document, loss->aux_partial);
		cell_count(document, loss->aux_collisions);
	}
}

/* Whatever says of which event it is, event by event; then what does not */
static void rows_events(struct document *document, const struct precis_file *file)
{
	struct precis_loss loss = { .size = sizeof(loss) };
	uint32_t count = precis_file_event_count(file);

	for (uint32_t n = 0; n < count; n++) {
		struct precis_event_counts counts = { .size = sizeof(counts) };

		precis_file_event_counts(file, n, &counts);
		precis_file_loss_sum(file, n, PRECIS_LOSS_ANY, &loss);
		if (!counts.samples && is_nothing(&loss))
			continue;
		row_begin(document, "%s", precis_file_event(file, n)->name);
		cells(document, file, &loss);
	}
	precis_file_loss_sum(file, PRECIS_LOSS_NONE, PRECIS_LOSS_ANY, &loss);
	if (count == 1 && is_nothing(&loss))
		return;
	row_begin(document, "buffers of all events");
	cells(document, file, &loss);
}

/* Most lost first, then longest throttled, then by CPU and event */
static int compare(const void *left, const void *right)
{
	const struct precis_loss *a = left, *b = right;
	const uint64_t keys[][2] = {
		{ lost_in_buffers(b) + b->lost_samples, lost_in_buffers(a) + a->lost_samples },
		{ b->throttled_ns, a->throttled_ns },
		{ a->cpu, b->cpu },
		{ a->event, b->event },
	};

	for (size_t n = 0; n < sizeof(keys) / sizeof(keys[0]); n++) {
		if (keys[n][0] != keys[n][1])
			return keys[n][0] < keys[n][1] ? -1 : 1;
	}
	return 0;
}

static const char *name_of(const struct precis_file *file, const struct precis_loss *loss)
{
	const struct precis_event *event = precis_file_event(file, loss->event);

	return event ? event->name : "buffer";
}

static void rows_cpus(struct document *document, const struct precis_file *file)
{
	uint32_t count = precis_file_loss_count(file), found = 0;
	struct precis_loss *losses = calloc(count + 1u, sizeof(*losses));

	if (!losses) {
		document->failed = 1;
		return;
	}
	for (uint32_t n = 0; n < count; n++) {
		losses[found].size = sizeof(losses[found]);
		precis_file_loss(file, n, &losses[found]);
		found += losses[found].cpu != PRECIS_LOSS_NONE;
	}
	qsort(losses, found, sizeof(*losses), compare);
	for (uint32_t n = 0; n < found && n < CPU_ROWS; n++) {
		row_begin(document, "CPU %" PRIu32 ", %s", losses[n].cpu,
			  name_of(file, &losses[n]));
		cells(document, file, &losses[n]);
	}
	if (found > CPU_ROWS)
		table_note(document,
			   "listed are the %d rows of a CPU that lost most, of %" PRIu32
			   "; the rows above them have the sums of all",
			   CPU_ROWS, found);
	free(losses);
}

/* The least that is known of any event that has samples, or of any if none has */
static enum precis_loss_knowledge knowledge(const struct precis_file *file)
{
	uint32_t count = precis_file_event_count(file);
	struct precis_file_counts all = { .size = sizeof(all) };
	int least = count ? PRECIS_LOSS_COUNTED : PRECIS_LOSS_UNKNOWN;

	precis_file_counts(file, &all);
	for (uint32_t n = 0; n < count; n++) {
		struct precis_event_counts counts = { .size = sizeof(counts) };
		int known = precis_file_loss_knowledge(file, n);

		precis_file_event_counts(file, n, &counts);
		if ((counts.samples || !all.samples) && known < least)
			least = known;
	}
	return (enum precis_loss_knowledge)least;
}

static void tell_nothing_lost(struct document *document, enum precis_loss_knowledge known)
{
	/* clang-format off */
	static const char *const meanings[] = {
		[PRECIS_LOSS_UNKNOWN] =
			("what was lost is not known: buffers are overwritten (perf record "
			 "--overwrite), and the kernel does not tell of what it overwrites"),
		[PRECIS_LOSS_REPORTED] =
			("no buffer reported a loss; what one lost after its last record is not "
			 "known: for that the events need a counter (read_format LOST, Linux 6.0) "
			 "and perf record 6.1 must have written one file to its end"),
		[PRECIS_LOSS_COUNTED] =
			("no record was lost: the kernel's counter of each event was read when "
			 "perf record ended"),
	};
	/* clang-format on */

	table_note(document, "%s", meanings[known]);
}

static void tell_lost(struct document *document, const struct precis_loss *loss)
{
	if (lost_in_buffers(loss))
		table_note(document,
			   "%" PRIu64 " records did not fit into the ring buffers, most of them "
			   "where samples were dense: a larger buffer (perf record -m) or period "
			   "loses fewer",
			   lost_in_buffers(loss));
	if (loss->lost_records && loss->counted)
		table_note(document,
			   "lost is what the buffers reported, counted what the events' counters "
			   "say: two views of the same records, not to be added up");
	if (loss->lost_samples)
		table_note(document,
			   "%" PRIu64 " samples were lost in the PMU, before they came to a buffer",
			   loss->lost_samples);
	if (loss->filtered)
		table_note(document,
			   "%" PRIu64 " samples were filtered out on request (perf record "
			   "--filter): no loss",
			   loss->filtered);
	if (loss->aux_truncated || loss->aux_partial || loss->aux_collisions)
		table_note(document,
			   "AUX trace: %" PRIu64 " pieces were cut short, %" PRIu64
			   " have gaps, %" PRIu64 " have samples that collided",
			   loss->aux_truncated, loss->aux_partial, loss->aux_collisions);
}

static void tell_throttling(struct document *document, const struct precis_loss *loss)
{
	if (!loss->throttle && !loss->unthrottle) {
		table_note(document,
			   lost_in_buffers(loss)
				   ? "no throttling was recorded; its records may be among "
				     "the lost ones"
				   : "sampling was never throttled");
		return;
	}
	table_note(document,
		   "the kernel throttled sampling: busy times have too few samples; use a larger "
		   "period. %% of time is of the time from the event's first record to the "
		   "recording's last, once for each id (CPU) of the event");
	if (loss->open)
		table_note(document,
			   "%" PRIu64 " spans of throttling were open at the end: they count up to "
			   "the last record",
			   loss->open);
	if (loss->unfinished || loss->unmatched)
		table_note(document,
			   "%" PRIu64 " spans without a recorded end and %" PRIu64 " without a "
			   "beginning do not count: the true share is larger",
			   loss->unfinished, loss->unmatched);
}

int losses_in_short(const struct recording *recording, char *text, size_t room)
{
	struct precis_loss loss = { .size = sizeof(loss) };

	precis_file_loss_sum(recording->file, PRECIS_LOSS_ANY, PRECIS_LOSS_ANY, &loss);
	if (lost_in_buffers(&loss) || loss.lost_samples || loss.throttle) {
		snprintf(text, room,
			 "%" PRIu64 " records in the ring buffer, %" PRIu64
			 " samples in the PMU; throttled %" PRIu64 " times for %.1f ms",
			 lost_in_buffers(&loss), loss.lost_samples, loss.throttle,
			 (double)loss.throttled_ns / NS_PER_MS);
		return 1;
	}
	snprintf(text, room, "%s",
		 knowledge(recording->file) == PRECIS_LOSS_COUNTED && !recording->broken
			 ? "none"
			 : "none reported");
	return 0;
}

void row_losses(struct document *document, const struct recording *recording)
{
	static const char *const known[] = {
		[PRECIS_LOSS_UNKNOWN] = "unknown",
		[PRECIS_LOSS_REPORTED] = "reported",
		[PRECIS_LOSS_COUNTED] = "counted",
	};
	struct precis_loss loss = { .size = sizeof(loss) };
	char text[200];

	losses_in_short(recording, text, sizeof(text));
	precis_file_loss_sum(recording->file, PRECIS_LOSS_ANY, PRECIS_LOSS_ANY, &loss);
	row_begin(document, "losses");
	cell_text(document, "%s", text);
	member_text(document, "known", known[knowledge(recording->file)]);
	member_count(document, "records", lost_in_buffers(&loss));
	member_count(document, "lost_samples", loss.lost_samples);
	member_count(document, "throttled", loss.throttle);
	member_count(document, "throttled_ns", loss.throttled_ns);
}

void section_losses(struct document *document, const struct recording *recording)
{
	const struct precis_file *file = recording->file;
	struct precis_loss loss = { .size = sizeof(loss) };

	precis_file_loss_sum(file, PRECIS_LOSS_ANY, PRECIS_LOSS_ANY, &loss);
	table_begin(document, "losses", "Losses", "", columns,
		    sizeof(columns) / sizeof(columns[0]));
	rows_events(document, file);
	rows_cpus(document, file);
	if (recording->broken)
		table_note(document, "the recording is broken: what was lost beyond the place "
				     "where it could be read is not known");
	else if (!lost_in_buffers(&loss))
		tell_nothing_lost(document, knowledge(file));
	tell_lost(document, &loss);
	tell_throttling(document, &loss);
}
