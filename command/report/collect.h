/* SPDX-License-Identifier: BSD-3-Clause */
/* All of one file that is open: counted by one thread or several, and told what is wrong with it. */
#ifndef REPORT_COLLECT_H
#define REPORT_COLLECT_H

#include "reading.h"

/*
 * EXIT_OK; EXIT_FAILED if not everything could be read, which has been said, or if memory was short:
 * reading->run.failed.
 */
int collect(struct reading *reading);

#endif
