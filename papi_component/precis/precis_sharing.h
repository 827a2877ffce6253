/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_sharing.h
 * @brief Who shares lines with whom in this process: <precis/papi.h> over sharing/in_process.h.
 */
#ifndef PRECIS_SHARING_H
#define PRECIS_SHARING_H

#include "precis_fork.h"

/** What fork(2) wants of it: a child is not observed, and holds no register of its parent's threads. */
extern const struct precis_fork_hooks precis_sharing_fork;

/** The component is there: fork(2) is told, and so may it be observed. */
void precis_sharing_begin(void);
/** Nothing is observed when this returns, nor can it be begun. */
void precis_sharing_end(void);

#endif
