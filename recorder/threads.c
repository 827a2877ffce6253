/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In front of pthread_create(3): a thread is told of before it does anything, so that its stack and its
 * thread-local variables are known of one that never uses the heap. Threads of thrd_create(3), and those of
 * clone(2), are noticed when they use it.
 */
#define _GNU_SOURCE
#include <errno.h>

#include "log.h"
#include "real.h"

#define EXPORTED __attribute__((visibility("default")))

typedef void *start_function(void *argument);

struct begun {
	start_function *start;
	void *argument;
};

/* Left before the thread's own function is called, so that no stack has a frame of it */
static void *begin(void *data)
{
	struct begun *begun = data;
	start_function *start = begun->start;
	void *argument = begun->argument;

	real.free(begun);
	log_thread();
	return start(argument);
}

EXPORTED int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, start_function *start,
			    void *argument)
{
	struct begun *begun;
	int error;

	/* where the C library has threads in a library of their own, that may have come later */
	if (!real.pthread_create)
		real_find();
	if (!real.pthread_create)
		return ENOSYS;
	begun = real.malloc(sizeof(*begun));
	if (!begun)
		return real.pthread_create(thread, attributes, start, argument);
	*begun = (struct begun){ start, argument };
	error = real.pthread_create(thread, attributes, begin, begun);
	if (error)
		real.free(begun);
	return error;
}
