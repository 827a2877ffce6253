/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said on stderr of PEBS records in Intel PT: what was lost, what could not be read. */
#ifndef TRACES_H
#define TRACES_H

#include "recording.h"

/* EXIT_OK, or EXIT_FAILED if something in the traces is wrong. */
int traces_print(const struct recording *recording);

#endif
