/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_running.h
 * @brief An EventSet's run from PAPI_start to PAPI_stop, and its counts; as PAPI calls them.
 */
#ifndef PRECIS_RUNNING_H
#define PRECIS_RUNNING_H

#include "papi.h"
#include "papi_internal.h"

/** PAPI_start. @return PAPI_OK or an error, noted; so do all of these */
int precis_eventset_start(hwd_context_t *context, hwd_control_state_t *control);
/** PAPI_stop */
int precis_eventset_stop(hwd_context_t *context, hwd_control_state_t *control);
/** PAPI_read: *values stay the EventSet's; what waits in batches is delivered */
int precis_eventset_read(hwd_context_t *context, hwd_control_state_t *control, long long **values,
			 int flags);
/** PAPI_reset */
int precis_eventset_reset(hwd_context_t *context, hwd_control_state_t *control);
/** PAPI_write: values by position */
int precis_eventset_write(hwd_context_t *context, hwd_control_state_t *control, long long *values);

#endif
