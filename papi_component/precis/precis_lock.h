/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_lock.h
 * @brief Those of PAPI's locks that the component takes. They do nothing before PAPI_thread_init(), and
 * whoever waits for one spins: for tables that only PAPI's functions use, for a moment. What the
 * helper thread, a thread's end or a wait needs is a mutex of its own.
 */
#ifndef PRECIS_LOCK_H
#define PRECIS_LOCK_H

/** Which of the locks */
enum precis_lock {
	PRECIS_LOCK_NAMES,  /**< the component's own: names of events */
	PRECIS_LOCK_LIBPFM4 /**< NAMELIB_LOCK, with which PAPI begins and ends libpfm4 */
};

/** Not in a signal handler: the thread that it interrupts may hold the lock. */
void precis_lock(enum precis_lock which);
/** By the thread that has it */
void precis_unlock(enum precis_lock which);

#endif
