/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Debug exceptions whose cause nobody knows. There are hypervisors that now and then deliver that of a
 * breakpoint with a DR6 that names no cause, and may lose a hit then. To the kernel it is nobody's
 * (exc_debug_user() in arch/x86/kernel/traps.c): the thread gets a SIGTRAP, which ends it if nobody takes it,
 * or if it is blocked. A test goes on; what failed in one with such exceptions is told by an exit status of
 * its own (TEST_AGAIN), and check-papi runs it again. So it does where the kernel's own count of a breakpoint
 * is short: that of a thread may stay so until it ends.
 */
#ifndef PRECIS_TRAPS_H
#define PRECIS_TRAPS_H

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#define TEST_AGAIN 75 /* EX_TEMPFAIL: try again */

/* Of the test and the processes that it forks; NULL: nobody counts */
static atomic_uint *test_traps;

static inline void test_count_trap(int signal)
{
	(void)signal;
	atomic_fetch_add_explicit(test_traps, 1, memory_order_relaxed);
}

static inline void test_take_traps(void)
{
	struct sigaction action = { .sa_handler = test_count_trap, .sa_flags = SA_RESTART };
	void *shared = mmap(NULL, sizeof(*test_traps), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		return;
	test_traps = (atomic_uint *)shared;
	sigemptyset(&action.sa_mask);
	sigaction(SIGTRAP, &action, NULL);
}

/* The kernel's count of accesses that were made: fewer than that were lost before it */
static inline void test_count_hits(long long counted, uint64_t made)
{
	if (test_traps && (counted < 0 || (uint64_t)counted < made))
		atomic_fetch_add_explicit(test_traps, 1, memory_order_relaxed);
}

/* All signals that may be blocked around an access to what has a breakpoint */
static inline void test_fill_signals(sigset_t *signals)
{
	sigfillset(signals);
	sigdelset(signals, SIGTRAP);
}

#endif
