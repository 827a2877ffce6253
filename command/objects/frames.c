/* SPDX-License-Identifier: BSD-3-Clause */
/* See frames.h. */
#include "frames.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define RECORD_FIXED 72u /* bytes of an MMAP2 before the path: enum perf_event_type in <linux/perf_event.h> */
#define PATH_MOST 4096u
#define ID_MOST 20u
#define EXECUTABLE 5u /* PROT_READ | PROT_EXEC */
#define MAP_PRIVATELY 2u

int frames_open(struct frames *frames, const struct precis_object_file *file, struct symbol_options *options)
{
	struct precis_object_file_info info = { .size = sizeof(info) };

	precis_object_file_info(file, &info);
	frames->file = file;
	frames->pid = info.pid;
	frames->executable = info.executable;
	return places_open(&frames->places, NULL, options);
}

void frames_close(struct frames *frames)
{
	places_close(&frames->places);
	stack_times_free(&frames->stacks);
}

/* @return bytes; 0: it is none, or a longer one than a recording has */
static uint8_t read_build_id(const char *text, uint8_t id[ID_MOST])
{
	const size_t digits = text ? strlen(text) : 0;

	if (digits > 2 * ID_MOST || digits % 2)
		return 0;
	for (size_t n = 0; n < digits / 2; n++)
		if (sscanf(text + 2 * n, "%2" SCNx8, &id[n]) != 1)
			return 0;
	return (uint8_t)(digits / 2);
}

/* As perf would have recorded it */
static int learn_module(struct frames *frames, const struct precis_object_event *event)
{
	uint8_t bytes[RECORD_FIXED + PATH_MOST + 8] = { 0 };
	const char *path = precis_object_file_string(frames->file, event->name);
	const uint32_t type = PRECIS_RECORD_MMAP2, ids[2] = { frames->pid, frames->pid },
		       modes[2] = { EXECUTABLE, MAP_PRIVATELY };
	uint16_t misc = PRECIS_CPUMODE_USER, size;
	struct precis_record record = { .type = type, .data = bytes };

	path = path && *path ? path : frames->executable;
	if (strlen(path) >= PATH_MOST)
		return 0;
	size = (uint16_t)((RECORD_FIXED + strlen(path) + 1 + 7) & ~(size_t)7);
	bytes[40] = read_build_id(precis_object_file_string(frames->file, event->type), bytes + 44);
	misc |= bytes[40] ? PRECIS_MISC_MMAP_BUILD_ID : 0;
	memcpy(bytes, &type, 4);
	memcpy(bytes + 4, &misc, 2);
	memcpy(bytes + 6, &size, 2);
	memcpy(bytes + 8, ids, 8);
	memcpy(bytes + 16, &event->address, 8);
	memcpy(bytes + 24, &event->bytes, 8);
	memcpy(bytes + 32, &event->file_offset, 8);
	memcpy(bytes + 64, modes, 8);
	memcpy(bytes + RECORD_FIXED, path, strlen(path));
	record.misc = misc;
	record.size = size;
	return places_learn(&frames->places, &record, event->time);
}

int frames_learn(struct frames *frames, const struct precis_object_event *event)
{
	if (event->operation == PRECIS_OBJECT_MODULE)
		return learn_module(frames, event);
	return event->present & PRECIS_OBJECT_HAS_STACK
		       ? stack_times_learn(&frames->stacks, frames->file, event->stack, event->time)
		       : 0;
}

/* A return address may be the next function's: the call is before it. */
static void put_frame(struct frames *frames, uint64_t time, uint64_t address, char *room,
		      size_t bytes)
{
	struct precis_location place = { .size = sizeof(place) };
	const char *base;

	(frames->places.is_off ? precis_symbols_locate : precis_symbols_find)(
		frames->places.symbols, frames->pid, PRECIS_CPUMODE_USER, time, address - 1,
		&place);
	if (place.symbol) {
		snprintf(room, bytes, "%s", places_symbol(&frames->places, &place));
	} else if (place.object) {
		base = strrchr(place.object, '/');
		snprintf(room, bytes, "%s+0x%" PRIx64, base ? base + 1 : place.object, place.offset);
	} else {
		snprintf(room, bytes, "0x%" PRIx64, address - 1);
	}
}

const char *frames_text(struct frames *frames, uint32_t stack, uint32_t first, uint32_t most, char *room,
			size_t bytes)
{
	const uint64_t *addresses;
	uint32_t is_cut = 0, count = precis_object_file_stack(frames->file, stack, &addresses, &is_cut);
	const uint64_t time = stack_times_of(&frames->stacks, stack, UINT64_MAX);
	const uint32_t end = most && first + most < count ? first + most : count;
	size_t used = 0;

	room[0] = '\0';
	for (uint32_t n = first; n < end && used < bytes; n++) {
		used += (size_t)snprintf(room + used, bytes - used, "%s", n > first ? " < " : "");
		if (used < bytes)
			put_frame(frames, time, addresses[n], room + used, bytes - used);
		used = strlen(room);
	}
	if (end > first && (end < count || is_cut) && used < bytes)
		snprintf(room + used, bytes - used, " < ...");
	return room;
}
