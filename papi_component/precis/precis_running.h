/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_running.h
 * @brief An EventSet's run from PAPI_start to PAPI_stop, and its counts; as PAPI calls them.
 */
#ifndef PRECIS_RUNNING_H
#define PRECIS_RUNNING_H

#include "papi.h"
#include "papi_internal.h"

int precis_eventset_start(hwd_context_t *context, hwd_control_state_t *control);
int precis_eventset_stop(hwd_context_t *context, hwd_control_state_t *control);
int precis_eventset_read(hwd_context_t *context, hwd_control_state_t *control, long long **values,
			 int flags);
int precis_eventset_reset(hwd_context_t *context, hwd_control_state_t *control);
int precis_eventset_write(hwd_context_t *context, hwd_control_state_t *control, long long *values);

#endif
