/* SPDX-License-Identifier: BSD-3-Clause */
/* See state.h. */
#include "state.h"

#include "system.h"

__thread unsigned int lock_held __attribute__((tls_model("initial-exec")));
union state_page state_page __attribute__((aligned(4096)));

int state_empty_in_children(void)
{
	return (int)CALL3(SYS_madvise, &state_page, sizeof(state_page), MADV_WIPEONFORK);
}

void lock_slowly(unsigned int n)
{
	do {
		CALL1(SYS_sched_yield, 0);
	} while (!lock_at_once(n));
}

void lock_give_back(void)
{
	uint64_t mine = (uint64_t)&lock_held;

	if (lock_held)
		__atomic_compare_exchange_n(&shared.locks[lock_held - 1], &mine, 0, 0,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	lock_held = 0;
}
