/* SPDX-License-Identifier: BSD-3-Clause */
/* The ring of an event that is open, as large as the kernel lets it be. */
#ifndef SHARING_MAPPED_RING_H
#define SHARING_MAPPED_RING_H

#include <stddef.h>
#include <stdint.h>

#include <precis/ring.h>

struct mapped_ring {
	void *mapping; /* NULL: none */
	size_t bytes;
	struct precis_ring ring;
};

/*
 * @param pages    the most, a power of two; less where the kernel refuses so many
 * @param wrapped  PRECIS_RING_WRAPPED_BYTES of room
 * @return 0, or -errno
 */
int mapped_ring_open(struct mapped_ring *mapped, int fd, size_t pages, uint8_t *wrapped);
void mapped_ring_close(struct mapped_ring *mapped);

#endif
