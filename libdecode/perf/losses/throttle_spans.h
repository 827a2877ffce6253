/* SPDX-License-Identifier: BSD-3-Clause */
/* Spans in which the kernel took no samples of an event. */
#ifndef PRECIS_PERF_THROTTLE_SPANS_H
#define PRECIS_PERF_THROTTLE_SPANS_H

#include "loss_rows.h"

/* Of a record THROTTLE or UNTHROTTLE */
void precis_throttle_note(struct losses *losses, const struct precis_record *record,
			  const struct loss_origin *origin);

#endif
