/* SPDX-License-Identifier: BSD-3-Clause */
/* See in_step.h. An analysis that counts what serial.h wants, and tells of it where there is anything. */
#define _GNU_SOURCE /* asprintf() */
#include "in_step.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses.h"
#include "batch.h"
#include "event_places.h"
#include "kinds.h"
#include "merge.h"
#include "recordings.h"
#include "saving/fields.h"
#include "ibs_config.h"
#include "topics.h"
#include "weights.h"

/* Of more events than that of a kind nothing is measured: a file can name any number. */
#define PLACES_MOST 64u
/* Longer periods are not asked whether they are primes: nobody has so many events. */
#define PERIOD_MOST WEIGHT_MOST

/* Software events of Linux that count time */
#define TYPE_SOFTWARE 1u
#define SOFTWARE_TASK_CLOCK 1u

/* An event in one recording */
struct in_step_event {
	uint32_t recording, kind, place;
	uint32_t is; /* SERIAL_MAY_LOCK, SERIAL_OF_ALL */
	int is_every; /* each event was sampled: there is nothing to be in step with */
	struct serial serial;
};

struct in_step {
	const struct analysis_about *about;
	struct in_step_event *own[EVENT_KINDS][PLACES_MOST]; /* of the first recording; NULL: none */
	struct in_step_event **others; /* of those that were added */
	uint32_t other_count;
};

/* --- counting --- */

/* What figures are shares of: fields, and which of their values are meant */
static const struct {
	uint8_t field;
	uint32_t values;
} indicators[] = {
	{ PRECIS_FIELD_OP, 1 << PRECIS_OP_LOAD | 1 << PRECIS_OP_LOAD_STORE },
	{ PRECIS_FIELD_OP, 1 << PRECIS_OP_STORE },
	{ PRECIS_FIELD_OP, 1 << PRECIS_OP_BRANCH },
	{ PRECIS_FIELD_DCACHE_MISS, 2 },
	{ PRECIS_FIELD_L2_MISS, 2 },
	{ PRECIS_FIELD_MEM_LEVEL, 1 << PRECIS_MEM_LEVEL_L1 },
	{ PRECIS_FIELD_MEM_LEVEL, 1 << PRECIS_MEM_LEVEL_DRAM },
	{ PRECIS_FIELD_MEM_REMOTE, ~(1u << PRECIS_MEM_REMOTE_LOCAL) },
	{ PRECIS_FIELD_TLB_LEVEL, 1 << PRECIS_TLB_LEVEL_L1 },
	{ PRECIS_FIELD_TLB_LEVEL, 1 << PRECIS_TLB_LEVEL_WALK },
	{ PRECIS_FIELD_LOCKED, 2 },
	{ PRECIS_FIELD_BRANCH_MISPREDICTED, 2 },
	{ PRECIS_FIELD_BRANCH_TAKEN, 2 },
	{ PRECIS_FIELD_FETCH_COMPLETED, 2 },
	{ PRECIS_FIELD_ICACHE_MISS, 2 },
};
#define INDICATORS (sizeof(indicators) / sizeof(indicators[0]))

static const uint8_t decided[] = {
	PRECIS_FIELD_IP, PRECIS_FIELD_OP, PRECIS_FIELD_DCACHE_MISS, PRECIS_FIELD_L2_MISS,
	PRECIS_FIELD_MEM_LEVEL, PRECIS_FIELD_MEM_REMOTE, PRECIS_FIELD_TLB_LEVEL,
	PRECIS_FIELD_LOCKED, PRECIS_FIELD_BRANCH_MISPREDICTED, PRECIS_FIELD_BRANCH_TAKEN,
	PRECIS_FIELD_FETCH_COMPLETED, PRECIS_FIELD_ICACHE_MISS, FIELDS_END,
};

/* The note of a group: its indicators, and that it counts */
#define NOTE_COUNTS (1u << 16)

static int begin(void *state, const struct analysis_about *about)
{
	((struct in_step *)state)->about = about;
	return 0;
}

static int is_wanted(const struct analysis_about *about)
{
	/* Intervals are wherever there are figures. What samples tell chooses places, too, which repeat. */
	return !about->is_filtered;
}

static struct in_step_event *open_event(struct in_step *in_step, uint32_t kind, uint32_t place)
{
	struct in_step_event **event = &in_step->own[kind][place];

	if (!*event)
		*event = calloc(1, sizeof(**event));
	if (*event) {
		(*event)->kind = kind;
		(*event)->place = place;
	}
	return *event;
}

/* The indicators that the value of a field makes true */
static uint32_t indicated(uint32_t field, uint64_t value)
{
	uint32_t bits = 0;

	for (uint32_t n = 0; n < INDICATORS; n++) {
		if (indicators[n].field == field && value < 32 && indicators[n].values >> value & 1)
			bits |= 1u << n;
	}
	return bits;
}

static uint32_t apart(uint32_t field, const uint64_t *value)
{
	return value ? indicated(field, *value) : 0;
}

static uint32_t note(void *state, const struct sample_group *group)
{
	const struct precis_sample *sample = group->sample;
	uint32_t note = NOTE_COUNTS;
	uint64_t value;

	if (group->place >= PLACES_MOST || !precis_fields_have(sample->present, PRECIS_FIELD_IP) ||
	    !open_event(state, sample->event_kind, group->place))
		return 0;
	for (const uint8_t *field = decided; *field != FIELDS_END; field++) {
		if (precis_get(sample, *field, &value))
			note |= indicated(*field, value);
	}
	return note;
}

static void columns(const void *state, uint8_t fields[PRECIS_FIELD_COUNT + 1])
{
	(void)state;
	fields[0] = PRECIS_FIELD_IP;
	fields[1] = PRECIS_FIELD_TID; /* all ones where it is absent: then all are one */
	fields[2] = FIELDS_END;
}

static inline struct in_step_event *event_of_row(const struct in_step *in_step,
						 const struct sample_batch *batch, uint32_t row)
{
	return in_step->own[batch_event_kind(batch, row)][batch_place(batch, row)];
}

/* is_alike: no row is of another event than the first one, without a look at each */
static inline __attribute__((always_inline)) uint32_t rows_of(
	const struct in_step *in_step, const struct sample_batch *batch, uint32_t first,
	const struct in_step_event *event, uint16_t indicators[BATCH_ROWS], int is_alike)
{
	const struct notes *const notes = batch->notes + first;
	const uint32_t which = batch->which, rows = batch->rows - first;
	uint32_t count;

	for (count = 0; count < rows; count++) {
		const uint32_t note = notes[count].of[which];

		if (!note || (!is_alike && event_of_row(in_step, batch, first + count) != event))
			break;
		indicators[count] = (uint16_t)note;
	}
	return count;
}

/* The next of the batch's rows that count and are of one event: how many; the event and what it indicates */
static uint32_t rows_of_event(const struct in_step *in_step, const struct sample_batch *batch,
			      uint32_t first, struct in_step_event **event,
			      uint16_t indicators[BATCH_ROWS])
{
	if (!batch->notes[first].of[batch->which])
		return 0;
	*event = event_of_row(in_step, batch, first);
	return batch->is_alike ? rows_of(in_step, batch, first, *event, indicators, 1)
			       : rows_of(in_step, batch, first, *event, indicators, 0);
}

static int take_batch(void *state, const struct sample_batch *batch)
{
	const uint64_t *ip = batch->column[PRECIS_FIELD_IP], *tid = batch->column[PRECIS_FIELD_TID];
	struct in_step *in_step = state;
	uint16_t indicators[BATCH_ROWS];
	struct in_step_event *event = NULL;

	for (uint32_t row = 0, count; row < batch->rows; row += count ? count : 1) {
		count = rows_of_event(in_step, batch, row, &event, indicators);
		if (count && serial_add(&event->serial, tid + row, ip + row, indicators, count) < 0)
			return -1;
	}
	return 0;
}

static void end_events(struct in_step *in_step)
{
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		for (uint32_t n = 0; n < PLACES_MOST; n++) {
			if (in_step->own[kind][n])
				serial_part(&in_step->own[kind][n]->serial);
		}
	}
}

/* What begins anew tells less. */
static int end_part(void *state)
{
	struct in_step *in_step = state;

	if (in_step->about->may_be_shared)
		end_events(in_step);
	return 0;
}

/* --- events --- */

static int is_clock(const struct precis_event *event)
{
	return event->type == TYPE_SOFTWARE && event->config <= SOFTWARE_TASK_CLOCK;
}

/* Then the counter starts at a random number. */
static int counts_ops(const struct precis_event *event)
{
	return event->kind == PRECIS_EVENT_IBS_OP && op_event_unit(event) == PRECIS_PERIOD_UNIT_OPS;
}

static int is_random(const struct precis_event *event)
{
	return event->is_frequency ||
	       counts_ops(event) ||
	       (event->kind == PRECIS_EVENT_IBS_FETCH && event->config & IBS_FETCH_RANDOM);
}

static int may_lock(const struct precis_event *event)
{
	return !is_random(event) && !is_clock(event) && event->sample_period > 1 &&
	       !(event->sample_period <= PERIOD_MOST && precis_plan_is_prime(event->sample_period));
}

static int is_of_all(const struct precis_event *event)
{
	return counts_ops(event) &&
	       !(event->config & IBS_OP_L3_MISS_ONLY) && !event->config1;
}

static int is_every(const struct precis_event *event)
{
	return !event->is_frequency && event->sample_period == 1;
}

static uint32_t place_of(const struct analysis_about *about, const struct precis_event *event)
{
	const struct event_places *places = about->events[event->kind];

	if (event->kind == PRECIS_EVENT_IBS_OP || event->kind == PRECIS_EVENT_IBS_FETCH)
		return 0;
	return event->index < places->known ? places->place[places->alike[event->index]] : 0;
}

static int finish(void *state)
{
	struct in_step *in_step = state;
	const struct precis_input *input = in_step->about->input;

	end_events(in_step);
	for (uint32_t n = 0; n < precis_input_event_count(input); n++) {
		const struct precis_event *is = precis_input_event(input, n);
		const uint32_t place = place_of(in_step->about, is);
		struct in_step_event *event =
			place < PLACES_MOST ? in_step->own[is->kind][place] : NULL;

		if (!event)
			continue;
		event->is |= may_lock(is) ? SERIAL_MAY_LOCK : 0;
		event->is |= is_of_all(is) ? SERIAL_OF_ALL : 0;
		event->is_every |= is_every(is);
	}
	return 0;
}

static void free_event(struct in_step_event *event)
{
	if (event)
		serial_free(&event->serial);
	free(event);
}

static void free_state(void *state)
{
	struct in_step *in_step = state;

	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		for (uint32_t n = 0; n < PLACES_MOST; n++)
			free_event(in_step->own[kind][n]);
	}
	for (uint32_t n = 0; n < in_step->other_count; n++)
		free_event(in_step->others[n]);
	free(in_step->others);
}

/* Of other parts of the same recording */
static int join_event(struct in_step *in_step, const struct in_step_event *from, uint32_t place,
		      struct serial *serial)
{
	struct in_step_event *event =
		place < PLACES_MOST ? open_event(in_step, from->kind, place) : NULL;

	if (!event)
		return place < PLACES_MOST ? -1 : 0;
	event->is |= from->is;
	event->is_every |= from->is_every;
	return serial_merge(&event->serial, serial);
}

static int take_event(struct in_step *in_step, struct in_step_event *event, uint32_t place,
		      uint32_t recording)
{
	struct in_step_event **more =
		realloc(in_step->others, (in_step->other_count + 1) * sizeof(*more));

	if (!more)
		return -1;
	event->place = place;
	event->recording = recording;
	in_step->others = more;
	more[in_step->other_count++] = event;
	return 0;
}

static int merge(void *state, void *other, const struct analysis_merge *how)
{
	struct in_step *in_step = state, *others = other;

	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		for (uint32_t n = 0; n < PLACES_MOST; n++) {
			struct in_step_event *event = others->own[kind][n];
			uint32_t place;

			if (!event)
				continue;
			place = how->place[kind][n];
			if (!how->recording) {
				if (join_event(in_step, event, place, &event->serial) < 0)
					return -1;
				continue;
			}
			if (take_event(in_step, event, place, how->recording) < 0)
				return -1;
			others->own[kind][n] = NULL;
		}
	}
	return 0;
}

/* --- saved --- */

static const struct saved_field piece_fields[] = {
	SAVED_U32(struct serial_piece, size),
	SAVED_U32(struct serial_piece, count),
	SAVED_NOT(struct serial_piece, ones), /* behind the others, of batches that are complete */
	SAVED_END,
};

/* What a part that goes on has is not there any more. */
static const struct saved_field serial_fields[] = {
	SAVED_NOT(struct serial, streams),
	SAVED_NOT(struct serial, pieces), /* behind the others */
	SAVED_NOT(struct serial, piece_count),
	SAVED_NOT(struct serial, is_open),
	SAVED_NOT(struct serial, counts),
	SAVED_NOT(struct serial, in_counts),
	SAVED_NOT(struct serial, in_batch),
	SAVED_NOT(struct serial, ones),
	SAVED_NOT(struct serial, segments),
	SAVED_U64(struct serial, samples),
	SAVED_U64(struct serial, judged),
	SAVED_U64(struct serial, locked),
	SAVED_U64(struct serial, repeat),
	SAVED_U64(struct serial, triples),
	SAVED_U64(struct serial, turns),
	SAVED_END,
};

static const struct saved_field event_fields[] = {
	SAVED_NOT(struct in_step_event, recording), /* the first one's: what is saved is of one */
	SAVED_NOT(struct in_step_event, kind), /* those of the list */
	SAVED_NOT(struct in_step_event, place),
	SAVED_U32(struct in_step_event, is),
	SAVED_U32(struct in_step_event, is_every),
	SAVED_NOT(struct in_step_event, serial), /* behind the others */
	SAVED_END,
};

/* 0, or -1 if memory is short */
static int have_piece(struct serial *serial, uint32_t n)
{
	if (n < serial->piece_count)
		return 0;
	serial->pieces[n] = calloc(1, sizeof(*serial->pieces[n]));
	serial->piece_count += serial->pieces[n] != NULL;
	return serial->pieces[n] ? 0 : -1;
}

static void saved_piece(struct saving *saving, struct serial_piece *piece)
{
	saved_fields(saving, piece, piece_fields);
	if (piece->count > SERIAL_BATCHES) {
		saving_damaged(saving, "expected at most %u batches, found %u", SERIAL_BATCHES, piece->count);
		piece->count = 0;
	}
	for (uint32_t n = 0; n < piece->count && !saving_failed(saving); n++) {
		for (uint32_t i = 0; i < SERIAL_INDICATORS; i++)
			saved_u32(saving, &piece->ones[n][i]);
	}
}

static void saved_serial(struct saving *saving, struct serial *serial)
{
	uint32_t count;

	saved_fields(saving, serial, serial_fields);
	count = saved_count(saving, serial->piece_count, UINT32_MAX, 8, "parts");
	if (saving->is_loading && count) {
		serial->pieces = calloc(count, sizeof(*serial->pieces));
		if (!serial->pieces)
			saving_no_memory(saving);
	}
	for (uint32_t n = 0; n < count && !saving_failed(saving); n++) {
		if (have_piece(serial, n) < 0) {
			saving_no_memory(saving);
			return;
		}
		saved_piece(saving, serial->pieces[n]);
	}
}

static void saves(struct saving *saving, void *state)
{
	struct in_step *in_step = state;

	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		for (uint32_t n = 0; n < PLACES_MOST && !saving_failed(saving); n++) {
			struct in_step_event *event = in_step->own[kind][n];

			if (!saved_is_there(saving, event != NULL))
				continue;
			event = open_event(in_step, kind, n);
			if (!event) {
				saving_no_memory(saving);
				return;
			}
			saved_fields(saving, event, event_fields);
			saved_serial(saving, &event->serial);
			if (n > in_step->about->events[kind]->count)
				saving_damaged(saving, "expected at most %u events",
					       in_step->about->events[kind]->count);
		}
	}
}

/* --- what comes of it --- */

static const struct serial_effect none = { .effect = 1 };

static struct serial_effect effect_of(const struct in_step_event *event)
{
	return event && !event->is_every ? serial_tell(&event->serial, event->is) : none;
}

static const struct in_step_event *own_event(const struct in_step *in_step, uint32_t kind,
					     uint32_t place)
{
	return place < PLACES_MOST ? in_step->own[kind][place] : NULL;
}

static int is_event(const struct in_step_event *event, uint32_t kind, uint32_t place)
{
	return event->kind == kind && event->place == place;
}

/* Of all recordings together */
static struct serial_effect in_step_of_all(const struct analysis_about *about, uint32_t kind,
					   uint32_t place)
{
	const struct in_step *in_step = about->in_step;
	struct serial_effect all = { .verdict = SERIAL_FEW, .effect = 1 }, *effects;
	size_t count = 0;

	if (!in_step)
		return none;
	effects = calloc(in_step->other_count + 1, sizeof(*effects));
	if (!effects) /* what is not known */
		return all;
	effects[count++] = effect_of(own_event(in_step, kind, place));
	for (uint32_t n = 0; n < in_step->other_count; n++) {
		if (is_event(in_step->others[n], kind, place))
			effects[count++] = effect_of(in_step->others[n]);
	}
	all = serial_together(effects, count);
	free(effects);
	return all;
}

struct serial_effect in_step_of_recording(const struct analysis_about *about, uint32_t recording,
					  uint32_t kind, uint32_t place)
{
	const struct in_step *in_step = about->in_step;

	if (!in_step)
		return none;
	for (uint32_t n = 0; n < in_step->other_count && recording; n++) {
		if (is_event(in_step->others[n], kind, place) &&
		    in_step->others[n]->recording == recording)
			return effect_of(in_step->others[n]);
	}
	return effect_of(recording ? NULL : own_event(in_step, kind, place));
}

void in_step_tell(struct document *document, const struct analysis_about *about, uint32_t kind,
		  uint32_t place)
{
	const struct serial_effect effect = in_step_of_all(about, kind, place);

	document_depend(document, serial_dependence(&effect));
}

void in_step_offer(struct findings *findings, const struct analysis_about *about, uint32_t kind,
		   uint32_t place)
{
	const struct serial_effect effect = in_step_of_all(about, kind, place);

	findings_depend(findings, serial_dependence(&effect));
	findings_of_ops(findings, kind == PRECIS_EVENT_IBS_OP);
}

/* 0: none that are of one unit alone */
static int unit_of(enum analysis_of of, uint32_t *kind)
{
	*kind = of == ANALYSIS_OF_OPS ? PRECIS_EVENT_IBS_OP : PRECIS_EVENT_IBS_FETCH;
	return of == ANALYSIS_OF_OPS || of == ANALYSIS_OF_FETCHES;
}

void in_step_tell_all(struct document *document, const struct analysis_about *about,
		      enum analysis_of of)
{
	uint32_t kind;

	if (unit_of(of, &kind))
		in_step_tell(document, about, kind, 0);
	else
		document_depend(document, 1);
}

void in_step_offer_all(struct findings *findings, const struct analysis_about *about,
		       enum analysis_of of)
{
	uint32_t kind;

	if (unit_of(of, &kind)) {
		in_step_offer(findings, about, kind, 0);
	} else {
		findings_depend(findings, 1);
		findings_of_ops(findings, 0);
	}
}

/* --- what is told --- */

/* One of the events that it is about; NULL: that is not known */
static const struct precis_event *event_of(const struct analysis_about *about, uint32_t kind,
					   uint32_t place)
{
	const struct event_places *places = about->events[kind];

	if (place)
		return recordings_event(about->recordings, places->number[place - 1]);
	for (uint32_t n = 0; n < recordings_events(about->recordings); n++) {
		const struct precis_event *event = recordings_event(about->recordings, n);

		if (event && event->kind == kind)
			return event;
	}
	return NULL;
}

/* An event, or all of a kind that are of none, of which there is something to tell */
struct told {
	uint32_t kind, place;
	struct serial_effect effect;
	const struct precis_event *event; /* NULL: not known */
};

/* The next one, 'at' where the last one was found: 0 at first. 0: there are no more */
static int next_told(const struct analysis_about *about, uint32_t *at, struct told *told)
{
	for (; *at < EVENT_KINDS * PLACES_MOST; ++*at) {
		told->kind = *at / PLACES_MOST;
		told->place = *at % PLACES_MOST;
		if (told->place > about->events[told->kind]->count)
			continue;
		told->effect = in_step_of_all(about, told->kind, told->place);
		if (told->effect.verdict == SERIAL_NONE)
			continue;
		told->event = event_of(about, told->kind, told->place);
		++*at;
		return 1;
	}
	return 0;
}

#define ADVICE_ROOM 256u

static const char *random_of(const struct precis_event *event)
{
	if (is_random(event))
		return "";
	if (event->kind == PRECIS_EVENT_IBS_OP)
		return ", and with cnt_ctl=1, whose counter starts at random numbers";
	return event->kind == PRECIS_EVENT_IBS_FETCH ? ", and with rand_en=1" : "";
}

uint64_t in_step_other_period(uint64_t period, uint64_t unit)
{
	const uint64_t number = period / unit;

	/* of short ones a 21st is none, and there is nothing between */
	return precis_plan_period((number + (number < 21 ? 1 : number / 21)) * unit, unit);
}

static void advise(const struct precis_event *event, char room[ADVICE_ROOM])
{
	const int is_ibs = event && (event->kind == PRECIS_EVENT_IBS_OP ||
				     event->kind == PRECIS_EVENT_IBS_FETCH);

	if (!event || event->is_frequency || event->sample_period > PERIOD_MOST)
		snprintf(room, ADVICE_ROOM, "record with a fixed period that is a prime");
	else
		snprintf(room, ADVICE_ROOM, "record with another period than %" PRIu64
			 ", as %" PRIu64 " (%s)%s", event->sample_period,
			 in_step_other_period(event->sample_period, is_ibs ? 16 : 1),
			 is_ibs ? "an odd multiple of 16" : "a prime", random_of(event));
}

static char *text_of(const struct serial_effect *effect, const struct precis_event *event)
{
	char advice[ADVICE_ROOM], *text = NULL;
	int written = -1;

	advise(event, advice);
	if (effect->verdict == SERIAL_LOCKED)
		written = asprintf(&text,
				   "%.0f%% of the samples are of the same places again and again (after %"
				   PRIu64 " at most): the period may be in step with a loop, of which "
				   "the rest is never sampled, and what is true of all of it cannot be "
				   "known; %s", 100 * effect->locked, effect->repeat, advice);
	else if (effect->verdict == SERIAL_FEW)
		written = asprintf(&text,
				   "each sample follows from those before it: the period is nearly in "
				   "step with a loop, and %" PRIu64 " samples tell as little as fewer "
				   "than %u that are independent: how far figures are from what is true "
				   "cannot be known; %s", effect->samples, SERIAL_FEWEST, advice);
	else if (effect->verdict == SERIAL_WIDENED)
		written = asprintf(&text,
				   "samples follow from those before them: the period is nearly in step "
				   "with a loop, and %" PRIu64 " samples tell as much as %.0f that are "
				   "independent, by which intervals are widened; %s", effect->samples,
				   (double)effect->samples / effect->effect, advice);
	return written < 0 ? NULL : text;
}

static void warn(struct document *document, const struct analysis_about *about,
		 const struct told *told, int is_one_of_several)
{
	static const uint32_t topics[EVENT_KINDS] = {
		[PRECIS_EVENT_OTHER] = TOPIC_OTHERS,
		[PRECIS_EVENT_IBS_OP] = TOPIC_OPS,
		[PRECIS_EVENT_IBS_FETCH] = TOPIC_FETCHES,
		[PRECIS_EVENT_PEBS] = TOPIC_PEBS | TOPIC_LATENCY | TOPIC_RETIRE | TOPIC_PLACES,
	};
	const struct event_places *places = about->events[told->kind];
	char *text = text_of(&told->effect, told->event);

	if (text)
		document_warn(document, topics[told->kind],
			      told->place ? places->number[told->place - 1] : TABLE_OF_ALL,
			      told->event && is_one_of_several ? told->event->name : "", text);
	else
		document->failed = 1;
	free(text);
}

void in_step_warn(struct document *document, const struct analysis_about *about, int is_one_of_several)
{
	struct told told;

	for (uint32_t at = 0; next_told(about, &at, &told);)
		warn(document, about, &told, is_one_of_several);
}

static const char *name_of(const struct told *told)
{
	return told->event && told->event->name ? told->event->name : "no known event";
}

static void add_row(struct document *document, const struct told *told)
{
	static const char *const verdicts[] = {
		[SERIAL_WIDENED] = "widened", [SERIAL_FEW] = "few", [SERIAL_LOCKED] = "locked",
	};
	const struct serial_effect *effect = &told->effect;

	row_begin(document, "%s", name_of(told));
	cell_count(document, effect->samples);
	if (effect->verdict == SERIAL_LOCKED)
		cell_absent(document);
	else
		cell_count(document, (uint64_t)((double)effect->samples / effect->effect));
	cell_decimal(document, 100 * effect->locked, effect->samples);
	cell_text(document, "%s", verdicts[effect->verdict]);
}

static void offer(struct findings *findings, const struct told *told)
{
	char advice[ADVICE_ROOM];
	const struct finding found = {
		.where = advice, .of = (char *)(uintptr_t)name_of(told), .size = 1,
	};

	advise(told->event, advice);
	findings_count(findings, &found, told->effect.verdict == SERIAL_WIDENED ?
						 FINDING_ID_nearly_in_step : FINDING_ID_in_step);
}

static void findings(struct findings *to, const void *state)
{
	struct told told;

	for (uint32_t at = 0; next_told(((const struct in_step *)state)->about, &at, &told);)
		offer(to, &told);
}

static void tables(struct document *document, const void *state, const struct reasons *reasons)
{
	static const struct column columns_of[] = {
		{ "samples", "samples", 0 },
		{ "independent", "as independent ones", 0 },
		{ "repeating_percent", "% repeat", 0 },
		{ "verdict", "intervals are", COLUMN_LEFT },
	};
	const struct in_step *in_step = state;
	struct told told;

	(void)reasons;
	table_begin(document, "in_step", "Samples in step with the program", "event", columns_of, 4);
	for (uint32_t at = 0; next_told(in_step->about, &at, &told);)
		add_row(document, &told);
	table_drop_empty(document);
}

const struct analysis analysis_in_step = {
	.name = "in_step",
	.of = ANALYSIS_OF_ALL,
	.state_bytes = sizeof(struct in_step),
	.is_wanted = is_wanted,
	.decided = decided,
	.begin = begin,
	.apart = apart,
	.columns = columns,
	.note = note,
	.batch = take_batch,
	.finish = finish,
	.merge = merge,
	.saves = saves,
	.part = end_part,
	.free = free_state,
	.tables = tables,
	.findings = findings,
};
