/* SPDX-License-Identifier: BSD-3-Clause */
/* See shared_pages.h. */
#define _DEFAULT_SOURCE /* madvise() */
#include "shared_pages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CACHE_LINE 64u

/* In one huge page of the system; and how many there are before such ones come */
#define GROUP_PAGES 64u
#define GROUP_BYTES (GROUP_PAGES * (size_t)SHARED_PAGE_BYTES)
#define PAGES_BEFORE_GROUPS 1024u
/* From so many on most are in huge pages, so that looking for one does not cost a walk of the page tables */
#define PAGES_TOGETHER 128u

/* What is allocated at once */
struct page_group {
	unsigned char *memory;
	int is_group; /* GROUP_PAGES, not one */
	uint32_t held; /* pages that some table has */
	uint32_t users[GROUP_PAGES]; /* tables that have a page */
};

static uint32_t number_in(const struct page_group *group, const void *page)
{
	return (uint32_t)((size_t)((const unsigned char *)page - group->memory) /
			  SHARED_PAGE_BYTES);
}

static struct page_group *new_group(uint32_t count, size_t bytes)
{
	struct page_group *group = calloc(1, sizeof(*group));

	if (!group)
		return NULL;
	group->memory = aligned_alloc(count == GROUP_PAGES ? GROUP_BYTES : CACHE_LINE, bytes);
	if (!group->memory) {
		free(group);
		return NULL;
	}
#ifdef MADV_HUGEPAGE
	/* It is faster where the system has huge pages, and no matter where it has none. */
	if (count == GROUP_PAGES)
		madvise(group->memory, bytes, MADV_HUGEPAGE);
#endif
	group->is_group = count == GROUP_PAGES;
	group->held = count;
	for (uint32_t n = 0; n < count; n++)
		group->users[n] = 1;
	return group;
}

static void release(struct page_group *group, const void *page)
{
	if (--group->users[number_in(group, page)] || --group->held)
		return;
	free(group->memory);
	free(group);
}

/* Room in the lists for more. 0, or -1 if memory is short */
static int grow_lists(struct shared_pages *pages, uint32_t count)
{
	uint32_t room = pages->room ? pages->room : 1;
	void **at;
	struct page_group **groups;

	if (count <= pages->room)
		return 0;
	while (room < count)
		room *= 2;
	at = realloc(pages->at, room * sizeof(*at));
	if (!at)
		return -1;
	pages->at = at;
	groups = realloc(pages->groups, room * sizeof(struct page_group *));
	if (!groups)
		return -1;
	pages->groups = groups;
	pages->room = room;
	return 0;
}

static int add_group(struct shared_pages *pages, uint32_t count, size_t bytes)
{
	struct page_group *group = new_group(count, bytes);

	if (!group)
		return -1;
	for (uint32_t n = 0; n < count; n++) {
		pages->at[pages->count] = group->memory + (size_t)n * SHARED_PAGE_BYTES;
		pages->groups[pages->count++] = group;
	}
	pages->single += count == 1;
	return 0;
}

/* The only page is so long from now on. */
static int replace_only(struct shared_pages *pages, uint32_t bytes)
{
	struct shared_pages longer = { .count = 0 };

	if (grow_lists(&longer, 1) < 0 || add_group(&longer, 1, bytes) < 0) {
		shared_pages_free(&longer);
		return -1;
	}
	longer.only_bytes = bytes;
	if (pages->count)
		memcpy(longer.at[0], pages->at[0], pages->only_bytes);
	shared_pages_free(pages);
	*pages = longer;
	return 0;
}

/* More pages at the end. 0, or -1 if memory is short: it is as it was then */
static int add_pages(struct shared_pages *pages, uint32_t wanted)
{
	const uint32_t before = pages->count, single = pages->single;

	if (grow_lists(pages, (wanted + GROUP_PAGES - 1) / GROUP_PAGES * GROUP_PAGES) < 0)
		return -1;
	while (pages->count < wanted) {
		/* many that are wanted at once are no more than that */
		const int is_group = wanted - pages->count >= GROUP_PAGES ||
				     (wanted - before == 1 && before >= PAGES_BEFORE_GROUPS);

		if (add_group(pages, is_group ? GROUP_PAGES : 1,
			      is_group ? GROUP_BYTES : SHARED_PAGE_BYTES) < 0) {
			while (pages->count > before) {
				pages->count--;
				release(pages->groups[pages->count], pages->at[pages->count]);
			}
			pages->single = single;
			return -1;
		}
	}
	pages->only_bytes = SHARED_PAGE_BYTES;
	return 0;
}

/* All of them anew, in as few groups as there can be. 0, or -1 if memory is short: it is as it was then */
static int put_together(struct shared_pages *pages, uint32_t wanted)
{
	struct shared_pages anew = { .count = 0 };

	if (add_pages(&anew, wanted) < 0) {
		shared_pages_free(&anew);
		return -1;
	}
	for (uint32_t n = 0; n < pages->count; n++)
		memcpy(anew.at[n], pages->at[n], SHARED_PAGE_BYTES);
	shared_pages_free(pages);
	*pages = anew;
	return 0;
}

int shared_pages_grow(struct shared_pages *pages, size_t bytes)
{
	const uint32_t wanted = (uint32_t)((bytes + SHARED_PAGE_BYTES - 1) / SHARED_PAGE_BYTES);

	if (wanted <= 1 || (pages->count == 1 && pages->only_bytes < SHARED_PAGE_BYTES)) {
		const size_t length = wanted > 1
					      ? SHARED_PAGE_BYTES
					      : (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;

		if (length > shared_pages_bytes(pages) && replace_only(pages, (uint32_t)length) < 0)
			return -1;
	}
	if (wanted <= pages->count)
		return 0;
	return wanted >= PAGES_TOGETHER && pages->single > wanted / 2 ? put_together(pages, wanted)
								      : add_pages(pages, wanted);
}

int shared_pages_separate(struct shared_pages *pages, uint32_t page)
{
	const size_t bytes = pages->count > 1 ? SHARED_PAGE_BYTES : pages->only_bytes;
	struct page_group *group = pages->groups[page], *own;

	if (group->users[number_in(group, pages->at[page])] == 1)
		return 0;
	own = new_group(1, bytes);
	if (!own)
		return -1;
	memcpy(own->memory, pages->at[page], bytes);
	pages->single += group->is_group;
	release(group, pages->at[page]);
	pages->groups[page] = own;
	pages->at[page] = own->memory;
	return 0;
}

size_t shared_pages_bytes(const struct shared_pages *pages)
{
	return pages->count > 1 ? pages->count * (size_t)SHARED_PAGE_BYTES
				: pages->count * pages->only_bytes;
}

size_t shared_pages_own_bytes(const struct shared_pages *pages)
{
	size_t own = 0;

	for (uint32_t n = 0; n < pages->count; n++)
		own += pages->groups[n]->users[number_in(pages->groups[n], pages->at[n])] == 1;
	return own * (pages->count > 1 ? SHARED_PAGE_BYTES : pages->only_bytes);
}

int shared_pages_copy(struct shared_pages *to, struct shared_pages *from)
{
	if (!from->count)
		return 0;
	if (grow_lists(to, from->count) < 0) {
		shared_pages_free(to);
		return -1;
	}
	memcpy(to->at, from->at, from->count * sizeof(*to->at));
	memcpy(to->groups, from->groups, from->count * sizeof(struct page_group *));
	for (uint32_t n = 0; n < from->count; n++)
		from->groups[n]->users[number_in(from->groups[n], from->at[n])]++;
	to->count = from->count;
	to->single = from->single;
	to->only_bytes = from->only_bytes;
	to->is_shared = from->is_shared = 1;
	return 0;
}

void shared_pages_free(struct shared_pages *pages)
{
	for (uint32_t n = 0; n < pages->count; n++)
		release(pages->groups[n], pages->at[n]);
	free(pages->at);
	free(pages->groups);
	memset(pages, 0, sizeof(*pages));
}
