/* SPDX-License-Identifier: BSD-3-Clause */
/* The counters of read_format LOST. */
#ifndef PRECIS_PERF_LOSS_COUNTERS_H
#define PRECIS_PERF_LOSS_COUNTERS_H

#include "loss_rows.h"

/* Of a READ record */
void precis_loss_counters_read(struct losses *losses, const struct precis_record *record,
			       const struct loss_origin *origin);
/* Of a SAMPLE whose event has loss_event.counters */
void precis_loss_counters_sample(struct losses *losses, const struct file_event *event,
				 const struct precis_record *record);
/* Did perf record append that LOST_SAMPLES record when it read the counters at its end? */
int precis_loss_counter_appended(const struct loss_origin *origin);
void precis_loss_counter_note_appended(struct losses *losses, const struct loss_origin *origin,
				       uint64_t lost);

#endif
