/* SPDX-License-Identifier: BSD-3-Clause */
/* precis report --save: what recordings count goes into a file, and is told later. */
#ifndef REPORT_SAVE_H
#define REPORT_SAVE_H

#include "arguments.h"

/* An exit code */
int save_report(struct report_arguments *arguments);

#endif
