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
	struct top *top = state;

	top->about = about;
	top->order = (enum top_order)about->order;
	top->model.processes.epochs_most = TOP_EPOCHS_MOST;
	if (about->symbols && model_begin(&top->model, about, about->symbols) < 0)
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

/*
 * Rows that stand one behind the other, of one event, and of one process while that ran one program. But for
 * the address their keys are alike.
 */
struct stretch {
	uint32_t first, end;
	uint64_t space;
	struct row_event event;
};

/*
 * A row that has a place. is_weighed: what samples of the table weigh is added up. 'hash': the key's.
 * @return 0: all has to start over
 */
static INLINE int count_row(struct top *top, const struct sample_batch *batch, uint32_t row,
			    const struct stretch *is, struct tally *tally, uint64_t hash,
			    uint32_t latency, uint64_t weight, int is_weighed)
{
	const uint64_t address = batch->column[PRECIS_FIELD_IP][row];
	struct tally_entry *entry = tally_add_expected(tally, hash, is->space, address);
	struct tally_sums *sums;

	if (__builtin_expect(!entry, 0)) {
		entry = add_to_full(top, is->event.bank, is->space, address);
		if (!entry)
			return !top->model.starts_over;
	}
	if (!(latency || is_weighed))
		return 1;
	sums = tally_sums(tally, entry);
	if (__builtin_expect(!sums, 0)) {
		top->failed = 1;
		return 1;
	}
	if (is_weighed) {
		sums->weight += weight;
		weight_sum_add(sums->squares, (weight_sum)weight * weight);
	}
	if (latency)
		add_latency(sums, is->event.cycles, batch->column[latency][row], weight);
	return 1;
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
static inline void weigh_table(struct top *top, struct tally *tally)
{
	if (__builtin_expect(!tally->is_weighed, 0) && tally_weigh(tally) < 0)
		top->failed = 1;
}

/* Are both rows of one event? */
static inline int is_of_event(const struct sample_batch *batch, uint32_t row, uint32_t other)
{
	return batch_event_kind(batch, row) == batch_event_kind(batch, other) &&
	       batch_place(batch, row) == batch_place(batch, other);
}

/* As far as rows from the first one on are as it is: it ran in that process (NULL: that is not known) */
static INLINE uint32_t end_of_stretch(const struct sample_batch *batch, uint32_t first,
				      struct process *process, int is_alike)
{
	const uint64_t *const mode = batch->column[PRECIS_FIELD_CPUMODE];
	const uint64_t *const pid = batch->column[PRECIS_FIELD_PID];
	const uint64_t *const time = batch->column[PRECIS_FIELD_TIME];
	const uint64_t mode_of_first = mode[first], pid_of_first = pid[first];
	const uint32_t rows = batch->rows;
	uint64_t since, length, latest = 0;
	uint32_t row = first + 1;

	if (!process)
		return row;
	since = process->since;
	length = process->length;
	if (length > UINT64_MAX - since)
		length = UINT64_MAX - since; /* a time that is absent is none of these */
	for (; row < rows; row++) {
		const uint64_t after = time[row] - since;

		if (mode[row] != mode_of_first || pid[row] != pid_of_first || after >= length ||
		    (!is_alike && !is_of_event(batch, first, row)))
			break;
		latest = after > latest ? after : latest;
	}
	if (row > first + 1)
		process_saw(process, since + latest);
	return row;
}

/* Of those rows that have a place, and maybe others between them. How many */
static INLINE uint32_t find_stretches(struct top *top, const struct sample_batch *batch,
				      struct stretch stretches[BATCH_ROWS], int is_alike)
{
	uint32_t count = 0;

	for (uint32_t row = 0; row < batch->rows;) {
		struct stretch *is = &stretches[count];
		struct row_space space;

		if (!batch_note(batch, row)) {
			row++;
			continue;
		}
		space = find_space(top, batch, row);
		is->event = event_of(top, batch, row);
		is->space = is->event.space | space.space;
		is->first = row;
		row = is->end = end_of_stretch(batch, row, space.process, is_alike);
		count++;
	}
	return count;
}

/* Entries of the stretch's rows are on their way from memory then. */
static inline void expect_entries(const struct top *top, const struct sample_batch *batch,
				  const struct stretch *is, uint64_t hash[BATCH_ROWS])
{
	const struct tally *tally = &top->addresses[is->event.bank];
	const uint64_t *const address = batch->column[PRECIS_FIELD_IP];
	const uint32_t end = is->end;
	const uint64_t space = is->space;

	UNROLLED
	for (uint32_t row = is->first; row < end; row++)
		hash[row] = tally_expect(tally, space, address[row]);
}

/* @return 0: all has to start over */
static INLINE int count_stretch(struct top *top, const struct sample_batch *batch,
				const struct stretch *is, const uint64_t hash[BATCH_ROWS],
				uint64_t weight, int is_alike)
{
	const struct notes *const notes = batch->notes;
	const uint32_t which = batch->which, end = is->end;
	struct tally *const tally = &top->addresses[is->event.bank];

	for (uint32_t row = is->first; row < end; row++) {
		const uint32_t note = notes[row].of[which];

		if (!note)
			continue;
		if (!is_alike) {
			weight = weight_of(batch, row);
			weigh_table(top, tally);
		}
		if (!count_row(top, batch, row, is, tally, hash[row], note >> NOTE_LATENCY_SHIFT, weight,
			       !is_alike))
			return 0;
	}
	return 1;
}

/*
 * Rows are looked at twice: what comes between hides the waiting for their entries. is_alike: nothing of the
 * event, nor what its samples weigh, is to be asked of each row.
 */
static INLINE void take_rows(struct top *top, const struct sample_batch *batch, int is_alike)
{
	struct stretch stretches[BATCH_ROWS];
	const uint32_t count = find_stretches(top, batch, stretches, is_alike);
	const uint64_t weight = weight_of(batch, 0);
	uint64_t hash[BATCH_ROWS];

	for (uint32_t n = 0; n < count; n++)
		expect_entries(top, batch, &stretches[n], hash);
	for (uint32_t n = 0; n < count && !top->model.starts_over; n++) {
		if (!count_stretch(top, batch, &stretches[n], hash, weight, is_alike))
			break;
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
