/* SPDX-License-Identifier: BSD-3-Clause */
/* precis diff --mix: what was executed, compared. */
#ifndef DIFF_MIXES_H
#define DIFF_MIXES_H

#include "command/report/arguments.h"

/* Of the recordings that were named. An exit code, after the error has been printed */
int diff_mixes(struct report_arguments *arguments);

#endif
