/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions behind those that the recorder stands in front of: of whichever library comes next. */
#ifndef PRECIS_RECORDER_REAL_H
#define PRECIS_RECORDER_REAL_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct real {
#define REAL(result, name, arguments) result(*name) arguments;
#include "real.def"
#undef REAL
};

/* Can be called at any time: the first call of any of them finds all. One that no library has stays NULL. */
extern struct real real;

/* Where dlsym() gets memory from while it looks for malloc() */
#define BOOTSTRAP_BYTES 16384u
extern uint8_t bootstrap[BOOTSTRAP_BYTES];

static inline int is_bootstrap(const void *block)
{
	return (uintptr_t)block - (uintptr_t)bootstrap < BOOTSTRAP_BYTES;
}

void real_find(void);

#endif
