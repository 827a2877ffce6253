/* SPDX-License-Identifier: BSD-3-Clause */
/* Where samples were taken: which tasks and programs, and which addresses, row by row. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analyses.h"
#include "analysis/batch.h"
#include "analysis/model/rows.h"
#include "merge.h"
#include "places.h"
#include "saved.h"
#include "tables.h"

static int begin(void *state, const struct analysis_about *about)
{
	struct precis_file *file = precis_input_file(about->input);
	struct top *top = state;

	top->about = about;
	top->order = (enum top_order)about->order;
	top->model.processes.epochs_most = TOP_EPOCHS_MOST;
	if (about->symbols && model_begin(&top->model, file, about->is_sorted, about->symbols) < 0)
		return -1;
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		if (top_have_event(top, kind, 0) < 0)
			return -1;
	}
	return 0;
}

static void free_state(void *state)
{
	struct top *top = state;

	top_free_places(top);
	free(top->addresses);
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++)
		free(top->events[kind]);
	reasons_free(&top->reasons);
	model_free(&top->model);
	for (uint32_t n = 0; n < top->taken_count; n++)
		precis_symbols_free(top->taken[n]);
	free(top->taken);
	top_objects_free(&top->objects);
	top_builds_free(&top->builds);
	known_places_free(&top->known);
}

/*
 * Latencies of PEBS have a definition for each kind of core, which do not add up: the event's first
 * sample that has one says which it is.
 */
static void choose_latency(struct top *top, uint32_t place, const struct precis_sample *sample)
{
	static const uint8_t fields[] = { PRECIS_FIELD_LOAD_LATENCY, PRECIS_FIELD_CACHE_LATENCY };
	uint32_t *latency = &top->events[PRECIS_EVENT_PEBS][place].pebs_latency;

	if (sample->event_kind != PRECIS_EVENT_PEBS)
		return;
	for (size_t i = 0; i < sizeof(fields) && !*latency; i++) {
		if (precis_fields_have(sample->present, fields[i]))
			*latency = fields[i];
	}
}

/* There are more addresses than the table holds. */
static __attribute__((noinline)) struct tally_entry *
add_to_full(struct top *top, uint32_t bank, uint64_t space, uint64_t address)
{
	if (top->model.symbols && top->model.phase == MODEL_READING) {
		top->model.starts_over = 1; /* to ask, all of the recording's mappings must be known */
		return NULL;
	}
	top_settle_places(top);
	return tally_add(&top->addresses[bank], space, address);
}

static int take_record(void *state, struct precis_file *file, const struct precis_record *record)
{
	model_record(&((struct top *)state)->model, file, record);
	return 0;
}

static int starts_over(const void *state)
{
	return ((const struct top *)state)->model.starts_over;
}

static int again(void *state)
{
	struct top *top = state;

	model_again(&top->model);
	top->has_parts = 0;
	top_free_places(top);
	reasons_free(&top->reasons);
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		memset(top->events[kind], 0, top->event_count[kind] * sizeof(*top->events[kind]));
		if (top_have_event(top, kind, 0) < 0)
			return -1;
	}
	return 0;
}

/* --- samples --- */

/*
 * Are there places of such samples? perf's address of an IBS sample whose payload is lost may be off
 * by the skid: it is none, unless the kernel says that it is the instruction's own.
 */
static int has_address(const struct precis_sample *sample)
{
	uint64_t exact = 0;

	if (!precis_fields_have(sample->present, PRECIS_FIELD_IP))
		return 0;
	switch (sample->source) {
	case PRECIS_SOURCE_NONE:
		return sample->event_kind == PRECIS_EVENT_OTHER;
	case PRECIS_SOURCE_PERF_WORDS:
		return sample->event_kind == PRECIS_EVENT_PEBS ||
		       (precis_get_ip_exact(sample, &exact) && exact);
	default:
		return 1;
	}
}

/* The note of a group: 0 if its samples have no place; else 1, and above it the latency's field */
#define NOTE_LATENCY_SHIFT 1

static uint32_t note(void *state, const struct sample_group *group)
{
	const struct precis_sample *sample = group->sample;
	struct top *top = state;
	int latency;

	if (!has_address(sample) || top_have_event(top, sample->event_kind, group->place) < 0)
		return 0;
	choose_latency(top, group->place, sample);
	latency = top_latency_field(top, sample->event_kind, group->place);
	if (latency < 0 || !precis_fields_have(sample->present, (uint32_t)latency))
		return 1;
	return 1 | (uint32_t)latency << NOTE_LATENCY_SHIFT;
}

static int settle(void *state, const struct sample_group *group)
{
	const struct precis_sample *sample = group->sample;
	const uint64_t samples = group->weighted->samples;
	struct top *top = state;
	struct top_event *event;
	uint64_t exact = 0;

	if (sample_is_op(sample))
		reasons_add(&top->reasons, sample, PRECIS_FIELD_IP, kind_of(sample), samples);
	else if (sample->source == PRECIS_SOURCE_IBS_FETCH)
		reasons_add(&top->reasons, sample, PRECIS_FIELD_IP, POPULATION_FETCH, samples);
	if (top->reasons.failed || top_have_event(top, sample->event_kind, group->place) < 0)
		return -1;
	event = &top->events[sample->event_kind][group->place];
	if (has_address(sample))
		weighted_add(&event->all, group->weighted);
	if (sample->event_kind == PRECIS_EVENT_PEBS &&
	    !(precis_get_ip_exact(sample, &exact) && exact))
		event->inexact += samples;
	return 0;
}

static void columns(const void *state, uint8_t fields[PRECIS_FIELD_COUNT + 1])
{
	static const uint8_t always[] = { PRECIS_FIELD_IP, PRECIS_FIELD_CPUMODE, PRECIS_FIELD_PID,
					  PRECIS_FIELD_TIME, PRECIS_FIELD_LOAD_LATENCY,
					  PRECIS_FIELD_CACHE_LATENCY };
	const struct top *top = state;

	memcpy(fields, always, sizeof(always));
	fields += sizeof(always);
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		int field = top_latency_of(top->order, kind);

		if (field >= 0)
			*fields++ = (uint8_t)field;
	}
	*fields = FIELDS_END;
}

/* For each row, in two loops */
#define INLINE inline __attribute__((always_inline))

/* A row's part of a key of top.addresses, and the process that it may be of: NULL, that is not known */
struct row_space {
	uint64_t space;
	struct process *process;
};

static __attribute__((noinline)) struct row_space
find_space(struct top *top, const struct sample_batch *batch, uint32_t row)
{
	/* all ones if it is absent: within the mask no mode that there is */
	uint64_t mode = batch->column[PRECIS_FIELD_CPUMODE][row] & PRECIS_MISC_CPUMODE_MASK;
	struct row_space found = { .process = NULL };
	uint32_t owner;

	if (!row_owner(batch, row, &owner)) {
		if (mode == PRECIS_CPUMODE_USER)
			mode = PRECIS_CPUMODE_UNKNOWN;
		found.space = mode << TOP_MODE_SHIFT;
		return found;
	}
	found.process = row_process(&top->model, owner);
	found.space = mode << TOP_MODE_SHIFT | owner;
	if (found.process)
		found.space |= (uint64_t)process_epoch(found.process, row_time(&top->model, batch, row))
			       << TOP_EPOCH_SHIFT;
	return found;
}

/* An event's part of such keys */
static inline uint64_t space_of_event(uint32_t kind, uint32_t place)
{
	return (uint64_t)kind << TOP_KIND_SHIFT | (uint64_t)(place % TOP_BANK) << TOP_EVENT_SHIFT;
}

/* What a sample adds at least and at most. One that adds nothing is not one of which that is not known. */
static inline void bound_cycles(struct weighted *all, uint64_t cycles)
{
	const uint64_t least = cycles ? cycles : 1;

	all->least = all->least && all->least < least ? all->least : least;
	all->most = all->most > least ? all->most : least;
}

/* What rows of one event have in common */
struct row_event {
	uint32_t bank;
	uint64_t space;
	struct weighted *cycles;
};

static inline struct row_event event_of(const struct top *top, const struct sample_batch *batch,
					uint32_t row)
{
	const uint32_t kind = batch_event_kind(batch, row), place = batch_place(batch, row);

	return (struct row_event){
		.bank = place / TOP_BANK, .space = space_of_event(kind, place),
		.cycles = &top->events[kind][place].cycles,
	};
}

/* A sample that has been counted: its latency */
static INLINE void add_latency(struct tally_sums *sums, struct weighted *all, uint64_t value, uint64_t weight)
{
	const uint64_t cycles = weight * value;

	sums->latency_sum += cycles;
	weight_sum_add(sums->latency_squares, (weight_sum)cycles * cycles);
	bound_cycles(all, cycles);
	sums->latency_weight += weight;
	sums->latency_count++;
}

/* A row that has a place: what it is counted by */
struct expected_row {
	uint64_t space, hash;
	uint32_t row, note;
};

/* is_weighed: what samples of the table weigh is added up. */
static INLINE void count_row(struct top *top, const struct sample_batch *batch,
			     const struct expected_row *is, const struct row_event *event,
			     uint64_t weight, int is_weighed)
{
	const uint32_t row = is->row, latency = is->note >> NOTE_LATENCY_SHIFT;
	const uint64_t address = batch->column[PRECIS_FIELD_IP][row];
	struct tally *tally = &top->addresses[event->bank];
	struct tally_entry *entry = tally_add_expected(tally, is->hash, is->space, address);
	struct tally_sums *sums;

	if (__builtin_expect(!entry, 0))
		entry = add_to_full(top, event->bank, is->space, address);
	if (!entry || !(latency || is_weighed))
		return;
	sums = tally_sums(tally, entry);
	if (__builtin_expect(!sums, 0)) {
		top->failed = 1;
		return;
	}
	if (is_weighed) {
		sums->weight += weight;
		weight_sum_add(sums->squares, (weight_sum)weight * weight);
	}
	if (latency)
		add_latency(sums, event->cycles, batch->column[latency][row], weight);
}

/* What the row's sample weighs where something has to sort */
static inline uint64_t weight_of(const struct sample_batch *batch, uint32_t row)
{
	const uint64_t known = batch_weight(batch, row);

	return known ? known : WEIGHT_UNKNOWN;
}

/* Do all samples of the table weigh as these do? From here on, if they are its first */
static int all_weigh(struct tally *tally, uint64_t weight)
{
	if (!tally->count && !tally->is_weighed)
		tally->each = weight;
	return !tally->is_weighed && tally->each == weight;
}

/* Its samples weigh differently, or may. */
static inline struct tally *weighed_table(struct top *top, uint32_t bank)
{
	struct tally *tally = &top->addresses[bank];

	if (__builtin_expect(!tally->is_weighed, 0) && tally_weigh(tally) < 0)
		top->failed = 1;
	return tally;
}

/* Rows that have a place, whose entries are on their way from memory then. The end of these */
static INLINE struct expected_row *expect_rows(struct top *top, const struct sample_batch *batch,
					       struct expected_row *end, int is_alike)
{
	const uint64_t *const address = batch->column[PRECIS_FIELD_IP];
	const uint64_t *const mode = batch->column[PRECIS_FIELD_CPUMODE];
	const uint64_t *const pid = batch->column[PRECIS_FIELD_PID];
	const uint64_t *const time = batch->column[PRECIS_FIELD_TIME];
	const struct notes *const notes = batch->notes;
	const uint32_t rows = batch->rows, which = batch->which;
	struct row_event event = event_of(top, batch, 0);
	const struct tally *tally = &top->addresses[event.bank];
	struct row_space last = { .process = NULL }; /* of the row that was looked up last, … */
	uint64_t mode_of_last = 0, pid_of_last = 0;  /* … which had these */

	for (uint32_t row = 0; row < rows; row++) {
		const uint32_t note = notes[row].of[which];

		if (!note)
			continue;
		if (!is_alike) {
			event = event_of(top, batch, row);
			tally = &top->addresses[event.bank];
		}
		if (__builtin_expect(last.process && mode[row] == mode_of_last &&
					     pid[row] == pid_of_last && time[row] != UINT64_MAX &&
					     process_is_same(last.process, time[row]), 1)) {
			process_saw(last.process, time[row]);
		} else {
			last = find_space(top, batch, row);
			mode_of_last = mode[row];
			pid_of_last = pid[row];
		}
		end->row = row;
		end->note = note;
		end->space = event.space | last.space;
		end->hash = tally_expect(tally, end->space, address[row]);
		end++;
	}
	return end;
}

/*
 * Rows are looked at twice: what comes between hides the waiting for their entries. is_alike: nothing of the
 * event, nor what its samples weigh, is to be asked of each row.
 */
static INLINE void take_rows(struct top *top, const struct sample_batch *batch, int is_alike)
{
	struct expected_row expected[BATCH_ROWS], *const end = expect_rows(top, batch, expected, is_alike);
	struct row_event event = event_of(top, batch, 0);
	uint64_t weight = weight_of(batch, 0);

	for (const struct expected_row *is = expected; is < end && !top->model.starts_over; is++) {
		if (!is_alike) {
			event = event_of(top, batch, is->row);
			weight = weight_of(batch, is->row);
			weighed_table(top, event.bank);
		}
		count_row(top, batch, is, &event, weight, !is_alike);
	}
}

/* Are all rows of one table, whose samples are counted and no more? */
static int are_counted(struct top *top, const struct sample_batch *batch)
{
	return batch_weighs_alike(batch) &&
	       all_weigh(&top->addresses[event_of(top, batch, 0).bank], weight_of(batch, 0));
}

static int take_batch(void *state, const struct sample_batch *batch)
{
	struct top *top = state;

	if (are_counted(top, batch))
		take_rows(top, batch, 1);
	else
		take_rows(top, batch, 0);
	return top->failed ? -1 : 0;
}

static int finish(void *state)
{
	struct top *top = state;

	top_settle_places(top);
	if (top->has_parts && top_end_part(top) < 0)
		return -1;
	top_join_parts(top);
	return top->failed ? -1 : 0;
}

/* Before all mappings are known no address can become a place: then it is all one part. */
static int end_part(void *state)
{
	struct top *top = state;

	if (top->model.symbols && top->model.phase == MODEL_READING)
		return 0;
	top->has_parts = 1;
	top_settle_places(top);
	return top_end_part(top);
}

static int is_crowded(const void *state, uint32_t others)
{
	const struct top *top = state;

	return !top->has_parts && top_places_most(top) > TOP_PLACES_MOST / (others + 1);
}

static uint64_t unlearnt(const void *state)
{
	return ((const struct top *)state)->model.unlearnt;
}

static void tables(struct document *document, const void *state, const struct reasons *reasons)
{
	(void)reasons; /* of ops and fetches it has its own */
	top_tables(document, state);
}

static void findings(struct findings *findings, const void *state)
{
	top_findings(findings, state);
}

static const uint8_t decided[] = { PRECIS_FIELD_OP, PRECIS_FIELD_IP, PRECIS_FIELD_IP_EXACT,
				   FIELDS_END };

const struct analysis analysis_top = {
	.name = "top",
	.of = ANALYSIS_OF_ALL,
	.state_bytes = sizeof(struct top),
	.decided = decided,
	.begin = begin,
	.settle = settle,
	.columns = columns,
	.note = note,
	.batch = take_batch,
	.record = take_record,
	.takes_late_records = 1,
	.starts_over = starts_over,
	.again = again,
	.finish = finish,
	.merge = top_merge,
	.saves = top_saves,
	.part = end_part,
	.is_crowded = is_crowded,
	.unlearnt = unlearnt,
	.free = free_state,
	.findings = findings,
	.tables = tables,
};
