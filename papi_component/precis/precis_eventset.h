/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_eventset.h
 * @brief The events of an EventSet, and what PAPI keeps of it for the component.
 */
#ifndef PRECIS_EVENTSET_H
#define PRECIS_EVENTSET_H

#include "papi.h"
#include "papi_internal.h"
#include "precis_counter.h"
#include "precis_reader.h"

/** Positions in an overflow vector */
#define PRECIS_COUNTERS_MOST 64

/** Of an EventSet */
enum {
	PRECIS_STOPPED, /**< before PAPI_start, and after PAPI_stop */
	PRECIS_RUNNING /**< between them */
};

/** The events of an EventSet */
struct precis_eventset {
	struct precis_common common; /**< what its counters point at */
	struct precis_counter *counter[PRECIS_COUNTERS_MOST]; /**< by position; NULL: one that is free */
	long long count[PRECIS_COUNTERS_MOST]; /**< as it was read last */
	uint32_t positions; /**< that there is nothing behind */
	int state; /**< PRECIS_STOPPED, PRECIS_RUNNING; atomic: callbacks may stop; precis_running.c */

	/** precis_reading.c */
	struct precis_reader reader;
	pid_t starter; /**< the thread that called PAPI_start */
	volatile sig_atomic_t busy; /**< samples are being delivered, but not by the helper thread */
	volatile sig_atomic_t pending; /**< a signal came while they were */
};

/** PAPI's control state. */
struct precis_control {
	struct precis_target target; /**< whom its events are to count */
	struct precis_eventset *set; /**< NULL while there are no events */
};

/** NULL while there are no events */
static inline struct precis_eventset *precis_eventset_of(hwd_control_state_t *control)
{
	return ((struct precis_control *)control)->set;
}

/** Whose 'reader' it is */
static inline struct precis_eventset *precis_eventset_of_reader(struct precis_reader *reader)
{
	return (struct precis_eventset *)((char *)reader - offsetof(struct precis_eventset, reader));
}

/** The event behind 'before'; NULL: the first. @return NULL behind the last */
static inline struct precis_counter *precis_eventset_next(const struct precis_eventset *set,
							  const struct precis_counter *before)
{
	for (uint32_t n = before ? before->position + 1 : 0; n < set->positions; n++) {
		if (set->counter[n])
			return set->counter[n];
	}
	return NULL;
}

/** For each event of a set */
#define PRECIS_EACH_COUNTER(counter, set)                                                          \
	for (struct precis_counter *counter = precis_eventset_next(set, NULL); counter;            \
	     counter = precis_eventset_next(set, counter))

/** All that can be read of a set: the counters, and the parts of those that are on several CPUs */
static inline struct precis_counter *precis_eventset_part(const struct precis_eventset *set,
							  const struct precis_counter *before)
{
	return before && before->next ? before->next : precis_eventset_next(set, before);
}

/** For each ring of a set */
#define PRECIS_EACH_PART(part, set)                                                                \
	for (struct precis_counter *part = precis_eventset_part(set, NULL); part;                  \
	     part = precis_eventset_part(set, part))

/** @return NULL: no memory */
struct precis_eventset *precis_eventset_new(const struct precis_target *target);
/** Nobody reads it any more. */
void precis_eventset_free(struct precis_eventset *set);
/**
 * The counters that PAPI wants now, those that are there kept as they are, and where they are; tells it
 * their positions. @return PAPI_OK, or an error, noted, and all is as before
 */
int precis_eventset_arrange(struct precis_eventset *set, NativeInfo_t *native, uint32_t count);
/** NULL: there is none at that position */
struct precis_counter *precis_eventset_at(const struct precis_eventset *set, int position);
/** Is it so of any? */
int precis_eventset_any(const struct precis_eventset *set,
			int (*is_so)(const struct precis_counter *counter));
/** Is it of another process, which has forked this one? */
int precis_eventset_is_gone(const struct precis_eventset *set);

#endif
