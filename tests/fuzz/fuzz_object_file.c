/* SPDX-License-Identifier: BSD-3-Clause */
/* Side files of objects' lifetimes, through all that the library does with one. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include <precis/precis.h>

#include "libdecode/objects/format.h"
#include "tests/fuzz/target.h"

/* What is said of an event can be had. @return something of it, that nothing is left out */
static uint64_t look_at(const struct precis_object_file *file, const struct precis_object_event *event)
{
	const uint64_t *addresses;
	uint32_t count = precis_object_file_stack(file, event->stack, &addresses, NULL);
	const char *name = precis_object_file_string(file, event->name);
	uint64_t sum = event->address, ns, error;

	PROMISE(precis_object_operation_name(event->operation));
	PROMISE(!(event->present & PRECIS_OBJECT_HAS_PROBABILITY) ||
		(event->probability > 0 && event->probability <= 1));
	for (uint32_t n = 0; n < count; n++)
		sum += addresses[n];
	for (; name && *name; name++)
		sum += (uint64_t)*name;
	return sum + (uint64_t)precis_object_file_monotonic(file, event->time, &ns, &error);
}

static uint64_t pass(struct precis_object_file *file, uint64_t *events)
{
	struct precis_object_event event = { .size = sizeof(event) };
	uint64_t sum = 0;
	int code;

	*events = 0;
	while ((code = precis_object_file_next(file, &event)) > 0) {
		sum = sum * 31 + look_at(file, &event);
		++*events;
	}
	PROMISE(code == 0 || code == PRECIS_E_NO_MEMORY);
	return sum;
}

/* Bytes with checksums that are right, where chunks may be: otherwise hardly any would be looked into */
static void sum_chunks(uint8_t *bytes, size_t size)
{
	struct objects_chunk chunk;

	for (size_t at = sizeof(struct objects_header); at + sizeof(chunk) <= size; at += 8) {
		memcpy(&chunk, bytes + at, sizeof(chunk));
		if (chunk.magic != OBJECTS_CHUNK_MAGIC || chunk.bytes > size - at - sizeof(chunk) ||
		    objects_padded(chunk.bytes) > size - at - sizeof(chunk))
			continue;
		memset(bytes + at + offsetof(struct objects_chunk, checksum), 0, sizeof(chunk.checksum));
		chunk.checksum = objects_checksum(bytes + at, sizeof(chunk) + objects_padded(chunk.bytes));
		memcpy(bytes + at, &chunk, sizeof(chunk));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	static uint8_t bytes[1 << 16];
	struct precis_object_file_options options = { .size = sizeof(options), .memory = 1 << 24 };
	struct precis_file_error error = { .size = sizeof(error) };
	struct precis_object_file *file;
	uint64_t first, second, events, again;

	if (size > sizeof(bytes))
		size = sizeof(bytes);
	memcpy(bytes, data, size);
	if (size % 2)
		sum_chunks(bytes, size);
	if (fd < 0)
		fd = memfd_create("objects", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, 0) || pwrite(fd, bytes, size, 0) != (ssize_t)size)
		return 0;
	if (precis_object_file_open_fd(fd, &options, &file, &error)) {
		PROMISE(error.code < 0);
		return 0;
	}
	first = pass(file, &events);
	PROMISE(precis_object_file_rewind(file) == 0);
	second = pass(file, &again);
	PROMISE(first == second && events == again);
	PROMISE(events <= size);
	precis_object_file_close(file);
	return 0;
}
