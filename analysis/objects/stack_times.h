/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When each call stack of a side file is first in an event: its return addresses are of the code that was
 * there then. What other code comes to them later has stacks of its own.
 */
#ifndef ANALYSIS_OBJECTS_STACK_TIMES_H
#define ANALYSIS_OBJECTS_STACK_TIMES_H

#include <precis/precis.h>

/* Zeroed memory is that of no event. */
struct stack_times {
	uint64_t *first; /* by id; 0: not known */
	uint32_t room;
};

/* An id that 'room' does not have yet. 0, or -1 if memory is short */
int stack_times_grow(struct stack_times *times, const struct precis_object_file *file, uint32_t id);

/* Of an event, in the order of their times. 0, or -1 if memory is short */
static inline int stack_times_learn(struct stack_times *times,
				    const struct precis_object_file *file, uint32_t id,
				    uint64_t time)
{
	if (__builtin_expect(id >= times->room, 0) && id && stack_times_grow(times, file, id) < 0)
		return -1;
	if (id < times->room && !times->first[id])
		times->first[id] = time;
	return 0;
}

/* @param otherwise  of one that is not known */
static inline uint64_t stack_times_of(const struct stack_times *times, uint32_t id,
				      uint64_t otherwise)
{
	return id < times->room && times->first[id] ? times->first[id] : otherwise;
}

void stack_times_free(struct stack_times *times);

#endif
