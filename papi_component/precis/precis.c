/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis.c
 * @brief The component as PAPI sees it.
 */

#include <stdio.h>

#include "precis_affinity.h"
#include "precis_change.h"
#include "precis_domain.h"
#include "precis_events.h"
#include "precis_fork.h"
#include "precis_machine.h"
#include "precis_overflow.h"
#include "precis_poller.h"
#include "precis_ranges.h"
#include "precis_running.h"
#include "precis_sharing.h"
#include "precis_signals.h"
#include "precis_vector.h"
#include "precis_version.h"

#define DESCRIPTION "Precise samples with all their fields: AMD IBS, Intel PEBS, breakpoints"

/* In the order in which their locks are taken */
static const struct precis_fork_hooks *const fork_hooks[] = {
	&precis_events_fork,
	&precis_signals_fork,
	&precis_poller_fork,
	&precis_ranges_fork,
	&precis_sharing_fork,
	NULL,
};

static int init_component(int index)
{
	PAPI_component_info_t *info = &_precis_vector.cmp_info;
	int error;

	info->CmpIdx = index;
	precis_events_init();
	info->num_native_events = precis_events_count();
	info->hardware_intr_sig = precis_signal_number();
	precis_affinity_note();
	info->default_domain = precis_domain_of_environment();
	if (precis_machine()->refused) {
		snprintf(info->disabled_reason, sizeof(info->disabled_reason), "%s",
			 precis_machine()->refused);
		info->disabled = PAPI_ENOSUPP;
		return PAPI_ENOSUPP;
	}
	error = precis_fork_watch(fork_hooks, precis_signals_block);
	if (!error)
		precis_sharing_begin();
	info->disabled = error;
	return error;
}

static int shutdown_component(void)
{
	precis_poller_stop();
	precis_sharing_end();
	precis_signals_give_back();
	precis_events_free();
	return PAPI_OK;
}

static int nothing(hwd_context_t *context)
{
	(void)context;
	return PAPI_OK;
}

papi_vector_t _precis_vector = {
	.cmp_info = {
		.name = "precis",
		.short_name = "precis",
		.version = PRECIS_PACKAGE_VERSION,
		.description = DESCRIPTION,
		.num_cntrs = PRECIS_COUNTERS_MOST,
		.num_mpx_cntrs = PRECIS_COUNTERS_MOST,
		.default_domain = PAPI_DOM_USER,
		.available_domains = PAPI_DOM_USER | PAPI_DOM_KERNEL | PAPI_DOM_SUPERVISOR,
		.default_granularity = PAPI_GRN_THR,
		.available_granularities = PAPI_GRN_THR | PAPI_GRN_SYS,
		.hardware_intr = 1,
		.precise_intr = 1,
		.kernel_profile = 1,
		.kernel_multiplex = 1,
		.attach = 1,
		.cpu = 1,
		.inherit = 1,
		.cntr_umasks = 1,
	},
	.size = {
		.context = sizeof(int), /* everything is the EventSet's */
		.control_state = sizeof(struct precis_control),
		.reg_value = sizeof(int),
		.reg_alloc = sizeof(int),
	},
	.init_component = init_component,
	.shutdown_component = shutdown_component,
	.init_thread = nothing,
	.shutdown_thread = nothing,
	.init_control_state = precis_eventset_init,
	.cleanup_eventset = precis_eventset_cleanup,
	.update_control_state = precis_eventset_update,
	.start = precis_eventset_start,
	.stop = precis_eventset_stop,
	.read = precis_eventset_read,
	.reset = precis_eventset_reset,
	.write = precis_eventset_write,
	.set_domain = precis_eventset_domain,
	.ctl = precis_eventset_ctl,
	.set_overflow = precis_overflow_threshold,
	.set_profile = precis_overflow_profile,
	.stop_profiling = precis_overflow_stop_profiling,
	.dispatch_timer = precis_overflow_signal,
	.ntv_enum_events = precis_ntv_enum_events,
	.ntv_name_to_code = precis_ntv_name_to_code,
	.ntv_code_to_name = precis_ntv_code_to_name,
	.ntv_code_to_descr = precis_ntv_code_to_descr,
	.ntv_code_to_info = precis_ntv_code_to_info,
};
