/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_poller.h
 * @brief The helper thread: it waits for rings to fill, and wakes their readers in ordinary context. It is
 * there while anybody has readers for it, and a moment longer.
 */
#ifndef PRECIS_POLLER_H
#define PRECIS_POLLER_H

#include "precis_fork.h"
#include "precis_reader.h"

/** @return PAPI_OK or an error, noted */
int precis_poller_add(struct precis_reader *reader);
/**
 * One of its rings' descriptors. 'is_told': another thread reads that ring.
 * @return PAPI_OK or an error, noted; precis_poller_remove() ends it all the same
 */
int precis_poller_watch(struct precis_reader *reader, int fd, int is_told);
/**
 * Before its descriptors are closed. Returns when the helper thread is not in it and has none of
 * them in its hands; in a callback of the reader's at once.
 */
void precis_poller_remove(struct precis_reader *reader);

/** The helper thread has ended when this returns, unless it calls it. */
void precis_poller_stop(void);

/** What fork(2) wants of it: a child has no helper thread. */
extern const struct precis_fork_hooks precis_poller_fork;

#endif
