/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_affinity.h
 * @brief The CPUs that a process may use, where its threads are bound to single ones.
 */
#ifndef PRECIS_AFFINITY_H
#define PRECIS_AFFINITY_H

/** Those of the calling thread belong to the process. */
void precis_affinity_note(void);
/** Let the calling thread run on all that any thread of the process may use, or that were noted. */
void precis_affinity_widen(void);

#endif
