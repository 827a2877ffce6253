/* SPDX-License-Identifier: BSD-3-Clause */
/* What the program says of its objects: the functions that <precis/objects.h> calls. */
#include "definitions.h"
#include "log.h"

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void precis_objects_1_name(const void *start, size_t size, const char *name, const char *type);
EXPORTED void precis_objects_1_name_array(const void *start, size_t count, size_t stride, const char *name,
					  const char *type);
EXPORTED void precis_objects_1_tag(const void *pointer, const char *tag);
EXPORTED void precis_objects_1_forget(const void *start);
EXPORTED void precis_objects_1_phase(const char *name);

/*
 * The thread, if it can be said now: in a signal handler that interrupts the recorder it is lost. Strings are
 * defined behind this: with the lock that they need, a handler must find the thread busy.
 */
static struct thread *speaker(const uint64_t *frame)
{
	struct thread *thread = thread_here();

	if (!thread) {
		log_lost_event();
		return NULL;
	}
	if (thread_enter(thread, frame))
		return thread;
	__atomic_fetch_add(&shared.lost, 1, __ATOMIC_RELAXED);
	return NULL;
}

/* Its number. @return 0: there is no room for the string, what is told with it is lost */
static int have_string(struct thread *thread, const char *text, uint32_t *id)
{
	*id = definition_of_string(text);
	if (!text || *id)
		return 1;
	thread_lose(thread);
	return 0;
}

/* 'numbers' stand between the address and what it is called */
static void tell_name(uint32_t operation, const void *start, const uint64_t *numbers, unsigned int count,
		      const char *name, const char *type, const uint64_t *frame)
{
	struct thread *thread = speaker(frame);
	uint32_t name_id, type_id;
	uint8_t *at;

	if (!thread)
		return;
	if (have_string(thread, name, &name_id) && have_string(thread, type, &type_id)) {
		at = log_event(thread, operation);
		at = put_address(at, (uint64_t)start, &thread->last_address);
		for (unsigned int n = 0; n < count; n++)
			at = put_varint(at, numbers[n]);
		at = put_varint(at, name_id);
		thread_put(thread, put_varint(at, type_id));
	}
	thread_leave(thread);
}

void precis_objects_1_name(const void *start, size_t size, const char *name, const char *type)
{
	tell_name(OBJECTS_NAME, start, (uint64_t[]){ size }, 1, name, type, __builtin_frame_address(0));
}

void precis_objects_1_name_array(const void *start, size_t count, size_t stride, const char *name,
				 const char *type)
{
	tell_name(OBJECTS_NAME_ARRAY, start, (uint64_t[]){ count, stride }, 2, name, type,
		  __builtin_frame_address(0));
}

void precis_objects_1_tag(const void *pointer, const char *tag)
{
	struct thread *thread = speaker(__builtin_frame_address(0));
	uint32_t id;
	uint8_t *at;

	if (!thread)
		return;
	if (have_string(thread, tag, &id)) {
		at = log_event(thread, OBJECTS_TAG);
		at = put_address(at, (uint64_t)pointer, &thread->last_address);
		thread_put(thread, put_varint(at, id));
	}
	thread_leave(thread);
}

void precis_objects_1_forget(const void *start)
{
	struct thread *thread = speaker(__builtin_frame_address(0));
	uint8_t *at;

	if (!thread)
		return;
	at = log_event(thread, OBJECTS_FORGET);
	thread_put(thread, put_address(at, (uint64_t)start, &thread->last_address));
	thread_leave(thread);
}

void precis_objects_1_phase(const char *name)
{
	struct thread *thread = speaker(__builtin_frame_address(0));
	uint32_t id;

	if (!thread)
		return;
	have_string(thread, name, &id); /* else the phase is unknown from here on */
	thread_put(thread, put_varint(log_event(thread, OBJECTS_PHASE), id));
	thread_leave(thread);
}
