/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a forked child must not take over from its parent: one page, which the kernel empties in the child,
 * by whichever call it was forked. So a child notices with the check that each event makes anyway, and a fork
 * costs nothing. A child of vfork(2) shares the parent's memory, this page with it, and is recorded there.
 */
#ifndef PRECIS_RECORDER_STATE_H
#define PRECIS_RECORDER_STATE_H

#include <stdint.h>

#define LOCKS 67u /* the last ones are those of the file, the definitions, and of what threads carry over */
#define LOCK_OUTPUT (LOCKS - 3)
#define LOCK_DEFINITIONS (LOCKS - 2)
#define LOCK_CARRIED (LOCKS - 1)

enum running { NOT_BEGUN = 0, BEGINNING, RUNNING, REFUSED };

/* Between threads, where one ends before it could be judged. ns */
struct carried {
	double own, cpu;
	double balance; /* what it may have cost and did not; below 0: the other way round */
};

struct state {
	int running; /* enum running */
	int beginner; /* the thread that begins */
	int stop; /* not 0: threads wait before they record */
	uint64_t locks[LOCKS]; /* the address of the holder's lock_held; 0: nobody has it */
	int has_ended; /* 1: what comes yet is written at once */
	struct carried carried;
	uint32_t threads; /* that there have been */
	uint32_t comm; /* number of the next COMM */
	uint64_t modules; /* dlpi_adds and dlpi_subs of dl_iterate_phdr() when code was told last */
	uint64_t clock_time, comm_time; /* ns, when the last ones were noted */
	uint64_t events, lost, stacks_lost, chunks_lost, allocations, allocated, own_ticks; /* of threads
											     * that ended */
	uint64_t without_memory; /* of 'lost': there was no memory for them */
	uint64_t passed_bytes; /* of small blocks of threads that there is no memory for */
};

extern union state_page {
	struct state now;
	uint8_t page[4096];
} state_page;

#define shared (state_page.now)

/* @return 0, or -errno: the kernel cannot empty it (before Linux 4.14) */
int state_empty_in_children(void);

/*
 * Held for a few stores, or one write(2), never while a function of the program's is called. A signal handler
 * that interrupts the holder takes none: it leaves its event to the thread (see thread.h), and where it jumps
 * out of the holder, the thread's next event gives the lock back. One that ends the process needs those of
 * the file and the definitions: they are held with all signals blocked.
 */
void lock_slowly(unsigned int n);

/* 1 + the lock that this thread has or waits for, where signals are not blocked; 0: none */
extern __thread unsigned int lock_held __attribute__((tls_model("initial-exec")));

/* @return 0: it is another thread's */
static inline int lock_at_once(unsigned int n)
{
	uint64_t nobody = 0;

	return __atomic_compare_exchange_n(&shared.locks[n], &nobody, (uint64_t)&lock_held, 0,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline void lock(unsigned int n)
{
	*(volatile unsigned int *)&lock_held = n + 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__builtin_expect(!lock_at_once(n), 0))
		lock_slowly(n);
}

static inline void unlock(unsigned int n)
{
	__atomic_store_n(&shared.locks[n], 0, __ATOMIC_RELEASE);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	*(volatile unsigned int *)&lock_held = 0;
}

/* A handler has jumped out of what this thread did: the lock that it has is nobody's from here on. */
void lock_give_back(void);

#endif
