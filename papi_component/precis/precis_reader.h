/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_reader.h
 * @brief Who reads rings when he is woken. The signal and the helper thread know no more of an EventSet than
 * this; their members are their own.
 */
#ifndef PRECIS_READER_H
#define PRECIS_READER_H

#include <stdint.h>

#include "precis_inside.h"

/**
 * One run of the signal's handler. What is to be called with the interrupted context is called by the
 * handler itself: who unwinds from there, as profilers do, finds no more frames than with PAPI's own.
 */
struct precis_turn {
	int number; /**< of the signal */
	void *context; /**< the interrupted one, ucontext_t */
	/* the reader's */
	int has_begun; /**< whether it has begun to read */
	void *calls_for; /**< for what it has asked for a call ... */
	uint64_t called_at; /**< ... and when, precis_now() */
	struct precis_inside outer; /**< in what the thread was before */
	/* of precis_signals.c */
	struct precis_place *place; /**< the thread's */
	struct precis_reader *reader; /**< that is asked just now */
	struct precis_mark mark; /**< the handler's, which longjmp(3) may leave */
	int error; /**< errno of whoever was interrupted */
	int is_entered; /**< 'place' says so, too, until the handler ends */
};

/** Somebody with rings. It is a member of what the functions read. */
struct precis_reader {
	/**
	 * In the handler of the component's signal, in the thread that called precis_signals_add().
	 * @return 1: something is to be called with the context, and this is to be called again then
	 */
	int (*on_signal)(struct precis_reader *reader, struct precis_turn *turn);
	/** In the helper thread: read; callbacks may take their time */
	void (*on_ready)(struct precis_reader *reader);
	/** There, of a ring that another thread reads: tell it so, which must not take any time */
	void (*on_told)(struct precis_reader *reader);
	/** There: does anything wait that on_ready would read? As quickly */
	int (*waits)(struct precis_reader *reader);

	struct precis_place *place; /**< precis_signals.c; NULL: no signal tells of it */
	struct precis_reader *next; /**< in one of the lists of precis_poller.c ... */
	struct precis_reader *before; /**< ... and there the one before */
	int is_polled; /**< it is on one */
	int is_cold; /**< on which one */
	unsigned int looked_in_vain; /**< how often in a row */
	uint32_t first_source; /**< what the helper thread waits for */
};

#endif
