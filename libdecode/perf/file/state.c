/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What has been counted of a recording, as bytes, and a file that has counted it without reading.
 *
 * Each part of the state is gone through by one function in both directions, so that what is written and
 * what is read cannot differ. All is words of 64 bits, the low byte first.
 */
#include <stdlib.h>

#include "private.h"

#define STATE_VERSION 1u

/* Bytes that are written, or read if 'is_read' */
struct state {
	uint8_t *out; /* NULL: only counted */
	const uint8_t *in;
	size_t room, used;
	int is_read;
	int error;
};

static void word(struct state *state, uint64_t *value)
{
	const size_t at = state->used;

	if (state->is_read && (state->error || state->room - at < 8)) {
		state->error = state->error ? state->error : PRECIS_E_TRUNCATED;
		*value = 0;
		return;
	}
	state->used += 8;
	if (state->is_read) {
		*value = 0;
		for (uint32_t n = 0; n < 8; n++)
			*value |= (uint64_t)state->in[at + n] << 8 * n;
		return;
	}
	for (uint32_t n = 0; n < 8 && state->out && state->used <= state->room; n++)
		state->out[at + n] = (uint8_t)(*value >> 8 * n);
}

static void words(struct state *state, uint64_t *values, size_t count)
{
	for (size_t n = 0; n < count; n++)
		word(state, &values[n]);
}

/* At most so much, or the state is none. */
static uint64_t bounded(struct state *state, uint64_t value, uint64_t most)
{
	word(state, &value);
	if (value <= most)
		return value;
	state->error = state->error ? state->error : PRECIS_E_BAD_SIZE;
	return 0;
}

static void small(struct state *state, uint32_t *value)
{
	*value = (uint32_t)bounded(state, *value, UINT32_MAX);
}

static void octet(struct state *state, uint8_t *value)
{
	*value = (uint8_t)bounded(state, *value, UINT8_MAX);
}

/* So many things of 'bytes' each, or more, follow: a size that lies takes no memory. */
static uint32_t count_of(struct state *state, uint64_t count, size_t bytes, uint32_t most)
{
	const uint64_t found = bounded(state, count, most);

	if (!state->is_read || found <= (state->room - state->used) / bytes)
		return (uint32_t)found;
	state->error = state->error ? state->error : PRECIS_E_TRUNCATED;
	return 0;
}

static void no_memory(struct state *state)
{
	state->error = state->error ? state->error : PRECIS_E_NO_MEMORY;
}

/* --- keys that have numbers --- */

/* The keys by their numbers, to be freed; NULL: there are none, or memory is short */
static uint64_t *keys_of(const struct numbering *numbering)
{
	uint64_t *keys = numbering->count ? calloc(numbering->count, sizeof(*keys)) : NULL;

	for (uint32_t n = 0; keys && n < numbering->room; n++) {
		if (numbering->slots[n].number_and_one)
			keys[numbering->slots[n].number_and_one - 1] = numbering->slots[n].key;
	}
	return keys;
}

/* Where the n-th of them is, with its key; when it is read, a new one. NULL: there is no memory */
static void *numbered(struct state *state, struct numbering *numbering, const uint64_t *keys, uint32_t n,
		      uint32_t most, void **items, uint32_t *room, size_t bytes)
{
	uint64_t key = keys ? keys[n] : 0;

	word(state, &key);
	if (state->is_read && !state->error) {
		if (!numbering_make_room(numbering, most, items, room, bytes))
			no_memory(state);
		else if (numbering_take(numbering, key, most) != n)
			state->error = PRECIS_E_BAD_SIZE; /* the same key twice */
	}
	return state->error ? NULL : (uint8_t *)*items + n * bytes;
}

/* Each of them, by 'one' */
static void all_numbered(struct state *state, struct numbering *numbering, uint32_t most, void **items,
			 uint32_t *room, size_t bytes, void (*one)(struct state *state, void *item))
{
	const uint32_t count = count_of(state, numbering->count, 16, most);
	uint64_t *keys = state->is_read ? NULL : keys_of(numbering);

	if (!state->is_read && count && !keys)
		no_memory(state);
	for (uint32_t n = 0; n < count && !state->error; n++) {
		void *item = numbered(state, numbering, keys, n, most, items, room, bytes);

		if (item)
			one(state, item);
	}
	free(keys);
}

/* --- losses --- */

#define LOSS_SUMS ((offsetof(struct precis_loss, samples) - offsetof(struct precis_loss, lost_records)) / 8)

static void row(struct state *state, void *item)
{
	struct loss_row *row = item;

	row->loss.size = sizeof(row->loss);
	small(state, &row->loss.event);
	row->loss.is_rest = (uint32_t)bounded(state, row->loss.is_rest, 1);
	small(state, &row->place);
	words(state, &row->loss.lost_records, LOSS_SUMS);
	word(state, &row->open_tasks);
	word(state, &row->open_since);
}

static void table(struct state *state, struct loss_table *table)
{
	void *rows = table->rows;

	all_numbered(state, &table->numbers, LOSS_ROWS, &rows, &table->room, sizeof(*table->rows), row);
	table->rows = rows;
	row(state, &table->rest);
}

static void stream(struct state *state, void *item)
{
	struct loss_stream *stream = item;

	small(state, &stream->event);
	small(state, &stream->cpu);
	small(state, &stream->tid);
	octet(state, &stream->is_indexed);
	octet(state, &stream->is_task);
}

static void tally(struct state *state, void *item)
{
	struct sample_tally *tally = item;

	word(state, &tally->samples);
	word(state, &tally->first_time);
	word(state, &tally->last_time);
}

static void name(struct state *state, void *item)
{
	struct thread_name *name = item;

	word(state, &name->since);
	for (size_t n = 0; n < sizeof(name->text); n++)
		octet(state, (uint8_t *)&name->text[n]);
	name->text[sizeof(name->text) - 1] = '\0';
}

static void index_of(struct state *state, struct loss_index *index)
{
	small(state, &index->tid);
	octet(state, &index->has_ids);
	octet(state, &index->has_tid);
	octet(state, &index->has_other_tids);
	octet(state, &index->has_cpu_wide);
	octet(state, &index->has_task_on_cpu);
}

#define COUNTS_OF(counts, first, last) \
	((offsetof(counts, last) - offsetof(counts, first)) / sizeof(uint64_t) + 1)

static void losses(struct state *state, struct losses *losses)
{
	void *streams = losses->streams, *tallies = losses->in_threads.tallies, *names = losses->names.names;

	words(state, &losses->counts.records,
	      COUNTS_OF(struct precis_file_counts, records, unknown_records));
	word(state, &losses->last_time);
	index_of(state, &losses->index);
	table(state, &losses->cpus);
	table(state, &losses->threads);
	all_numbered(state, &losses->stream_numbers, LOSS_STREAMS, &streams, &losses->stream_room,
		     sizeof(*losses->streams), stream);
	losses->streams = streams;
	all_numbered(state, &losses->in_threads.numbers, TALLIES_MOST, &tallies, &losses->in_threads.room,
		     sizeof(*losses->in_threads.tallies), tally);
	losses->in_threads.tallies = tallies;
	all_numbered(state, &losses->names.numbers, THREAD_NAMES, &names, &losses->names.room,
		     sizeof(*losses->names.names), name);
	losses->names.names = names;
}

/* --- events --- */

static void samples_by_cpu(struct state *state, struct losses *losses, struct loss_event *event)
{
	uint32_t cpus = event->cpus;

	while (!state->is_read && cpus && !event->on_cpu[cpus - 1])
		cpus--;
	cpus = count_of(state, cpus, 8, LOSS_CPUS);
	if (state->is_read && cpus > LOSS_CPU_COUNTS - losses->cpu_counts)
		state->error = state->error ? state->error : PRECIS_E_BAD_SIZE;
	if (state->is_read && cpus && !state->error) {
		event->on_cpu = calloc(cpus, sizeof(*event->on_cpu));
		event->cpus = event->on_cpu ? cpus : 0;
		losses->cpu_counts += event->cpus;
		if (!event->on_cpu)
			no_memory(state);
	}
	words(state, event->on_cpu, cpus <= event->cpus ? cpus : 0);
}

static void event(struct state *state, struct losses *losses, struct file_event *event)
{
	const int32_t was = event->view.pebs_facility;
	/* negative: not known */
	const uint64_t facility = bounded(state, was < 0 ? 0 : (uint64_t)was + 1, PRECIS_PEBS_FACILITY_COUNT);

	event->view.pebs_facility = state->is_read ? (int32_t)facility - 1 : was;
	event->view.kind = (uint32_t)bounded(state, event->view.kind, PRECIS_EVENT_PEBS);
	event->view.kind_source = (uint32_t)bounded(state, event->view.kind_source, PRECIS_KIND_CPU);
	event->view.core_type = (uint32_t)bounded(state, event->view.core_type, PRECIS_CORE_TYPE_LP_E);
	words(state, &event->counts.samples, COUNTS_OF(struct precis_event_counts, samples, running_ns));
	small(state, &event->losses.is_task);
	word(state, &event->losses.first_time);
	word(state, &event->losses.without_cpu);
	word(state, &event->losses.without_tid);
	samples_by_cpu(state, losses, &event->losses);
}

/* --- all of it --- */

/* What is the same in both: an event more or less is another file's. */
static void head(struct state *state, struct precis_file *file)
{
	if (bounded(state, STATE_VERSION, UINT32_MAX) != STATE_VERSION && !state->error)
		state->error = PRECIS_E_UNSUPPORTED;
	if (bounded(state, file->events.count, UINT32_MAX) != file->events.count && !state->error)
		state->error = PRECIS_E_ARGUMENT;
	file->header.form = (uint32_t)bounded(state, file->header.form, PRECIS_FORM_DIRECTORY);
}

static void all(struct state *state, struct precis_file *file)
{
	head(state, file);
	for (uint32_t n = 0; n < file->events.count && !state->error; n++)
		event(state, &file->losses, file->events.event[n]);
	losses(state, &file->losses);
}

int64_t precis_file_state(const struct precis_file *file, void *buffer, size_t room)
{
	struct state state = { .out = buffer, .room = room };

	if (!file || (!buffer && room))
		return PRECIS_E_ARGUMENT;
	all(&state, (struct precis_file *)(uintptr_t)file); /* which is read alone */
	return state.error ? state.error : (int64_t)state.used;
}

int precis_file_set_state(struct precis_file *file, const void *bytes, size_t count)
{
	struct state state = { .in = bytes, .room = count, .is_read = 1 };

	if (!file || !bytes)
		return PRECIS_E_ARGUMENT;
	precis_file_begin(file);
	all(&state, file);
	if (!state.error && state.used != count)
		state.error = PRECIS_E_BAD_SIZE;
	if (state.error)
		precis_file_begin(file);
	return state.error;
}
