/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of losses: numbers in its rows, what they mean in its notes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "loss_lines.h"
#include "losses.h"

#define CPU_ROWS 10
#define THREAD_ROWS 10
#define NS_PER_MS 1e6

static const struct column columns[] = {
	{ "event", NULL, 0 },
	{ "cpu", NULL, 0 },
	{ "tid", NULL, 0 },
	{ "comm", NULL, 0 },
	{ "lost", "lost", 0 },
	{ "counted", "counted", 0 },
	{ "lost_samples", "in PMU", 0 },
	{ "samples", NULL, 0 },
	{ "lost_percent", "% of samples", 0 },
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

static void cell_share_lost(struct document *document, const struct recording *recording,
			    const struct loss_line *line)
{
	const char *why = loss_line_why_no_share(recording, line);
	uint64_t lost = loss_samples_lost(&line->loss);

	if (!why) {
		cell_decimal(document, 100.0 * (double)lost / (double)(lost + line->loss.samples),
			     lost + line->loss.samples);
		return;
	}
	cell_absent(document);
	if (*why)
		cell_why_absent(document, why);
}

/* A thread is there for as long as it is known to be, an event on CPUs as long as it was recorded. */
static void cell_share_of_time(struct document *document, const struct precis_file *file,
			       const struct loss_line *line)
{
	struct precis_throttled_share share = { .size = sizeof(share) };
	const struct precis_loss *loss = &line->loss;

	if (loss_line_is_thread(line)) {
		share.ids = 1;
		share.throttled_ns = loss->throttled_ns;
		share.of_ns = line->thread.recorded_ns;
	} else if (precis_file_throttled_share(file, loss->event, loss->cpu, &share)) {
		share.of_ns = 0;
	}
	if (share.of_ns)
		cell_decimal(document, 100.0 * (double)share.throttled_ns / (double)share.of_ns,
			     share.ids);
	else
		cell_absent(document);
}

static void cells_throttled(struct document *document, const struct precis_file *file,
			    const struct loss_line *line)
{
	const struct precis_loss *loss = &line->loss;

	cell_count(document, loss->throttle);
	cell_ms(document, loss->throttled_ns);
	cell_count(document, loss->throttled_ns);
	cell_share_of_time(document, file, line);
	cell_ms(document, loss->longest_ns);
	cell_count(document, loss->longest_ns);
	cell_count(document, loss->open);
	cell_count(document, loss->open_ns);
	cell_count(document, loss->unfinished);
	cell_count(document, loss->unmatched);
}

static void cells_place(struct document *document, const struct precis_file *file,
			const struct loss_line *line)
{
	const struct precis_loss *loss = &line->loss;

	cell_known_count(document, precis_file_event(file, loss->event) != NULL, loss->event);
	cell_known_count(document, loss->cpu < PRECIS_LOSS_ANY, loss->cpu);
	cell_known_count(document, loss_line_is_thread(line), line->thread.tid);
	if (loss_line_is_thread(line) && *line->thread.name)
		cell_text(document, "%s", line->thread.name);
	else
		cell_absent(document);
}

/* After row_begin(). A buffer has no samples of its own, and an event among others no buffer. */
static void cells(struct document *document, const struct recording *recording,
		  const struct loss_line *line)
{
	const struct precis_file *file = recording->file;
	const struct precis_loss *loss = &line->loss;

	cells_place(document, file, line);
	cell_known_count(document, loss_line_knows_lost(file, line), loss->lost);
	cell_known_count(document, loss_line_knows_counted(file, line), loss->counted);
	if (!precis_file_event(file, loss->event) && loss_is_nothing(loss))
		return;
	cell_count(document, loss->lost_samples);
	cell_known_count(document, loss->samples != PRECIS_LOSS_UNCOUNTED, loss->samples);
	cell_share_lost(document, recording, line);
	cells_throttled(document, file, line);
	cell_count(document, loss->filtered);
	cell_count(document, loss->aux_truncated);
	cell_count(document, loss->aux_partial);
	cell_count(document, loss->aux_collisions);
}

/* Whatever says of which event it is, event by event; then what does not */
static void rows_events(struct document *document, const struct recording *recording)
{
	const struct precis_file *file = recording->file;
	struct loss_line line = { .loss = { .size = sizeof(line.loss) } };
	uint32_t count = precis_file_event_count(file);

	for (uint32_t n = 0; n < count; n++) {
		precis_file_loss_sum(file, n, PRECIS_LOSS_ANY, &line.loss);
		if (!line.loss.samples && loss_is_nothing(&line.loss))
			continue;
		row_begin(document, "%s", precis_file_event(file, n)->name);
		cells(document, recording, &line);
	}
	precis_file_loss_sum(file, PRECIS_LOSS_NONE, PRECIS_LOSS_ANY, &line.loss);
	if (count == 1 && loss_is_nothing(&line.loss))
		return;
	row_begin(document, "buffers of all events");
	cells(document, recording, &line);
}

static const char *name_of(const struct precis_file *file, const struct precis_loss *loss)
{
	const struct precis_event *event = precis_file_event(file, loss->event);

	return event ? event->name : "buffer";
}

static void rows_cpus(struct document *document, const struct recording *recording)
{
	struct loss_line *lines;
	uint32_t found = loss_lines_of_cpus(recording->file, &lines);

	document->failed |= !lines;
	for (uint32_t n = 0; n < found && n < CPU_ROWS; n++) {
		row_begin(document, "CPU %" PRIu32 ", %s", lines[n].loss.cpu,
			  name_of(recording->file, &lines[n].loss));
		cells(document, recording, &lines[n]);
	}
	if (found > CPU_ROWS)
		table_note(document,
			   "listed are the %d rows of a CPU that lost most, of %" PRIu32
			   "; the rows above them have the sums of all",
			   CPU_ROWS, found);
	free(lines);
}

static void rows_threads(struct document *document, const struct recording *recording)
{
	struct loss_line *lines;
	uint32_t found = loss_lines_of_threads(recording->file, &lines);

	document->failed |= !lines;
	for (uint32_t n = 0; n < found && n < THREAD_ROWS; n++) {
		const struct precis_loss_thread *thread = &lines[n].thread;

		row_begin(document, "thread %" PRIu32 "%s%s, %s", thread->tid,
			  *thread->name ? " " : "", thread->name,
			  name_of(recording->file, &lines[n].loss));
		cells(document, recording, &lines[n]);
	}
	if (found > THREAD_ROWS)
		table_note(document,
			   "listed are the %d rows of a thread that lost most, of %" PRIu32,
			   THREAD_ROWS, found);
	free(lines);
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
	if (loss_in_buffers(loss))
		table_note(document,
			   "%" PRIu64 " records did not fit into the ring buffers, most of them "
			   "where samples were dense: a larger buffer (perf record -m) or period "
			   "loses fewer",
			   loss_in_buffers(loss));
	if (loss->lost_records && loss->counted)
		table_note(document,
			   "lost is what the buffers reported, counted what the events' counters "
			   "say: two views of the same records, not to be added up");
	if (loss_samples_lost(loss))
		table_note(document,
			   "%% of samples is what was lost of those lost and those that came: at most "
			   "that, for among the records lost may be others than samples");
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
			   loss_in_buffers(loss)
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

/* Which threads something happened to, where the rows of threads do not say it */
static void tell_threads(struct document *document, const struct precis_file *file,
			 const struct precis_loss *loss)
{
	/* clang-format off */
	static const char *const whys[] = {
		[PRECIS_LOSS_THREADS_UNTOLD] =
			("which threads that happened to is not known: nothing says whether the "
			 "events' ids are of threads (no ID_INDEX)"),
		[PRECIS_LOSS_THREADS_NONE] =
			("which threads that happened to is not known: the events were of CPUs, and "
			 "what they say of losses names the thread that wrote it; perf record "
			 "--per-thread tells it"),
		[PRECIS_LOSS_THREADS_THROTTLED] =
			("which threads lost records is not known: they share buffers, and counters "
			 "that they inherited or whose readings name none; perf record --per-thread "
			 "tells it"),
		[PRECIS_LOSS_THREADS_COUNTED] =
			("which threads lost records is known by the events' counters alone: threads "
			 "share the buffers; perf record --per-thread tells it"),
		[PRECIS_LOSS_THREADS_ALL] = NULL,
	};
	/* clang-format on */
	enum precis_loss_by_thread known = losses_by_thread(file);

	if (!loss_in_buffers(loss) &&
	    (known >= PRECIS_LOSS_THREADS_THROTTLED || (!loss->throttle && !loss->lost_samples)))
		return;
	if (whys[known])
		table_note(document, "%s", whys[known]);
}

int losses_in_short(const struct recording *recording, char *text, size_t room)
{
	struct precis_loss loss = { .size = sizeof(loss) };

	precis_file_loss_sum(recording->file, PRECIS_LOSS_ANY, PRECIS_LOSS_ANY, &loss);
	if (loss_in_buffers(&loss) || loss.lost_samples || loss.throttle) {
		snprintf(text, room,
			 "%" PRIu64 " records in the ring buffer, %" PRIu64
			 " samples in the PMU; throttled %" PRIu64 " times for %.1f ms",
			 loss_in_buffers(&loss), loss.lost_samples, loss.throttle,
			 (double)loss.throttled_ns / NS_PER_MS);
		return 1;
	}
	snprintf(text, room, "%s",
		 losses_knowledge(recording->file) == PRECIS_LOSS_COUNTED && !recording->broken
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
	member_text(document, "known", known[losses_knowledge(recording->file)]);
	member_count(document, "records", loss_in_buffers(&loss));
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
	rows_events(document, recording);
	rows_cpus(document, recording);
	rows_threads(document, recording);
	if (recording->broken)
		table_note(document, "the recording is broken: what was lost beyond the place "
				     "where it could be read is not known");
	else if (!loss_in_buffers(&loss))
		tell_nothing_lost(document, losses_knowledge(file));
	tell_lost(document, &loss);
	tell_throttling(document, &loss);
	tell_threads(document, file, &loss);
}
