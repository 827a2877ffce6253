/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples by whatever a user asks for: which they are, row by row; and several runs as one. See state.h. */
#include "analysis/record_id.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/analyses.h"
#include "analysis/annotate/annotate.h"
#include "analysis/merge.h"
#include "analysis/type_page/page.h"
#include "compare.h"
#include "events.h"
#include "figures.h"
#include "keys.h"
#include "name_room.h"
#include "own_columns.h"
#include "saved.h"
#include "stacks.h"
#include "tables.h"
#include "thread_data.h"
#include "times.h"
#include "type_keys.h"

/* Whatever a damaged recording says: sums of squares have room for so much of each sample */
#define CYCLES_MOST (UINT64_C(1) << 56)

static int is_wanted(const struct analysis_about *about)
{
	return about->by != NULL;
}

/* --- beginning --- */

static int is_figure_of_values(const struct by_column *column)
{
	return by_end_names(column) || column->figure == BY_MAX;
}

static int needs_model(const struct by *by)
{
	return by->wants_places || by->wants_tasks || by->wants_memory || by->wants_objects ||
	       by->wants_caller || by->wants_stack;
}

static int begin(void *state, const struct analysis_about *about)
{
	struct precis_symbols_options options = {
		.size = sizeof(options), .flags = PRECIS_SYMBOLS_NO_FILES,
	};
	struct precis_file *file = precis_input_file(about->input);
	struct by *by = state;

	by->about = about;
	by->request = about->by;
	by->depths = by->request->key_count ? by->request->key_count : 1;
	if (by->request->annotated.type)
		type_page_choose_columns(by);
	else if (by->request->annotated.is_asked)
		annotate_choose_columns(by);
	else
		by_choose_columns(by);
	by_keys_want(by);
	for (uint32_t n = 0; n < by->column_count; n++)
		by->has_values |= is_figure_of_values(&by->columns[n]);
	by->has_values |= is_figure_of_values(&by->sort);
	by->sorts_by_cycles = by->sort.figure == BY_CYCLES || by->sort.figure == BY_CYCLE_SHARE;
	by->model.names_threads = by->wants_tasks;
	precis_sample_init(&by->reader);
	by->own_columns = calloc(1, sizeof(struct by_own_columns *));
	if (!by->own_columns || by_make_table_columns(by) < 0)
		return -1;
	if (!file)
		return 0;
	if (nodes_open(&by->nodes, file) < 0)
		return -1;
	if (about->symbols)
		options = *about->symbols;
	options.flags |= by->wants_memory ? PRECIS_SYMBOLS_DATA : 0;
	if (by->wants_objects)
		lifetimes_begin(&by->lifetimes, file, about->path);
	return needs_model(by) ? model_begin(&by->model, about, &options) : 0;
}

/* Samples go. */
static void forget(struct by *by)
{
	by_events_free(&by->own);
	memset(&by->own, 0, sizeof(by->own));
	shapes_free(&by->shapes); /* that tallies were of, and there is room for some */
	by->class_count = 0;
}

static void free_state(void *state)
{
	struct by *by = state;

	by_events_free(&by->own);
	for (uint32_t n = 0; n < by->other_count; n++)
		by_events_free(&by->others[n]);
	free(by->others);
	free(by->classes);
	free(by->table_columns);
	if (by->own_columns)
		own_columns_free(*by->own_columns);
	free(by->own_columns);
	names_free(&by->names);
	nodes_free(&by->nodes);
	shapes_free(&by->shapes);
	program_types_free(&by->types);
	type_agreements_free(&by->agreements);
	type_votes_free(&by->votes);
	lifetimes_free(&by->lifetimes);
	thread_pointers_free(&by->threads);
	side_files_free(&by->side_files);
	cgroup_paths_free(&by->cgroups);
	model_free(&by->model);
	for (uint32_t n = 0; n < by->taken_count; n++)
		precis_symbols_free(by->taken[n]);
	free(by->taken);
	known_places_free(&by->known);
}

/* --- what is asked for --- */

static void append(uint8_t *fields, uint32_t field)
{
	while (*fields != FIELDS_END && *fields != field)
		fields++;
	if (*fields == FIELDS_END)
		fields[1] = FIELDS_END;
	*fields = (uint8_t)field;
}

static void append_key_fields(const struct by *by, uint8_t *fields)
{
	for (uint32_t n = 0; n < by->request->key_count; n++) {
		uint8_t of_key[BY_KEY_FIELDS];

		by_key_fields(&by->request->keys[n], of_key);
		for (const uint8_t *field = of_key; *field != FIELDS_END; field++)
			append(fields, *field);
	}
}

/* The presence of columns, and why they are absent; and what columns BY_IS are of */
static void decides(const void *state, uint8_t fields[PRECIS_FIELD_COUNT + 1])
{
	const struct by *by = state;

	append(fields, PRECIS_FIELD_IP);
	append(fields, PRECIS_FIELD_IP_EXACT);
	append_key_fields(by, fields);
	for (uint32_t n = 0; n < by->column_count; n++) {
		if (by->columns[n].figure == BY_IS)
			append(fields, by->columns[n].field);
	}
}

/* Where the data may be a thread's: which instruction accessed them, of which thread */
static const uint8_t of_threads[] = { PRECIS_FIELD_TID, PRECIS_FIELD_IP, PRECIS_FIELD_CPUMODE,
				      FIELDS_END };

static const uint8_t pebs_latencies[] = { PRECIS_FIELD_LOAD_LATENCY, PRECIS_FIELD_CACHE_LATENCY };

/* Of pages for types: who has touched a member, and from where */
static const uint8_t of_pages[] = { PRECIS_FIELD_TID, PRECIS_FIELD_PID, PRECIS_FIELD_IP, PRECIS_FIELD_CPUMODE,
				    PRECIS_FIELD_TIME, FIELDS_END };

static void columns(const void *state, uint8_t fields[PRECIS_FIELD_COUNT + 1])
{
	const struct by *by = state;

	append_key_fields(by, fields);
	if (by->parts)
		append(fields, PRECIS_FIELD_TIME);
	for (const uint8_t *field = of_pages; by->request->annotated.type && *field != FIELDS_END; field++)
		append(fields, *field);
	for (const uint8_t *field = of_threads; by->wants_objects && *field != FIELDS_END; field++)
		append(fields, *field);
	for (uint32_t n = 0; by->request->annotated.type && type_page_latency(n) >= 0; n++)
		append(fields, (uint32_t)type_page_latency(n));
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		if (by_latency_of(by->request, kind) >= 0)
			append(fields, (uint32_t)by_latency_of(by->request, kind));
	}
	for (size_t i = 0; i < sizeof(pebs_latencies); i++)
		append(fields, pebs_latencies[i]);
}

/* --- groups --- */

/* As that of top instructions: perf's own address may be off by the skid */
static int has_own_place(const struct precis_sample *sample)
{
	uint64_t exact = 0;

	return sample->source != PRECIS_SOURCE_PERF_WORDS ||
	       sample->event_kind == PRECIS_EVENT_PEBS ||
	       (precis_get_ip_exact(sample, &exact) && exact);
}

/* Of what an instruction accesses another one tells nothing, be it the next: a breakpoint's is behind it. */
static uint8_t names_instruction(const struct precis_sample *sample)
{
	uint64_t exact = 0;

	return precis_fields_have(sample->present, PRECIS_FIELD_IP) &&
	       precis_get_ip_exact(sample, &exact) && exact;
}

static uint8_t why_no_key(const struct precis_sample *sample, const struct by_asked_key *key)
{
	uint8_t fields[BY_KEY_FIELDS];

	by_key_fields(key, fields);
	if (!precis_fields_have(sample->present, fields[0]))
		return (uint8_t)precis_why(sample, fields[0]);
	return key->key <= BY_DSO && !has_own_place(sample) ? BY_NOT_ITS_OWN : 0;
}

static uint8_t is_so(const struct precis_sample *sample, const struct by_column *column)
{
	uint64_t value;

	if (!precis_get(sample, column->field, &value) || value > 31 || column->unknown >> value & 1)
		return 0;
	return column->values >> value & 1 ? 2 : 1;
}

/* Of PEBS the event's first sample that has one says which it is: they do not add up. */
static uint8_t find_latency(const struct by *by, struct by_event *event,
			    const struct precis_sample *sample)
{
	int field = by_latency_of(by->request, sample->event_kind);

	for (size_t i = 0; i < sizeof(pebs_latencies) && field < 0 && !event->latency &&
			   sample->event_kind == PRECIS_EVENT_PEBS; i++) {
		if (precis_fields_have(sample->present, pebs_latencies[i]))
			event->latency = pebs_latencies[i];
	}
	if (field < 0)
		field = (int)event->latency;
	return field > 0 && precis_fields_have(sample->present, (uint32_t)field) ?
		       (uint8_t)(field + 1) : 0;
}

/* Of equal ones the first: there are few. From 1; 0 if memory is short */
static uint32_t class_number(struct by *by, const struct by_class *is)
{
	for (uint32_t n = 0; n < by->class_count; n++) {
		if (memcmp(&by->classes[n], is, sizeof(*is)) == 0)
			return n + 1;
	}
	if (by->class_count == by->class_room) {
		uint32_t room = by->class_room ? 2 * by->class_room : 64;
		struct by_class *more = realloc(by->classes, room * sizeof(*more));

		if (!more)
			return 0;
		by->classes = more;
		by->class_room = room;
	}
	by->classes[by->class_count++] = *is;
	return by->class_count;
}

static uint32_t note(void *state, const struct sample_group *group)
{
	const struct precis_sample *sample = group->sample;
	struct by *by = state;
	struct by_event *event = by_event_at(&by->own, sample->event_kind, group->place);
	struct by_class is = { .latency = 0 };
	uint32_t number;

	if (!event || by_event_open(by, event) < 0) {
		by->failed = 1;
		return 0;
	}
	is.latency = find_latency(by, event, sample);
	is.has_own_place = names_instruction(sample);
	for (uint32_t n = 0; n < by->request->key_count; n++)
		is.why[n] = why_no_key(sample, &by->request->keys[n]);
	for (uint32_t n = 0; n < by->column_count; n++) {
		if (by->columns[n].figure == BY_IS)
			is.is[by->columns[n].flag] = is_so(sample, &by->columns[n]);
	}
	number = class_number(by, &is);
	by->failed |= !number;
	return number;
}

/* --- samples --- */

#define NO_PART UINT32_MAX

/* What one sample adds to each of its rows */
struct addition {
	const struct by_class *is;
	struct weighted sample, cycles;
	uint32_t latency;
	uint32_t part; /* of the time; NO_PART: not told apart, or not known */
	uint64_t unit; /* what it weighs where something has to sort */
};

static void add_to_row(const struct by *by, struct by_row *row, const struct addition *more)
{
	weighted_add(&row->samples, &more->sample);
	if (more->part != NO_PART)
		by_row_add_part(row, by->flags, more->part, more->unit);
	if (more->is->latency) {
		weighted_add(&row->measured, &more->sample);
		weighted_add(&row->cycles, &more->cycles);
	}
	for (uint32_t n = 0; n < by->flags; n++) {
		if (more->is->is[n])
			weighted_add(&row->is[n].known, &more->sample);
		if (more->is->is[n] == 2)
			weighted_add(&row->is[n].yes, &more->sample);
	}
}

static int add_to_rows(const struct by *by, uint32_t depth, struct by_rows *rows, const struct by_value *key,
		       const struct addition *more)
{
	struct by_row *row = by_rows_add(rows, key, by->sorts_by_cycles ?
					 (uint64_t)more->cycles.weight : more->unit);

	if (!row)
		return -1;
	add_to_row(by, row, more);
	if (by->block.is_of_heap && depth >= by->object_depth &&
	    by_rows_add_block(rows, row, by->block.id, by->block.probability, more->unit) < 0)
		return -1;
	if (!by->has_values || !more->is->latency)
		return 0;
	return by_rows_add_value(rows, row, more->latency, 1, more->unit);
}

static uint64_t cycles_of(uint64_t latency, uint64_t unit)
{
	return latency && unit > CYCLES_MOST / latency ? CYCLES_MOST : latency * unit;
}

static void add_row(struct by *by, const struct sample_batch *batch, uint32_t row)
{
	const struct by_class *is = &by->classes[batch_note(batch, row) - 1];
	struct by_event *event =
		&by->own.list[batch_event_kind(batch, row)][batch_place(batch, row)];
	const uint64_t weight = batch_weight(batch, row);
	struct addition more = {
		.is = is, .sample = weighted_of(1, weight), .unit = weight ? weight : WEIGHT_UNKNOWN,
		.part = NO_PART,
	};
	struct by_value key[BY_KEYS_MOST];

	if (is->latency) {
		uint64_t latency = batch->column[is->latency - 1][row];
		uint64_t cycles = cycles_of(latency, more.unit);

		more.latency = latency < UINT32_MAX ? (uint32_t)latency : UINT32_MAX;
		if (cycles) /* a latency of none adds nothing, and is not one that is not known */
			more.cycles = weighted_of(1, cycles);
	}
	if (by->parts && batch_has(batch, row, PRECIS_FIELD_TIME))
		more.part = by_time_part(by->about, by->parts, batch->column[PRECIS_FIELD_TIME][row]);
	by_key_values(by, batch, row, is, key);
	add_to_row(by, event->total, &more);
	by->failed |= type_methods_add(&event->methods, &by->told, &more.sample) < 0 ||
		      type_advice_add(by, event, batch, row) < 0;
	if (by->request->annotated.type)
		by->failed |= type_page_add(by, event, batch, row, key) < 0;
	for (uint32_t n = 0; n < by->depths; n++) {
		if (n && by->request->annotated.is_asked && !annotate_wants(by, key))
			break;
		by->failed |= add_to_rows(by, n, &event->rows[n], key, &more) < 0;
	}
}

static int take_batch(void *state, const struct sample_batch *batch)
{
	struct by *by = state;

	/* to ask, all of the recording's mappings and names must be known */
	if (needs_model(by) && by->model.symbols && by->model.phase == MODEL_READING) {
		by->model.starts_over = 1;
		return 0;
	}
	for (uint32_t row = 0; row < batch->rows; row++) {
		if (batch_note(batch, row))
			add_row(by, batch, row);
	}
	return by->failed || by_names_bound(by) < 0 ? -1 : 0;
}

static int sees_samples(const void *state)
{
	const struct by *by = state;

	return by->wants_caller || by->wants_stack;
}

static void take_sample(void *state, struct precis_input *input, const struct precis_sample *sample,
			uint32_t row)
{
	struct by *by = state;

	if (sees_samples(by) && by->model.phase != MODEL_READING)
		by_stacks_read(by, input, sample, &by->chained[row]);
}

/* --- records --- */

static int learn_cgroup(struct by *by, const struct precis_record *record)
{
	struct precis_cgroup cgroup = { .size = sizeof(cgroup) };

	if (precis_cgroup_parse(record, &cgroup))
		return 0;
	/* more paths than are kept: their ids are told */
	cgroup_paths_learn(&by->cgroups, cgroup.id, cgroup.path);
	return 0;
}

/* Without times nothing is known of when an object was there. */
static int learn_objects(struct by *by, struct precis_file *file,
			 const struct precis_record *record)
{
	struct precis_sample_id id = { .size = sizeof(id) };
	const int has_time =
		record_sample_id(file, record, &id) && (id.present & PRECIS_SAMPLE_TIME);

	if (by_thread_record(by, record, has_time ? id.time : 0) < 0)
		return -1;
	return lifetimes_record(&by->lifetimes, record, has_time ? id.time : 0);
}

static int take_record(void *state, struct precis_file *file, const struct precis_record *record)
{
	struct by *by = state;

	if (record->type == PRECIS_RECORD_CGROUP)
		return learn_cgroup(by, record);
	model_record(&by->model, file, record);
	return by->wants_objects ? learn_objects(by, file, record) : 0;
}

static int starts_over(const void *state)
{
	const struct by *by = state;

	return by->model.starts_over || by->lifetimes.starts_over;
}

static int reads_again(void *state)
{
	struct by *by = state;
	const int elected = by_types_elect(by);

	return elected < 0 || !by->lifetimes.can_start_over
		       ? elected
		       : thread_pointers_settle(&by->threads) || elected;
}

static int again(void *state)
{
	struct by *by = state;

	if (by->model.symbols)
		model_again(&by->model);
	program_types_forget_blocks(&by->types);
	side_files_free(&by->side_files);
	lifetimes_again(&by->lifetimes);
	forget(by);
	memset(by->places, 0, sizeof(by->places));
	memset(by->accesses, 0, sizeof(by->accesses));
	memset(by->tasks, 0, sizeof(by->tasks));
	return 0;
}

static int finish(void *state)
{
	struct by *by = state;

	return by->failed || side_files_settle(&by->side_files, &by->lifetimes) < 0 ? -1 : 0;
}

static uint64_t unlearnt(const void *state)
{
	return ((const struct by *)state)->model.unlearnt;
}

static int is_partial(const void *state)
{
	return ((const struct by *)state)->is_partial;
}

/* --- several runs --- */

/* The other's symbols go over: names of places are asked of them. */
static int take_symbols(struct by *by, struct by *others)
{
	struct precis_symbols **more;

	if (!others->model.symbols)
		return 0;
	more = realloc(by->taken, (by->taken_count + 1) * sizeof(struct precis_symbols *));
	if (!more)
		return -1;
	by->taken = more;
	by->taken[by->taken_count++] = others->model.symbols;
	others->model.symbols = NULL;
	return 0;
}

/* The first one stands for all; of a run that was saved it knows some places alone, others know all. */
static void take_object(struct name *to, const struct name *from)
{
	if (from->object && !to->object) {
		to->object = from->object;
		to->symbols = from->symbols;
		to->known_as = from->known_as;
		to->cpumode = from->cpumode;
		to->absent = from->absent;
	} else if (from->symbols && !to->symbols) {
		to->symbols = from->symbols;
		to->known_as = from->known_as ? from->known_as : from->object;
	}
}

/* The numbers of the other's names here, by their numbers there; to be freed. NULL: memory is short */
static uint32_t *take_names(struct by *by, const struct names *others)
{
	uint32_t *map = calloc(others->count + 1, sizeof(*map));

	for (uint32_t n = 0; map && n < others->count; n++) {
		const struct name *from = &others->list[n];

		map[n + 1] = names_add(&by->names, from->text);
		if (!map[n + 1]) {
			free(map);
			return NULL;
		}
		take_object(&by->names.list[map[n + 1] - 1], from);
	}
	return map;
}

/* Symbols of a saved run's places, by what their objects are called here. 0, or -1 if memory is short */
static int know_places(struct by *by, const struct by *others, const uint32_t *map)
{
	for (uint32_t n = 0; n < others->known.count; n++) {
		struct known_place place = others->known.list[n];

		place.object = by->names.list[map[place.name] - 1].object;
		if (known_places_add(&by->known, &place) < 0)
			return -1;
	}
	return 0;
}

static int merge_event(struct by *by, struct by_event *event, struct by *others,
		       struct by_event *other, uint32_t recording, uint32_t *map)
{
	if (!other->total)
		return 0;
	if (by_event_open(by, event) < 0)
		return -1;
	if (!event->latency)
		event->latency = other->latency;
	by_row_combine(event->total, other->total, by->flags);
	if (type_methods_merge(&event->methods, &other->methods) < 0 ||
	    type_page_merge(by, event, others, other, recording) < 0)
		return -1;
	by->is_partial |= type_methods_are_partial(&other->methods) || other->untold_types.samples;
	for (uint32_t n = 0; n < by->depths; n++) {
		by_rows_rename(by, &other->rows[n], map);
		if (by_rows_merge(&event->rows[n], &other->rows[n], by->flags) < 0)
			return -1;
		by->is_partial |= event->rows[n].dropped || event->rows[n].has_dropped_values;
	}
	return 0;
}

/* Into the first recording's, or what others had before */
static int merge_events(struct by *by, struct by_events *to, struct by *others,
			const struct analysis_merge *how, uint32_t *map)
{
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		const struct event_places *places = others->about->events[kind];

		for (uint32_t n = 0; n < others->own.count[kind] && n <= places->count; n++) {
			struct by_event *event = by_event_at(to, kind, how->place[kind][n]);

			if (!event || merge_event(by, event, others, &others->own.list[kind][n],
						  how->recording, map) < 0)
				return -1;
		}
	}
	return 0;
}

/* The events that another run's go to; NULL if memory is short */
static struct by_events *events_for(struct by *by, const struct analysis_merge *how)
{
	struct by_events *more;

	if (!by->request->runs || !how->recording) /* parts of one recording are one */
		return &by->own;
	more = realloc(by->others, (by->other_count + 1) * sizeof(*more));
	if (!more)
		return NULL;
	by->others = more;
	memset(&more[by->other_count], 0, sizeof(*more));
	return &more[by->other_count++];
}

static int merge(void *state, void *other, const struct analysis_merge *how)
{
	struct by *by = state, *others = other;
	struct by_events *to = events_for(by, how);
	uint32_t *map;
	int failed, have_dropped;

	by->model.unlearnt += others->model.unlearnt;
	by->model.is_unsorted |= others->model.is_unsorted;
	if (!to || take_symbols(by, others) < 0 || side_files_merge(&by->side_files, &others->side_files) < 0)
		return -1;
	map = take_names(by, &others->names);
	failed = map && know_places(by, others, map) == 0 ? merge_events(by, to, others, how, map) : -1;
	free(map);
	have_dropped = failed ? -1 : by_names_settle(by);
	by->is_partial |= have_dropped > 0;
	return have_dropped < 0 ? -1 : 0;
}

static void tables(struct document *document, const void *state, const struct reasons *reasons)
{
	(void)reasons;
	if (((const struct by *)state)->request->annotated.type)
		type_page_tables(document, state);
	else if (((const struct by *)state)->request->annotated.is_asked)
		annotate_tables(document, state);
	else if (((const struct by *)state)->request->runs)
		by_compare(document, state);
	else
		by_tables(document, state);
}

const struct analysis analysis_by = {
	.name = "by",
	.of = ANALYSIS_OF_ALL,
	.state_bytes = sizeof(struct by),
	.is_wanted = is_wanted,
	.begin = begin,
	.decides = decides,
	.columns = columns,
	.note = note,
	.batch = take_batch,
	.sample = take_sample,
	.sees_samples = sees_samples,
	.record = take_record,
	.starts_over = starts_over,
	.reads_again = reads_again,
	.again = again,
	.finish = finish,
	.merge = merge,
	.saves = by_saves,
	.unlearnt = unlearnt,
	.is_partial = is_partial,
	.free = free_state,
	.tables = tables,
};
