/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The short way to columns: a run of IBS samples of one event that lie in the
 * reader's window, decoded column by column. Whatever is not usual about a
 * record ends the run in front of it: it goes the long way.
 */
#include "libdecode/perf/decoder/direct.h"
#include "libdecode/perf/file/usual.h"
#include "libdecode/perf/input/private.h"
#include "private.h"

/* A run of samples, as many as a word of a bit map has bits. */
struct run {
	struct file_event *event;
	uint32_t count;
	const uint8_t *record[64];
	union {
		struct precis_ibs_op op[64];
		struct precis_ibs_fetch fetch[64];
	} registers;
	uint64_t present[64]; /* fields that the payloads have */
};

/* Have samples of the event to be decoded by what stands where its plan has it? */
static int is_usual(const struct file_event *event, const uint64_t *wanted)
{
	const struct precis_decoder *decoder = &event->decoder;

	return (decoder->kind == PRECIS_EVENT_IBS_OP || decoder->kind == PRECIS_EVENT_IBS_FETCH) &&
	       decoder->kind == event->view.kind && decoder->plan.direct.usable &&
	       event->payload_judged && !event->losses.counters &&
	       !memcmp(decoder->plan.wanted, wanted, sizeof(decoder->plan.wanted));
}

/* The registers of the run's next sample. @return 1; 0: they are none */
static inline int take_registers(struct run *run, const uint8_t *record, uint32_t size)
{
	const struct precis_decoder *decoder = &run->event->decoder;
	struct precis_bytes raw;

	if (!direct_payload(&decoder->plan, record, size, &raw))
		return 0;
	if (decoder->kind == PRECIS_EVENT_IBS_OP) {
		struct precis_ibs_op *op = &run->registers.op[run->count];

		op->size = sizeof(*op);
		return !precis_ibs_op_parse(raw.data, raw.bytes, op);
	}
	run->registers.fetch[run->count].size = sizeof(run->registers.fetch[0]);
	return !precis_ibs_fetch_parse(raw.data, raw.bytes, (int)decoder->old_fetch_layout,
				       &run->registers.fetch[run->count]);
}

/* Up to 'most' samples of one event that stand next in the window */
static void take_run(struct precis_file *file, const uint64_t *wanted, uint32_t most,
		     struct run *run)
{
	struct byte_source *source = &file->stream.source;
	struct precis_record record;

	run->event = NULL;
	for (run->count = 0; run->count < most; run->count++) {
		const uint8_t *at = source->at;
		struct file_event *event;

		if (!stream_take_usual(&file->stream, &record))
			return;
		event = file_events_of_sample(&file->events, at, record.size);
		if (event != run->event || !event) {
			if (run->count || !event || !is_usual(event, wanted)) {
				source->at = at;
				return;
			}
			run->event = event;
		}
		if (!take_registers(run, at, record.size)) {
			source->at = at;
			return;
		}
		run->record[run->count] = at;
		file_count_sample(file, event, &record);
	}
}

/* Decode fields of the run's payloads; without a run: does such a payload have them? @return 0: yes */
static int decode(const struct run *run, uint32_t count, const uint32_t *fields,
		  uint32_t field_count, uint64_t *const *values, uint64_t *present)
{
	struct precis_ibs_context *context = run->event->decoder.ibs;

	return run->event->decoder.kind == PRECIS_EVENT_IBS_OP ?
		       precis_ibs_op_columns(context, run->registers.op, count, fields, field_count,
					     values, present) :
		       precis_ibs_fetch_columns(context, run->registers.fetch, count, fields,
						field_count, values, present);
}

/* Where the values of a column come from */
enum origin { OF_RECORD, OF_PAYLOAD, NOWHERE };

/* Values of all columns into the rows behind the last one */
static void put_values(struct precis_columns *columns, struct run *run, enum origin *origin)
{
	uint32_t fields[PRECIS_FIELD_COUNT], count = 0;
	uint64_t *values[PRECIS_FIELD_COUNT];

	for (uint32_t n = 0; n < columns->count; n++) {
		uint64_t *at = block_values(columns->block, n) + columns->rows;

		fields[count] = columns->field[n];
		values[count] = at;
		origin[n] = NOWHERE;
		if (precis_decoder_column(&run->event->decoder, columns->field[n], run->record,
					  run->count, at)) {
			origin[n] = OF_RECORD;
		} else if (!decode(run, 0, &fields[count], 1, &values[count], run->present)) {
			origin[n] = OF_PAYLOAD;
			count++;
		} else {
			memset(at, 0xff, run->count * sizeof(*at));
		}
	}
	if (count)
		decode(run, run->count, fields, count, values, run->present);
}

/* The run's bits of a column's map, the first row's lowest */
static uint64_t map_of(const struct run *run, enum origin origin, uint32_t field)
{
	uint64_t map = 0;

	if (origin == NOWHERE)
		return 0;
	if (origin == OF_RECORD)
		return ~UINT64_C(0) >> (64 - run->count);
	for (uint32_t row = 0; row < run->count; row++)
		map |= (run->present[row] >> field & 1) << row;
	return map;
}

/* The run does not go beyond a word of the map. */
static void put_maps(struct precis_columns *columns, const struct run *run,
		     const enum origin *origin)
{
	uint32_t bit = columns->rows % 64;

	for (uint32_t n = 0; n < columns->count; n++) {
		uint64_t *word = &block_validity(columns->block, n)[columns->rows / 64];
		uint64_t map = map_of(run, origin[n], columns->field[n]);

		*word = (bit ? *word : 0) | map << bit;
		columns->nulls[n] += run->count - (uint32_t)__builtin_popcountll(map);
	}
}

/* Do records stand one behind the other in the window, and does nobody want whole samples? */
static int is_straight(const struct precis_columns *columns, const struct precis_input *input)
{
	return input->file && !input->traced && input->file->order.in_file_order &&
	       !input->stopped && !columns->samples && !columns->has_filter;
}

uint32_t precis_columns_take_run(struct precis_columns *columns, struct precis_input *input)
{
	uint32_t most = 64 - columns->rows % 64, left = columns->room - columns->rows;
	enum origin origin[PRECIS_FIELD_COUNT];
	struct run run;

	if (!is_straight(columns, input))
		return 0;
	take_run(input->file, columns->wanted, most < left ? most : left, &run);
	if (!run.count)
		return 0;
	put_values(columns, &run, origin);
	put_maps(columns, &run, origin);
	columns->rows += run.count;
	input->counts.samples += run.count;
	input->item.kind = 0; /* none of them is the one that was handed out last */
	return run.count;
}
