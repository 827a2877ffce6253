/* SPDX-License-Identifier: BSD-3-Clause */
/* How the calls are made: each macro is one function with a sized struct of this set of headers. */
#ifndef TESTS_ABI_EVERY_CALL_H
#define TESTS_ABI_EVERY_CALL_H

#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

#include "calls.h"

#define ABI_JOIN_(a, b) a##b
#define ABI_JOIN(a, b) ABI_JOIN_(a, b)
/* Different in each set of headers */
#define CALLS_OF(what) ABI_JOIN(ABI_SET, what)

/* 'call' fills the struct 's' points to, which has 'prepare' done to it before. */
#define FILLS(type, name, prepare, call)                                                           \
	do {                                                                                       \
		struct type *s = calls_room(sizeof(*s), 0x5a);                                     \
		prepare;                                                                           \
		calls_filled(calls, #name, (int64_t)(call), s);                                    \
	} while (0)

#define RETURNS(name, call) calls_returned(calls, #name, (int64_t)(call))
/* A value that the call has given, or a pointer */
#define GIVES(name, value) calls_returned(calls, #name, (int64_t)((uint64_t)(value)&INT64_MAX))

/* A struct that calls read, of exactly its size */
#define NEW(type) ((struct type *)calls_room(sizeof(struct type), 0))

void CALLS_OF(_values)(struct calls *calls);
void CALLS_OF(_pebs)(struct calls *calls);
void CALLS_OF(_records)(struct calls *calls);
void CALLS_OF(_files)(struct calls *calls);

/* A decoded sample as far as the oldest headers go: values and reasons */
void CALLS_OF(_sample)(struct calls *calls, const char *name, int64_t code,
		       struct precis_sample *sample);
struct precis_sample *CALLS_OF(_new_sample)(void);

#endif
