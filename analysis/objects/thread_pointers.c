/* SPDX-License-Identifier: BSD-3-Clause */
/* See thread_pointers.h. */
#include "thread_pointers.h"

#include <stdlib.h>
#include <string.h>

/* More threads, or programs, are not learnt. */
#define POINTERS_MOST 16384u
#define PROGRAMS_MOST 65536u

#define SEEN_LEAST 2u
/* As far as a program's variables may reach, and so many others may be in between that were not right */
#define BYTES_MOST (UINT64_C(1) << 24)
#define NEAR_MOST 8u

/* --- sorted lists --- */

static int compare_processes(struct thread_process a, struct thread_process b)
{
	if (a.pid != b.pid)
		return a.pid < b.pid ? -1 : 1;
	return (a.epoch > b.epoch) - (a.epoch < b.epoch);
}

static int compare_pointers(const struct thread_pointer *a, const struct thread_pointer *b)
{
	const int order = compare_processes(a->process, b->process);

	if (order)
		return order;
	if (a->pointer != b->pointer)
		return a->pointer < b->pointer ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

/* The first that is not before it */
static uint32_t find_pointer(const struct thread_pointers *pointers,
			     const struct thread_pointer *key)
{
	uint32_t low = 0, high = pointers->count;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (compare_pointers(&pointers->list[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint32_t find_program(const struct thread_pointers *pointers, struct thread_process process)
{
	uint32_t low = 0, high = pointers->program_count;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (compare_processes(pointers->programs[middle].process, process) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Room for one more. NULL: memory is short, and the list is as it was */
static void *grow(void *list, uint32_t count, uint32_t *room, size_t bytes)
{
	void *more = list;

	if (count == *room) {
		const uint32_t wanted = *room ? 2 * *room : 16;

		more = realloc(list, wanted * bytes);
		if (more)
			*room = wanted;
	}
	return more;
}

/* --- threads --- */

int thread_pointers_learn(struct thread_pointers *pointers, struct thread_process process,
			  uint32_t tid, uint64_t pointer)
{
	const struct thread_pointer is = {
		.process = process,
		.pointer = pointer,
		.tid = tid,
		.seen = 1,
		.until = UINT64_MAX,
	};
	const uint32_t at = find_pointer(pointers, &is);
	struct thread_pointer *list;

	if (at < pointers->count && !compare_pointers(&pointers->list[at], &is)) {
		pointers->list[at].seen += pointers->list[at].seen < SEEN_LEAST;
		return 0;
	}
	if (pointers->count == POINTERS_MOST)
		return 0;
	list = grow(pointers->list, pointers->count, &pointers->room, sizeof(*list));
	if (!list)
		return -1;
	pointers->list = list;
	memmove(list + at + 1, list + at, (pointers->count - at) * sizeof(*list));
	list[at] = is;
	pointers->count++;
	return 0;
}

void thread_pointers_end(struct thread_pointers *pointers, uint32_t pid, uint32_t tid,
			 uint64_t time)
{
	const struct thread_pointer first = { .process.pid = pid };

	for (uint32_t n = find_pointer(pointers, &first);
	     n < pointers->count && pointers->list[n].process.pid == pid; n++) {
		struct thread_pointer *is = &pointers->list[n];

		if (is->tid == tid && is->until == UINT64_MAX)
			is->until = time;
	}
}

const struct thread_pointer *thread_pointers_find(const struct thread_pointers *pointers,
						  struct thread_process process, uint64_t time,
						  uint64_t address)
{
	const struct thread_pointer behind = { .process = process, .pointer = address + 1 };
	const uint32_t first = find_pointer(pointers, &behind);

	for (uint32_t n = first; n < pointers->count && n < first + NEAR_MOST; n++) {
		const struct thread_pointer *is = &pointers->list[n];

		if (compare_processes(is->process, process) || is->pointer - address > BYTES_MOST)
			break;
		if (is->seen >= SEEN_LEAST && time <= is->until)
			return is;
	}
	return NULL;
}

/* --- programs --- */

int thread_pointers_map(struct thread_pointers *pointers, struct thread_process process,
			uint64_t code)
{
	const uint32_t at = find_program(pointers, process);
	struct thread_program *list;

	if (pointers->program_count == PROGRAMS_MOST ||
	    (at < pointers->program_count &&
	     !compare_processes(pointers->programs[at].process, process)))
		return 0;
	list = grow(pointers->programs, pointers->program_count, &pointers->program_room,
		    sizeof(*list));
	if (!list)
		return -1;
	pointers->programs = list;
	memmove(list + at + 1, list + at, (pointers->program_count - at) * sizeof(*list));
	list[at] = (struct thread_program){ .process = process, .code = code };
	pointers->program_count++;
	return 0;
}

int thread_pointers_fork(struct thread_pointers *pointers, struct thread_process parent,
			 struct thread_process child)
{
	const uint64_t code = thread_pointers_code(pointers, parent);

	return code ? thread_pointers_map(pointers, child, code) : 0;
}

struct thread_program *thread_pointers_program(const struct thread_pointers *pointers,
					       struct thread_process process)
{
	const uint32_t at = find_program(pointers, process);

	return at < pointers->program_count &&
			       !compare_processes(pointers->programs[at].process, process)
		       ? &pointers->programs[at]
		       : NULL;
}

uint64_t thread_pointers_code(const struct thread_pointers *pointers, struct thread_process process)
{
	const struct thread_program *program = thread_pointers_program(pointers, process);

	return program ? program->code : 0;
}

/* --- all --- */

int thread_pointers_settle(struct thread_pointers *pointers)
{
	const int is_new = !pointers->is_settled;

	pointers->is_settled = 1;
	for (uint32_t n = 0; n < pointers->count && is_new; n++) {
		if (pointers->list[n].seen >= SEEN_LEAST)
			return 1;
	}
	return 0;
}

void thread_pointers_free(struct thread_pointers *pointers)
{
	free(pointers->list);
	free(pointers->programs);
	memset(pointers, 0, sizeof(*pointers));
}
