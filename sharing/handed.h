/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses that a program hands over itself, each as one of so many: for machines without a PMU, for
 * tests, and for teaching. A file in shared memory, named by PRECIS_ACCESSES in the environment, has a
 * ring of them. A program includes this header, and nothing else of precis.
 *
 * Any thread may put one in, at any time, from a signal handler, too: it takes a turn by compare and swap,
 * fills the slot, and then sets the slot's turn. Where there is no room nothing is put in, and that is
 * counted. The one reader takes them in the order of their turns.
 */
#ifndef SHARING_HANDED_H
#define SHARING_HANDED_H

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define HANDED_ENVIRONMENT "PRECIS_ACCESSES"
#define HANDED_MAGIC UINT64_C(0x3230434153434550) /* "PECSAC02" */
#define HANDED_SLOTS 65536u /* a power of two */

#define HANDED_LOAD 1u
#define HANDED_STORE 2u

/* All are of the writer's machine. 'turn' is 1 more than the number of the access in the slot. */
struct handed_slot {
	uint64_t turn, address, weight; /* so many accesses like it were made since the one before */
	uint64_t time; /* CLOCK_MONOTONIC, ns */
	uint32_t tid;
	uint16_t bytes, flags;
};

struct handed_ring {
	uint64_t magic;
	uint64_t dropped; /* there was no room */
	uint64_t head;    /* turns that were taken */
	uint64_t tail;    /* that have been read */
	uint64_t reserved[4];
	struct handed_slot slots[HANDED_SLOTS];
};

/* The ring of PRECIS_ACCESSES; NULL: there is none */
static inline struct handed_ring *handed_open(void)
{
	const char *path = getenv(HANDED_ENVIRONMENT);
	const int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *ring = MAP_FAILED;

	if (fd >= 0) {
		ring = mmap(NULL, sizeof(struct handed_ring), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		close(fd);
	}
	return ring == MAP_FAILED || ((struct handed_ring *)ring)->magic != HANDED_MAGIC ?
		       NULL : (struct handed_ring *)ring;
}

/* NULL is a ring that takes nothing. */
static inline void handed_put(struct handed_ring *ring, const volatile void *address, uint16_t bytes,
			      uint16_t flags, uint32_t tid, uint64_t weight)
{
	struct handed_slot *slot;
	struct timespec now;
	uint64_t turn;

	if (!ring)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	turn = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
	do {
		if (turn - __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) >= HANDED_SLOTS) {
			__atomic_fetch_add(&ring->dropped, 1, __ATOMIC_RELAXED);
			return;
		}
	} while (!__atomic_compare_exchange_n(&ring->head, &turn, turn + 1, 1, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	slot = &ring->slots[turn % HANDED_SLOTS];
	slot->address = (uint64_t)(uintptr_t)address;
	slot->weight = weight;
	slot->time = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	slot->tid = tid;
	slot->bytes = bytes;
	slot->flags = flags;
	__atomic_store_n(&slot->turn, turn + 1, __ATOMIC_RELEASE);
}

#endif
