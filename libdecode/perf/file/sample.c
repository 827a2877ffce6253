/* SPDX-License-Identifier: BSD-3-Clause */
/* The sample of a record that the reader handed out, and what could not be read of it. */
#include "libdecode/perf/machine/kinds.h"
#include "libdecode/sample/abi.h"
#include "usual.h"

/* A record may be asked for twice: its fault counts once. */
void precis_file_count_fault(struct precis_file *file, struct file_event *event, int error)
{
	struct precis_file_counts *counts = &file->losses.counts;

	if (file->faulted == counts->records ||
	    (!error && !(event->decoder.layout.sample_type & PRECIS_SAMPLE_RAW)))
		return;
	file->faulted = counts->records;
	if (error)
		counts->samples_unread++;
	else
		event->counts.undecodable++;
}

void precis_file_judge(struct file_event *event, const struct precis_record *record)
{
	struct precis_perf_sample perf = { .size = sizeof(perf) };

	if (!(event->decoder.layout.sample_type & PRECIS_SAMPLE_RAW))
		return;
	precis_perf_sample_parse(&event->decoder.layout, record, &perf);
	if (perf.present & PRECIS_SAMPLE_RAW)
		file_judge_payload(event, &perf.raw);
}

/* The record's id belongs to no event, which precis_file_next() counted. */
static int without_event(const uint64_t *wanted, struct precis_perf_sample *perf,
			 struct precis_sample *sample)
{
	precis_sample_init(sample);
	for (uint32_t word = 0; word < PRECIS_FIELD_WORDS; word++)
		sample->wanted[word] = wanted ? wanted[word] : UINT64_MAX;
	if (perf)
		perf->present = 0;
	return PRECIS_E_BAD_ID;
}

static __attribute__((noinline)) int sample_of_other_size(struct precis_file *file,
							  const struct precis_record *record,
							  const uint64_t *wanted,
							  struct precis_perf_sample *perf,
							  struct precis_sample *sample)
{
	ABI_MAY_OUT(struct precis_perf_sample, perf,
		    precis_file_sample(file, record, wanted, &abi, sample));
	ABI_SAMPLE(sample, precis_file_sample(file, record, wanted, perf, &abi));
	return PRECIS_E_ARGUMENT;
}

int precis_file_sample(struct precis_file *file, const struct precis_record *record,
		       const uint64_t *wanted, struct precis_perf_sample *perf,
		       struct precis_sample *sample)
{
	struct file_event *event;

	if (unlikely(ABI_SAMPLES_DIFFER(perf, sample)))
		return sample_of_other_size(file, record, wanted, perf, sample);
	if (unlikely(!file || !record || record->type != PRECIS_RECORD_SAMPLE))
		return PRECIS_E_ARGUMENT;
	event = likely(file->sampled && file->sampled_at == record->data)
			? file->sampled
			: file_events_of(&file->events, record);
	if (unlikely(!event))
		return without_event(wanted, perf, sample);
	return file_decode(file, event, record, wanted, perf, sample);
}
