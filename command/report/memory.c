/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See memory.h. Samples fall anywhere into some megabytes of counts: each page of 4 KiB that is touched for
 * the first time is a fault, which takes longer than decoding a sample.
 */
#define _GNU_SOURCE /* sbrk() */
#include "memory.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>

#define PIECE_BYTES (64 << 20) /* of two threads that hardly ever see like samples */
#define MAPPED_BYTES (32 << 20) /* what is mapped by itself has at least that: malloc() takes no more */
#define FIRST_BYTES ((size_t)16 << 20) /* more than is free there so far */
#define LARGE_PAGE ((uintptr_t)2 << 20)

/* The heap grows by a piece, unless malloc() is another one, or has no room there. */
static void grow(void)
{
	void *volatile first; /* the compiler takes its word for it */

	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES);
	mallopt(M_TRIM_THRESHOLD, PIECE_BYTES);
	mallopt(M_TOP_PAD, PIECE_BYTES);
	first = malloc(FIRST_BYTES);
	free(first);
}

void memory_in_one_piece(void)
{
	uintptr_t start = (uintptr_t)sbrk(0), end;

	grow();
	start = (start + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
	end = (uintptr_t)sbrk(0) & ~(LARGE_PAGE - 1);
	if (end > start)
		(void)madvise((void *)start, end - start, MADV_HUGEPAGE);
}

void memory_give_back(void)
{
	malloc_trim(0);
}
#else
void memory_in_one_piece(void)
{
}

void memory_give_back(void)
{
}
#endif

uint64_t memory_resident(void)
{
	const int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	char text[128];
	ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	unsigned long pages = 0;

	if (fd >= 0)
		close(fd);
	text[length < 0 ? 0 : length] = '\0';
	if (sscanf(text, "%*u %lu", &pages) != 1)
		return 0;
	return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}
