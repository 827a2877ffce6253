/* SPDX-License-Identifier: BSD-3-Clause */
/* The sample of a record that the reader handed out, and what could not be read of it. */
#include "libdecode/perf/machine/kinds.h"
#include "libdecode/sample/abi.h"
#include "private.h"

/* A record may be asked for twice: its fault counts once. */
static void count_fault(struct precis_file *file, uint64_t *counter)
{
	if (file->faulted == file->losses.counts.records)
		return;
	file->faulted = file->losses.counts.records;
	*counter += 1;
}

/* The kind of an event may come with its first payload, the machine with a late record. */
static inline struct precis_decoder *decoder_of(struct precis_file *file, struct file_event *event)
{
	struct precis_decoder *decoder = &event->decoder;

	decoder->kind = event->view.kind;
	decoder->old_fetch_layout = file->machine.old_fetch_layout;
	decoder->ibs = &file->machine.ibs;
	return decoder;
}

static void judge(struct file_event *event, const struct precis_record *record)
{
	struct precis_perf_sample perf = { .size = sizeof(perf) };

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

int precis_file_sample(struct precis_file *file, const struct precis_record *record,
		       const uint64_t *wanted, struct precis_perf_sample *perf,
		       struct precis_sample *sample)
{
	struct file_event *event;
	int error;

	ABI_MAY_OUT(struct precis_perf_sample, perf,
		    precis_file_sample(file, record, wanted, &abi, sample));
	ABI_SAMPLE(sample, precis_file_sample(file, record, wanted, perf, &abi));
	if (unlikely(!file || !record || record->type != PRECIS_RECORD_SAMPLE))
		return PRECIS_E_ARGUMENT;
	event = likely(file->sampled && file->sampled_at == record->data)
			? file->sampled
			: file_events_of(&file->events, record);
	if (unlikely(!event))
		return without_event(wanted, perf, sample);
	if (unlikely(!event->payload_judged) &&
	    (event->decoder.layout.sample_type & PRECIS_SAMPLE_RAW))
		judge(event, record);
	error = precis_decoder_sample(decoder_of(file, event), record, wanted, perf, sample);
	if (unlikely(error))
		count_fault(file, &file->losses.counts.samples_unread);
	else if (unlikely(sample->payload_error &&
			  (event->decoder.layout.sample_type & PRECIS_SAMPLE_RAW)))
		count_fault(file, &event->counts.undecodable);
	return error;
}
