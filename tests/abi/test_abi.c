/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every function with a sized struct, called with the structs of older headers, of today's, and of
 * newer ones: all give the same, as far as the structs go. A struct ends where a page ends behind which
 * is none: what reads or writes behind it ends the program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "calls.h"

uint64_t calls_body[1 + CALLS_WORDS];
uint32_t calls_words[64];

static unsigned int cases, failed;

static void tap(int ok, const char *set, const char *what)
{
	printf("%sok %u - %s: %s\n", ok ? "" : "not ", ++cases, set, what);
	failed += !ok;
}

void *calls_room(size_t size, int fill)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint32_t bytes = (uint32_t)size;
	uint8_t *pages =
		mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint8_t *room = pages + page - size;

	if (pages == MAP_FAILED || size > CALLS_BYTES || mprotect(pages + page, page, PROT_NONE))
		abort();
	memset(room, fill, size);
	memcpy(room, &bytes, sizeof(bytes));
	return room;
}

static uint32_t size_of(const void *room)
{
	uint32_t bytes;

	memcpy(&bytes, room, sizeof(bytes));
	return bytes;
}

void calls_drop(void *room)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	munmap((uint8_t *)room + size_of(room) - page, 2 * page);
}

void calls_returned(struct calls *calls, const char *name, int64_t code)
{
	struct call *call = &calls->call[calls->count++];

	if (calls->count > CALLS_MOST)
		abort();
	call->name = name;
	call->code = code;
	call->size = 0;
}

void calls_filled(struct calls *calls, const char *name, int64_t code, void *room)
{
	struct call *call = &calls->call[calls->count];

	calls_returned(calls, name, code);
	call->size = size_of(room);
	memcpy(call->bytes, room, call->size);
	calls_drop(room);
}

/* Behind 'size' both have the same, as far as both go; what only a newer struct has is 0. */
static int same(const struct call *call, const struct call *today)
{
	size_t both = call->size < today->size ? call->size : today->size;

	if (strcmp(call->name, today->name) || call->code != today->code ||
	    !call->size != !today->size)
		return 0;
	if (both && memcmp(call->bytes + 4, today->bytes + 4, both - 4))
		return 0;
	for (size_t n = today->size; n < call->size; n++) {
		if (call->bytes[n])
			return 0;
	}
	return 1;
}

static void compare(const struct calls *calls, const struct calls *today, const char *set)
{
	for (size_t n = 0; n < calls->count; n++)
		tap(same(&calls->call[n], &today->call[n]), set, calls->call[n].name);
}

int main(int argc, char **argv)
{
	static struct calls older, today, newer;
	struct calls *all[] = { &older, &today, &newer };
	calls_maker *makers[] = { calls_of_older, calls_of_today, calls_of_newer };

	if (argc != 3)
		return 2;
	for (size_t n = 0; n < 3; n++) {
		all[n]->recording = argv[1];
		all[n]->pebs_recording = argv[2];
		makers[n](all[n]);
	}
	for (size_t n = 0; n < today.count; n++)
		tap(today.call[n].code >= 0, "does what it is for", today.call[n].name);
	tap(older.count == today.count && newer.count == today.count, "all", "the same calls");
	compare(&older, &today, "older headers");
	compare(&newer, &today, "newer headers");
	printf("1..%u\n", cases);
	return failed != 0;
}
