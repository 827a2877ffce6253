/* SPDX-License-Identifier: BSD-3-Clause */
/* The process model: which record changes which address space, and look-ups in them. */
#define _GNU_SOURCE /* tdestroy() */

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>
#include <precis/fields.h>
#include <precis/symbols.h>

#include "elf_symbols.h"
#include "objects.h"
#include "ranges.h"

/* misc of FORK: perf made the record from /proc, and the mappings follow it */
#define MISC_FORK_EXEC (1u << 13)
#define NO_PID UINT32_MAX

struct process {
	uint32_t pid;
	struct ranges ranges;
};

struct precis_symbols {
	struct budget budget;
	struct objects objects;
	struct ranges kernel;
	void *processes; /* of tsearch(3): no choice of pids makes it slow */
	struct process *last; /* that was looked up: samples come in runs */
	char symfs[];
};

int precis_symbols_new(const char *symfs, struct precis_symbols **symbols)
{
	struct precis_symbols *made;
	size_t length;

	if (!symbols)
		return PRECIS_E_ARGUMENT;
	*symbols = NULL;
	if (!symfs)
		symfs = "";
	length = strlen(symfs);
	made = calloc(1, sizeof(*made) + length + 1);
	if (!made)
		return PRECIS_E_NO_MEMORY;
	memcpy(made->symfs, symfs, length);
	made->budget.left = BUDGET_BYTES;
	made->objects.symfs = made->symfs;
	*symbols = made;
	return 0;
}

static void free_process(void *node)
{
	struct process *process = node;
	struct budget unused = { 0 };

	precis_ranges_clear(&process->ranges, &unused);
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
	struct process *process;
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
	if (is_kernel)
		return precis_ranges_insert(&symbols->kernel, &range, &symbols->budget);
	process = make_process(symbols, map.pid);
	if (!process)
		return PRECIS_E_NO_MEMORY;
	return precis_ranges_insert(&process->ranges, &range, &symbols->budget);
}

static int learn_exec(struct precis_symbols *symbols, const struct precis_record *record)
{
	struct precis_comm comm = { .size = sizeof(comm) };
	struct process *process;
	int error = precis_comm_parse(record, &comm);

	if (error || !(record->misc & PRECIS_MISC_COMM_EXEC))
		return error;
	process = find_process(symbols, comm.pid);
	if (process)
		precis_ranges_clear(&process->ranges, &symbols->budget);
	return 0;
}

static int learn_fork(struct precis_symbols *symbols, const struct precis_record *record)
{
	struct precis_task task = { .size = sizeof(task) };
	struct process *child, *parent;
	int error = precis_task_parse(record, &task);

	/* A new thread has its process's mappings */
	if (error || task.pid == task.parent_pid)
		return error;
	parent = find_process(symbols, task.parent_pid);
	if (!parent || parent->ranges.count == 0 || (record->misc & MISC_FORK_EXEC)) {
		child = find_process(symbols, task.pid);
		if (child)
			precis_ranges_clear(&child->ranges, &symbols->budget);
		return 0;
	}
	child = make_process(symbols, task.pid);
	if (!child)
		return PRECIS_E_NO_MEMORY;
	return precis_ranges_copy(&child->ranges, &parent->ranges, &symbols->budget);
}

int precis_symbols_record(struct precis_symbols *symbols, const struct precis_record *record)
{
	if (!symbols || !record)
		return PRECIS_E_ARGUMENT;
	switch (record->type) {
	case PRECIS_RECORD_MMAP:
	case PRECIS_RECORD_MMAP2:
		return learn_mapping(symbols, record);
	case PRECIS_RECORD_COMM:
		return learn_exec(symbols, record);
	case PRECIS_RECORD_FORK:
		return learn_fork(symbols, record);
	default:
		return 0;
	}
}

int precis_symbols_find(struct precis_symbols *symbols, uint32_t pid, int is_kernel,
			uint64_t address, struct precis_location *location)
{
	const struct process *process;
	const struct symbol *symbol;
	const struct range *range = NULL;

	if (!symbols || !location || location->size < sizeof(*location))
		return PRECIS_E_ARGUMENT;
	location->is_kernel = is_kernel != 0;
	location->object = NULL;
	location->offset = 0;
	location->symbol = NULL;
	location->symbol_offset = 0;
	if (is_kernel) {
		range = precis_ranges_find(&symbols->kernel, address);
	} else {
		process = find_process(symbols, pid);
		if (process)
			range = precis_ranges_find(&process->ranges, address);
	}
	if (!range)
		return 0;
	location->object = range->object->name;
	location->offset = address - range->start + range->offset;
	/* Modules of the kernel are relocatable files: their offsets are no addresses */
	symbol = is_kernel
			 ? NULL
			 : precis_object_symbol(&symbols->objects, range->object, location->offset);
	if (symbol) {
		location->symbol = symbol->name;
		location->symbol_offset = location->offset - symbol->start;
	}
	return 1;
}
