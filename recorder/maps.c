/* SPDX-License-Identifier: BSD-3-Clause */
/* In front of mmap(2) and its kin, as programs call them. The C library's own calls are not seen. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <sys/mman.h>

#include "log.h"
#include "real.h"

#define HERE ((const uint64_t *)__builtin_frame_address(0))
#define EXPORTED __attribute__((visibility("default")))

static void have_real(void)
{
	if (!real.mmap)
		real_find();
}

/* With MAP_FIXED what was there goes, whatever it was. */
static void *map(void *start, size_t size, int protection, int flags, int fd, off_t offset,
		 const uint64_t *frame)
{
	int is_over = (flags & MAP_FIXED) != 0;
	void *mapped;

	have_real();
	if (is_over)
		log_unmap(start, size, frame);
	mapped = real.mmap(start, size, protection, flags, fd, offset);
	if (mapped != MAP_FAILED)
		log_map(flags & MAP_ANONYMOUS ? OBJECTS_MAP : OBJECTS_MAP_FILE, mapped, size, frame);
	else if (is_over)
		log_restored(start, 0, frame);
	return mapped;
}

EXPORTED void *mmap(void *start, size_t size, int protection, int flags, int fd, off_t offset)
{
	void *mapped = map(start, size, protection, flags, fd, offset, HERE);

	return mapped;
}

EXPORTED void *mmap64(void *start, size_t size, int protection, int flags, int fd, off64_t offset)
{
	void *mapped = map(start, size, protection, flags, fd, offset, HERE);

	return mapped;
}

EXPORTED int munmap(void *start, size_t size)
{
	int error;

	have_real();
	log_unmap(start, size, HERE);
	error = real.munmap(start, size);
	if (error)
		log_restored(start, 0, HERE);
	return error;
}

/* An old size of 0 leaves the old mapping alone, and so does MREMAP_DONTUNMAP, but for its pages. */
EXPORTED void *mremap(void *old, size_t old_size, size_t size, int flags, ...)
{
	int goes = old_size && !(flags & MREMAP_DONTUNMAP);
	void *target = NULL, *mapped;

	have_real();
	if (flags & (MREMAP_FIXED | MREMAP_DONTUNMAP)) {
		va_list arguments;

		va_start(arguments, flags);
		target = va_arg(arguments, void *); /* of DONTUNMAP alone a hint */
		va_end(arguments);
	}
	if (flags & MREMAP_FIXED)
		log_unmap(target, size, HERE);
	if (goes)
		log_unmap(old, old_size, HERE);
	mapped = real.mremap(old, old_size, size, flags, target);
	if (mapped != MAP_FAILED) {
		log_map(OBJECTS_MAP, mapped, size, HERE);
		return mapped;
	}
	if (goes)
		log_restored(old, 0, HERE);
	if (flags & MREMAP_FIXED)
		log_restored(target, 0, HERE);
	return mapped;
}
