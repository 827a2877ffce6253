/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a thread has besides what it allocates: its stack, and its blocks of thread-local variables. And which
 * code is where, as return addresses of stacks need it.
 */
#ifndef PRECIS_RECORDER_MODULES_H
#define PRECIS_RECORDER_MODULES_H

#include "thread.h"

/* Tell what is new since the last time. Only while busy. */
void modules_tell(struct thread *thread);
/* The same of code alone, for the whole process: before the first event that has a stack of its own */
void modules_tell_code(struct thread *thread);

#endif
