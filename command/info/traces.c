/* SPDX-License-Identifier: BSD-3-Clause */
/* What precis info says of PEBS records in Intel PT. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "info.h"
#include "document/wrap.h"
#include "system.h"

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

void info_print_traces_text(const struct info *info, struct output *output)
{
	struct wrap words;
	char text[64];
	size_t last = PARTS;

	if (!info->traces.size)
		return;
	while (last > 1 && !count_of(info, &parts[last - 1]))
		last--;
	words = info_words(output, 0, "PEBS in PT");
	for (size_t n = 0; n < last; n++) {
		uint64_t count = count_of(info, &parts[n]);

		/* of faults and rarities only those that there are */
		if (!count && n)
			continue;
		snprintf(text, sizeof(text), "%" PRIu64 " %s%s", count, parts[n].text,
			 n + 1 < last ? ";" : "");
		wrap_text(&words, text);
	}
	output_bytes(output, "\n", 1);
}

/* Of other recordings null */
void info_print_traces_json(const struct info *info, struct json *json)
{
	if (!info->traces.size) {
		json_text(json, "pebs_pt", NULL);
		return;
	}
	json_object(json, "pebs_pt");
	for (size_t n = 0; n < PARTS; n++)
		json_number(json, parts[n].name, count_of(info, &parts[n]));
	json_object(json, "problems");
	for (uint32_t n = 0; n < PRECIS_PEBS_PT_PROBLEM_COUNT; n++)
		json_number(json, precis_pebs_pt_problem_name(n), info->traces.problems[n]);
	json_object_end(json);
	json_object_end(json);
}
