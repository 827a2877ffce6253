/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program can say of its own objects to the recorder of lifetimes, precis-objects(7).
 *
 * These functions are in this header. Nothing is linked: where the recorder is not loaded, each is a test of
 * an address, and does nothing. They may be called from any thread, at any time, and but for
 * precis_objects_find() not from a signal handler. A name outweighs all else that is known of a block:
 * arenas, pools and nodes of a tree can be told apart.
 *
 * Strings are copied: 4096 bytes of each count. NULL is allowed where a text has nothing to say. The
 * program's own names of types ("struct node") are found in its debug information.
 *
 * In Fortran: the module precis_objects, in precis_objects.f90 beside this file.
 */
#ifndef PRECIS_OBJECTS_H
#define PRECIS_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One object, for precis_objects_name_each(). All-zero is none. */
struct precis_objects_item {
	const void *start;
	size_t size;      /* bytes */
	const char *name; /* or NULL */
	const char *type; /* or NULL */
	const char *tag;  /* or NULL */
};

/** A block of the heap that is there now, for precis_objects_find() */
struct precis_objects_block {
	uint64_t start, size; /* size: bytes, as they were asked for */
	uint64_t site; /* address of code: what the call that asked for it returns to */
	uint64_t reserved[5];
};

/** Fills the next object. @return 1; 0: there are no more */
typedef int (*precis_objects_next_fn)(void *context, struct precis_objects_item *item);

/*
 * What the recorder has. In a program that is not position-independent the linker would take the address of a
 * weak function that no library has for 0, for good: it is loaded from where the dynamic linker puts it.
 */
#if defined(__GNUC__) && defined(__linux__) && defined(__x86_64__)
#define PRECIS_OBJECTS_ADDRESS(function, type)                                                     \
	__extension__({                                                                            \
		type precis_objects_found;                                                         \
		__asm__(".weak " function "\n\tmovq " function "@GOTPCREL(%%rip), %0"              \
			: "=r"(precis_objects_found));                                             \
		precis_objects_found;                                                              \
	})
#else
#define PRECIS_OBJECTS_ADDRESS(function, type) ((type)0) /* there is no recorder for this machine */
#endif

/* What is given a name need not have been written so far: nobody looks at it. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define PRECIS_OBJECTS_UNREAD(argument) __attribute__((access(none, argument)))
#else
#define PRECIS_OBJECTS_UNREAD(argument)
#endif

/** Call a function of the recorder, if there is one. */
#define PRECIS_OBJECTS_CALL(function, type, arguments)                                             \
	do {                                                                                       \
		type precis_objects_call = PRECIS_OBJECTS_ADDRESS(function, type);                 \
		if (precis_objects_call)                                                           \
			precis_objects_call arguments;                                             \
	} while (0)

/** Is the program recorded? @return 1 or 0 */
static inline int precis_objects_recorded(void)
{
	typedef void (*function_type)(const char *);

	return PRECIS_OBJECTS_ADDRESS("precis_objects_1_phase", function_type) != 0;
}

/**
 * These bytes are an object, from now on until precis_objects_forget(), or until the block that it lies in is
 * freed, its mapping goes, the thread whose stack it is on ends.
 *
 * @param name  what it is called, "queue of requests"; or NULL
 * @param type  of what type, "struct request"; or NULL
 */
PRECIS_OBJECTS_UNREAD(1)
static inline void precis_objects_name(const void *start, size_t size, const char *name,
				       const char *type)
{
	typedef void (*function_type)(const void *, size_t, const char *, const char *)
		PRECIS_OBJECTS_UNREAD(1);

	PRECIS_OBJECTS_CALL("precis_objects_1_name", function_type, (start, size, name, type));
}

/**
 * So many objects, one behind the other.
 *
 * @param stride  bytes from the begin of one to that of the next, at least 1
 */
PRECIS_OBJECTS_UNREAD(1)
static inline void precis_objects_name_array(const void *start, size_t count, size_t stride,
					     const char *name, const char *type)
{
	typedef void (*function_type)(const void *, size_t, size_t, const char *, const char *)
		PRECIS_OBJECTS_UNREAD(1);

	PRECIS_OBJECTS_CALL("precis_objects_1_name_array", function_type, (start, count, stride, name, type));
}

/**
 * What the object that holds this address is, beside its name: "level=2". The last tag counts. Without an
 * object that was named: of the block of the heap, or the mapping.
 */
PRECIS_OBJECTS_UNREAD(1) static inline void precis_objects_tag(const void *pointer, const char *tag)
{
	typedef void (*function_type)(const void *, const char *) PRECIS_OBJECTS_UNREAD(1);

	PRECIS_OBJECTS_CALL("precis_objects_1_tag", function_type, (pointer, tag));
}

/** The object that was named with this start is none any more. */
PRECIS_OBJECTS_UNREAD(1) static inline void precis_objects_forget(const void *start)
{
	typedef void (*function_type)(const void *) PRECIS_OBJECTS_UNREAD(1);

	PRECIS_OBJECTS_CALL("precis_objects_1_forget", function_type, (start));
}

/** What the program does from now on, in all its threads: "build", "lookups". precis report --by phase */
static inline void precis_objects_phase(const char *name)
{
	typedef void (*function_type)(const char *);

	PRECIS_OBJECTS_CALL("precis_objects_1_phase", function_type, (name));
}

/**
 * Name many objects: 'next' is called until it returns 0, and not at all where nothing is recorded.
 *
 * @param context  is handed to 'next'
 */
static inline void precis_objects_name_each(precis_objects_next_fn next, void *context)
{
	struct precis_objects_item item;

	if (!precis_objects_recorded())
		return;
	for (;;) {
		item.start = NULL;
		item.size = 0;
		item.name = item.type = item.tag = NULL;
		if (!next(context, &item))
			return;
		precis_objects_name(item.start, item.size, item.name, item.type);
		if (item.tag)
			precis_objects_tag(item.start, item.tag);
	}
}

/**
 * Which block of the heap is this address in, now? This one may be called in a signal handler, too: it
 * takes no lock, waits for no thread, and its time has a bound.
 *
 * @param block  filled where the answer is 1
 * @return 1; 0: in none; -1: that is not known, as the program is not recorded, or not with the option
 * live=yes;
 *         -2: blocks there come and go just now
 */
static inline int precis_objects_find(const void *address, struct precis_objects_block *block)
{
	typedef int (*function_type)(const void *, struct precis_objects_block *);
	function_type find = PRECIS_OBJECTS_ADDRESS("precis_objects_1_find", function_type);

	return find ? find(address, block) : -1;
}

#ifdef __cplusplus
}
#endif

#endif
