/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_lock.c
 * @see precis_lock.h
 */
#include "precis_lock.h"

#include <unistd.h>

#include "precis_vector.h"
#include "threads.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif

/* PAPI's locks are instructions that ThreadSanitizer knows nothing of. */
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>

static char seen[2];
#define TAKEN(which) __tsan_acquire(&seen[which])
#define GIVEN(which) __tsan_release(&seen[which])
#else
#define TAKEN(which) ((void)(which))
#define GIVEN(which) ((void)(which))
#endif

static int number_of(enum precis_lock which)
{
	return which == PRECIS_LOCK_NAMES ? PAPI_NUM_LOCK + NUM_INNER_LOCK + _precis_vector.cmp_info.CmpIdx
					  : NAMELIB_LOCK;
}

void precis_lock(enum precis_lock which)
{
	_papi_hwi_lock(number_of(which));
	TAKEN(which);
}

void precis_unlock(enum precis_lock which)
{
	GIVEN(which);
	_papi_hwi_unlock(number_of(which));
}
