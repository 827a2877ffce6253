/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_fork.h
 * @brief A child of fork(2) has the parent's descriptors, but neither its rings (the kernel does not copy
 * the mapping) nor its threads: what is the parent's is known by its generation, and given up.
 */
#ifndef PRECIS_FORK_H
#define PRECIS_FORK_H

#include <pthread.h>
#include <signal.h>
#include <stdint.h>

/** What a file has to do then */
struct precis_fork_hooks {
	pthread_mutex_t *mutex; /**< which no other thread may have meanwhile; NULL: PRECIS_LOCK_NAMES */
	void (*in_child)(void); /**< give up what is the parent's, with all locks held; NULL: nothing */
	void (*before)(void); /**< in the place of the mutex; NULL: that */
	void (*after)(int is_child); /**< as 'before' */
};

/** From now on, by hooks that live as long as the process, NULL behind the last; their locks are taken in
 * this order, after 'block' has blocked what signals must not come meanwhile. @return one of PAPI's codes */
int precis_fork_watch(const struct precis_fork_hooks *const *hooks, void (*block)(sigset_t *before));
/** Another number in each process */
extern volatile uint32_t precis_generation;

#endif
