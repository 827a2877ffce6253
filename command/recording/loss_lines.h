/* SPDX-License-Identifier: BSD-3-Clause */
/* What a row of the table of losses is of (an event, a CPU, a thread), and what is known of it. */
#ifndef LOSS_LINES_H
#define LOSS_LINES_H

#include "analysis/recordings.h"
#include "recording.h"

struct loss_line {
	struct precis_loss loss;
	struct precis_loss_thread thread; /* size 0: it is no thread's */
};

static inline int loss_line_is_thread(const struct loss_line *line)
{
	return line->thread.size != 0;
}

/* Those of which something is known, what lost most first. @return how many; lines NULL: no memory */
uint32_t loss_lines_of_cpus(const struct precis_file *file, struct loss_line **lines);
uint32_t loss_lines_of_threads(const struct precis_file *file, struct loss_line **lines);

int loss_is_nothing(const struct precis_loss *loss);

/* Are 'lost' and 'counted' what that event lost there? */
int loss_line_knows_lost(const struct precis_file *file, const struct loss_line *line);
int loss_line_knows_counted(const struct precis_file *file, const struct loss_line *line);

/* Why it is not known which share of the samples was lost; "": as of the whole recording; NULL: it is */
const char *loss_line_why_no_share(const struct recording *recording,
				   const struct loss_line *line);

/* The least that is known of any event that has samples, or of any if none has */
enum precis_loss_knowledge losses_knowledge(const struct precis_file *file);
enum precis_loss_by_thread losses_by_thread(const struct precis_file *file);

#endif
