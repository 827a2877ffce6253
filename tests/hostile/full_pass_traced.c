/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples out of the AUX area, of whatever its bytes and the records that tell of it are. */
#include <precis/pebs_pt_samples.h>

#include "tests/hostile/full_pass_parts.h"
#include "tests/hostile/view.h"

static void look(const struct precis_file *file, const struct precis_sample *sample,
		 const struct precis_perf_sample *perf)
{
	struct precis_branch branch = { .size = sizeof(branch) };
	uint64_t index;

	PROMISE(sample->source == PRECIS_SOURCE_PEBS);
	PROMISE(!precis_get_event(sample, &index) || index < precis_file_event_count(file));
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++)
		PROMISE(precis_fields_have(sample->present, field) ||
			precis_why(sample, (enum precis_field)field) != PRECIS_PRESENT);
	PROMISE(perf->branch_count <= PRECIS_PEBS_PT_BRANCHES);
	for (uint64_t n = 0; n < perf->branch_count; n++)
		PROMISE(precis_branch(perf, n, &branch) == 0);
}

static uint64_t drain(struct precis_file *file, struct precis_pebs_pt_samples *samples)
{
	struct precis_perf_sample perf = { .size = sizeof(perf) };
	struct precis_pebs_pt_origin origin = { .size = sizeof(origin) };
	struct precis_sample sample;
	uint64_t count = 0;
	int found;

	precis_sample_init(&sample);
	while ((found = precis_pebs_pt_samples_next(samples, NULL, &perf, &sample, &origin)) == 1) {
		look(file, &sample, &perf);
		count++;
	}
	PROMISE(found == 0);
	return count;
}

void full_pass_traced(struct precis_file *file, uint64_t most)
{
	struct precis_pebs_pt_counts counts = { .size = sizeof(counts) };
	struct precis_pebs_pt_samples *samples;
	struct precis_record record;
	uint64_t found = 0;

	PROMISE(precis_pebs_pt_samples_open(file, &samples) == 0);
	for (uint64_t n = 0; n < most && precis_file_next(file, &record) == 1; n++) {
		PROMISE(precis_pebs_pt_samples_record(samples, &record) == 0);
		found += drain(file, samples);
	}
	PROMISE(precis_pebs_pt_samples_end(samples) == 0);
	found += drain(file, samples);
	PROMISE(precis_pebs_pt_samples_counts(samples, &counts) == 0);
	PROMISE(counts.samples == found && counts.bytes_read <= counts.bytes);
	PROMISE(counts.records == counts.repeated + counts.by_counters + counts.by_being_alone +
					  counts.unmatched);
	PROMISE(counts.traces_unread <= counts.traces);
	precis_pebs_pt_samples_close(samples);
}
