/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_events.h
 * @brief Codes and names of events: those that there are, and those with qualifiers that were asked for.
 */
#ifndef PRECIS_EVENTS_H
#define PRECIS_EVENTS_H

#include "papi.h"
#include "precis_event_rows.h"
#include "precis_fork.h"

/** NULL for a code that is none. A code of a qualifier in a list is its event without it. */
const struct precis_named_event *precis_event_of_code(unsigned int code);
/** Before all others: what this machine has, until precis_events_free() */
void precis_events_init(void);
/** No code is an event's any more. */
void precis_events_free(void);
/** How many there are without the unit masks of those of libpfm4 */
int precis_events_count(void);
/** What fork(2) wants of the names: no mutex, their lock is PAPI's. */
extern const struct precis_fork_hooks precis_events_fork;

/** PAPI's functions on native events, with its codes of errors: the next code ... */
int precis_ntv_enum_events(unsigned int *code, int modifier);
/** ... the code of a name ... */
int precis_ntv_name_to_code(const char *name, unsigned int *code);
/** ... the name of a code ... */
int precis_ntv_code_to_name(unsigned int code, char *name, int bytes);
/** ... what it means ... */
int precis_ntv_code_to_descr(unsigned int code, char *text, int bytes);
/** ... and all that PAPI tells of it */
int precis_ntv_code_to_info(unsigned int code, PAPI_event_info_t *info);

#endif
