/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said on stderr of PEBS records in Intel PT: what was lost, what could not be read. */
#ifndef TRACES_H
#define TRACES_H

#include "recording.h"

/* What was met in the traces so far: 1; 0 if none are read. */
int recording_traces(const struct recording *recording, struct precis_pebs_pt_counts *counts);

/* EXIT_OK, or EXIT_FAILED if something in the traces is wrong. */
int traces_print(const struct recording *recording);

#endif
