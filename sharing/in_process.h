/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * This process observes itself: a thread of its own reads the accesses that the others hand over, arms their
 * debug registers, and is not watched. There is one such thread at most, as registers are few. The others get
 * no signal.
 */
#ifndef SHARING_IN_PROCESS_H
#define SHARING_IN_PROCESS_H

#include "live.h"

enum in_process_fault {
	IN_PROCESS_FINE,
	IN_PROCESS_NO_MEMORY,
	IN_PROCESS_NO_REGISTER, /* 'error': errno; ENOSPC: others have them */
	IN_PROCESS_NO_THREAD, /* errno */
	IN_PROCESS_BUSY /* it is observed already */
};

/* What was found before is forgotten. @param settings  is copied */
enum in_process_fault in_process_begin(const struct live_settings *settings, int *error);

/* From any thread, in a signal handler, too: an access of a thread's. 0; -1: nobody takes it */
int in_process_put(uint64_t address, uint16_t bytes, uint16_t flags, uint32_t tid, uint64_t weight);

/*
 * What was found so far, or last: it stays as it is until in_process_let_go(). NULL: nobody has observed.
 * 'dropped': accesses of which there was no room.
 */
const struct live_result *in_process_hold(uint64_t *dropped, int *is_observed);
void in_process_let_go(void);

/* 0, and all registers are free; -1: nobody observes */
int in_process_end(void);

/*
 * Around fork(2). A child has copies of descriptors by which registers of the parent's threads stay taken: it
 * closes them, and is not observed.
 */
void in_process_before_fork(void);
void in_process_after_fork(int is_child);

#endif
