#ifndef PRECIS_ACCESSES_H
#define PRECIS_ACCESSES_H

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PRECIS_ACCESSES_ENVIRONMENT "PRECIS_ACCESSES"

#define PRECIS_ACCESSES_MAGIC UINT64_C(0x3230434153434550)

#define PRECIS_ACCESSES_SLOTS 65536u

#define PRECIS_ACCESSES_LOAD 1u
#define PRECIS_ACCESSES_STORE 2u

struct precis_accesses_slot {
	uint64_t turn;
	uint64_t address;
	uint64_t weight;
	uint64_t time;
	uint32_t tid;
	uint16_t bytes;
	uint16_t flags;
};

struct precis_accesses_ring {
	uint64_t magic;
	uint64_t dropped;
	uint64_t head;
	uint64_t tail;
	uint64_t reserved[4];
	struct precis_accesses_slot slots[PRECIS_ACCESSES_SLOTS];
};

#ifndef CLOCK_MONOTONIC
#define PRECIS_ACCESSES_CLOCK 1
extern int clock_gettime(int clock, struct timespec *now);
#else
#define PRECIS_ACCESSES_CLOCK CLOCK_MONOTONIC
#endif
#ifdef O_CLOEXEC
#define PRECIS_ACCESSES_OPEN (O_RDWR | O_CLOEXEC)
#else
#define PRECIS_ACCESSES_OPEN O_RDWR
#endif

static inline struct precis_accesses_ring *precis_accesses_open(void)
{
	const char *path = getenv(PRECIS_ACCESSES_ENVIRONMENT);
	const int fd = path ? open(path, PRECIS_ACCESSES_OPEN) : -1;
	struct precis_accesses_ring *ring = NULL;
	struct stat status;
	void *mapped = MAP_FAILED;

	if (fd < 0)
		return NULL;

	if (!fstat(fd, &status) && status.st_size >= (off_t)sizeof(*ring))
		mapped = mmap(NULL, sizeof(*ring), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (mapped == MAP_FAILED)
		return NULL;
	ring = (struct precis_accesses_ring *)mapped;
	if (ring->magic == PRECIS_ACCESSES_MAGIC)
		return ring;
	munmap(mapped, sizeof(*ring));
	return NULL;
}

static inline void precis_accesses_put(struct precis_accesses_ring *ring,
				       const volatile void *address, uint16_t bytes, uint16_t flags,
				       uint32_t tid, uint64_t weight)
{
	struct precis_accesses_slot *slot;
	struct timespec now;
	uint64_t turn;

	if (!ring)
		return;
	clock_gettime(PRECIS_ACCESSES_CLOCK, &now);
	turn = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
	do {
		if (turn - __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) >= PRECIS_ACCESSES_SLOTS) {
			__atomic_fetch_add(&ring->dropped, 1, __ATOMIC_RELAXED);
			return;
		}
	} while (!__atomic_compare_exchange_n(&ring->head, &turn, turn + 1, 1, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	slot = &ring->slots[turn % PRECIS_ACCESSES_SLOTS];
	slot->address = (uint64_t)(uintptr_t)address;
	slot->weight = weight;
	slot->time = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	slot->tid = tid;
	slot->bytes = bytes;
	slot->flags = flags;
	__atomic_store_n(&slot->turn, turn + 1, __ATOMIC_RELEASE);
}

#ifdef __cplusplus
}
#endif

#endif
