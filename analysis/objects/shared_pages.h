/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table in pages of 32 KiB. A copy of it has the same pages, until one of the two is about to write to one:
 * then it gets a page of its own.
 */
#ifndef ANALYSIS_OBJECTS_SHARED_PAGES_H
#define ANALYSIS_OBJECTS_SHARED_PAGES_H

#include <stddef.h>
#include <stdint.h>

#define SHARED_PAGE_BYTES 32768u

struct page_group;

/* Zeroed memory has none. */
struct shared_pages {
	void **at;
	struct page_group **groups; /* that each is of */
	uint32_t count, room, single; /* 'single': allocated by itself */
	uint32_t only_bytes; /* of one page: it may be shorter */
	int is_shared; /* a copy was made: pages may be others', too */
};

/*
 * Have so many bytes at least, no fewer than there are: up to a page so many, then whole pages. Where there
 * are very many, more come at a time, in huge pages of the system.
 * @return 0, or -1 if memory is short: it is as it was then
 */
int shared_pages_grow(struct shared_pages *pages, size_t bytes);

/* Before one is written that may be shared: 0, or -1 if memory is short */
int shared_pages_separate(struct shared_pages *pages, uint32_t page);

static inline int shared_pages_own(struct shared_pages *pages, uint32_t page)
{
	return pages->is_shared ? shared_pages_separate(pages, page) : 0;
}

/* Bytes that can be used */
size_t shared_pages_bytes(const struct shared_pages *pages);

/* Of those the ones that no other table has */
size_t shared_pages_own_bytes(const struct shared_pages *pages);

/* 'to' has none. 0, or -1 if memory is short: it has none then, either */
int shared_pages_copy(struct shared_pages *to, struct shared_pages *from);

void shared_pages_free(struct shared_pages *pages);

#endif
