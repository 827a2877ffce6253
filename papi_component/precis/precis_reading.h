/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_reading.h
 * @brief Who reads the rings of an EventSet: its thread, the handler of the signal, the helper thread.
 */
#ifndef PRECIS_READING_H
#define PRECIS_READING_H

#include "precis_eventset.h"
#include "precis_signals.h"

/** Some of a set's rings */
enum precis_which {
	PRECIS_OF_SIGNALS, /**< rings that signals tell of */
	PRECIS_OF_THREAD, /**< all that the helper thread does not read, and that want no context */
	PRECIS_OF_POLLER /**< those that it reads */
};

/** The calling thread starts it: from now on they are read. @return PAPI_OK or an error, noted */
int precis_reading_begin(struct precis_eventset *set);
/** By nobody but who asks for it. Returns when nobody else is at it, or, of a callback, at once. */
void precis_reading_end(struct precis_eventset *set);
/** The same of signals alone */
void precis_reading_end_signals(struct precis_eventset *set);
/** The same of the helper thread alone */
void precis_reading_end_poller(struct precis_eventset *set);

/** Deliver what waits, outside of the handler. @return how many samples were delivered */
uint64_t precis_read(struct precis_eventset *set, enum precis_which which);
/** Let samples that want an interrupted context be delivered where there is one: in the signal
 * handler, at once unless the signal is blocked. */
void precis_reading_raise(struct precis_eventset *set);
/** What no callback will see: one has stopped the set or was left, or the signal is blocked */
void precis_reading_discard(struct precis_eventset *set);

/** Is the calling thread in a callback for a sample of the set? */
int precis_reading_inside(const struct precis_eventset *set);
/** Nobody else reads it: if it seems so longjmp(3) has left a callback, or a thread ended in one. */
void precis_reading_left(struct precis_eventset *set);

/** As far as it can be told: of one that the helper thread reads what it has noted last */
void precis_reading_statistics(struct precis_eventset *set, const struct precis_counter *counter,
			       struct precis_papi_statistics *statistics);
/** Take the component's signal, to be handled so. @return PAPI_OK or an error, noted */
int precis_reading_take_signal(precis_signal_handler *with);

#endif
