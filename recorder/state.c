/* SPDX-License-Identifier: BSD-3-Clause */
/* See state.h. */
#include "state.h"

#include "system.h"

union state_page state_page __attribute__((aligned(4096)));

int state_empty_in_children(void)
{
	return (int)CALL3(SYS_madvise, &state_page, sizeof(state_page), MADV_WIPEONFORK);
}

/*
 * Held for a few stores, or one write(2), never while a function of the program's is called. A signal handler
 * that interrupts the holder takes none: it leaves its event to the thread (see thread.h).
 */
void lock(unsigned int n)
{
	while (__atomic_exchange_n(&shared.locks[n], 1, __ATOMIC_ACQUIRE))
		CALL1(SYS_sched_yield, 0);
}

void unlock(unsigned int n)
{
	__atomic_store_n(&shared.locks[n], 0, __ATOMIC_RELEASE);
}
