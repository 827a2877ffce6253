/* SPDX-License-Identifier: BSD-3-Clause */
/* Through the traces of a recording, record by record. */
#include <stdlib.h>

#include <precis/pebs_pt_events.h>
#include <precis/pebs_pt_samples.h>

#include "libdecode/perf/file/private.h"
#include "libdecode/perf/machine/pebs_events.h"
#include "libdecode/perf/records/attr.h"
#include "libdecode/sample/abi.h"
#include "pebs_pt_sample.h"
#include "pebs_pt_samples.h"
#include "trace_tasks.h"

#define PIECE_BYTES ((size_t)64 << 10)
#define BUFFERS_MOST 8192u /* CPUs of the largest machine; each takes 3 KiB */
#define INTEL_PT 1u /* AUXTRACE_INFO's type */
#define INFO_WORDS 16u
#define INFO_SNAPSHOT_MODE 8u /* the word that says so: enum of tools/perf/util/intel-pt.h */
#define PADDING_MOST 7u /* perf record fills the data of an AUXTRACE up to 8 bytes */
#define NEVER UINT64_MAX

/* One buffer's trace, over all AUXTRACE records that it is in. */
struct trace_buffer {
	struct precis_auxtrace trace;
	uint32_t data_file;
	uint64_t offset;   /* of its last AUXTRACE record in the file */
	uint64_t next;     /* place in the AUX area where it goes on; NEVER: bytes are missing */
	uint64_t problems; /* in all, when last looked at */
	uint64_t last_tsc; /* of its records */
	struct precis_pebs_pt decoder;
};

enum stage {
	STAGE_IDLE,
	STAGE_GAP,    /* the decoder has to end what it has, before the trace is read */
	STAGE_READ,
	STAGE_END     /* likewise of all buffers, from 'ending' on */
};

struct precis_pebs_pt_samples {
	struct precis_file *file;
	struct precis_pebs_pt_events *events;
	struct trace_tasks tasks;
	struct precis_auxtrace_info info; /* private_words: 'words' */
	uint8_t words[INFO_WORDS * 8];
	uint32_t is_known; /* 1: the file has been read through before */
	enum stage stage;
	struct trace_buffer **buffer;
	uint32_t buffers, room, ending;
	struct trace_buffer *now;
	size_t at, count; /* in 'piece' */
	struct traced_record traced;
	struct precis_pebs_pt_match match;
	uint32_t left; /* samples of 'traced' that have not been handed out */
	struct file_event *current; /* of the sample that was handed out last; NULL: not known */
	struct precis_pebs_pt_counts counts;
	uint8_t piece[PIECE_BYTES];
};

int precis_file_has_pebs_pt(const struct precis_file *file)
{
	for (uint32_t n = 0; file && n < file->events.count; n++) {
		if (attr_bits(file->events.event[n]->view.attr, ATTR_AUX_OUTPUT, 1))
			return 1;
	}
	return 0;
}

/* --- what other records say --- */

static void note_fault(struct precis_pebs_pt_samples *samples, uint64_t offset)
{
	if (samples->counts.fault_offset == UINT64_MAX)
		samples->counts.fault_offset = offset;
}

static void learn_info(struct precis_pebs_pt_samples *samples, const struct precis_record *record)
{
	struct precis_auxtrace_info info = { .size = sizeof(info) };

	if (precis_auxtrace_info_parse(record, &info))
		return;
	if (info.private_words.bytes > sizeof(samples->words))
		info.private_words.bytes = sizeof(samples->words);
	if (info.private_words.bytes)
		memcpy(samples->words, info.private_words.data, info.private_words.bytes);
	info.private_words.data = samples->words;
	samples->info = info;
}

/* @return 0, PRECIS_E_NO_MEMORY */
static int learn(struct precis_pebs_pt_samples *samples, const struct precis_record *record)
{
	int error;

	if (record->type == PRECIS_RECORD_AUXTRACE_INFO)
		learn_info(samples, record);
	error = precis_pebs_pt_events_record(samples->events, record);
	if (error && error != PRECIS_E_NO_MEMORY) {
		samples->counts.bad_ids++;
		note_fault(samples, record->offset);
		error = 0;
	}
	return error ? error : trace_tasks_record(&samples->tasks, samples->file, record);
}

/* What is broken is met again, and told then. */
static int learn_all(struct precis_pebs_pt_samples *samples)
{
	struct precis_record record;
	int error = 0;

	if (!precis_file_has_pebs_pt(samples->file) || precis_file_rewind(samples->file))
		return 0;
	while (!error && precis_file_next(samples->file, &record) > 0)
		error = learn(samples, &record);
	samples->is_known = 1;
	precis_file_rewind(samples->file);
	return error;
}

static void reset_counts(struct precis_pebs_pt_samples *samples)
{
	memset(&samples->counts, 0, sizeof(samples->counts));
	samples->counts.size = sizeof(samples->counts);
	samples->counts.fault_offset = UINT64_MAX;
}

int precis_pebs_pt_samples_open(struct precis_file *file, struct precis_pebs_pt_samples **samples)
{
	struct precis_pebs_pt_samples *opened;
	int error;

	if (!file || !samples)
		return PRECIS_E_ARGUMENT;
	opened = calloc(1, sizeof(*opened));
	if (!opened)
		return PRECIS_E_NO_MEMORY;
	opened->file = file;
	opened->traced.record.size = sizeof(opened->traced.record);
	opened->traced.groups.size = sizeof(opened->traced.groups);
	opened->traced.about.size = sizeof(opened->traced.about);
	opened->match.size = sizeof(opened->match);
	reset_counts(opened);
	error = precis_pebs_pt_events_open(file, &opened->events);
	if (!error)
		error = learn_all(opened);
	if (error)
		precis_pebs_pt_samples_close(opened);
	else
		*samples = opened;
	return error;
}

static void free_buffers(struct precis_pebs_pt_samples *samples)
{
	for (uint32_t n = 0; n < samples->buffers; n++)
		free(samples->buffer[n]);
	free(samples->buffer);
	samples->buffer = NULL;
	samples->buffers = samples->room = 0;
	samples->now = NULL;
}

void precis_pebs_pt_samples_close(struct precis_pebs_pt_samples *samples)
{
	if (!samples)
		return;
	free_buffers(samples);
	trace_tasks_free(&samples->tasks);
	precis_pebs_pt_events_close(samples->events);
	free(samples);
}

int precis_pebs_pt_samples_rewind(struct precis_pebs_pt_samples *samples)
{
	uint64_t bad_ids, offset;

	if (!samples)
		return PRECIS_E_ARGUMENT;
	bad_ids = samples->is_known ? samples->counts.bad_ids : 0;
	offset = bad_ids ? samples->counts.fault_offset : UINT64_MAX;
	free_buffers(samples);
	samples->stage = STAGE_IDLE;
	samples->left = 0;
	reset_counts(samples);
	samples->counts.bad_ids = bad_ids;
	samples->counts.fault_offset = offset;
	return 0;
}

/* --- the traces --- */

/* @return 0, PRECIS_E_NO_MEMORY, PRECIS_E_NO_SPACE */
static int add_buffer(struct precis_pebs_pt_samples *samples, const struct precis_auxtrace *trace)
{
	struct trace_buffer **more, *added;

	if (samples->buffers == BUFFERS_MOST)
		return PRECIS_E_NO_SPACE;
	if (samples->buffers == samples->room) {
		uint32_t room = samples->room ? 2 * samples->room : 16;

		more = realloc(samples->buffer, room * sizeof(*more));
		if (!more)
			return PRECIS_E_NO_MEMORY;
		samples->buffer = more;
		samples->room = room;
	}
	added = calloc(1, sizeof(*added));
	if (!added)
		return PRECIS_E_NO_MEMORY;
	precis_pebs_pt_init(&added->decoder, trace->aux_offset);
	added->next = trace->aux_offset;
	samples->buffer[samples->buffers++] = added;
	samples->now = added;
	return 0;
}

/* Of the same mmap of the recorder, and so of the same CPU or thread */
static int find_buffer(struct precis_pebs_pt_samples *samples, const struct precis_auxtrace *trace)
{
	for (uint32_t n = 0; n < samples->buffers; n++) {
		const struct precis_auxtrace *known = &samples->buffer[n]->trace;

		if (known->index == trace->index && known->cpu == trace->cpu &&
		    known->tid == trace->tid) {
			samples->now = samples->buffer[n];
			return 0;
		}
	}
	return add_buffer(samples, trace);
}

static void note_unread(struct precis_pebs_pt_samples *samples, uint64_t offset, int error)
{
	samples->counts.traces_unread++;
	if (!samples->counts.error)
		samples->counts.error = error;
	note_fault(samples, offset);
}

static int goes_on(const struct trace_buffer *buffer, uint64_t aux_offset)
{
	return buffer->next != NEVER && aux_offset <= buffer->next &&
	       buffer->next - aux_offset <= PADDING_MOST;
}

/* @return 0, PRECIS_E_NO_MEMORY */
static int begin_trace(struct precis_pebs_pt_samples *samples, const struct precis_record *record)
{
	struct precis_auxtrace trace = { .size = sizeof(trace) };
	struct trace_buffer *now;
	int error = precis_auxtrace_parse(record, &trace);

	if (samples->info.size && samples->info.type != INTEL_PT)
		return 0;
	samples->counts.traces++;
	if (!error && __builtin_add_overflow(samples->counts.bytes, trace.following_bytes,
					     &samples->counts.bytes))
		samples->counts.bytes = UINT64_MAX;
	if (!precis_file_has_pebs_pt(samples->file))
		return 0;
	if (!error)
		error = find_buffer(samples, &trace);
	if (error) {
		note_unread(samples, record->offset, error);
		return error == PRECIS_E_NO_MEMORY ? error : 0;
	}
	now = samples->now;
	samples->stage = goes_on(now, trace.aux_offset) ? STAGE_READ : STAGE_GAP;
	now->trace = trace;
	now->offset = record->offset;
	now->data_file = record->data_file;
	now->next = NEVER;
	samples->at = samples->count = 0;
	return 0;
}

int precis_pebs_pt_samples_record(struct precis_pebs_pt_samples *samples,
				  const struct precis_record *record)
{
	if (!samples || !record)
		return PRECIS_E_ARGUMENT;
	samples->stage = STAGE_IDLE;
	samples->left = 0;
	if (record->type == PRECIS_RECORD_AUXTRACE)
		return begin_trace(samples, record);
	return samples->is_known ? 0 : learn(samples, record);
}

int precis_pebs_pt_samples_end(struct precis_pebs_pt_samples *samples)
{
	if (!samples)
		return PRECIS_E_ARGUMENT;
	samples->stage = STAGE_END;
	samples->ending = 0;
	samples->left = 0;
	return 0;
}

static int end_decoder(struct precis_pebs_pt_samples *samples)
{
	struct traced_record *traced = &samples->traced;

	return precis_pebs_pt_end(&samples->now->decoder, &traced->record, &traced->groups,
				  &traced->about);
}

static int end_next(struct precis_pebs_pt_samples *samples)
{
	if (samples->ending == samples->buffers) {
		samples->stage = STAGE_IDLE;
		return 0;
	}
	samples->now = samples->buffer[samples->ending++];
	return end_decoder(samples);
}

/* More bytes of the trace; with the last one, or where they end too early, it is done with. */
static void read_piece(struct precis_pebs_pt_samples *samples)
{
	struct trace_buffer *now = samples->now;
	int64_t got = precis_file_payload(samples->file, samples->piece, PIECE_BYTES);

	samples->at = 0;
	samples->count = got > 0 ? (size_t)got : 0;
	samples->counts.bytes_read += samples->count;
	if (got > 0)
		return;
	samples->stage = STAGE_IDLE;
	if (got)
		note_unread(samples, now->offset, (int)got);
	else
		now->next = now->trace.aux_offset + now->trace.following_bytes;
}

/* Up to the end of the next record, or of the piece. @return 1 with a record */
static int read_record(struct precis_pebs_pt_samples *samples)
{
	struct traced_record *traced = &samples->traced;
	size_t used = 0;
	int found = precis_pebs_pt_next(&samples->now->decoder, samples->piece + samples->at,
					samples->count - samples->at, &used, &traced->record,
					&traced->groups, &traced->about);

	samples->at += used;
	if (found != 1)
		read_piece(samples);
	return found == 1;
}

/* One step of the stage. @return 1 with a record */
static int step(struct precis_pebs_pt_samples *samples)
{
	enum stage stage = samples->stage;

	if (stage == STAGE_READ)
		return read_record(samples);
	if (stage == STAGE_END)
		return end_next(samples);
	samples->stage = STAGE_READ;
	return end_decoder(samples);
}

/* Is something amiss that was not when the buffer was last looked at? */
static void note_problems(struct precis_pebs_pt_samples *samples)
{
	struct trace_buffer *now = samples->now;
	uint64_t problems = 0;

	for (uint32_t n = 0; now && n < PRECIS_PEBS_PT_PROBLEM_COUNT; n++)
		problems += now->decoder.problems[n];
	if (!now || problems == now->problems)
		return;
	note_fault(samples, now->offset);
	now->problems = problems;
}

/* --- from records to samples --- */

static int has_tsc(const struct traced_record *traced)
{
	return traced->record.captured >> PRECIS_PEBS_TSC & 1;
}

/* Snapshots of a buffer can overlap, and its clock only goes forward. */
static int is_repeated(struct precis_pebs_pt_samples *samples)
{
	struct trace_buffer *now = samples->now;
	uint64_t is_snapshot = 0, tsc = samples->traced.record.word[PRECIS_PEBS_TSC];

	precis_bytes_u64(samples->info.private_words, INFO_SNAPSHOT_MODE, &is_snapshot);
	if (!has_tsc(&samples->traced))
		return 0;
	if (is_snapshot && tsc <= now->last_tsc)
		return 1;
	now->last_tsc = tsc;
	return 0;
}

/* When and where, as far as anybody says */
static void place_record(struct precis_pebs_pt_samples *samples, uint64_t *time)
{
	struct traced_record *traced = &samples->traced;
	const struct precis_auxtrace *trace = &samples->now->trace;
	uint32_t task;

	traced->known = 0;
	traced->regs_intr = 0;
	*time = PRECIS_PEBS_PT_NO_TIME;
	if (samples->info.size && has_tsc(traced) &&
	    !precis_pebs_pt_time(&samples->info, traced->record.word[PRECIS_PEBS_TSC], time)) {
		traced->known |= PRECIS_SAMPLE_TIME;
		traced->time = *time;
	}
	if (trace->cpu != -1) {
		traced->known |= PRECIS_SAMPLE_CPU;
		traced->cpu = (uint32_t)trace->cpu;
	}
	task = trace_tasks_find(&samples->tasks, trace, *time,
				!samples->is_known || *time == PRECIS_PEBS_PT_NO_TIME,
				&traced->pid, &traced->tid);
	traced->known |= task & TRACE_TASK_TID ? PRECIS_SAMPLE_TID : 0;
	traced->has_pid = task & TRACE_TASK_PID;
}

static void take_record(struct precis_pebs_pt_samples *samples)
{
	struct precis_pebs_pt_counts *counts = &samples->counts;
	struct precis_pebs_pt_match *match = &samples->match;
	uint64_t time;

	counts->records++;
	if (is_repeated(samples)) {
		counts->repeated++;
		return;
	}
	place_record(samples, &time);
	precis_pebs_pt_events_match(samples->events, &samples->now->trace, time,
				    &samples->traced.record, match);
	samples->left = match->count ? match->count : 1;
	if (match->by == PRECIS_PEBS_PT_BY_COUNTERS)
		counts->by_counters++;
	else if (match->by == PRECIS_PEBS_PT_BY_BEING_ALONE)
		counts->by_being_alone++;
	else
		counts->unmatched++;
	counts->partly_matched += match->count && match->unmatched;
}

void precis_pebs_pt_samples_origin(const struct precis_pebs_pt_samples *samples,
				   struct precis_pebs_pt_origin *origin)
{
	origin->data_file = samples->now->data_file;
	origin->offset = samples->now->offset;
	origin->aux_offset = samples->traced.about.offset;
	origin->regs_intr = samples->traced.regs_intr;
	origin->problems = samples->traced.about.problems;
	origin->reserved = 0;
}

int precis_pebs_pt_samples_advance(struct precis_pebs_pt_samples *samples)
{
	const struct precis_pebs_pt_match *match = &samples->match;

	while (!samples->left) {
		if (samples->stage == STAGE_IDLE)
			return 0;
		if (step(samples))
			take_record(samples);
		note_problems(samples);
	}
	samples->current =
		match->count
			? samples->file->events.event[match->event[match->count - samples->left]]
			: NULL;
	samples->left--;
	samples->counts.samples++;
	if (samples->current)
		samples->current->counts.traced++;
	return 1;
}

int precis_pebs_pt_samples_decode(struct precis_pebs_pt_samples *samples, const uint64_t *wanted,
				  struct precis_perf_sample *perf, struct precis_sample *sample)
{
	struct file_event *event = samples->current;
	struct precis_pebs_context *context =
		event ? event->decoder.pebs : file_unknown_pebs(&samples->file->machine);

	if (!context)
		return PRECIS_E_NO_MEMORY;
	return precis_traced_sample(&samples->traced, event, context, wanted, perf, sample);
}

void precis_pebs_pt_samples_current(const struct precis_pebs_pt_samples *samples,
				    struct traced_current *current)
{
	current->event = samples->current ? &samples->current->view : NULL;
	current->record = &samples->traced.record;
	current->groups = &samples->traced.groups;
	current->offset = samples->now->offset;
}

int precis_pebs_pt_samples_next(struct precis_pebs_pt_samples *samples, const uint64_t *wanted,
				struct precis_perf_sample *perf, struct precis_sample *sample,
				struct precis_pebs_pt_origin *origin)
{
	int error;

	ABI_MAY_OUT(struct precis_perf_sample, perf,
		    precis_pebs_pt_samples_next(samples, wanted, &abi, sample, origin));
	ABI_SAMPLE(sample, precis_pebs_pt_samples_next(samples, wanted, perf, &abi, origin));
	ABI_MAY_OUT(struct precis_pebs_pt_origin, origin,
		    precis_pebs_pt_samples_next(samples, wanted, perf, sample, &abi));
	if (!samples)
		return PRECIS_E_ARGUMENT;
	if (!precis_pebs_pt_samples_advance(samples))
		return 0;
	error = precis_pebs_pt_samples_decode(samples, wanted, perf, sample);
	if (!error && origin)
		precis_pebs_pt_samples_origin(samples, origin);
	return error ? error : 1;
}

int precis_pebs_pt_samples_counts(const struct precis_pebs_pt_samples *from,
				  struct precis_pebs_pt_counts *counts)
{
	ABI_OUT(struct precis_pebs_pt_counts, counts, precis_pebs_pt_samples_counts(from, &abi));
	if (!from)
		return PRECIS_E_ARGUMENT;
	*counts = from->counts;
	for (uint32_t n = 0; n < from->buffers; n++) {
		const struct precis_pebs_pt *decoder = &from->buffer[n]->decoder;

		counts->packets += decoder->packets;
		counts->bytes_skipped += decoder->bytes_skipped;
		counts->overflows += decoder->overflows;
		counts->records_lost += decoder->records_lost;
		for (uint32_t i = 0; i < PRECIS_PEBS_PT_PROBLEM_COUNT; i++)
			counts->problems[i] += decoder->problems[i];
	}
	return 0;
}
