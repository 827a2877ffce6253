/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call stack of a function that the recorder stands in front of.
 *
 * Programs are built without frame pointers, or with them and with libraries that have none: a chain that
 * comes to its end may have left a caller out. So the rule is the compilers' unwind tables, and what they
 * cost is paid once: where each return address stood is kept with the stack, by the first of them and the
 * depth of the stack there; when all are found at their places again, it is the same stack. Of one that is
 * not, each frame leads to the next by a line of these tables (call_frames.h), and where that is not enough
 * the unwinder of exceptions is asked.
 */
#ifndef PRECIS_RECORDER_STACKS_H
#define PRECIS_RECORDER_STACKS_H

#include <stdint.h>

#include "clock.h"

struct stack_bounds {
	uint64_t low, high; /* 0: not known */
};

/* @return 0, -1: no memory */
int stacks_begin(uint32_t unwinder, uint32_t depth);
/* 0: nobody wants stacks, and none is lost */
int stacks_are_walked(void);
/* As new */
void stacks_clear(void);

/*
 * Around what may unload libraries, such as dlclose(3): stacks of what goes are not those of what comes to
 * its addresses. Between both none is taken for one that is known. Only while busy.
 */
void stacks_unload_begins(void);
void stacks_unload_ends(void);

/*
 * @param frame   __builtin_frame_address(0) of that function, whose return address is the first of the stack
 * @param own     what it takes to unwind one that is not known by its places is added to that
 * @return its number; 0: no room for more
 */
uint32_t stack_of(const uint64_t *frame, const struct stack_bounds *bounds, struct own_time *own);

#endif
