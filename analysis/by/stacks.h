/* SPDX-License-Identifier: BSD-3-Clause */
/* What the callchain of a sample says: who called, and through which calls it came there. */
#ifndef ANALYSIS_BY_STACKS_H
#define ANALYSIS_BY_STACKS_H

#include "state.h"

/* Of the sample that the input handed out last. The model has to know what is mapped where. */
void by_stacks_read(struct by *by, struct precis_input *input, const struct precis_sample *sample,
		    struct by_chained *chained);

#endif
