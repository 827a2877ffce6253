/* SPDX-License-Identifier: BSD-3-Clause */
/* Who shares cache lines with whom: samples of accesses, row by row; and several runs as one. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analyses.h"
#include "analysis/batch.h"
#include "analysis/kinds.h"
#include "analysis/merge.h"
#include "analysis/model/rows.h"
#include "analysis/record_id.h"
#include "data.h"
#include "saved.h"
#include "tables.h"
#include "transfers.h"

/* Of what records make symbols keep: the table of lines wants the rest */
#define SHARING_SYMBOLS_BYTES (UINT64_C(24) << 20)

static int is_wanted(const struct analysis_about *about)
{
	return about->sharing != NULL;
}

/* --- beginning --- */

static int begin(void *state, const struct analysis_about *about)
{
	struct precis_symbols_options options = {
		.size = sizeof(options),
		.flags = PRECIS_SYMBOLS_NO_FILES,
	};
	struct precis_file *file = precis_input_file(about->input);
	struct sharing *sharing = state;

	sharing->about = about;
	sharing->request = about->sharing;
	sharing->time.first = UINT64_MAX;
	sharing->model.names_threads = 1;
	if (sharing_lines_init(&sharing->lines, SHARING_LINES_MOST, SHARING_WAYS_MOST) < 0)
		return -1;
	if (!file)
		return 0;
	if (nodes_open(&sharing->nodes, file) < 0 || sharing_cores_open(&sharing->cores, file) < 0)
		return -1;
	if (about->symbols)
		options = *about->symbols;
	options.flags |= PRECIS_SYMBOLS_DATA;
	options.memory_most = SHARING_SYMBOLS_BYTES;
	lifetimes_begin(&sharing->lifetimes, file, about->path);
	return model_begin(&sharing->model, about, &options);
}

static void free_state(void *state)
{
	struct sharing *sharing = state;

	sharing_lines_free(&sharing->lines);
	sharing_parties_free(&sharing->parties);
	sharing_cores_free(&sharing->cores);
	nodes_free(&sharing->nodes);
	model_free(&sharing->model);
	lifetimes_free(&sharing->lifetimes);
	side_files_free(&sharing->side_files);
	for (uint32_t n = 0; n < sharing->taken_count; n++)
		precis_symbols_free(sharing->taken[n]);
	free(sharing->taken);
	sharing_told_free(&sharing->told_of);
}

/* --- groups --- */

/* The note of a group: flags of its accesses (lines.h), and that they count */
#define NOTE_COUNTS (1u << 8)
#define NOTE_FAR (1u << 9) /* the data came from another node or socket */

static const uint8_t decided[] = {
	PRECIS_FIELD_OP,
	PRECIS_FIELD_MEM_LEVEL,
	PRECIS_FIELD_MEM_SNOOP,
	PRECIS_FIELD_MEM_REMOTE,
	PRECIS_FIELD_LINE_FORWARDED,
	PRECIS_FIELD_LOCKED,
	PRECIS_FIELD_ADDR,
	PRECIS_FIELD_ACCESS_BYTES,
	PRECIS_FIELD_PERIOD_UNIT,
	FIELDS_END,
};

static const uint8_t explained[] = { PRECIS_FIELD_ADDR, PRECIS_FIELD_MEM_SNOOP,
				     PRECIS_FIELD_ACCESS_BYTES, FIELDS_END };

static int is_blind(const struct sharing *sharing)
{
	struct sharing_remark remark;

	return sharing_remark(precis_input_cpu(sharing->about->input), &remark) && remark.is_blind;
}

/* Where its line came from, as sharing_is_transfer(). What is stored as well is taken for a load, too. */
static int transfer_of(const struct sharing *sharing, const struct precis_sample *sample)
{
	return access_of(kind_of(sample)) != ACCESS_LOAD || is_blind(sharing)
		       ? -1
		       : sharing_is_transfer(sample);
}

static uint32_t flags_of(const struct sharing *sharing, const struct precis_sample *sample)
{
	const uint32_t kind = kind_of(sample);
	uint64_t is_locked = 0;
	uint32_t flags = 0;

	flags |= access_of(kind) == ACCESS_LOAD ? SHARING_LOAD : 0;
	flags |= kind == PRECIS_OP_STORE || kind == PRECIS_OP_LOAD_STORE ? SHARING_STORE : 0;
	flags |= precis_get(sample, PRECIS_FIELD_LOCKED, &is_locked) && is_locked ? SHARING_LOCKED
										  : 0;
	flags |= transfer_of(sharing, sample) > 0 ? SHARING_TRANSFER : 0;
	return flags;
}

/* Whether there is a physical one, too, is each sample's own matter: the kernel may have made it 0. */
static int has_address(const struct precis_sample *sample)
{
	return precis_fields_have(sample->present, PRECIS_FIELD_ADDR);
}

static int is_far(const struct precis_sample *sample)
{
	uint64_t remote;

	return precis_get(sample, PRECIS_FIELD_MEM_REMOTE, &remote) &&
	       remote != PRECIS_MEM_REMOTE_LOCAL;
}

static uint32_t note(void *state, const struct sample_group *group)
{
	const uint32_t flags = flags_of(state, group->sample);

	return flags & (SHARING_LOAD | SHARING_STORE) && has_address(group->sample)
		       ? flags | NOTE_COUNTS | (is_far(group->sample) ? NOTE_FAR : 0)
		       : 0;
}

static void settle_weights(struct sharing *sharing, const struct sample_group *group)
{
	const struct weighted *all = group->weighted;
	uint64_t unit = PRECIS_PERIOD_UNIT_OPS;

	if (!all->least)
		sharing->unweighed += all->samples;
	if (sample_is_op(group->sample) &&
	    (!precis_get(group->sample, PRECIS_FIELD_PERIOD_UNIT, &unit) ||
	     unit != PRECIS_PERIOD_UNIT_OPS))
		sharing->cycles += all->samples;
}

static int settle(void *state, const struct sample_group *group)
{
	const struct precis_sample *sample = group->sample;
	struct sharing *sharing = state;
	const uint32_t flags = flags_of(sharing, sample);
	const uint32_t kind = flags & SHARING_LOAD ? SHARING_LOADS : SHARING_STORES;
	const int transfer = transfer_of(sharing, sample);

	if (!(flags & (SHARING_LOAD | SHARING_STORE))) {
		sharing->untold += kind_of(sample) == OP_UNTOLD && has_address(sample)
					   ? group->weighted->samples
					   : 0;
		return 0;
	}
	if (!has_address(sample)) {
		weighted_add(&sharing->nowhere[kind], group->weighted);
		return 0;
	}
	weighted_add(&sharing->accesses[kind], group->weighted);
	if (transfer >= 0)
		weighted_add(&sharing->told, group->weighted);
	if (transfer > 0)
		weighted_add(&sharing->transfers, group->weighted);
	settle_weights(sharing, group);
	if (precis_fields_have(sample->present, PRECIS_FIELD_ACCESS_BYTES))
		sharing->wide += group->weighted->samples;
	else
		sharing->unwide += group->weighted->samples;
	return 0;
}

/* --- samples --- */

static void columns(const void *state, uint8_t fields[PRECIS_FIELD_COUNT + 1])
{
	static const uint8_t wanted[] = {
		PRECIS_FIELD_CPU,
		PRECIS_FIELD_PID,
		PRECIS_FIELD_TID,
		PRECIS_FIELD_TIME,
		PRECIS_FIELD_PERIOD,
		PRECIS_FIELD_IP,
		PRECIS_FIELD_CPUMODE,
		PRECIS_FIELD_ADDR,
		PRECIS_FIELD_PHYS_ADDR,
		PRECIS_FIELD_ACCESS_BYTES,
		PRECIS_FIELD_PERF_DATA_SRC,
		PRECIS_FIELD_LOAD_LATENCY,
		PRECIS_FIELD_CACHE_LATENCY,
		PRECIS_FIELD_DCACHE_MISS_LATENCY,
		FIELDS_END,
	};

	(void)state;
	memcpy(fields, wanted, sizeof(wanted));
}

static int has(const struct sample_batch *batch, uint32_t row, enum precis_field field)
{
	return batch_has_value(batch, row, field);
}

/* The party's id; 0: the sample does not tell it */
static int party_id(const struct sharing *sharing, const struct sample_batch *batch, uint32_t row,
		    uint64_t *id)
{
	const unsigned int by = sharing->request->by;
	const uint64_t cpu = batch->column[PRECIS_FIELD_CPU][row];
	const uint64_t pid = batch->column[PRECIS_FIELD_PID][row],
		       tid = batch->column[PRECIS_FIELD_TID][row];

	if (by == SHARING_BY_THREAD || by == SHARING_BY_PROCESS) {
		*id = pid << 32 | (by == SHARING_BY_THREAD ? tid & UINT32_MAX : 0);
		return has(batch, row, PRECIS_FIELD_PID) && has(batch, row, PRECIS_FIELD_TID);
	}
	if (!has(batch, row, PRECIS_FIELD_CPU))
		return 0;
	*id = cpu;
	if (by == SHARING_BY_CORE)
		*id = cpu < sharing->cores.count ? sharing->cores.of_cpu[cpu] : UINT64_MAX;
	if (by == SHARING_BY_NODE) {
		*id = nodes_of_cpu(&sharing->nodes, cpu);
		return *id != NODE_UNKNOWN;
	}
	return *id != UINT64_MAX;
}

/* The space of an address by which it has a physical one, or is the kernel's, or a process's. 0: whose? */
static int find_space(const struct sample_batch *batch, uint32_t row, struct sharing_sample *sample)
{
	const uint64_t physical = batch->column[PRECIS_FIELD_PHYS_ADDR][row];

	sample->pid = (uint32_t)batch->column[PRECIS_FIELD_PID][row];
	sample->line = sample->address / SHARING_LINE_BYTES;
	if (has(batch, row, PRECIS_FIELD_PHYS_ADDR)) {
		sample->space = (uint64_t)SHARING_PHYSICAL << SHARING_OWNER_SHIFT;
		sample->line = physical / SHARING_LINE_BYTES;
	} else if (sample->address >> 63) {
		sample->space = (uint64_t)SHARING_OF_KERNEL << SHARING_OWNER_SHIFT;
	} else if (has(batch, row, PRECIS_FIELD_PID)) {
		sample->space = (uint64_t)SHARING_OF_PROCESS << SHARING_OWNER_SHIFT | sample->pid;
	} else {
		return 0;
	}
	return 1;
}

/* Bytes beyond the line's end are not of it. */
static struct sharing_span span_of(const struct sharing *sharing, const struct sample_batch *batch,
				   uint32_t row, uint64_t address)
{
	const uint64_t offset = address % SHARING_LINE_BYTES, most = SHARING_LINE_BYTES - offset;
	uint64_t bytes = sharing->request->access_bytes;

	if (has(batch, row, PRECIS_FIELD_ACCESS_BYTES))
		bytes = batch->column[PRECIS_FIELD_ACCESS_BYTES][row];
	return (struct sharing_span){ (uint8_t)offset, (uint8_t)(bytes < most ? bytes : most) };
}

/* Of a load, where its CPU tells it; and whether the data came from far away */
static void take_latency(const struct sample_batch *batch, uint32_t row,
			 struct sharing_sample *sample)
{
	static const uint8_t fields[SHARING_LATENCIES] = {
		[SHARING_LOAD_LATENCY] = PRECIS_FIELD_LOAD_LATENCY,
		[SHARING_CACHE_LATENCY] = PRECIS_FIELD_CACHE_LATENCY,
		[SHARING_MISS_LATENCY] = PRECIS_FIELD_DCACHE_MISS_LATENCY,
	};

	sample->is_far = (batch_note(batch, row) & NOTE_FAR) != 0;
	for (uint32_t n = SHARING_NO_LATENCY + 1; n < SHARING_LATENCIES; n++) {
		const uint64_t latency = batch->column[fields[n]][row];

		/* one that is absent reads as all ones */
		if (!(sample->flags & SHARING_LOAD) || latency == UINT64_MAX)
			continue;
		sample->latency = latency;
		sample->latency_is = n;
	}
}

/* The node of the memory is told where the sample has a physical address. */
static void take_places(struct sharing *sharing, const struct sample_batch *batch, uint32_t row,
			struct sharing_sample *sample)
{
	sample->has_cpu = has(batch, row, PRECIS_FIELD_CPU);
	sample->cpu = (uint32_t)batch->column[PRECIS_FIELD_CPU][row];
	sample->memory_node = has(batch, row, PRECIS_FIELD_PHYS_ADDR)
				      ? nodes_of_address(&sharing->nodes,
							 batch->column[PRECIS_FIELD_PHYS_ADDR][row])
				      : NODE_UNKNOWN;
}

static void note_time(struct sharing *sharing, uint64_t time)
{
	sharing->time.first = time < sharing->time.first ? time : sharing->time.first;
	sharing->time.last = time > sharing->time.last ? time : sharing->time.last;
}

/* Who did it counts it; where, too. 0, or -1 if memory is short */
static int count_party(struct sharing *sharing, const struct sample_batch *batch, uint32_t row,
		       const struct sharing_sample *sample)
{
	struct sharing_party *party = &sharing->parties.list[sample->party];
	const struct weighted one = weighted_of(1, batch_weight(batch, row));

	weighted_add(sample->flags & SHARING_LOAD ? &party->loads : &party->stores, &one);
	if (!has(batch, row, PRECIS_FIELD_CPU))
		return 0;
	return sharing_party_on_cpu(&sharing->parties, sample->party,
				    (uint32_t)batch->column[PRECIS_FIELD_CPU][row], 1);
}

/* 0, or -1 if memory is short */
static int add_row(struct sharing *sharing, const struct sample_batch *batch, uint32_t row)
{
	const uint64_t weight = batch_weight(batch, row);
	const uint64_t address = batch->column[PRECIS_FIELD_ADDR][row];
	struct sharing_sample sample = {
		.address = address - address % SHARING_LINE_BYTES,
		.time = row_time(&sharing->model, batch, row),
		.flags = batch_note(batch, row) & ~(NOTE_COUNTS | NOTE_FAR),
		.span = span_of(sharing, batch, row, address),
		.weight = (double)(weight ? weight : WEIGHT_UNKNOWN),
		.has_source = has(batch, row, PRECIS_FIELD_PERF_DATA_SRC),
		.source = batch->column[PRECIS_FIELD_PERF_DATA_SRC][row],
	};
	uint64_t id;

	if (!party_id(sharing, batch, row, &id) || !find_space(batch, row, &sample)) {
		sharing->nobodys++;
		return 0;
	}
	take_latency(batch, row, &sample);
	take_places(sharing, batch, row, &sample);
	if (has(batch, row, PRECIS_FIELD_TIME))
		note_time(sharing, sample.time);
	if (has(batch, row, PRECIS_FIELD_IP))
		sample.ip = batch->column[PRECIS_FIELD_IP][row];
	if (batch->column[PRECIS_FIELD_CPUMODE][row] == PRECIS_CPUMODE_KERNEL)
		sample.flags |= SHARING_KERNEL;
	if (sample.space >> SHARING_OWNER_SHIFT == SHARING_PHYSICAL)
		sharing->physical++;
	else
		sharing->linear++;
	sample.party = sharing_party_number(&sharing->parties, 0, id, sample.time);
	if (sample.party == UINT32_MAX || count_party(sharing, batch, row, &sample) < 0)
		return -1;
	return sharing_lines_add(&sharing->lines, &sample);
}

static int take_batch(void *state, const struct sample_batch *batch)
{
	struct sharing *sharing = state;

	for (uint32_t row = 0; row < batch->rows && !sharing->failed; row++) {
		if (batch_note(batch, row))
			sharing->failed = add_row(sharing, batch, row) < 0;
	}
	return sharing->failed ? -1 : 0;
}

/* --- records --- */

/* Without times nothing is known of when an object was there. */
static int take_record(void *state, struct precis_file *file, const struct precis_record *record)
{
	struct precis_sample_id id = { .size = sizeof(id) };
	struct sharing *sharing = state;
	int has_time;

	model_record(&sharing->model, file, record);
	has_time = record_sample_id(file, record, &id) && (id.present & PRECIS_SAMPLE_TIME);
	return lifetimes_record(&sharing->lifetimes, record, has_time ? id.time : 0);
}

static uint64_t unlearnt(const void *state)
{
	return ((const struct sharing *)state)->model.unlearnt;
}

/* --- the end, and several runs --- */

/* Names of threads and processes */
static void name_parties(struct sharing *sharing)
{
	for (uint32_t n = 0; n < sharing->parties.count && sharing->model.symbols &&
			     sharing->request->by <= SHARING_BY_PROCESS;
	     n++) {
		struct sharing_party *party = &sharing->parties.list[n];
		const char *name = NULL;
		const uint32_t task = sharing->request->by == SHARING_BY_THREAD
					      ? sharing_party_tid(party)
					      : sharing_party_pid(party);

		if (party->name || party->recording ||
		    precis_symbols_task(sharing->model.symbols, task, UINT64_MAX, &name) <= 0 ||
		    !name)
			continue;
		party->name = strdup(name);
		sharing->failed |= !party->name;
	}
}

static int finish(void *state)
{
	struct sharing *sharing = state;

	if (sharing->model.symbols && sharing->model.phase == MODEL_READING)
		model_tell(&sharing->model, MODEL_COMPLETE);
	name_parties(sharing);
	sharing->failed |= sharing_data_settle(sharing) < 0 ||
			   side_files_settle(&sharing->side_files, &sharing->lifetimes) < 0;
	return sharing->failed ? -1 : 0;
}

/* The other's symbols go over, if it is another recording's: places are asked of them. */
static int take_symbols(struct sharing *sharing, struct sharing *others, uint32_t recording)
{
	struct precis_symbols **more;

	if (!recording || !others->model.symbols)
		return 0;
	more = realloc(sharing->taken, recording * sizeof(struct precis_symbols *));
	if (!more)
		return -1;
	sharing->taken = more;
	while (sharing->taken_count < recording)
		more[sharing->taken_count++] = NULL;
	more[recording - 1] = others->model.symbols;
	others->model.symbols = NULL;
	return 0;
}

static void take_names(struct sharing *sharing, struct sharing *others, const uint16_t *map)
{
	for (uint32_t n = 0; n < others->parties.count; n++) {
		struct sharing_party *from = &others->parties.list[n],
				     *to = &sharing->parties.list[map[n]];

		if (to->name)
			continue;
		to->name = from->name;
		from->name = NULL;
	}
}

static void merge_counts(struct sharing *sharing, const struct sharing *others, int is_other)
{
	WEIGHTED_MERGE(sharing->accesses, others->accesses);
	WEIGHTED_MERGE(sharing->nowhere, others->nowhere);
	weighted_add(&sharing->told, &others->told);
	weighted_add(&sharing->transfers, &others->transfers);
	sharing->untold += others->untold;
	sharing->cycles += others->cycles;
	sharing->unweighed += others->unweighed;
	sharing->nobodys += others->nobodys;
	sharing->physical += others->physical;
	sharing->linear += others->linear;
	sharing->wide += others->wide;
	sharing->unwide += others->unwide;
	sharing->model.unlearnt += others->model.unlearnt;
	sharing->model.is_unsorted |= others->model.is_unsorted;
	if (is_other) {
		const double seconds = sharing_seconds(others);

		sharing->other_seconds += isnan(seconds) ? 0 : seconds;
		sharing->recordings++;
	} else if (others->time.first != UINT64_MAX) {
		note_time(sharing, others->time.first);
		note_time(sharing, others->time.last);
	}
}

static int merge(void *state, void *other, const struct analysis_merge *how)
{
	struct sharing *sharing = state, *others = other;
	const uint64_t space = (uint64_t)how->recording << SHARING_RECORDING_SHIFT;
	uint16_t *map = sharing_parties_merge(&sharing->parties, &others->parties, how->recording);
	int failed = !map;

	if (!failed) {
		take_names(sharing, others, map);
		failed = sharing_told_merge(&sharing->told_of, &others->told_of, &others->lines) < 0 ||
			 sharing_lines_merge(&sharing->lines, &others->lines, map, how->recording,
					     space) < 0;
	}
	free(map);
	merge_counts(sharing, others, how->recording != 0);
	failed |= side_files_merge(&sharing->side_files, &others->side_files) < 0;
	return failed || take_symbols(sharing, others, how->recording) < 0 ? -1 : 0;
}

static int is_partial(const void *state)
{
	const struct sharing *sharing = state;

	return sharing->lines.dropped || sharing->lines.crowded;
}

static void tables(struct document *document, const void *state, const struct reasons *reasons)
{
	sharing_tables(document, state, reasons);
}

const struct analysis analysis_sharing = {
	.name = "sharing",
	.of = ANALYSIS_OF_ALL,
	.state_bytes = sizeof(struct sharing),
	.is_wanted = is_wanted,
	.decided = decided,
	.explained = explained,
	.begin = begin,
	.settle = settle,
	.columns = columns,
	.note = note,
	.batch = take_batch,
	.record = take_record,
	.finish = finish,
	.merge = merge,
	.saved = sharing_saved,
	.saves = sharing_saves,
	.is_partial = is_partial,
	.unlearnt = unlearnt,
	.free = free_state,
	.tables = tables,
};
