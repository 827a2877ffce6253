/* SPDX-License-Identifier: BSD-3-Clause */
/* See model.h. */
#include "model.h"

#define SYMBOLS_BYTES (UINT64_C(32) << 20)
#define SHARERS_MOST 4u /* of more of them each has as much as of so many */

int model_begin(struct model *model, const struct analysis_about *about,
		const struct precis_symbols_options *options)
{
	struct precis_symbols_options own = *options;
	struct precis_file *file = precis_input_file(about->input);

	model->phase = about->is_sorted ? MODEL_TELLING : MODEL_READING;
	model->sharers = about->readers < SHARERS_MOST ? about->readers : SHARERS_MOST;
	model->sharers += !model->sharers;
	own.memory_most = (own.memory_most ? own.memory_most : SYMBOLS_BYTES) / model->sharers;
	processes_begin(&model->processes, model->sharers);
	processes_begin(&model->threads, model->sharers);
	if (precis_symbols_new(&own, &model->symbols))
		return -1;
	/* Build ids that cannot be read are none; the file's warnings tell of it */
	return precis_symbols_file(model->symbols, file) == PRECIS_E_NO_MEMORY ? -1 : 0;
}

void model_free(struct model *model)
{
	task_records_free(&model->records);
	processes_free(&model->processes);
	processes_free(&model->threads);
	precis_symbols_free(model->symbols);
	model->symbols = NULL;
}

/* Does the record tell of another program in a process, or other functions of the kernel? */
static int starts_process(const struct precis_record *record, uint32_t *pid)
{
	struct precis_task task = { .size = sizeof(task) };
	struct precis_comm comm = { .size = sizeof(comm) };

	if (record->type == PRECIS_RECORD_KSYMBOL) {
		*pid = MODEL_KERNEL;
		return 1;
	}
	if (!precis_comm_parse(record, &comm)) {
		*pid = comm.pid;
		return record->misc & PRECIS_MISC_COMM_EXEC;
	}
	if (record->type != PRECIS_RECORD_FORK || precis_task_parse(record, &task))
		return 0;
	*pid = task.pid;
	return task.pid != task.parent_pid;
}

static int renames_thread(const struct precis_record *record, uint32_t *tid)
{
	struct precis_task task = { .size = sizeof(task) };
	struct precis_comm comm = { .size = sizeof(comm) };

	if (!precis_comm_parse(record, &comm)) {
		*tid = comm.tid;
		return 1;
	}
	if (record->type != PRECIS_RECORD_FORK || precis_task_parse(record, &task))
		return 0;
	*tid = task.tid;
	return 1;
}

static int is_wanted(const struct model *model, const struct precis_record *record)
{
	switch (record->type) {
	case PRECIS_RECORD_MMAP:
	case PRECIS_RECORD_MMAP2:
	case PRECIS_RECORD_FORK:
	case PRECIS_RECORD_KSYMBOL:
	case PRECIS_RECORD_HEADER_BUILD_ID:
		return 1;
	case PRECIS_RECORD_COMM:
		return model->names_threads || record->misc & PRECIS_MISC_COMM_EXEC;
	default:
		return 0;
	}
}

/* 0, or -1 if there is no memory for more */
static int begin_epoch(struct model *model, struct processes *of, uint32_t id, uint64_t time,
		       int is_program)
{
	struct process *process = process_of(of, id);

	if (!process)
		return -1;
	/* A later sample has been counted for the one before */
	if (time && process->latest >= time && model->phase == MODEL_READING)
		model->starts_over = 1;
	return process_begin(of, process, time, is_program);
}

/* Other code than was there before is another epoch, for which the symbols are asked by its time. */
static int map_code(struct model *model, const struct precis_mmap *map, uint64_t time)
{
	struct process *process = process_of(&model->processes, map->pid);
	uint64_t changed;

	if (!process)
		return -1;
	changed = process_map(&model->processes, process, map, time);
	return changed ? begin_epoch(model, &model->processes, map->pid, changed, 0) : 0;
}

static int begin_epochs(struct model *model, const struct precis_record *record, uint64_t time)
{
	struct precis_mmap map;
	int failed = 0;
	uint32_t id;

	if (code_maps_are_in(record, &map))
		return map_code(model, &map, time);
	if (starts_process(record, &id))
		failed = begin_epoch(model, &model->processes, id, time, 1);
	if (model->names_threads && renames_thread(record, &id))
		failed |= begin_epoch(model, &model->threads, id, time, 1);
	return failed;
}

void model_record(struct model *model, struct precis_file *file, const struct precis_record *record)
{
	uint64_t time;
	int failed, is_unlearnt;

	if (!model->symbols || !is_wanted(model, record))
		return;
	time = task_records_time(&model->records, file, record);
	if (model->phase == MODEL_COMPLETE)
		return;
	failed = begin_epochs(model, record, time);
	is_unlearnt = failed;
	if (model->phase == MODEL_READING && !failed)
		failed = task_records_keep(&model->records, record, time, model->sharers);
	if (model->phase == MODEL_READING && failed) {
		model_tell(model, MODEL_TELLING);
		model->is_unsorted = 1;
		is_unlearnt |= model->sharers > 1; /* by one it may have been kept */
	}
	if (model->phase == MODEL_TELLING)
		is_unlearnt |= precis_symbols_record(model->symbols, record, time) == PRECIS_E_NO_MEMORY;
	model->unlearnt += is_unlearnt != 0;
}

void model_tell(struct model *model, enum model_phase phase)
{
	model->unlearnt += task_records_tell(&model->records, model->symbols);
	model->phase = phase;
}

void model_again(struct model *model)
{
	model_tell(model, MODEL_COMPLETE);
	model->starts_over = 0;
	model->records.clock = 0;
}

uint64_t model_time(struct processes *of, uint32_t id, uint32_t epoch)
{
	struct process *process = process_of(of, id);

	return process ? process_start(process, epoch) : UINT64_MAX;
}

void model_saved(struct saving *saving, struct model *model)
{
	const int has_symbols = saved_is_there(saving, model_has_symbols(model));

	saved_u64(saving, &model->unlearnt);
	saved_int(saving, &model->is_unsorted);
	if (!saving->is_loading)
		return;
	/* those that beginning opened know nothing of the recording */
	precis_symbols_free(model->symbols);
	model->symbols = NULL;
	model->was_saved = has_symbols;
}
