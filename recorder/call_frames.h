/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a return address to the caller's, by what the compilers' tables (.eh_frame: DWARF 5, 6.4, and the
 * Linux Standard Base) say of x86-64's stack and frame pointers alone. The line of the table is read once for
 * each return address and kept, which makes a frame some nanoseconds, where an unwinder of exceptions that
 * restores all registers takes half a microsecond.
 */
#ifndef PRECIS_RECORDER_CALL_FRAMES_H
#define PRECIS_RECORDER_CALL_FRAMES_H

#include <stdint.h>

/* A function that has called */
struct call_frame {
	uint64_t address;       /* where it is returned to; 0: nowhere, as nobody called */
	uint64_t stack_pointer; /* as of then: the return address stands 8 bytes below */
	uint64_t frame_pointer; /* likewise */
	int is_exact; /* 1: a signal has interrupted it there: no call is before the address */
};

/* Why there is no step */
#define CALL_FRAMES_UNKNOWN (-1) /* a stack that was realigned, code without a table, frames that are none */
#define CALL_FRAMES_BEYOND (-2) /* the frame's end is above 'top' */


/* @return 0, -1: no memory */
int call_frames_begin(void);

/*
 * To the function that called. @param top  the end of the stack
 * @param libraries  libraries_changes() since this stack is there: lines that were kept while other libraries
 * were there may be of code that is gone
 * @param end  set to the frame's end: for CALL_FRAMES_BEYOND so much of the stack is needed
 * @return 0; CALL_FRAMES_..., and nothing is changed
 */
int call_frames_step(struct call_frame *frame, uint64_t top, uint64_t libraries, uint64_t *end);

#endif
