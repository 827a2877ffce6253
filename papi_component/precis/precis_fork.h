/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A child of fork(2) has the parent's descriptors, but neither its rings (the kernel does not copy
 * the mapping) nor its threads: what is the parent's is known by its generation, and given up.
 */
#ifndef PRECIS_FORK_H
#define PRECIS_FORK_H

#include <stdint.h>

/* What a file has to do then; NULL: nothing */
struct precis_fork_hooks {
	void (*before)(void); /* take the locks that no other thread may have meanwhile */
	void (*in_child)(void); /* give up what is the parent's; the locks are still taken */
	void (*after)(void); /* let the locks go, in both */
};

/* From now on, by hooks that live as long as the process, NULL behind the last; in their order
 * before, backward afterwards. @return one of PAPI's codes */
int precis_fork_watch(const struct precis_fork_hooks *const *hooks);
/* Another number in each process */
extern volatile uint32_t precis_generation;

#endif
