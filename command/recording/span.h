/* SPDX-License-Identifier: BSD-3-Clause */
/* From when to when a recording's samples are. */
#ifndef RECORDING_SPAN_H
#define RECORDING_SPAN_H

#include "recording.h"

struct recording_span {
	uint64_t first, last; /* ns of its clock */
};

/*
 * As perf record noted it, or by reading through a recording that is open once more, from its start.
 * NULL; or why it is not known, for a message.
 */
const char *recording_span(const struct recording *recording, const struct recording_options *options,
			   struct recording_span *span);

#endif
