/* SPDX-License-Identifier: BSD-3-Clause */
/* What precis info says of PEBS records in Intel PT. */
#include <inttypes.h>
#include <stddef.h>

#include "info.h"

#define PART(name, text, member) { name, text, offsetof(struct precis_pebs_pt_counts, member) }

/* What is counted: its name in JSON and in text, one behind the other */
static const struct part {
	const char *name, *text;
	size_t member;
} parts[] = {
	PART("traces", "AUXTRACE records", traces),
	PART("bytes", "bytes of trace", bytes),
	PART("bytes_read", "read", bytes_read),
	PART("packets", "packets", packets),
	PART("bytes_skipped", "bytes skipped", bytes_skipped),
	PART("overflows", "overflows", overflows),
	PART("records", "PEBS records", records),
	PART("repeated", "in several snapshots", repeated),
	PART("by_counters", "matched by counter", by_counters),
	PART("by_being_alone", "of the only event", by_being_alone),
	PART("unmatched", "of no known event", unmatched),
	PART("partly_matched", "with a counter of no known event", partly_matched),
	PART("records_lost", "lost", records_lost),
	PART("samples", "samples", samples),
	PART("traces_unread", "AUXTRACE records not read", traces_unread),
	PART("bad_ids", "AUX_OUTPUT_HW_ID records that are none", bad_ids),
};
#define PARTS (sizeof(parts) / sizeof(parts[0]))

static uint64_t count_of(const struct info *info, const struct part *part)
{
	return *(const uint64_t *)((const char *)&info->traces + part->member);
}

static void say_traces(const struct info *info, struct document *document)
{
	size_t last = PARTS;

	while (last > 1 && !count_of(info, &parts[last - 1]))
		last--;
	fact_label(document, "PEBS in PT");
	for (size_t n = 0; n < last; n++) {
		uint64_t count = count_of(info, &parts[n]);

		/* of faults and rarities only those that there are */
		if (count || !n)
			fact_says(document, "%" PRIu64 " %s%s", count, parts[n].text,
				  n + 1 < last ? ";" : "");
	}
}

void info_describe_traces(const struct info *info, struct document *document)
{
	fact(document, "pebs_pt");
	if (!info->traces.size) {
		cell_absent(document);
		return;
	}
	cell_members(document);
	for (size_t n = 0; n < PARTS; n++)
		member_count(document, parts[n].name, count_of(info, &parts[n]));
	member_members(document, "problems");
	for (uint32_t n = 0; n < PRECIS_PEBS_PT_PROBLEM_COUNT; n++)
		member_count(document, precis_pebs_pt_problem_name(n), info->traces.problems[n]);
	close_nest(document);
	close_nest(document);
	say_traces(info, document);
}
