/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Statistics that the helper thread writes, for others: without a lock, so that a signal's handler
 * may ask, too. One thread at a time writes.
 */
#ifndef PRECIS_PUBLISHED_H
#define PRECIS_PUBLISHED_H

#include "precis_counter.h"

void precis_publish(struct precis_published *published, const struct precis_papi_statistics *statistics);
void precis_published(const struct precis_published *published, struct precis_papi_statistics *statistics);

#endif
