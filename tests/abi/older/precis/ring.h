#ifndef PRECIS_RING_H
#define PRECIS_RING_H

#include <precis/export.h>
#include <precis/record.h>

PRECIS_BEGIN_DECLS

#define PRECIS_RING_WRAPPED_BYTES 65536u

struct precis_ring {
	uint32_t size;
	uint32_t frozen;

	uint64_t records;
	uint64_t bytes;
	uint64_t unreadable_bytes;
	uint64_t overwritten_bytes;

	uint8_t *control;
	const uint8_t *data;
	uint64_t data_bytes;
	uint64_t at, head;
	uint8_t *wrapped;
	const uint32_t *starts;
	uint64_t reserved[4];
};

PRECIS_API int precis_ring_init(struct precis_ring *ring, void *mapping, size_t bytes,
				void *wrapped);

PRECIS_API uint64_t precis_ring_look(struct precis_ring *ring);

PRECIS_API int precis_ring_next(struct precis_ring *ring, struct precis_record *record);

PRECIS_API void precis_ring_release(struct precis_ring *ring);

PRECIS_API int64_t precis_ring_freeze(struct precis_ring *ring, uint32_t *starts, size_t room);

PRECIS_END_DECLS

#endif
