/* SPDX-License-Identifier: BSD-3-Clause */
/* In front of malloc(3) and its kin. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "log.h"
#include "real.h"

#define HERE ((const uint64_t *)__builtin_frame_address(0))
#define EXPORTED __attribute__((visibility("default")))

/* Of the two that are called most the usual way, to be left out, is a jump to the real one. */
static __attribute__((noinline)) void *recorded_malloc(size_t size, const uint64_t *frame)
{
	void *block = real.malloc(size);

	if (block)
		log_alloc(OBJECTS_ALLOC, block, size, frame);
	return block;
}

EXPORTED void *malloc(size_t size)
{
	return log_leaves_out(size) ? real.malloc(size) : recorded_malloc(size, HERE);
}

static __attribute__((noinline)) void *recorded_calloc(size_t count, size_t size, const uint64_t *frame)
{
	void *block = real.calloc(count, size);

	if (block)
		log_alloc(OBJECTS_ALLOC, block, count * size, frame);
	return block;
}

EXPORTED void *calloc(size_t count, size_t size)
{
	size_t bytes;

	if (!__builtin_mul_overflow(count, size, &bytes) && log_leaves_out(bytes))
		return real.calloc(count, size);
	return recorded_calloc(count, size, HERE);
}

/* Between both the old block belongs to nobody: another thread may get it before realloc() returns. */
static inline void *resize(void *old, size_t size, const uint64_t *frame)
{
	uint64_t old_size, old_site;
	int was_live = old && live_is_kept && live_at((uint64_t)old, &old_size, &old_site);
	int was_told = old && log_free(OBJECTS_REALLOC_FREE, old, frame);
	void *block = real.realloc(old, size);

	if (block)
		log_alloc(old ? OBJECTS_REALLOC_ALLOC : OBJECTS_ALLOC, block, size, frame);
	if (!block && was_live && size)
		live_add((uint64_t)old, old_size, old_site);
	if (!block && was_told && size)
		log_restored(old, 1, frame);
	return block;
}

EXPORTED void *realloc(void *old, size_t size)
{
	void *block = resize(old, size, HERE);

	return block;
}

/* The C library's calls realloc(), which would be recorded, too. */
EXPORTED void *reallocarray(void *old, size_t count, size_t size)
{
	void *block;

	if (__builtin_mul_overflow(count, size, &size)) {
		errno = ENOMEM;
		return NULL;
	}
	block = resize(old, size, HERE);
	return block;
}

EXPORTED void free(void *block)
{
	if (!block || is_bootstrap(block))
		return;
	log_free(OBJECTS_FREE, block, HERE);
	real.free(block);
}

/* C23's. With what the block was asked for by, each is to do what free() does. */
EXPORTED void free_sized(void *block, size_t size);
EXPORTED void free_aligned_sized(void *block, size_t alignment, size_t size);

EXPORTED void free_sized(void *block, size_t size)
{
	(void)size;
	free(block);
}

EXPORTED void free_aligned_sized(void *block, size_t alignment, size_t size)
{
	(void)alignment;
	(void)size;
	free(block);
}

EXPORTED int posix_memalign(void **block, size_t alignment, size_t size)
{
	int error;

	if (!real.posix_memalign)
		real_find();
	error = real.posix_memalign(block, alignment, size);
	if (!error && *block)
		log_alloc(OBJECTS_ALLOC, *block, size, HERE);
	return error;
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size)
{
	void *block;

	if (!real.aligned_alloc)
		real_find();
	block = real.aligned_alloc(alignment, size);
	if (block)
		log_alloc(OBJECTS_ALLOC, block, size, HERE);
	return block;
}

EXPORTED void *memalign(size_t alignment, size_t size)
{
	void *block;

	if (!real.memalign)
		real_find();
	block = real.memalign(alignment, size);
	if (block)
		log_alloc(OBJECTS_ALLOC, block, size, HERE);
	return block;
}

EXPORTED void *valloc(size_t size)
{
	void *block;

	if (!real.valloc)
		real_find();
	block = real.valloc(size);
	if (block)
		log_alloc(OBJECTS_ALLOC, block, size, HERE);
	return block;
}

EXPORTED void *pvalloc(size_t size)
{
	void *block;

	if (!real.pvalloc)
		real_find();
	block = real.pvalloc(size);
	if (block)
		log_alloc(OBJECTS_ALLOC, block, size, HERE);
	return block;
}
