/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a thread has besides what it allocates: its stack, and its blocks of thread-local variables. And which
 * code is where, as return addresses of stacks need it.
 */
#ifndef PRECIS_RECORDER_MODULES_H
#define PRECIS_RECORDER_MODULES_H

#include <stddef.h>
#include <stdint.h>

#include "thread.h"

struct dl_phdr_info; /* <link.h> with _GNU_SOURCE */

/* Tell what is new since the last time. Only while busy. */
void modules_tell(struct thread *thread);
/* The same of code alone, for the whole process: after a stack that is new */
void modules_tell_code(struct thread *thread);

/* @return bytes of the build id; 0: it has none, or one of more than 'room' */
uint32_t modules_build_id(const struct dl_phdr_info *info, uint8_t *id, size_t room);

#endif
