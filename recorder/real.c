/* SPDX-License-Identifier: BSD-3-Clause */
/* See real.h. */
#define _GNU_SOURCE
#include "real.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

uint8_t bootstrap[BOOTSTRAP_BYTES] __attribute__((aligned(16)));
static size_t bootstrap_used;
static int is_finding;

/* A block that is never given back; its size stands before it */
static void *bootstrap_take(size_t size)
{
	size_t bytes = ((size + 15) & ~(size_t)15) + 16;
	uint8_t *block = bootstrap + bootstrap_used;

	if (size > BOOTSTRAP_BYTES || bytes > BOOTSTRAP_BYTES - bootstrap_used) {
		errno = ENOMEM;
		return NULL;
	}
	bootstrap_used += bytes;
	memcpy(block, &size, sizeof(size));
	return block + 16;
}

static void *first_malloc(size_t size)
{
	if (is_finding)
		return bootstrap_take(size);
	real_find();
	return real.malloc(size);
}

static void *first_calloc(size_t count, size_t size)
{
	if (is_finding)
		return size && count > SIZE_MAX / size ? NULL : bootstrap_take(count * size);
	real_find();
	return real.calloc(count, size);
}

/* Also of what was taken then: it moves to the heap, or from one such block to another. */
static void *first_realloc(void *block, size_t size)
{
	void *moved;
	size_t old = 0;

	if (!is_finding && !is_bootstrap(block)) {
		real_find();
		return real.realloc(block, size);
	}
	moved = is_finding ? bootstrap_take(size) : real.malloc(size);
	if (block)
		memcpy(&old, (uint8_t *)block - 16, sizeof(old));
	if (moved && block)
		memcpy(moved, block, old < size ? old : size);
	return moved;
}

static void first_free(void *block)
{
	if (is_finding || is_bootstrap(block))
		return;
	real_find();
	real.free(block);
}

struct real real = {
	.malloc = first_malloc,
	.calloc = first_calloc,
	.realloc = first_realloc,
	.free = first_free,
};

void real_find(void)
{
	struct real found;

	if (is_finding)
		return;
	is_finding = 1;
#define REAL(result, name, arguments) *(void **)&found.name = dlsym(RTLD_NEXT, #name);
#include "real.def"
#undef REAL
	real = found;
	is_finding = 0;
}
