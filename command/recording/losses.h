/* SPDX-License-Identifier: BSD-3-Clause */
/* What a recording lost and how long it was throttled, as a table of a report. */
#ifndef LOSSES_H
#define LOSSES_H

#include "statistics/table.h"
#include "recording.h"

/* In one line. @return 1 if anything was lost or throttled */
int losses_in_short(const struct recording *recording, char *text, size_t room);

/* The row of a list: in short, whether anything was lost, and in JSON how much. */
void row_losses(struct document *document, const struct recording *recording);

/* A row for each event and for the CPUs that lost most, and in words what is known of it. */
void section_losses(struct document *document, const struct recording *recording);

#endif
