/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_buffer.h
 * @brief The ring of an opened event: its mapping, and its records one after the other.
 */
#ifndef PRECIS_BUFFER_H
#define PRECIS_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#include <precis/record.h>
#include <precis/ring.h>

/** The ring of one opened event */
struct precis_buffer {
	const char *event; /**< its name, for reasons */
	int fd; /**< the event's */
	int is_overwritten; /**< the newest records stay: read with the output paused */
	void *mapping; /**< NULL: none */
	size_t mapping_bytes; /**< the ring, and the page that describes it */
	uint32_t bytes; /**< of the ring itself */
	struct precis_ring ring; /**< where reading stands */
	uint32_t *starts; /**< of an overwritten ring: where its records begin */
	size_t start_count; /**< for how many of them there is room */
	uint8_t *wrapped; /**< for a record that goes round the end */
};

/**
 * Map the ring of an event, of 'wanted' bytes (0: 128 KiB), or of as many as the limits on locked
 * memory allow. @return PAPI_OK or an error, noted
 */
int precis_buffer_map(struct precis_buffer *buffer, uint64_t wanted);
/** Free what precis_buffer_map() has taken. */
void precis_buffer_unmap(struct precis_buffer *buffer);
/** In a child after fork(2): the ring is not mapped there (VM_DONTCOPY). */
void precis_buffer_abandon(struct precis_buffer *buffer);

/** Does anything wait? Of an overwritten ring that is not known: yes. */
int precis_buffer_waits(struct precis_buffer *buffer);
/** Begin to read. @return whether anything waits; then precis_buffer_end() has to come. */
int precis_buffer_begin(struct precis_buffer *buffer);
/** @return 1 and the next record, 0 behind the last, else an error of precis_ring_next() */
int precis_buffer_next(struct precis_buffer *buffer, struct precis_record *record);
/** Give the kernel the room of what has been read, as far as that is possible before the end. */
void precis_buffer_release(struct precis_buffer *buffer);
/** What has been read is the kernel's again. */
void precis_buffer_end(struct precis_buffer *buffer);

#endif
