/* SPDX-License-Identifier: BSD-3-Clause */
/* Which events are IBS or PEBS, and what the others are called. */
#ifndef PRECIS_PERF_KINDS_H
#define PRECIS_PERF_KINDS_H

#include "machine.h"

/* From event 'first' on. @return 0, PRECIS_E_NO_MEMORY */
int file_find_kinds(struct file_machine *machine, struct file_events *events, uint32_t first);
void file_judge_payload(struct file_event *event, const struct precis_bytes *raw);

#endif
