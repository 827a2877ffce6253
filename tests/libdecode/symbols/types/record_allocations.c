/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linked with --wrap=malloc,calloc,realloc,posix_memalign: prints BYTES, return addresses and the type for
 * each block.
 */
#include <execinfo.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocations.h"

const char *volatile allocation_types;
void *volatile allocation_sink;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t each);
void *__real_realloc(void *old, size_t bytes);
int __real_posix_memalign(void **block, size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t each);
void *__wrap_realloc(void *old, size_t bytes);
int __wrap_posix_memalign(void **block, size_t alignment, size_t bytes);
void *_Znwm(size_t bytes);
void *_Znam(size_t bytes);
void _ZdlPv(void *block);
void _ZdlPvm(void *block, size_t bytes);
void _ZdaPv(void *block);

extern const char __executable_start[], etext[];

/* The type of this block, and what is left for the next ones */
static int take_type(void)
{
	const char *types = allocation_types, *bar = strchr(types, '|');
	const int length = bar ? (int)(bar - types) : (int)strlen(types);

	if (bar)
		allocation_types = bar + 1;
	return length;
}

static __attribute__((noinline)) void record(size_t bytes)
{
	const char *type = allocation_types;
	void *frames[16];
	int count, length;

	if (!type)
		return;
	length = take_type();
	count = backtrace(frames, 16);
	printf("allocation %zu", bytes);
	/* Behind this function and the one that calls it */
	for (int n = 2; n < count; n++) {
		const int is_here = (const char *)frames[n] >= __executable_start &&
				    (const char *)frames[n] < etext;

		printf(" %#lx", is_here ? (unsigned long)(uintptr_t)frames[n] : 0);
	}
	printf(";%.*s\n", length, type);
}

void begin_allocations(void)
{
	void *frames[4];
	static char buffer[1 << 16];

	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	backtrace(frames, 4); /* which loads a library the first time */
}

void *__wrap_malloc(size_t bytes)
{
	record(bytes);
	return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t each)
{
	record(count * each);
	return __real_calloc(count, each);
}

void *__wrap_realloc(void *old, size_t bytes)
{
	record(bytes);
	return __real_realloc(old, bytes);
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t bytes)
{
	record(bytes);
	return __real_posix_memalign(block, alignment, bytes);
}

void *_Znwm(size_t bytes)
{
	record(bytes);
	return __real_malloc(bytes);
}

void *_Znam(size_t bytes)
{
	record(bytes);
	return __real_malloc(bytes);
}

void _ZdlPv(void *block)
{
	free(block);
}

void _ZdlPvm(void *block, size_t bytes)
{
	(void)bytes;
	free(block);
}

void _ZdaPv(void *block)
{
	free(block);
}
