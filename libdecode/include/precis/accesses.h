/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses to memory that a program hands over to precis-sharing(1), each as one of so many: for machines
 * without a PMU that samples them, for tests, and for teaching. See precis_accesses(3).
 *
 * These functions are in this header, and nothing is linked. What is handed over goes through a ring in
 * shared memory, a file that the environment variable PRECIS_ACCESSES names; where nobody asks there is none,
 * and each call is a test of a pointer. Linux, C11 and C++17, gcc and clang.
 *
 * Any thread may put an access in, at any time, in a signal handler, too: it takes a turn by compare and
 * swap, fills the slot, and then sets the slot's turn. Where there is no room nothing is put in, and that is
 * counted. The one reader takes them in the order of their turns.
 *
 * The layout is precis's own, in the byte order of the machine; no other document defines it. It stays as it
 * is under its magic: another layout would have another one, and who does not know that leaves it alone.
 */
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

/** The environment variable that has the ring's path */
#define PRECIS_ACCESSES_ENVIRONMENT "PRECIS_ACCESSES"
/** The first 8 bytes of a ring: "PECSAC02" */
#define PRECIS_ACCESSES_MAGIC UINT64_C(0x3230434153434550)
/** Slots of a ring, a power of two */
#define PRECIS_ACCESSES_SLOTS 65536u

/** What an access did: the flags of a slot. Both: an instruction that does both, as locked ones do */
#define PRECIS_ACCESSES_LOAD 1u
#define PRECIS_ACCESSES_STORE 2u

/** One access, 40 bytes. All-zero is none. */
struct precis_accesses_slot {
	uint64_t turn; /* 1 more than the number of the access that is in it, written last */
	uint64_t address; /* virtual, of the program's own, below 2^47 */
	uint64_t
		weight; /* so many accesses like it were made since the one before: 1 to 10^12 - 1 */
	uint64_t time; /* CLOCK_MONOTONIC, ns */
	uint32_t tid; /* who made it, as gettid(2) has it */
	uint16_t bytes; /* of the access: 1 to 64 */
	uint16_t flags; /* PRECIS_ACCESSES_LOAD, PRECIS_ACCESSES_STORE, or both */
};

/**
 * The ring, 2621504 bytes. Whoever makes a file for precis sharing --accesses writes so many zeros, and the
 * magic.
 */
struct precis_accesses_ring {
	uint64_t magic;
	uint64_t dropped; /* accesses for which there was no room */
	uint64_t head; /* turns that were taken */
	uint64_t tail; /* that have been read */
	uint64_t reserved[4]; /* 0 */
	/* access n is in slot n % PRECIS_ACCESSES_SLOTS */
	struct precis_accesses_slot slots[PRECIS_ACCESSES_SLOTS];
};

/* Strict ISO C (-std=c11, no _POSIX_C_SOURCE) hides some of POSIX, which is in the C library nevertheless. */
#ifndef CLOCK_MONOTONIC
#define PRECIS_ACCESSES_CLOCK 1 /* <linux/time.h> */
extern int clock_gettime(int clock, struct timespec *now);
#else
#define PRECIS_ACCESSES_CLOCK CLOCK_MONOTONIC
#endif
#ifdef O_CLOEXEC
#define PRECIS_ACCESSES_OPEN (O_RDWR | O_CLOEXEC)
#else
#define PRECIS_ACCESSES_OPEN O_RDWR
#endif

/**
 * Map the ring that PRECIS_ACCESSES names. It stays until the process ends or executes another program, or
 * until munmap(2) of it; one for all threads is enough. Not in a signal handler.
 *
 * @return the ring; NULL: nobody asks, it cannot be opened (errno), or it is none that this header knows
 */
static inline struct precis_accesses_ring *precis_accesses_open(void)
{
	const char *path = getenv(PRECIS_ACCESSES_ENVIRONMENT);
	const int fd = path ? open(path, PRECIS_ACCESSES_OPEN) : -1;
	struct precis_accesses_ring *ring = NULL;
	struct stat status;
	void *mapped = MAP_FAILED;

	if (fd < 0)
		return NULL;
	/* pages behind the end of a shorter file would be there, and end the program */
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

/**
 * A thread has made that access. Choose at random, one in 'weight' or so of its accesses that do the same:
 * what goes on in step with a choice that is none is seen too often or never. Stores must be among them;
 * loads need not. What is out of these bounds is put in, and then counted by who reads it as no access.
 *
 * @param ring    NULL: nothing is done
 * @param address where it begins, below 2^47
 * @param bytes   1 to 64
 * @param flags   PRECIS_ACCESSES_LOAD, PRECIS_ACCESSES_STORE, or both
 * @param tid     the thread's gettid(2), whoever calls
 * @param weight  accesses that it stands for, 1 to 10^12 - 1
 */
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
		if (turn - __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) >=
		    PRECIS_ACCESSES_SLOTS) {
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
