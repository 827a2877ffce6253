/* SPDX-License-Identifier: BSD-3-Clause */
/* One recording, read by several threads at once. */
#ifndef REPORT_JOBS_H
#define REPORT_JOBS_H

#include "reading.h"

/*
 * Count all that is in a recording that has been opened, by arguments->jobs threads. Each reads all
 * records, and counts the samples of one part of the file; what they counted is joined in the order
 * of the parts, and is to the last bit what one would have counted.
 *
 * 1: it is done. 0: nothing has been counted or said, it is to be read by one: the recording is too
 * small for several to gain anything, or of a form that has to be read in one piece, or something in
 * it is wrong, which is to be told in its order.
 */
int jobs_collect(struct reading *reading);

#endif
