/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_memory.h
 * @brief Memory by PAPI's allocator, which knows of all that is left at PAPI_shutdown() where PAPI was
 * configured --with-debug=memory. It is for what goes before the end of PAPI_shutdown(): PAPI
 * forgets all blocks there, and papi_free() of one that it has forgotten is an error. Nothing of
 * this in a signal handler or in a fork(2) handler: it takes PAPI's MEMORY_LOCK, which the
 * interrupted thread, or one that the child does not have, may hold.
 */
#ifndef PRECIS_MEMORY_H
#define PRECIS_MEMORY_H

#include <string.h>

#include "papi_memory.h"

/**
 * An array with room for more, in the place of 'old', of which so many bytes are used; NULL: no
 * memory, 'old' stays. Not papi_realloc(), which with --with-debug=memory waits for its own lock if
 * it is given NULL (_papi_realloc() in src/papi_memory.c).
 */
static inline void *precis_grown(void *old, size_t used, size_t bytes)
{
	void *bigger = papi_malloc(bytes);

	if (!bigger || !old)
		return bigger;
	memcpy(bigger, old, used);
	papi_free(old);
	return bigger;
}

#endif
