/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_ranges.h
 * @brief Ranges of addresses that the program has named, for who asks in a signal handler.
 */
#ifndef PRECIS_RANGES_H
#define PRECIS_RANGES_H

#include "precis_fork.h"

/** What fork(2) wants of them: a child has its parent's. */
extern const struct precis_fork_hooks precis_ranges_fork;

#endif
