/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In front of dlclose(3), behind which other code may come to the addresses of what has gone. What the C
 * library unloads by itself is noticed with the next stack that is not known.
 */
#include <dlfcn.h>

#include "log.h"
#include "real.h"

#define EXPORTED __attribute__((visibility("default")))

static void tell(void (*what)(void), const uint64_t *frame)
{
	struct thread *thread = life_has_begun() ? thread_here() : NULL;

	if (!thread || !thread_enter(thread, frame))
		return;
	what();
	thread_leave(thread);
}

EXPORTED int dlclose(void *handle)
{
	const uint64_t *frame = __builtin_frame_address(0);
	int error;

	/* where it is of a library of its own, that may have come later */
	if (!real.dlclose)
		real_find();
	if (!real.dlclose)
		return -1;
	tell(stacks_unload_begins, frame);
	error = real.dlclose(handle);
	tell(stacks_unload_ends, frame);
	return error;
}
