/* SPDX-License-Identifier: BSD-3-Clause */
/* The process model: which record changes which address space, and look-ups in them. */
#define _GNU_SOURCE /* tdestroy() */

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>
#include <precis/fields.h>
#include <precis/kernel_records.h>
#include <precis/symbols.h>

#include "elf_symbols.h"
#include "images.h"
#include "objects.h"

/* misc of FORK: perf made the record from /proc, and the mappings follow it */
#define MISC_FORK_EXEC (1u << 13)
#define NO_PID UINT32_MAX
#define FEATURE_BUILD_ID 2

struct process {
	uint32_t pid;
	struct images images;
};

struct precis_symbols {
	struct budget budget;
	struct objects objects;
	struct ranges kernel;
	void *processes; /* of tsearch(3): no choice of pids makes it slow */
	struct process *last; /* that was looked up: samples come in runs */
	char symfs[];
};

int precis_symbols_new(const char *symfs, uint32_t flags, struct precis_symbols **symbols)
{
	struct precis_symbols *made;
	size_t length;

	if (!symbols)
		return PRECIS_E_ARGUMENT;
	*symbols = NULL;
	if (flags & ~PRECIS_SYMBOLS_ANY_BUILD_ID)
		return PRECIS_E_ARGUMENT;
	if (!symfs)
		symfs = "";
	length = strlen(symfs);
	made = calloc(1, sizeof(*made) + length + 1);
	if (!made)
		return PRECIS_E_NO_MEMORY;
	memcpy(made->symfs, symfs, length);
	made->budget.left = BUDGET_BYTES;
	made->objects.symfs = made->symfs;
	made->objects.any_build_id = (flags & PRECIS_SYMBOLS_ANY_BUILD_ID) != 0;
	*symbols = made;
	return 0;
}

static void free_process(void *node)
{
	struct process *process = node;
	struct budget unused = { 0 };

	precis_images_clear(&process->images, &unused);
	free(process);
}

void precis_symbols_free(struct precis_symbols *symbols)
{
	if (!symbols)
		return;
	tdestroy(symbols->processes, free_process);
	precis_ranges_clear(&symbols->kernel, &symbols->budget);
	precis_objects_free(&symbols->objects);
	free(symbols);
}

int precis_symbols_available(void)
{
	return precis_elf_symbols_available();
}

static int by_pid(const void *a, const void *b)
{
	const struct process *left = a, *right = b;

	return (left->pid > right->pid) - (left->pid < right->pid);
}

/* @return NULL if no record told of mappings of that process */
static struct process *find_process(struct precis_symbols *symbols, uint32_t pid)
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
	struct process *process = find_process(symbols, pid);

	if (process)
		return process;
	process = budget_alloc(&symbols->budget, sizeof(*process));
	if (!process)
		return NULL;
	process->pid = pid;
	if (!tsearch(process, &symbols->processes, by_pid)) {
		budget_free(&symbols->budget, process, sizeof(*process));
		return NULL;
	}
	return process;
}

/* "[kernel.kallsyms]_text" names the symbol that perf took as the reference: not for users */
static size_t name_length(const char *name, int is_kernel)
{
	const char *end = is_kernel && name[0] == '[' ? strchr(name, ']') : NULL;

	return end ? (size_t)(end - name) + 1 : strlen(name);
}

static int learn_mapping(struct precis_symbols *symbols, const struct precis_record *record)
{
	struct precis_mmap map = { .size = sizeof(map) };
	unsigned int cpumode = record->misc & PRECIS_MISC_CPUMODE_MASK;
	struct ranges *ranges = &symbols->kernel;
	struct process *process;
	struct build_id id;
	struct range range;
	int is_kernel, error;

	error = precis_mmap_parse(record, &map);
	if (error)
		return error;
	/* A guest's addresses mean nothing here, and no code lies in data */
	if (map.length == 0 || (record->misc & PRECIS_MISC_MMAP_DATA) ||
	    cpumode >= PRECIS_CPUMODE_HYPERVISOR)
		return 0;
	is_kernel = cpumode == PRECIS_CPUMODE_KERNEL || map.pid == NO_PID;
	range.start = map.addr;
	if (__builtin_add_overflow(map.addr, map.length, &range.end))
		range.end = UINT64_MAX;
	if (range.start == range.end)
		return 0;
	/* The kernel's own mapping has an address as its page offset */
	range.offset = is_kernel ? 0 : map.page_offset;
	range.object = precis_objects_get(&symbols->objects, map.filename,
					  name_length(map.filename, is_kernel), &symbols->budget);
	if (!range.object)
		return PRECIS_E_NO_MEMORY;
	precis_build_id_set(&id, map.build_id, map.build_id_bytes);
	precis_object_learn_id(range.object, &id);
	if (!is_kernel) {
		process = make_process(symbols, map.pid);
		ranges = process ? precis_images_last(&process->images, &symbols->budget) : NULL;
	}
	return ranges ? precis_ranges_insert(ranges, &range, &symbols->budget) : PRECIS_E_NO_MEMORY;
}

/* From then on nothing is mapped in that process. @return its ranges; NULL if memory is short */
static struct ranges *begin_image(struct precis_symbols *symbols, uint32_t pid, uint64_t time)
{
	struct process *process = make_process(symbols, pid);

	return process ? precis_images_begin(&process->images, time, &symbols->budget) : NULL;
}

static int learn_exec(struct precis_symbols *symbols, const struct precis_record *record,
		      uint64_t time)
{
	struct precis_comm comm = { .size = sizeof(comm) };
	int error = precis_comm_parse(record, &comm);

	if (error || !(record->misc & PRECIS_MISC_COMM_EXEC))
		return error;
	return begin_image(symbols, comm.pid, time) ? 0 : PRECIS_E_NO_MEMORY;
}

static int learn_fork(struct precis_symbols *symbols, const struct precis_record *record,
		      uint64_t time)
{
	struct precis_task task = { .size = sizeof(task) };
	const struct ranges *inherited = NULL;
	struct process *parent;
	struct ranges *ranges;
	int error = precis_task_parse(record, &task);

	/* A new thread has its process's mappings */
	if (error || task.pid == task.parent_pid)
		return error;
	parent = find_process(symbols, task.parent_pid);
	if (parent && !(record->misc & MISC_FORK_EXEC))
		inherited = precis_images_at(&parent->images, UINT64_MAX);
	/* Of kernel threads there are many, and nothing is to be known */
	if (!inherited && !find_process(symbols, task.pid))
		return 0;
	ranges = begin_image(symbols, task.pid, time);
	if (!ranges)
		return PRECIS_E_NO_MEMORY;
	return inherited ? precis_ranges_copy(ranges, inherited, &symbols->budget) : 0;
}

static int learn_build_id(struct precis_symbols *symbols, const struct precis_record *record)
{
	int is_kernel = (record->misc & PRECIS_MISC_CPUMODE_MASK) == PRECIS_CPUMODE_KERNEL;
	struct build_id_record parsed;
	struct object *object;
	int error = precis_build_id_parse(record, &parsed);

	if (error)
		return error;
	object = precis_objects_get(&symbols->objects, parsed.filename,
				    name_length(parsed.filename, is_kernel), &symbols->budget);
	if (!object)
		return PRECIS_E_NO_MEMORY;
	precis_object_learn_id(object, &parsed.id);
	return 0;
}

int precis_symbols_file(struct precis_symbols *symbols, const struct precis_file *file)
{
	struct precis_record record = { 0 };
	struct precis_bytes section;
	int error;

	if (!symbols || !file)
		return PRECIS_E_ARGUMENT;
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
	switch (record->type) {
	case PRECIS_RECORD_MMAP:
	case PRECIS_RECORD_MMAP2:
		return learn_mapping(symbols, record);
	case PRECIS_RECORD_COMM:
		return learn_exec(symbols, record, time);
	case PRECIS_RECORD_FORK:
		return learn_fork(symbols, record, time);
	case PRECIS_RECORD_HEADER_BUILD_ID:
		return learn_build_id(symbols, record);
	default:
		return 0;
	}
}

int precis_symbols_locate(struct precis_symbols *symbols, uint32_t pid, int is_kernel,
			  uint64_t time, uint64_t address, struct precis_location *location)
{
	const struct ranges *ranges;
	const struct process *process;
	const struct range *range;

	if (!symbols || !location || location->size < sizeof(*location))
		return PRECIS_E_ARGUMENT;
	location->is_kernel = is_kernel != 0;
	location->object = NULL;
	location->offset = 0;
	location->symbol = NULL;
	location->symbol_offset = 0;
	location->symbol_absent = PRECIS_SYMBOL_NOT_ASKED;
	location->reserved = 0;
	process = is_kernel ? NULL : find_process(symbols, pid);
	ranges = is_kernel ? &symbols->kernel : NULL;
	if (process)
		ranges = precis_images_at(&process->images, time);
	range = ranges ? precis_ranges_find(ranges, address) : NULL;
	if (!range)
		return 0;
	location->object = range->object->name;
	location->offset = address - range->start + range->offset;
	return 1;
}

int precis_symbols_name(struct precis_symbols *symbols, struct precis_location *location)
{
	enum precis_symbol_absent absent = PRECIS_SYMBOL_NOT_A_FILE;
	const struct symbol *symbol = NULL;
	struct object *object;

	if (!symbols || !location || location->size < sizeof(*location))
		return PRECIS_E_ARGUMENT;
	/* Modules of the kernel are relocatable files: their offsets are no addresses */
	object = location->object && !location->is_kernel
			 ? precis_objects_find(&symbols->objects, location->object)
			 : NULL;
	if (object)
		symbol = precis_object_symbol(&symbols->objects, object, location->offset, &absent);
	location->symbol = symbol ? symbol->name : NULL;
	location->symbol_offset = symbol ? location->offset - symbol->start : 0;
	location->symbol_absent = absent;
	return symbol != NULL;
}

int precis_symbols_find(struct precis_symbols *symbols, uint32_t pid, int is_kernel, uint64_t time,
			uint64_t address, struct precis_location *location)
{
	int found = precis_symbols_locate(symbols, pid, is_kernel, time, address, location);
	int error = found > 0 ? precis_symbols_name(symbols, location) : 0;

	return error < 0 ? error : found;
}
