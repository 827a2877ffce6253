/* SPDX-License-Identifier: BSD-3-Clause */
/* Which thread a loss can be put down to, and its rows. */
#ifndef PRECIS_PERF_THREAD_LOSSES_H
#define PRECIS_PERF_THREAD_LOSSES_H

#include <precis/kernel_records.h>
#include <precis/tool_records.h>

#include "loss_rows.h"

/* An entry of ID_INDEX; 'event' NULL: of none */
void precis_thread_note_index(struct losses *losses, struct file_event *event,
			      const struct precis_id_index_entry *entry);

enum precis_loss_by_thread precis_thread_knowledge(const struct losses *losses,
						   const struct file_event *event);

/* The row of the thread, or NULL where it is not known: */
/* of what an id's own counter counts, */
struct loss_row *precis_thread_row_of_id(struct losses *losses, const struct loss_stream *stream);
/* of what the buffer lost that the id writes into; 'stream' may be NULL, 'event' PRECIS_LOSS_NONE, */
struct loss_row *precis_thread_row_of_buffer(struct losses *losses,
					     const struct loss_stream *stream, uint32_t event);
/* and of what a record says of the event in whose name it was written. */
struct loss_row *precis_thread_row_of_origin(struct losses *losses,
					     const struct loss_origin *origin);

/* Of a thread's event, with the id by ID_INDEX or NULL. @return PRECIS_LOSS_NONE if it is not known */
uint32_t precis_thread_of_throttle(const struct precis_throttle *throttle,
				   const struct loss_origin *origin,
				   const struct loss_stream *of_id);
/* THROTTLE, if it 'starts', or UNTHROTTLE in that thread; 'stream' NULL: there is no room for it */
void precis_thread_throttle(struct losses *losses, struct loss_stream *stream, uint32_t event,
			    uint32_t tid, const struct precis_throttle *throttle, int starts);

#endif
