/* SPDX-License-Identifier: BSD-3-Clause */
/* See state.h. */
#include "state.h"

#include "system.h"

union state_page state_page __attribute__((aligned(4096)));

int state_empty_in_children(void)
{
	return (int)CALL3(SYS_madvise, &state_page, sizeof(state_page), MADV_WIPEONFORK);
}

void lock_slowly(unsigned int n)
{
	do {
		CALL1(SYS_sched_yield, 0);
	} while (__atomic_exchange_n(&shared.locks[n], 1, __ATOMIC_ACQUIRE));
}
