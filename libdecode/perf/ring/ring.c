/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of a ring buffer: both kinds, the queue and the one that is overwritten. */
#include <string.h>

#include <precis/error.h>
#include <precis/ring.h>

#include "libdecode/perf/records/bytes.h"
#include "libdecode/perf/records/record_header.h"
#include "libdecode/sample/abi.h"

ABI_FIXED(struct precis_ring, 128);

/* struct perf_event_mmap_page */
enum control_offset {
	DATA_HEAD = 0x400, /* what the kernel has written; free-running */
	DATA_TAIL = 0x408, /* what the reader has read */
	DATA_OFFSET = 0x410,
	DATA_SIZE = 0x418,
	CONTROL_BYTES = 0x420
};

/*
 * Positions are unsigned longs in the kernel: where these have 32 bits, positions come round at
 * 2^32, and the upper half of a control word is none. No ring is so large that it matters.
 */
typedef uintptr_t position;

static position *control_word(const struct precis_ring *ring, enum control_offset offset)
{
	uint8_t *word = ring->control + offset;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word += sizeof(uint64_t) - sizeof(position);
#endif
	return (position *)(void *)word;
}

static uint64_t distance(uint64_t from, uint64_t to)
{
	return (position)(to - from);
}

int precis_ring_init(struct precis_ring *ring, void *mapping, size_t bytes, void *wrapped)
{
	uint64_t offset, data_bytes;

	if (!ring || ring->size < sizeof(*ring) || !mapping || bytes < CONTROL_BYTES || !wrapped)
		return PRECIS_E_ARGUMENT;
	memset(ring, 0, sizeof(*ring));
	ring->size = sizeof(*ring);
	ring->control = mapping;
	offset = load_u64(ring->control + DATA_OFFSET);
	data_bytes = load_u64(ring->control + DATA_SIZE);
	if (offset < CONTROL_BYTES || offset > bytes || data_bytes > bytes - offset ||
	    data_bytes < RECORD_HEADER_BYTES || (data_bytes & (data_bytes - 1)))
		return PRECIS_E_BAD_SIZE;
	ring->data = ring->control + offset;
	ring->data_bytes = data_bytes;
	ring->wrapped = wrapped;
	ring->at = ring->head = load_u64(ring->control + DATA_TAIL);
	return 0;
}

static uint64_t load_head(const struct precis_ring *ring)
{
	/* pairs with the kernel's barrier between the records and their head */
	return __atomic_load_n(control_word(ring, DATA_HEAD), __ATOMIC_ACQUIRE);
}

uint64_t precis_ring_look(struct precis_ring *ring)
{
	ring->head = load_head(ring);
	return distance(ring->at, ring->head);
}

void precis_ring_release(struct precis_ring *ring)
{
	/* what was read has been read before the kernel may write there again */
	__atomic_store_n(control_word(ring, DATA_TAIL), (position)ring->at, __ATOMIC_RELEASE);
}

/* The bytes from a free-running position on. @return NULL if they wrap round */
static const uint8_t *in_one_piece(const struct precis_ring *ring, uint64_t at, uint32_t bytes)
{
	uint64_t place = at & (ring->data_bytes - 1);

	return bytes <= ring->data_bytes - place ? ring->data + place : NULL;
}

static const uint8_t *joined(const struct precis_ring *ring, uint64_t at, uint32_t bytes)
{
	uint64_t place = at & (ring->data_bytes - 1);
	size_t first = (size_t)(ring->data_bytes - place);

	memcpy(ring->wrapped, ring->data + place, first);
	memcpy(ring->wrapped + first, ring->data, bytes - first);
	return ring->wrapped;
}

/*
 * The size of the record that begins there. Records are aligned to 8, as long
 * as a header is, so that no header wraps round. @return 0 if it is a lie
 */
static uint32_t size_at(const struct precis_ring *ring, uint64_t at, uint64_t avail)
{
	uint32_t size;

	if (unlikely(at % RECORD_HEADER_BYTES || avail < RECORD_HEADER_BYTES))
		return 0;
	size = record_header_size(ring->data + (at & (ring->data_bytes - 1)));
	return size < RECORD_HEADER_BYTES || size % RECORD_HEADER_BYTES || size > avail ? 0 : size;
}

static void view(struct precis_ring *ring, uint64_t at, uint32_t size, struct precis_record *record)
{
	const uint8_t *bytes = in_one_piece(ring, at, size);

	if (unlikely(!bytes))
		bytes = joined(ring, at, size);
	memset(record, 0, sizeof(*record));
	record_view(bytes, record);
	record->size = (uint16_t)size;
	ring->records++;
	ring->bytes += size;
}

static int next_frozen(struct precis_ring *ring, struct precis_record *record)
{
	uint64_t at = ring->starts[--ring->frozen];
	uint32_t size = size_at(ring, at, ring->data_bytes);

	if (unlikely(!size)) { /* its output has not been paused */
		ring->unreadable_bytes += RECORD_HEADER_BYTES;
		return PRECIS_E_BAD_SIZE;
	}
	view(ring, at, size, record);
	return 1;
}

int precis_ring_next(struct precis_ring *ring, struct precis_record *record)
{
	uint64_t avail = distance(ring->at, ring->head);
	uint32_t size;

	if (ring->frozen)
		return next_frozen(ring, record);
	if (!avail || ring->starts)
		return 0;
	size = avail <= ring->data_bytes ? size_at(ring, ring->at, avail) : 0;
	if (unlikely(!size)) {
		ring->unreadable_bytes += avail;
		ring->at = ring->head;
		return PRECIS_E_BAD_SIZE;
	}
	view(ring, ring->at, size, record);
	ring->at += size;
	return 1;
}

int64_t precis_ring_freeze(struct precis_ring *ring, uint32_t *starts, size_t room)
{
	uint64_t head, written, avail, done = 0;
	uint32_t size;

	if (!ring || ring->size < sizeof(*ring) || !starts || !room)
		return PRECIS_E_ARGUMENT;
	if (ring->data_bytes - 1 > UINT32_MAX)
		return PRECIS_E_BAD_SIZE; /* offsets are u32s */
	head = load_head(ring); /* it runs backward */
	written = distance(head, ring->head);
	avail = written < ring->data_bytes ? written : ring->data_bytes;
	ring->starts = starts;
	ring->frozen = 0;
	while (done < avail && ring->frozen < room) {
		size = size_at(ring, head + done, avail - done);
		if (!size) /* the oldest has lost its end */
			break;
		starts[ring->frozen++] = (uint32_t)((head + done) & (ring->data_bytes - 1));
		done += size;
	}
	ring->overwritten_bytes += written - done;
	ring->head = head;
	return ring->frozen;
}
