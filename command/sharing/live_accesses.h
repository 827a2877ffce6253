/* SPDX-License-Identifier: BSD-3-Clause */
/* Which bytes of a running program's lines whose samples are to, and of what these are. */
#ifndef SHARING_LIVE_ACCESSES_H
#define SHARING_LIVE_ACCESSES_H

#include "live_advice.h"

/* Of each line that is advised on, the accesses that were sampled */
void live_tell_accesses(struct document *document, const struct live_advice *of);

#endif
