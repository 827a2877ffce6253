/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_budget.h
 * @brief max_overhead: what the component and the callbacks cost of the time that passes, as the component
 * measures it, and what the kernel does for each sample, as far as that is known. The period is raised
 * where they are beyond the limit, and lowered again, down to what was asked for, where they are not.
 */
#ifndef PRECIS_BUDGET_H
#define PRECIS_BUDGET_H

#include "precis_counter.h"

/** An event with a limit begins. */
void precis_budget_start(struct precis_counter *counter);
/** Samples have just been delivered, at 'now'. */
void precis_budget_check(struct precis_counter *counter, uint64_t now);

#endif
