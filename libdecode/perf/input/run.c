/* SPDX-License-Identifier: BSD-3-Clause */
/* See run.h; and what the public functions make of it. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "libdecode/ibs/op.h"
#include "libdecode/ibs/payload.h"
#include "libdecode/perf/decoder/direct.h"
#include "libdecode/perf/file/usual.h"
#include "libdecode/sample/abi.h"

/* --- taking --- */

/* Have samples of the event to be decoded by what stands where its plan has it? */
static int is_usual(const struct file_event *event, const uint64_t *wanted)
{
	const struct precis_decoder *decoder = &event->decoder;

	return (decoder->kind == PRECIS_EVENT_IBS_OP || decoder->kind == PRECIS_EVENT_IBS_FETCH) &&
	       decoder->kind == event->view.kind && decoder->plan.direct.usable &&
	       !decoder->plan.direct.tail_count && event->payload_judged &&
	       !event->losses.counters &&
	       !memcmp(decoder->plan.wanted, wanted, sizeof(decoder->plan.wanted));
}

/* All samples of a run have the same registers, of the same capabilities: of such an op … */
static inline int take_op(struct input_run *run, const struct precis_bytes *raw)
{
	struct precis_ibs_op *op = &run->registers.op[run->count];

	op->size = sizeof(*op);
	if (precis_ibs_op_parse(raw->data, raw->bytes, op) ||
	    (run->count && (op->caps != op[-1].caps || op->captured != op[-1].captured)))
		return 0;
	run->payload_bytes = raw->bytes;
	return 1;
}

/* … and of such a fetch */
static inline int take_fetch(struct input_run *run, const struct precis_bytes *raw)
{
	struct precis_ibs_fetch *fetch = &run->registers.fetch[run->count];

	fetch->size = sizeof(*fetch);
	return !precis_ibs_fetch_parse(raw->data, raw->bytes, (int)run->event->decoder.old_fetch_layout,
				       fetch) &&
	       (!run->count || (fetch->caps == fetch[-1].caps && fetch->captured == fetch[-1].captured));
}

/* The registers of the run's next sample. @return 1; 0: they are none, or not the run's */
static inline int take_registers(struct input_run *run, const uint8_t *record, uint32_t size)
{
	const struct precis_decoder *decoder = &run->event->decoder;
	struct precis_bytes raw;

	if (!direct_payload(&decoder->plan, record, size, &raw))
		return 0;
	return decoder->kind == PRECIS_EVENT_IBS_OP ? take_op(run, &raw) : take_fetch(run, &raw);
}

/* @return 1; 0: the next record is none of the run, and stays where it is */
static inline int take_next(struct precis_file *file, const uint64_t *wanted, uint64_t until,
			    struct input_run *run)
{
	struct byte_source *source = &file->stream.source;
	const uint8_t *at = source->at;
	struct file_event *event;
	uint32_t size;

	if (!stream_has_usual(&file->stream, &size))
		return 0;
	event = file_events_of_sample(&file->events, at, size);
	if (unlikely(event != run->event || !event)) {
		if (run->count || !event || !is_usual(event, wanted))
			return 0;
		run->event = event;
	}
	if (unlikely(byte_source_offset(source) >= until || !take_registers(run, at, size)))
		return 0;
	run->record[run->count] = at;
	source->at += size;
	return 1;
}

/* What samples have that need no more than a look: what the op that was taken last has, in the same places */
struct alike {
	const struct precis_ids *ids; /* NULL: all records are the event's */
	uint32_t event, id_offset;
	uint32_t payload_offset, payload_bytes; /* their number stands in front of them */
	uint32_t least; /* bytes up to which all that is looked at reaches */
	struct precis_ibs_op op;
};

static struct alike alike_to(const struct precis_file *file, const struct input_run *run)
{
	const struct precis_decoder_plan *plan = &run->event->decoder.plan;
	const struct file_events *events = &file->events;
	struct alike is = {
		.ids = events->single ? NULL : &events->index,
		.event = run->event->view.index,
		.id_offset = events->single ? 0 : events->id_offset,
		.payload_offset = plan->direct.raw_offset + 4,
		.payload_bytes = run->payload_bytes,
		.op = run->registers.op[run->count - 1],
	};

	is.least = is.payload_offset + is.payload_bytes + plan->direct.tail_bytes;
	if (is.least < is.id_offset + 8)
		is.least = is.id_offset + 8;
	return is;
}

/* Is the record, of so many bytes, a sample like that? */
static inline int is_alike(const struct alike *is, const uint8_t *record, uint32_t size)
{
	const uint8_t *payload = record + is->payload_offset;
	const uint64_t id = load_u64(record + is->id_offset);

	if (is->ids) {
		const struct precis_id *known = &is->ids->cache[id % IDS_CACHE];

		if (unlikely(known->id != id || known->event != is->event))
			return 0;
	}
	return likely(load_u32(record) == PRECIS_RECORD_SAMPLE && size >= is->least &&
		      load_u32(payload - 4) == is->payload_bytes &&
		      op_payload_has(payload, &is->op));
}

/* Behind an op those that are like it, but for what it says, as far as there are some in front of 'until' */
static void take_alike(struct precis_file *file, uint32_t most, uint64_t until, struct input_run *run)
{
	const struct alike is = alike_to(file, run);
	struct byte_source *source = &file->stream.source;
	const uint8_t *at = source->at, *const end = source->end, *stop = end;
	const uint64_t offset = byte_source_offset(source), before = until > offset ? until - offset : 0;
	struct precis_ibs_op *op = run->registers.op + run->count;
	const struct precis_ibs_op *const behind = run->registers.op + most;
	const uint8_t **record = run->record + run->count;
	size_t left = (size_t)(end - at);

	if (left < is.least)
		return;
	stop -= is.least - 1; /* behind that there is not as much as is looked at */
	if (before < (size_t)(stop - at))
		stop = at + before;
	for (; op < behind && at < stop; op++) {
		const uint32_t size = record_header_size(at);

		if (!is_alike(&is, at, size) || size > left ||
		    !op_payload_take(at + is.payload_offset, &is.op, op))
			break;
		*record++ = at;
		at += size;
		left -= size;
	}
	run->count = (uint32_t)(op - run->registers.op);
	source->at = at;
}

/* --- what is counted of them --- */

/* All records of a run reach so far: to their payloads, behind whatever else is looked at */
static uint32_t least_bytes(const struct input_run *run)
{
	return run->event->decoder.plan.direct.raw_offset;
}

static void note_times(struct losses *losses, struct loss_event *event, const struct input_run *run)
{
	const uint32_t end = event->time_end;
	uint64_t first = event->first_time, last = losses->last_time;

	if (unlikely(least_bytes(run) < end)) /* they have none */
		return;
	UNROLLED
	for (uint32_t n = 0; n < run->count; n++) {
		const uint64_t time = load_u64(run->record[n] + end - 8);

		last = time > last ? time : last;
		first = time < first ? time : first;
	}
	event->first_time = first;
	losses->last_time = last;
}

/* What losses_count_sample() does of each, if it is on a CPU that has samples already. @return of how many */
static uint32_t count_on_cpus(const struct loss_event *of, const struct input_run *run, uint32_t from)
{
	const uint32_t end = of->cpu_end, cpus = of->cpus;
	uint64_t *const on_cpu = of->on_cpu;

	if (unlikely(least_bytes(run) < end))
		return from;
	for (; from < run->count; from++) {
		const uint32_t cpu = load_u32(run->record[from] + end - 8);

		if (unlikely(cpu >= cpus))
			break;
		on_cpu[cpu]++;
	}
	return from;
}

static void count_places(struct losses *losses, struct file_event *event, const struct input_run *run)
{
	struct precis_record record;

	for (uint32_t n = 0; n < run->count; n++) {
		if (likely(!event->losses.is_task))
			n = count_on_cpus(&event->losses, run, n);
		if (n == run->count)
			break;
		record_view(run->record[n], &record);
		losses_count_sample(losses, event, &record);
	}
}

/* What file_count_sample() does, of all: the event counts no losses by itself. */
static void count_taken(struct precis_file *file, const struct input_run *run)
{
	struct losses *losses = &file->losses;
	struct file_event *event = run->event;

	losses->counts.records += run->count;
	losses->counts.samples += run->count;
	event->counts.samples += run->count;
	note_times(losses, &event->losses, run);
	count_places(losses, event, run);
}

/* Do records stand one behind the other in the window? */
static int is_straight(const struct precis_input *input)
{
	return input->file && !input->traced && input->file->order.in_file_order && !input->stopped;
}

void precis_run_take(struct precis_input *input, const uint64_t *wanted, uint32_t most,
		     uint64_t until, struct input_run *run)
{
	run->event = NULL;
	run->count = 0;
	input->run_count = 0;
	if (!is_straight(input))
		return;
	while (run->count < most && take_next(input->file, wanted, until, run)) {
		run->count++;
		if (run->event->decoder.kind == PRECIS_EVENT_IBS_OP)
			take_alike(input->file, most, until, run);
	}
	if (!run->count)
		return;
	count_taken(input->file, run);
	input->counts.samples += run->count;
	input->item.kind = 0;
}

uint64_t precis_input_pass(struct precis_input *input, uint64_t until)
{
	struct precis_record record;
	struct precis_file *file;
	uint64_t passed = 0;

	if (!input || !is_straight(input))
		return 0;
	file = input->file;
	while (byte_source_offset(&file->stream.source) < until &&
	       stream_take_usual(&file->stream, &record)) {
		file_count_sample(file, file_events_of_sample(&file->events, record.data, record.size),
				  &record);
		passed++;
	}
	if (!passed)
		return 0;
	input->counts.samples += passed;
	input->item.kind = 0;
	input->run_count = 0;
	return passed;
}

/* --- columns --- */

_Static_assert(PRECIS_INPUT_RUN <= OP_CHUNK, "a run is decoded at once");

static enum precis_ibs_unit unit_of(const struct input_run *run)
{
	return run->event->decoder.kind == PRECIS_EVENT_IBS_OP ? PRECIS_IBS_OP : PRECIS_IBS_FETCH;
}

static void decode(struct input_run *run, const uint32_t *fields, uint32_t count,
		   uint64_t *const *values)
{
	struct precis_ibs_context *context = run->event->decoder.ibs;
	uint64_t *present[PRECIS_FIELD_WORDS] = { run->present[0] };

	for (uint32_t n = 0; n < count; n++)
		present[PRECIS_FIELD_WORD(fields[n])] = run->present[PRECIS_FIELD_WORD(fields[n])];
	if (unit_of(run) == PRECIS_IBS_OP)
		precis_op_columns(context, run->registers.op, run->count, fields, count, values,
				  present);
	else
		precis_ibs_fetch_columns(context, run->registers.fetch, run->count, fields, count,
					 values, present);
}

void precis_run_decode(struct input_run *run, const uint32_t *fields, uint32_t count,
		       uint64_t *const *values, enum run_origin *origin)
{
	uint32_t of_payload[PRECIS_FIELD_COUNT], used = 0;
	uint64_t *to[PRECIS_FIELD_COUNT];

	for (uint32_t n = 0; n < count; n++) {
		origin[n] = RUN_NOWHERE;
		if (precis_decoder_column(&run->event->decoder, fields[n], run->record, run->count,
					  values[n])) {
			origin[n] = RUN_OF_RECORD;
		} else if (ibs_has(unit_of(run), fields[n])) {
			origin[n] = RUN_OF_PAYLOAD;
			of_payload[used] = fields[n];
			to[used++] = values[n];
		} else {
			memset(values[n], 0xff, run->count * sizeof(*values[n]));
		}
	}
	if (used)
		decode(run, of_payload, used, to);
}

/* --- for callers --- */

int precis_input_take_run(struct precis_input *input, const uint64_t *wanted, uint32_t most,
			  uint64_t until, struct precis_input_run *run)
{
	struct input_run *taken;

	ABI_OUT(struct precis_input_run, run,
		precis_input_take_run(input, wanted, most, until, &abi));
	if (!input || !wanted)
		return PRECIS_E_ARGUMENT;
	if (!input->run)
		input->run = calloc(1, sizeof(*input->run));
	if (!input->run)
		return PRECIS_E_NO_MEMORY;
	taken = input->run;
	precis_run_take(input, wanted, most < PRECIS_INPUT_RUN ? most : PRECIS_INPUT_RUN, until,
			taken);
	input->run_count = run->count = taken->count;
	run->event = taken->event ? &taken->event->view : NULL;
	run->ops = NULL;
	run->fetches = NULL;
	if (!taken->count)
		return 0;
	if (taken->event->decoder.kind == PRECIS_EVENT_IBS_OP)
		run->ops = taken->registers.op;
	else
		run->fetches = taken->registers.fetch;
	return (int)taken->count;
}

static void note_present(uint32_t count, uint64_t of_record, uint64_t of_payload,
			 const uint64_t *in_payload, uint64_t *present)
{
	UNROLLED
	for (uint32_t n = 0; n < count; n++)
		present[n] = of_record | (in_payload[n] & of_payload);
}

/* Is there a run that nothing has been handed out behind? */
static int has_run(const struct precis_input *input)
{
	return input && input->run_count && !input->item.kind;
}

int precis_input_run_columns(struct precis_input *input, const uint32_t *fields, uint32_t count,
			     uint64_t *const *values, uint64_t *const *present)
{
	enum run_origin origin[PRECIS_FIELD_COUNT];
	uint64_t of_record[PRECIS_FIELD_WORDS] = { 0 }, of_payload[PRECIS_FIELD_WORDS] = { 0 };

	if (!has_run(input) || !fields || !count || count > PRECIS_FIELD_COUNT || !values ||
	    !present || !present[0])
		return PRECIS_E_ARGUMENT;
	for (uint32_t n = 0; n < count; n++) {
		if (fields[n] >= PRECIS_FIELD_COUNT)
			return PRECIS_E_NO_FIELD;
		if (!present[PRECIS_FIELD_WORD(fields[n])] ||
		    !precis_fields_have(input->run->event->decoder.plan.wanted, fields[n]))
			return PRECIS_E_ARGUMENT;
	}
	precis_run_decode(input->run, fields, count, values, origin);
	for (uint32_t n = 0; n < count; n++) {
		if (origin[n] == RUN_OF_RECORD)
			precis_fields_add(of_record, fields[n]);
		else if (origin[n] == RUN_OF_PAYLOAD)
			precis_fields_add(of_payload, fields[n]);
	}
	for (uint32_t word = 0; word < PRECIS_FIELD_WORDS; word++) {
		if (!present[word])
			continue;
		if (word < FIELD_WORDS)
			note_present(input->run->count, of_record[word], of_payload[word],
				     input->run->present[word], present[word]);
		else
			memset(present[word], 0, input->run->count * sizeof(*present[word]));
	}
	return 0;
}

int precis_input_run_sample(struct precis_input *input, uint32_t n, const uint64_t *wanted,
			    struct precis_sample *sample)
{
	const struct input_run *run;
	struct precis_record record;

	ABI_SAMPLE(sample, precis_input_run_sample(input, n, wanted, &abi));
	if (!has_run(input) || n >= input->run_count)
		return PRECIS_E_ARGUMENT;
	run = input->run;
	record_view(run->record[n], &record);
	if (wanted && run->event->decoder.kind == PRECIS_EVENT_IBS_OP &&
	    precis_decoder_decode_op(&run->event->decoder, &record, &run->registers.op[n], wanted,
				     sample))
		return 0;
	return file_decode(input->file, run->event, &record, wanted, NULL, sample);
}
