/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rings. A byte for the size of the data, a byte for the ways it is read, then control words
 * (head, tail, data offset and size, each relative to what is right), then the data; each further
 * head is taken from what is left.
 */
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>
#include <precis/ring.h>

#include "tests/fuzz/target.h"

/* struct perf_event_mmap_page */
enum { HEAD = 0x400, TAIL = 0x408, OFFSET = 0x410, SIZE = 0x418, CONTROL_BYTES = 0x420 };
enum { STARTS = 64 };

/* The bytes that have not been used yet; zeros behind their end */
static const uint8_t *input;
static size_t left;

static uint64_t take(size_t bytes)
{
	uint64_t value = 0;

	if (bytes > left)
		bytes = left;
	memcpy(&value, input, bytes);
	input += bytes;
	left -= bytes;
	return value;
}

static void put(uint8_t *mapping, size_t at, uint64_t value)
{
	memcpy(mapping + at, &value, sizeof(value));
}

/* A record lies in the ring or, whole, in the room for what wraps round; its bytes are the ring's. */
static void check_record(const struct precis_ring *ring, const struct precis_record *record)
{
	uint64_t at = ring->starts ? ring->starts[ring->frozen] : ring->at - record->size;

	PROMISE(record->size >= 8 && record->size % 8 == 0 && record->size <= ring->data_bytes);
	PROMISE(record->data == ring->wrapped ||
		(record->data >= ring->data &&
		 record->size <= (size_t)(ring->data + ring->data_bytes - record->data)));
	for (uint32_t i = 0; i < record->size; i++)
		PROMISE(record->data[i] == ring->data[(at + i) & (ring->data_bytes - 1)]);
}

/* All that is known of. It comes to an end, and what it hands out and skips adds up. */
static void read_all(struct precis_ring *ring, uint64_t most)
{
	uint64_t bytes = ring->bytes, records = ring->records;
	struct precis_record record;
	int code;

	for (uint64_t n = 0; (code = precis_ring_next(ring, &record)) != 0; n++) {
		PROMISE(n <= most);
		PROMISE(code == 1 || code == PRECIS_E_BAD_SIZE);
		if (code == 1)
			check_record(ring, &record);
	}
	PROMISE(ring->bytes - bytes >= 8 * (ring->records - records));
}

static void read_queue(struct precis_ring *ring, uint8_t *mapping)
{
	uint64_t accounted = ring->bytes + ring->unreadable_bytes;
	uint64_t waiting = precis_ring_look(ring);

	read_all(ring, ring->data_bytes / 8 + 1);
	PROMISE(ring->bytes + ring->unreadable_bytes - accounted == waiting);
	precis_ring_release(ring);
	PROMISE(!memcmp(mapping + HEAD, mapping + TAIL, 8));
}

static void read_frozen(struct precis_ring *ring, size_t room)
{
	uint32_t *starts = malloc(room * sizeof(*starts));
	int64_t count;

	if (!starts)
		return;
	count = precis_ring_freeze(ring, starts, room);
	PROMISE(count >= 0 && (uint64_t)count <= room);
	read_all(ring, (uint64_t)count);
	PROMISE(precis_ring_next(ring, &(struct precis_record){ 0 }) == 0);
	free(starts);
}

static void read_ring(uint8_t *mapping, size_t bytes, int is_frozen)
{
	struct precis_ring ring = { .size = sizeof(ring) };
	uint8_t *wrapped = malloc(PRECIS_RING_WRAPPED_BYTES);
	uint64_t head;

	if (!wrapped)
		return;
	memcpy(&head, mapping + HEAD, sizeof(head));
	if (precis_ring_init(&ring, mapping, bytes, wrapped) == 0) {
		PROMISE(!(ring.data_bytes & (ring.data_bytes - 1)));
		for (uint32_t round = 0; round < 16; round++) {
			if (is_frozen)
				read_frozen(&ring, 1 + take(1) % STARTS);
			else
				read_queue(&ring, mapping);
			if (!left)
				break;
			head += (uint64_t)(int64_t)(int16_t)take(2);
			put(mapping, HEAD, head);
		}
	}
	free(wrapped);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t data_bytes, ways, filled;
	uint8_t *mapping;
	size_t bytes;

	input = data;
	left = size;
	data_bytes = UINT64_C(8) << take(1) % 14; /* to 64 KiB */
	ways = take(1);
	bytes = CONTROL_BYTES + (size_t)data_bytes;
	mapping = calloc(1, bytes);
	if (!mapping)
		return 0;
	put(mapping, HEAD, take(8));
	put(mapping, TAIL, take(8));
	put(mapping, OFFSET, CONTROL_BYTES + (ways & 2 ? take(8) : 0));
	put(mapping, SIZE, data_bytes + (ways & 4 ? take(8) : 0));
	filled = left < data_bytes ? left : data_bytes;
	memcpy(mapping + CONTROL_BYTES, input, filled);
	input += filled;
	left -= filled;
	read_ring(mapping, bytes, ways & 1);
	free(mapping);
	return 0;
}
