/* SPDX-License-Identifier: BSD-3-Clause */
/* See processes.h. */
#define _GNU_SOURCE /* tdestroy() */
#include "processes.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* Of all processes; one takes about 180 with its node in the tree */
#define PROCESSES_BYTES ((size_t)8 << 20)
#define CODE_MAPS_BYTES ((size_t)4 << 20) /* beside that: what code they have mapped */
#define PROCESS_BYTES (sizeof(struct process) + 96)

void processes_begin(struct processes *processes, uint32_t sharers)
{
	processes->bytes = PROCESSES_BYTES - PROCESSES_BYTES / sharers;
	processes->code_maps_bytes = CODE_MAPS_BYTES - CODE_MAPS_BYTES / sharers;
}

static int by_pid(const void *a, const void *b)
{
	const struct process *left = a, *right = b;

	return (left->pid > right->pid) - (left->pid < right->pid);
}

static struct process *make_process(struct processes *processes, uint32_t pid)
{
	struct process *process = NULL;

	if (PROCESSES_BYTES - processes->bytes >= PROCESS_BYTES)
		process = calloc(1, sizeof(*process));
	if (!process)
		return NULL;
	process->pid = pid;
	process->length = UINT64_MAX;
	if (!tsearch(process, &processes->tree, by_pid)) {
		free(process);
		return NULL;
	}
	processes->bytes += PROCESS_BYTES;
	return process;
}

struct process *process_find(struct processes *processes, uint32_t pid)
{
	const struct process key = { .pid = pid };
	struct process **found = tfind(&key, &processes->tree, by_pid);
	struct process *process = found ? *found : make_process(processes, pid);

	if (process)
		processes->cache[pid % PROCESS_CACHE] = process;
	return process;
}

/* How many starts are up to then */
static uint32_t count_up_to(const struct process *process, uint64_t time)
{
	uint32_t low = 0, high = process->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (process->starts[middle].time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t process_start(const struct process *process, uint32_t epoch)
{
	return epoch ? process->starts[epoch - 1].time : 0;
}

uint32_t process_program(const struct process *process, uint32_t epoch)
{
	return epoch ? process->starts[epoch - 1].program : 0;
}

/* With that epoch another program began: those behind it are of this one, or of later ones. */
static void begin_program(struct process *process, uint32_t epoch)
{
	for (uint32_t n = epoch - 1; n < process->count; n++) {
		if (process->starts[n].program < epoch)
			process->starts[n].program = epoch;
	}
}

void process_find_epoch(struct process *process, uint64_t time)
{
	uint32_t epoch = count_up_to(process, time);

	process->epoch = epoch;
	process->since = process_start(process, epoch);
	process->length = (epoch < process->count ? process->starts[epoch].time : UINT64_MAX) -
			  process->since;
}

int process_begin(struct processes *processes, struct process *process, uint64_t time,
		  int is_program)
{
	uint32_t at = count_up_to(process, time);

	if (time == 0)
		return 0;
	if (is_program)
		code_maps_forget(&process->maps, time);
	if (at > 0 && process->starts[at - 1].time == time) {
		if (is_program)
			begin_program(process, at);
		return 0;
	}
	if (processes->epochs_most && process->count >= processes->epochs_most)
		return -1;
	if (process->count == process->room) {
		uint32_t room = process->room ? 2 * process->room : 2;
		size_t more = (room - process->room) * sizeof(*process->starts);
		struct process_start *larger = NULL;

		if (PROCESSES_BYTES - processes->bytes >= more)
			larger = realloc(process->starts, room * sizeof(*larger));
		if (!larger)
			return -1;
		processes->bytes += more;
		process->starts = larger;
		process->room = room;
	}
	memmove(process->starts + at + 1, process->starts + at,
		(process->count - at) * sizeof(*process->starts));
	process->starts[at] = (struct process_start){ time, process_program(process, at) };
	process->count++;
	for (uint32_t n = at + 1; n < process->count; n++)
		process->starts[n].program += process->starts[n].program > at;
	if (is_program)
		begin_program(process, at + 1);
	process->length = 0; /* to be found anew */
	return 0;
}

uint64_t process_map(struct processes *processes, struct process *process,
		     const struct precis_mmap *map, uint64_t time)
{
	size_t room = CODE_MAPS_BYTES - processes->code_maps_bytes;
	const uint64_t changed = code_maps_add(&process->maps, map, time, &room);

	processes->code_maps_bytes = CODE_MAPS_BYTES - room;
	return changed;
}

static void free_process(void *node)
{
	struct process *process = node;

	code_maps_free(&process->maps);
	free(process->starts);
	free(process);
}

void processes_free(struct processes *processes)
{
	tdestroy(processes->tree, free_process);
	memset(processes, 0, sizeof(*processes));
}
