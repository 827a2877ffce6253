/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ring buffer that perf_event_open(2) events write into, as mmap(2) gives it.
 *
 * A mapping that may be written to (PROT_WRITE) is a queue: the kernel drops
 * what does not fit until the reader hands room back. One that may only be read
 * is overwritten: of an event with attr.write_backward the newest records are
 * there when its output has been paused (PERF_EVENT_IOC_PAUSE_OUTPUT).
 *
 * Nothing here allocates or makes a system call; all of it may be called from a
 * signal handler. One reader at a time.
 *
 * Source: struct perf_event_mmap_page and its comments in
 * include/uapi/linux/perf_event.h, kernel/events/ring_buffer.c of Linux 7.3.
 */
#ifndef PRECIS_RING_H
#define PRECIS_RING_H

#include <precis/export.h>
#include <precis/record.h>

PRECIS_BEGIN_DECLS

/** The largest record there can be, and the size of the room for one that wraps round. */
#define PRECIS_RING_WRAPPED_BYTES 65536u

/**
 * A ring that is read. The counts may be read; the other members are private and may be others in
 * the next version. The struct does not grow.
 */
struct precis_ring {
	uint32_t size; /* sizeof(struct precis_ring), set by the caller */
	uint32_t frozen; /* records left of the last precis_ring_freeze() */

	uint64_t records; /* handed out */
	uint64_t bytes; /* of these */
	uint64_t unreadable_bytes; /* skipped because a size was a lie */
	uint64_t overwritten_bytes; /* gone before they were read, of a ring that is overwritten */

	/* private */
	uint8_t *control; /* the mapping's first page */
	const uint8_t *data;
	uint64_t data_bytes; /* a power of two */
	uint64_t at, head; /* where the next record begins, where the last known one ends */
	uint8_t *wrapped;
	const uint32_t *starts; /* of the frozen records, newest first */
	uint64_t reserved[4];
};

/**
 * @param mapping  what mmap(2) returned
 * @param bytes    of the mapping: the control page and the data
 * @param wrapped  PRECIS_RING_WRAPPED_BYTES of room, where a record goes that wraps round the
 *                 ring's end: valid until the next one
 * @param ring     'size' must be set
 * @return 0; PRECIS_E_ARGUMENT; PRECIS_E_BAD_SIZE if what the control page says of the data does
 *         not lie in the mapping or is no power of two
 */
PRECIS_API int precis_ring_init(struct precis_ring *ring, void *mapping, size_t bytes,
				void *wrapped);

/**
 * Look how far the kernel has written.
 * @return the bytes that wait to be read
 */
PRECIS_API uint64_t precis_ring_look(struct precis_ring *ring);

/**
 * The next record of those that precis_ring_look() or precis_ring_freeze() saw.
 *
 * @param record  a view into the ring, valid until precis_ring_release()
 * @return 1; 0 if there is none; PRECIS_E_BAD_SIZE if the next one's size is a lie: then what was
 *         seen is skipped and counted, and reading goes on behind it
 */
PRECIS_API int precis_ring_next(struct precis_ring *ring, struct precis_record *record);

/** Hand the room of all records read so far back to the kernel. */
PRECIS_API void precis_ring_release(struct precis_ring *ring);

/**
 * Find the records of a ring that is overwritten, those since the last time. Its output must be
 * paused, and stay so until they have been read; they come oldest first.
 *
 * @param starts  room for 'room' offsets. With fewer than there are records, the oldest are
 *                counted as overwritten; data bytes / 8 are always enough
 * @return how many there are; PRECIS_E_ARGUMENT; PRECIS_E_BAD_SIZE for a ring of more than 4 GiB
 */
PRECIS_API int64_t precis_ring_freeze(struct precis_ring *ring, uint32_t *starts, size_t room);

PRECIS_END_DECLS

#endif
