/* SPDX-License-Identifier: BSD-3-Clause */
#include "precis_pfm.h"

#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <pthread.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int state = PFM_ERR_NOINIT;

static void initialize(void)
{
	state = pfm_initialize();
}

/* Only events of a CPU's own PMUs can be precise. */
static int is_generic(uint32_t type)
{
	return type == PERF_TYPE_SOFTWARE || type == PERF_TYPE_TRACEPOINT ||
	       type == PERF_TYPE_BREAKPOINT;
}

int precis_pfm_find(const char *name, int user, int kernel, struct precis_pfm_event *event,
		    const char **why)
{
	struct perf_event_attr attr;
	pfm_perf_encode_arg_t argument;
	int result;

	pthread_once(&once, initialize);
	memset(&attr, 0, sizeof(attr));
	memset(&argument, 0, sizeof(argument));
	attr.size = sizeof(attr);
	argument.size = sizeof(argument);
	argument.attr = &attr;
	result = state;
	if (result == PFM_SUCCESS)
		result = pfm_get_os_event_encoding(name,
						   (user ? PFM_PLM3 : 0) | (kernel ? PFM_PLM0 : 0),
						   PFM_OS_PERF_EVENT_EXT, &argument);
	if (result == PFM_SUCCESS && is_generic(attr.type))
		result = PFM_ERR_NOTFOUND;
	if (result != PFM_SUCCESS) {
		*why = pfm_strerror(result);
		return -1;
	}
	event->type = attr.type;
	event->precise_ip = (uint32_t)attr.precise_ip;
	event->config = attr.config;
	event->config1 = attr.config1;
	event->config2 = attr.config2;
	return 0;
}
