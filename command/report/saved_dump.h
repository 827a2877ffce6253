/* SPDX-License-Identifier: BSD-3-Clause */
/* What is told of a dump of a PEBS buffer beside what its records counted, saved and loaded. */
#ifndef REPORT_SAVED_DUMP_H
#define REPORT_SAVED_DUMP_H

#include "analysis/saving/saving.h"
#include "reading.h"

/* How many records it had, and one of them, which says why what no dump has is missing */
void saved_dump(struct saving *saving, struct reading *reading);

#endif
