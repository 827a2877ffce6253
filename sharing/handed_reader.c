/* SPDX-License-Identifier: BSD-3-Clause */
/* See handed_reader.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create() */
#endif
#include "handed_reader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int map(struct handed_reader *reader, int fd, int flags)
{
	void *ring = mmap(NULL, sizeof(*reader->ring), PROT_READ | PROT_WRITE, flags, fd, 0);

	if (ring == MAP_FAILED)
		return -errno;
	reader->ring = ring;
	return 0;
}

int handed_reader_make(struct handed_reader *reader)
{
	int error;

	memset(reader, 0, sizeof(*reader));
	reader->fd = memfd_create("precis-accesses", 0);
	if (reader->fd < 0 || ftruncate(reader->fd, sizeof(*reader->ring)))
		return -errno;
	error = map(reader, reader->fd, MAP_SHARED);
	if (error)
		return error;
	reader->ring->magic = PRECIS_ACCESSES_MAGIC;
	snprintf(reader->path, sizeof(reader->path), "/proc/self/fd/%d", reader->fd);
	return 0;
}

int handed_reader_make_own(struct handed_reader *reader)
{
	memset(reader, 0, sizeof(*reader));
	reader->fd = -1;
	return map(reader, -1, MAP_PRIVATE | MAP_ANONYMOUS);
}

int handed_reader_open(struct handed_reader *reader, const char *path)
{
	struct stat status;
	int fd, error = 0;

	memset(reader, 0, sizeof(*reader));
	reader->fd = -1;
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &status))
		error = -errno;
	else if (status.st_size < (off_t)sizeof(*reader->ring))
		error = -EINVAL;
	else
		error = map(reader, fd, MAP_SHARED);
	if (fd >= 0)
		close(fd);
	if (!error && reader->ring->magic != PRECIS_ACCESSES_MAGIC)
		error = -EINVAL;
	if (!error)
		reader->tail = __atomic_load_n(&reader->ring->tail, __ATOMIC_RELAXED);
	return error;
}

int handed_reader_next(struct handed_reader *reader, struct sampled_access *access)
{
	const struct precis_accesses_slot *slot =
		&reader->ring->slots[reader->tail % PRECIS_ACCESSES_SLOTS];

	if (__atomic_load_n(&slot->turn, __ATOMIC_ACQUIRE) != reader->tail + 1)
		return 0;
	*access = (struct sampled_access){
		.address = slot->address,
		.time = slot->time,
		.weight = (double)slot->weight,
		.tid = slot->tid,
		.bytes = slot->bytes,
		.flags = slot->flags,
	};
	reader->tail++;
	__atomic_store_n(&reader->ring->tail, reader->tail, __ATOMIC_RELEASE);
	return 1;
}

/* As many as it has room for: whoever hands them over may be as quick. */
void handed_reader_begin(struct handed_reader *reader)
{
	struct sampled_access late;

	reader->dropped = __atomic_load_n(&reader->ring->dropped, __ATOMIC_RELAXED);
	for (uint32_t n = 0; n < PRECIS_ACCESSES_SLOTS && handed_reader_next(reader, &late); n++)
		;
}

uint64_t handed_reader_dropped(const struct handed_reader *reader)
{
	return __atomic_load_n(&reader->ring->dropped, __ATOMIC_RELAXED) - reader->dropped;
}

void handed_reader_close(struct handed_reader *reader)
{
	if (reader->ring)
		munmap(reader->ring, sizeof(*reader->ring));
	if (reader->fd >= 0)
		close(reader->fd);
	memset(reader, 0, sizeof(*reader));
	reader->fd = -1;
}
