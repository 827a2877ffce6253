/* SPDX-License-Identifier: BSD-3-Clause */
/* See mapped_ring.h. */
#include "mapped_ring.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

int mapped_ring_open(struct mapped_ring *mapped, int fd, size_t pages, uint8_t *wrapped)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int error = 0;

	do {
		mapped->bytes = (pages + 1) * page;
		mapped->mapping =
			mmap(NULL, mapped->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		error = mapped->mapping == MAP_FAILED ? -errno : 0;
		pages /= 2;
	} while (error && pages);
	if (error) {
		mapped->mapping = NULL;
		return error;
	}
	mapped->ring = (struct precis_ring){ .size = sizeof(mapped->ring) };
	return precis_ring_init(&mapped->ring, mapped->mapping, mapped->bytes, wrapped) ? -EIO : 0;
}

void mapped_ring_close(struct mapped_ring *mapped)
{
	if (mapped->mapping)
		munmap(mapped->mapping, mapped->bytes);
	mapped->mapping = NULL;
}
