/* SPDX-License-Identifier: BSD-3-Clause */
/* See page.h. */
#include "page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "document/facts.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define LABEL 12
#define TEXT_BYTES 8192
#define NUMBER_MOST 9e18

static const char *const ends[] = {
	[PRECIS_OBJECT_END_UNKNOWN] = "unknown", [PRECIS_OBJECT_END_EXIT] = "exit",
	[PRECIS_OBJECT_END_IMMEDIATE] = "_exit", [PRECIS_OBJECT_END_EXEC] = "exec",
	[PRECIS_OBJECT_END_FILTER] = "seccomp",
};

static void fact_end(struct document *document, const struct precis_object_file_info *info)
{
	const uint32_t end = info->end < COUNT_OF(ends) ? info->end : 0;

	fact_text(document, "end", "end", ends[end]);
	if (!end)
		fact_says(document,
			  "unknown: killed, or recording still; of each thread the last events may be "
			  "missing");
}

/* Which blocks are in the file */
static void facts_chosen(struct document *document, const struct precis_object_file_info *info)
{
	fact(document, "threshold");
	fact_label(document, "blocks");
	if (info->threshold)
		cell_count(document, info->threshold);
	if (info->interval && info->threshold)
		fact_says(document, "one for each %" PRIu64 " bytes in the mean, at random; all from %" PRIu64
				    " bytes on", info->interval, info->threshold);
	else if (info->interval)
		fact_says(document, "one for each %" PRIu64 " bytes in the mean, at random", info->interval);
	else if (info->threshold)
		fact_says(document, "from %" PRIu64 " bytes on", info->threshold);
	else
		fact_says(document, "all");
	fact(document, "interval");
	if (info->interval)
		cell_count(document, info->interval);
}

static void cell_ns(struct document *document, int is_known, uint64_t ns)
{
	if (is_known) {
		cell_count(document, ns);
		return;
	}
	cell_absent(document);
	cell_why_absent(document, precis_reason_name(PRECIS_NOT_CAPTURED));
}

/* Where recording all blocks that have the size cost too much */
static void facts_large(const struct page *page, struct document *document,
			const struct precis_object_file_info *info)
{
	char from_when[64] = "from a time on that is not known";
	uint64_t begin, from = 0, error;
	const int is_sampled = (info->flags & PRECIS_OBJECT_LARGE_SAMPLED) != 0;
	const int is_known =
		is_sampled &&
		!precis_object_file_monotonic(page->file, info->start_time, &begin, &error) &&
		!precis_object_file_monotonic(page->file, info->large_sampled_from, &from,
					      &error) &&
		from >= begin;

	fact(document, "large_interval");
	if (is_sampled)
		cell_count(document, info->large_interval);
	fact(document, "large_sampled_from_ns");
	if (is_sampled)
		cell_ns(document, is_known, from - begin);
	if (!is_sampled)
		return;
	fact(document, "");
	fact_label(document, "sampled");
	if (is_known)
		snprintf(from_when, sizeof(from_when), "from %.4g ms on",
			 (double)(from - begin) / 1e6);
	fact_says(document,
		  "%s, at random, as all blocks from %" PRIu64 " bytes on cost more than %" PRIu32
		  "%%: one for each %" PRIu64 " bytes in the mean, or fewer",
		  from_when, info->threshold, info->max_overhead, info->large_interval);
}

/* Since when the file could not be written */
static void facts_lost_from(const struct page *page, struct document *document,
			    const struct precis_object_file_info *info)
{
	uint64_t begin, from, error;

	fact(document, "lost_from_ns");
	if (!info->lost_from)
		return;
	if (precis_object_file_monotonic(page->file, info->start_time, &begin, &error) ||
	    precis_object_file_monotonic(page->file, info->lost_from, &from, &error) ||
	    from < begin) {
		cell_ns(document, 0, 0);
		return;
	}
	cell_ns(document, 1, from - begin);
	fact(document, "");
	fact_label(document, "lost");
	fact_says(document,
		  "what came from %.4g ms on, when the file could not be written any more",
		  (double)(from - begin) / 1e6);
}

static void facts_lost(struct document *document, const struct precis_object_file_info *info,
		       const struct totals *totals)
{
	char why[96] = "";

	fact_count(document, "events", info->events);
	fact_count(document, "events_lost", info->events_lost);
	fact(document, "events_without_memory");
	if (info->end)
		cell_count(document, info->events_without_memory);
	fact_count(document, "chunks_lost", info->chunks_lost);
	fact_count(document, "bytes_unread", info->bytes_unread);
	fact_count(document, "unknown_ends", totals->unknown_ends);
	fact_count(document, "replaced", totals->replaced);
	if (!info->events_lost && !info->chunks_lost && !info->bytes_unread && !totals->replaced)
		return;
	fact(document, "");
	fact_label(document, "lost");
	if (info->events_without_memory)
		snprintf(why, sizeof(why), " (%" PRIu64 " as the recorder had no memory for them)",
			 info->events_without_memory);
	fact_says(document,
		  "%" PRIu64 " events%s, %" PRIu64 " chunks of some thousand; %" PRIu64
		  " bytes cannot be read; %" PRIu64 " blocks end without an event",
		  info->events_lost, why, info->chunks_lost, info->bytes_unread, totals->replaced);
}

/* In ns. @return 0; -1: there are no events, or too few moments to tell what their clock is in ns */
static int times_of(const struct page *page, const struct precis_object_file_info *info, uint64_t *own,
		    uint64_t *all)
{
	struct precis_object_thread thread = { .size = sizeof(thread) };
	uint64_t last = info->start_time, begin, end, error;

	for (uint32_t n = 0; !precis_object_file_thread(page->file, n, &thread); n++)
		last = thread.last_time > last ? thread.last_time : last;
	if (!info->events ||
	    precis_object_file_monotonic(page->file, info->start_time, &begin, &error) ||
	    precis_object_file_monotonic(page->file, info->start_time + info->own_time, own, &error) ||
	    precis_object_file_monotonic(page->file, last, &end, &error) || *own < begin || end < begin)
		return -1;
	*own -= begin;
	*all = end - begin;
	return 0;
}

/* What the recorder cost */
static void facts_own(const struct page *page, struct document *document,
		      const struct precis_object_file_info *info)
{
	uint64_t own, all;
	const int is_known = !times_of(page, info, &own, &all);

	fact(document, "recorder_ns");
	cell_ns(document, is_known, own);
	fact(document, "recorded_ns");
	cell_ns(document, is_known, all);
	if (!is_known)
		return;
	fact(document, "");
	fact_label(document, "recorder");
	fact_says(document, "took %.3g ms of %.4g ms, by one event in 64", (double)own / 1e6,
		  (double)all / 1e6);
}

static void facts_build(const struct page *page, struct document *document,
			const struct precis_object_file_info *info)
{
	facts_begin(document, "file", 0, LABEL);
	fact_text(document, "program", "program", *info->executable ? info->executable : NULL);
	fact(document, "pid");
	fact_label(document, "process");
	cell_count(document, info->pid);
	if (info->parent_pid)
		fact_says(document, "%" PRIu32 ", forked from %" PRIu32 ", whose file has what lived then",
			  info->pid, info->parent_pid);
	fact(document, "parent_pid");
	if (info->parent_pid)
		cell_count(document, info->parent_pid);
	fact_end(document, info);
	fact_count(document, "threads", info->threads);
	facts_chosen(document, info);
	facts_large(page, document, info);
	fact_count(document, "allocations", info->allocations);
	fact_count(document, "allocated", info->allocated);
	fact(document, "");
	fact_label(document, "allocated");
	fact_says(document, "%" PRIu64 " bytes in %" PRIu64 " blocks, recorded or not", info->allocated,
		  info->allocations);
	facts_own(page, document, info);
	fact_bool(document, "other_malloc", (info->flags & PRECIS_OBJECT_OTHER_MALLOC) != 0);
	fact_bool(document, "other_new", (info->flags & PRECIS_OBJECT_OTHER_NEW) != 0);
	facts_lost_from(page, document, info);
	facts_lost(document, info, page->totals);
}

/* Ends of intervals stand with the figure in text. */
#define SUM_COLUMNS(name, title)                                                                   \
	{ name, title, 0 }, { name "_low", NULL, 0 },                                              \
	{                                                                                          \
		name "_high", NULL, 0                                                              \
	}

static const struct column columns[] = {
	{ "function", "function", COLUMN_LEFT },
	{ "recorded", "recorded", 0 },
	SUM_COLUMNS("blocks", "blocks"),
	SUM_COLUMNS("bytes", "bytes"),
	SUM_COLUMNS("live_blocks", "live blocks"),
	SUM_COLUMNS("live_bytes", "live bytes"),
	{ "callers", "called by", COLUMN_LEFT },
};

static void cell_sum(struct document *document, const struct thinned *thinned, struct interval interval)
{
	if (thinned->sum < NUMBER_MOST) {
		cell_count(document, (uint64_t)llround(thinned->sum));
		if (!(interval.low == interval.high))
			cell_between(document, interval.low, interval.high);
	} else { /* an interval that no program has */
		cell_absent(document);
		cell_why_absent(document, precis_reason_name(PRECIS_MALFORMED));
	}
	cell_known(document, interval.low);
	cell_known(document, interval.high);
}

/* How many blocks some bytes are of which none was met is known where each has a size at least. */
static void cell_blocks(const struct page *page, struct document *document, const struct thinned *blocks)
{
	struct thinned with_unmet = *blocks;
	struct interval interval;

	if (page->interval && page->size_least)
		thinned_unmet(&with_unmet,
			      -1 / expm1(-(double)page->size_least / (double)page->interval));
	interval = thinned_interval(&with_unmet);
	if (page->interval && !page->size_least && !(blocks->variance > 0))
		interval.high = NAN;
	cell_sum(document, blocks, interval);
}

static void cell_bytes(const struct page *page, struct document *document, const struct thinned *bytes)
{
	struct thinned with_unmet = *bytes;

	thinned_unmet(&with_unmet, (double)page->interval);
	cell_sum(document, bytes, thinned_interval(&with_unmet));
}

static void cells_of(const struct page *page, struct document *document, const struct stack_totals *totals)
{
	cell_count(document, totals->blocks.n);
	cell_blocks(page, document, &totals->blocks);
	cell_bytes(page, document, &totals->bytes);
	cell_blocks(page, document, &totals->live_blocks);
	cell_bytes(page, document, &totals->live_bytes);
}

static void sum_row(const struct page *page, struct document *document)
{
	struct stack_totals all = { 0 };

	for (size_t n = 0; n < page->totals->row_count; n++) {
		const struct stack_totals *row = &page->totals->rows[n];

		thinned_merge(&all.blocks, &row->blocks);
		thinned_merge(&all.bytes, &row->bytes);
		thinned_merge(&all.live_blocks, &row->live_blocks);
		thinned_merge(&all.live_bytes, &row->live_bytes);
	}
	row_begin(document, "all");
	row_in(document, "rows");
	row_is_sum(document);
	cell_absent(document);
	cells_of(page, document, &all);
}

static void stack_row(const struct page *page, struct document *document, const struct stack_totals *totals)
{
	char text[TEXT_BYTES];

	frames_text(page->frames, totals->stack, 0, 1, text, sizeof(text));
	if (strstr(text, " < ..."))
		*strstr(text, " < ...") = '\0';
	row_begin(document, totals->stack ? "%" PRIu32 : "unknown", totals->stack);
	row_in(document, "rows");
	if (*text)
		cell_text(document, "%s", text);
	else
		cell_absent(document);
	cells_of(page, document, totals);
	frames_text(page->frames, totals->stack, 1, page->depth, text, sizeof(text));
	if (*text)
		cell_text(document, "%s", text);
}

static void notes(const struct page *page, struct document *document,
		  const struct precis_object_file_info *info)
{
	if (page->totals->row_count > page->top)
		table_note(document, "%zu more stacks are not shown (--top)",
			   page->totals->row_count - page->top);
	if (page->interval)
		table_note(
			document,
			page->size_least
				? "Ranges are 95%% intervals."
				: "Ranges are 95%% intervals; those of blocks hold if a stack asks "
				  "for none that are smaller than all of its recorded ones.");
	if (info->flags & PRECIS_OBJECT_SMALL_DROPPED)
		table_note(document, "Blocks of less than %" PRIu64 " bytes are not in the file.",
			   info->threshold);
	if (info->flags & PRECIS_OBJECT_OTHER_MALLOC)
		table_note(document, "The program has a malloc of its own: no block of it is in the file.");
	if (info->flags & PRECIS_OBJECT_OTHER_NEW)
		table_note(document, "Its operator new does not call malloc: no block of it is in the file.");
}

void page_build(const struct page *page, struct document *document)
{
	struct precis_object_file_info info = { .size = sizeof(info) };

	precis_object_file_info(page->file, &info);
	facts_build(page, document, &info);
	table_begin(document, "stacks", "Blocks of the heap by call stack", "stack", columns,
		    COUNT_OF(columns));
	if (page->totals->row_count)
		sum_row(page, document);
	for (size_t n = 0; n < page->totals->row_count && n < page->top; n++)
		stack_row(page, document, &page->totals->rows[n]);
	notes(page, document, &info);
}
