/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_change.h
 * @brief Changes of an EventSet that is stopped: its events, how they are sampled, whom they count.
 */
#ifndef PRECIS_CHANGE_H
#define PRECIS_CHANGE_H

#include "precis_eventset.h"

/**
 * Before a change: wait until nobody reads its rings.
 * @return PAPI_OK; PAPI_EISRUN in one of its callbacks; PAPI_EINVAL if it is the parent process's
 */
int precis_eventset_settle(struct precis_eventset *set);
/** Open one of its events again after a change, or all (NULL). @return PAPI_OK or an error, noted */
int precis_eventset_reopen(struct precis_eventset *set, struct precis_counter *counter);

/**
 * One of its events is only counted from now on. If it cannot be opened again yet, as a child of fork(2)
 * may hold what has been closed here, the next PAPI_start does it. @return PAPI_OK or an error of settling,
 * noted
 */
int precis_eventset_only_count(struct precis_eventset *set, struct precis_counter *counter);
/** Open what could not be until now. @return PAPI_OK or an error, noted */
int precis_eventset_open(struct precis_eventset *set);

/** What PAPI calls: a control state is made ... */
int precis_eventset_init(hwd_control_state_t *control);
/** ... gets these events instead of those that it had ... */
int precis_eventset_update(hwd_control_state_t *control, NativeInfo_t *native, int count,
			   hwd_context_t *context);
/** ... has none any more ... */
int precis_eventset_cleanup(hwd_control_state_t *control);
/** ... counts in these modes, PAPI_DOM_* ... */
int precis_eventset_domain(hwd_control_state_t *control, int domain);
/** ... and has one of PAPI's options: whom it is attached to, what is inherited, its domain */
int precis_eventset_ctl(hwd_context_t *context, int code, _papi_int_option_t *option);

#endif
