/* SPDX-License-Identifier: BSD-3-Clause */
/* Side files that are made by hand, byte for byte as precis-objects(5) has them. */
#ifndef TESTS_OBJECTS_SIDE_FILE_H
#define TESTS_OBJECTS_SIDE_FILE_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <precis/precis.h>

#include "libdecode/objects/format.h"

struct side_file {
	uint8_t bytes[1 << 18];
	size_t count, chunk; /* where the last chunk begins */
};

static inline void side_begin(struct side_file *file, uint32_t clock)
{
	struct objects_header header = { .magic = OBJECTS_MAGIC,
					 .version = 1,
					 .bytes = sizeof(header),
					 .pid = 77,
					 .clock = clock,
					 .executable = "/bin/made" };

	memcpy(file->bytes, &header, sizeof(header));
	file->count = sizeof(header);
}

static inline struct objects_chunk *side_chunk(struct side_file *file)
{
	return (struct objects_chunk *)(void *)(file->bytes + file->chunk);
}

static inline void side_open(struct side_file *file, uint16_t kind, uint32_t tid, uint32_t number,
			     uint64_t first)
{
	struct objects_chunk chunk = { .magic = OBJECTS_CHUNK_MAGIC,
				       .kind = kind,
				       .tid = tid,
				       .number = number,
				       .first_time = first };

	file->chunk = file->count;
	memcpy(file->bytes + file->count, &chunk, sizeof(chunk));
	file->count += sizeof(chunk);
}

static inline void side_put(struct side_file *file, const void *bytes, size_t count)
{
	memcpy(file->bytes + file->count, bytes, count);
	file->count += count;
}

static inline void side_sum(struct side_file *file)
{
	side_chunk(file)->checksum = 0;
	side_chunk(file)->checksum = objects_checksum(file->bytes + file->chunk, file->count - file->chunk);
}

static inline void side_close(struct side_file *file, uint32_t events)
{
	side_chunk(file)->bytes = (uint32_t)(file->count - file->chunk - sizeof(struct objects_chunk));
	side_chunk(file)->count = events;
	while (file->count % 8)
		file->bytes[file->count++] = 0;
	side_sum(file);
}

/* @return PRECIS_E_..., 0 with the file opened */
static inline int side_read(const void *bytes, size_t count, const struct precis_object_file_options *options,
			    struct precis_object_file **opened, struct precis_file_error *error)
{
	int fd = memfd_create("objects", MFD_CLOEXEC), code;

	if (fd < 0 || write(fd, bytes, count) != (ssize_t)count)
		abort();
	code = precis_object_file_open_fd(fd, options, opened, error);
	close(fd);
	return code;
}

#endif
