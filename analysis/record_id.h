/* SPDX-License-Identifier: BSD-3-Clause */
/* When, where and in which task a record was made. */
#ifndef ANALYSIS_RECORD_ID_H
#define ANALYSIS_RECORD_ID_H

#include <precis/precis.h>

/*
 * The sample_id of a record other than a SAMPLE, also of one that has the id of no event,
 * as those that perf itself made from /proc. 1; 0 if it has none
 */
int record_sample_id(struct precis_file *file, const struct precis_record *record,
		     struct precis_sample_id *id);

#endif
