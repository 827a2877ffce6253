/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is counted of samples, where several read a recording: each its part of the samples, and one of
 * them all other records besides. What these tell depends on their order; sums of samples do not.
 */
#ifndef PRECIS_PERF_LOSS_PARTS_H
#define PRECIS_PERF_LOSS_PARTS_H

#include "loss_rows.h"

/* 0: samples have counters, of which it matters which was read last */
int losses_can_be_parted(const struct losses *losses);

/* As if no sample had been handed out so far: what is added up begins anew. Times may stay. */
void losses_forget_samples(struct losses *losses);

/*
 * Those that another reader of the same recording counted, as if they had been handed out here.
 * @return 0; PRECIS_E_NO_MEMORY, also if one of both had no room for all threads; PRECIS_E_UNSUPPORTED:
 *         they do not know the same events. Then only a part has been added
 */
int losses_add_samples(struct losses *losses, const struct losses *others);

#endif
