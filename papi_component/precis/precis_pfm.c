/* SPDX-License-Identifier: BSD-3-Clause */
/* Events by their names in libpfm4, which is part of PAPI. */
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

#include "precis_component.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int usable;

static void initialize(void)
{
	usable = pfm_initialize() == PFM_SUCCESS;
}

static int encode(const char *name, int modes, struct perf_event_attr *attr)
{
	pfm_perf_encode_arg_t argument;

	pthread_once(&once, initialize);
	if (!usable)
		return PFM_ERR_NOINIT;
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	memset(&argument, 0, sizeof(argument));
	argument.size = sizeof(argument);
	argument.attr = attr;
	return pfm_get_os_event_encoding(name, modes, PFM_OS_PERF_EVENT_EXT, &argument);
}

/* Only events of a CPU's own PMU can be precise. */
int precis_pfm_knows(const char *name)
{
	struct perf_event_attr attr;

	return encode(name, PFM_PLM3, &attr) == PFM_SUCCESS && attr.type != PERF_TYPE_SOFTWARE &&
	       attr.type != PERF_TYPE_TRACEPOINT && attr.type != PERF_TYPE_BREAKPOINT;
}

int precis_pfm_encode(const char *name, int domain, struct perf_event_attr *attr)
{
	int modes = (domain & PAPI_DOM_USER ? PFM_PLM3 : 0) |
		    (domain & PAPI_DOM_KERNEL ? PFM_PLM0 : 0);
	int result = encode(name, modes, attr);

	if (result != PFM_SUCCESS)
		return precis_fail(PAPI_ENOEVNT, "%s: libpfm4: %s", name, pfm_strerror(result));
	return PAPI_OK;
}
