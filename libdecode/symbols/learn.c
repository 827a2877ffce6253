/* SPDX-License-Identifier: BSD-3-Clause */
/* The process model: which record changes what. */
#include <search.h>
#include <stdio.h>
#include <string.h>

#include <precis/error.h>
#include <precis/fields.h>
#include <precis/kernel_records.h>
#include <precis/symbols.h>

#include "model.h"

/* misc of FORK: perf made the record from /proc, and the mappings follow it */
#define MISC_FORK_EXEC (1u << 13)
#define NO_PID UINT32_MAX
#define FEATURE_BUILD_ID 2
#define PROTECTION_EXECUTE 4u
#define PERF_MAP_ROOM 32

static int by_pid(const void *a, const void *b)
{
	const struct process *left = a, *right = b;

	return (left->pid > right->pid) - (left->pid < right->pid);
}

struct process *precis_process_find(struct precis_symbols *symbols, uint32_t pid)
{
	const struct process key = { .pid = pid };
	struct process **found;

	if (symbols->last && symbols->last->pid == pid)
		return symbols->last;
	found = tfind(&key, &symbols->processes, by_pid);
	if (!found)
		return NULL;
	symbols->last = *found;
	return *found;
}

/* @return NULL if memory is short */
static struct process *make_process(struct precis_symbols *symbols, uint32_t pid)
{
	struct process *process = precis_process_find(symbols, pid);

	if (process)
		return process;
	process = budget_alloc_found(&symbols->budget, sizeof(*process));
	if (!process)
		return NULL;
	process->pid = pid;
	if (!tsearch(process, &symbols->processes, by_pid)) {
		budget_free_found(&symbols->budget, process, sizeof(*process));
		return NULL;
	}
	return process;
}

/*
 * What a mapping's first byte is in the object. Memory that is no file's goes by its
 * addresses. So does what the kernel maps of its own ([vdso]) in the records of old
 * kernels, at least of 3.4: its page offset is then the address, and the image's is 0.
 */
static uint64_t offset_of(const struct precis_mmap *map)
{
	if (precis_memory_may_have_code(map->filename))
		return map->addr;
	return map->filename[0] == '[' && map->page_offset == map->addr ? 0 : map->page_offset;
}

/*
 * That of the mapping's memory. What was there stays what it was before that time, if there is memory for it.
 * 0, or PRECIS_E_NO_MEMORY
 */
static int map_object(struct precis_symbols *symbols, const struct precis_mmap *map,
		      const char *name, struct ranges *ranges, uint64_t time)
{
	struct range range = { .start = map->addr, .offset = offset_of(map), .since = time };
	struct build_id id;
	int error;

	if (!ranges)
		return PRECIS_E_NO_MEMORY;
	if (__builtin_add_overflow(map->addr, map->length, &range.end))
		range.end = UINT64_MAX;
	range.object =
		precis_objects_get(&symbols->objects, name, strlen(name), 0, &symbols->budget);
	if (!range.object)
		return PRECIS_E_NO_MEMORY;
	precis_build_id_set(&id, map->build_id, map->build_id_bytes);
	precis_object_learn_id(range.object, &id);
	error = precis_past_keep(&symbols->pasts, ranges, &range, &symbols->budget);
	return precis_ranges_insert(ranges, &range, &symbols->budget) ? PRECIS_E_NO_MEMORY : error;
}

/* The last image of what is no code; a first one is as old as the last one of code. NULL: no memory */
static struct ranges *last_memory(struct precis_symbols *symbols, struct process *process)
{
	const struct images *images = &process->images;

	if (process->memory.count == 0 && images->count)
		return precis_images_begin(&process->memory, images->image[images->count - 1].since,
					   &symbols->budget);
	return precis_images_last(&process->memory, &symbols->budget);
}

/* Code covers what was mapped there and is no code. 0, or PRECIS_E_NO_MEMORY */
static int cover_memory(struct precis_symbols *symbols, struct process *process,
			const struct precis_mmap *map)
{
	uint64_t end;

	if (process->memory.count == 0)
		return 0;
	if (__builtin_add_overflow(map->addr, map->length, &end))
		end = UINT64_MAX;
	return precis_ranges_remove(last_memory(symbols, process), map->addr, end,
				    &symbols->budget);
}

static int map_in_process(struct precis_symbols *symbols, const struct precis_mmap *map,
			  int is_data, int is_executable, uint64_t time)
{
	struct process *process = make_process(symbols, map->pid);
	const char *name = map->filename;
	const int may_have_code = is_executable && precis_memory_may_have_code(name);
	char perf_map[PERF_MAP_ROOM];
	int error = 0;

	if (!process)
		return PRECIS_E_NO_MEMORY;
	if (symbols->learns_data)
		error = is_data || may_have_code
				? map_object(symbols, map, name, last_memory(symbols, process), 0)
				: cover_memory(symbols, process, map);
	if (is_data || error)
		return error;
	if (may_have_code) {
		snprintf(perf_map, sizeof(perf_map), "/tmp/perf-%u.map", map->pid);
		name = perf_map;
	}
	return map_object(symbols, map, name,
			  precis_images_last(&process->images, &symbols->budget), time);
}

static int learn_mapping(struct precis_symbols *symbols, const struct precis_record *record,
			 uint64_t time)
{
	struct precis_mmap map = { .size = sizeof(map) };
	unsigned int cpumode = record->misc & PRECIS_MISC_CPUMODE_MASK;
	const int is_data = (record->misc & PRECIS_MISC_MMAP_DATA) != 0;
	int error = precis_mmap_parse(record, &map);

	if (error)
		return error;
	/* A guest's addresses mean nothing here, and no code lies in data */
	if (map.length == 0 || map.addr == UINT64_MAX || (is_data && !symbols->learns_data) ||
	    cpumode >= PRECIS_CPUMODE_HYPERVISOR)
		return 0;
	if (cpumode == PRECIS_CPUMODE_KERNEL || map.pid == NO_PID)
		return is_data ? 0 : precis_kernel_map(&symbols->kernel, &symbols->objects, &map,
						       &symbols->budget);
	return map_in_process(
		symbols, &map, is_data,
		record->type == PRECIS_RECORD_MMAP || (map.protection & PROTECTION_EXECUTE), time);
}

/* From then on nothing is mapped in that process. @return NULL if memory is short */
static struct process *begin_image(struct precis_symbols *symbols, uint32_t pid, uint64_t time)
{
	struct process *process = make_process(symbols, pid);

	if (!process || !precis_images_begin(&process->images, time, &symbols->budget) ||
	    (process->memory.count &&
	     !precis_images_begin(&process->memory, time, &symbols->budget)))
		return NULL;
	return process;
}

static int learn_name(struct precis_symbols *symbols, const struct precis_record *record,
		      uint64_t time)
{
	struct precis_comm comm = { .size = sizeof(comm) };
	int error = precis_comm_parse(record, &comm);

	if (error)
		return error;
	error = precis_tasks_rename(&symbols->tasks, comm.tid, time, comm.name, &symbols->budget);
	if ((record->misc & PRECIS_MISC_COMM_EXEC) && !begin_image(symbols, comm.pid, time))
		error = PRECIS_E_NO_MEMORY;
	return error;
}

/* What the parent has mapped, to an image that was begun for it. 0, or PRECIS_E_NO_MEMORY */
static int inherit(struct precis_symbols *symbols, struct process *process,
		   const struct process *parent)
{
	const struct ranges *code = precis_images_at(&parent->images, UINT64_MAX);
	const struct ranges *memory = precis_images_at(&parent->memory, UINT64_MAX);
	int error =
		code ? precis_ranges_copy(precis_images_last(&process->images, &symbols->budget),
					  code, &symbols->budget)
		     : 0;
	struct ranges *to = memory && !error ? last_memory(symbols, process) : NULL;

	if (!memory || error)
		return error;
	return to ? precis_ranges_copy(to, memory, &symbols->budget) : PRECIS_E_NO_MEMORY;
}

/* A new process, with its parent's mappings; a new thread is none */
static int learn_process(struct precis_symbols *symbols, const struct precis_task *task,
			 int has_own_mappings, uint64_t time)
{
	struct process *parent, *process;

	if (task->pid == task->parent_pid)
		return 0;
	parent = has_own_mappings ? NULL : precis_process_find(symbols, task->parent_pid);
	/* Of kernel threads there are many, and nothing is to be known */
	if ((!parent || !parent->images.count) && !precis_process_find(symbols, task->pid))
		return 0;
	process = begin_image(symbols, task->pid, time);
	if (!process)
		return PRECIS_E_NO_MEMORY;
	return parent ? inherit(symbols, process, parent) : 0;
}

static int learn_fork(struct precis_symbols *symbols, const struct precis_record *record,
		      uint64_t time)
{
	struct precis_task task = { .size = sizeof(task) };
	int error = precis_task_parse(record, &task);
	int name_error;

	if (error)
		return error;
	name_error = precis_tasks_fork(&symbols->tasks, task.tid, task.parent_tid, time,
				       &symbols->budget);
	error = learn_process(symbols, &task, record->misc & MISC_FORK_EXEC, time);
	return error ? error : name_error;
}

static int learn_build_id(struct precis_symbols *symbols, const struct precis_record *record)
{
	int is_kernels = (record->misc & PRECIS_MISC_CPUMODE_MASK) == PRECIS_CPUMODE_KERNEL;
	struct build_id_record parsed;
	struct object *object;
	char room[KERNEL_NAME_ROOM];
	const char *name;
	size_t length;
	int error = precis_build_id_parse(record, &parsed);

	if (error)
		return error;
	name = parsed.filename;
	length = strlen(name);
	if (is_kernels)
		name = precis_kernel_object_name(name, room, &length);
	object = precis_objects_get(&symbols->objects, name, length, is_kernels, &symbols->budget);
	if (!object)
		return PRECIS_E_NO_MEMORY;
	precis_object_learn_id(object, &parsed.id);
	return 0;
}

/* The kcore_dir of a recording that is a directory, unless the caller knows better */
static int learn_directory(struct precis_symbols *symbols, const struct precis_file *file)
{
	struct precis_file_info info = { .size = sizeof(info) };

	if (symbols->places.recording_directory || precis_file_info(file, &info) || !info.directory)
		return 0;
	symbols->places.recording_directory = strdup(info.directory);
	return symbols->places.recording_directory ? 0 : PRECIS_E_NO_MEMORY;
}

int precis_symbols_file(struct precis_symbols *symbols, const struct precis_file *file)
{
	struct precis_record record = { 0 };
	struct precis_bytes section;
	int error;

	if (!symbols || !file)
		return PRECIS_E_ARGUMENT;
	symbols->state++;
	error = learn_directory(symbols, file);
	if (error)
		return error;
	error = precis_file_feature(file, FEATURE_BUILD_ID, &section);
	if (error == PRECIS_E_ARGUMENT) /* it has none */
		return 0;
	while (!error && section.bytes > 0) {
		error = precis_record_at(section.data, section.bytes, &record);
		if (error)
			return PRECIS_E_TRUNCATED;
		error = learn_build_id(symbols, &record);
		section.data += record.size;
		section.bytes -= record.size;
	}
	return error;
}

int precis_symbols_record(struct precis_symbols *symbols, const struct precis_record *record,
			  uint64_t time)
{
	if (!symbols || !record)
		return PRECIS_E_ARGUMENT;
	symbols->state++;
	switch (record->type) {
	case PRECIS_RECORD_MMAP:
	case PRECIS_RECORD_MMAP2:
		return learn_mapping(symbols, record, time);
	case PRECIS_RECORD_COMM:
		return learn_name(symbols, record, time);
	case PRECIS_RECORD_FORK:
		return learn_fork(symbols, record, time);
	case PRECIS_RECORD_KSYMBOL:
		return precis_kernel_ksymbol(&symbols->kernel, &symbols->objects, record, time,
					     &symbols->budget);
	case PRECIS_RECORD_HEADER_BUILD_ID:
		return learn_build_id(symbols, record);
	default:
		return 0;
	}
}
