/* SPDX-License-Identifier: BSD-3-Clause */
/* The PAPI component: one software clock, counted for the calling thread. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "papi.h"
#include "papi_internal.h"
#include "papi_memory.h"
#include "papi_vector.h"

#include "precis_version.h"

#define EVENT_NAME "SW_CPU_CLOCK"
#define EVENT_DESCRIPTION "CPU time of the thread, by the kernel's clock, in nanoseconds"

struct precis_control {
	int fd;
	long long count;
};

struct precis_nothing {
	int unused;
};

papi_vector_t _precis_vector;

static int open_clock(void)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.disabled = 1;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static int init_component(int index)
{
	PAPI_component_info_t *info = &_precis_vector.cmp_info;
	int fd = open_clock();

	info->CmpIdx = index;
	if (fd < 0) {
		int written = snprintf(info->disabled_reason, sizeof(info->disabled_reason),
				       "perf_event_open: %s", strerror(errno));

		info->disabled = written < 0 ? PAPI_ESYS : PAPI_ECMP;
		return info->disabled;
	}
	close(fd);
	info->num_native_events = 1;
	info->disabled = PAPI_OK;
	return PAPI_OK;
}

static int init_thread(hwd_context_t *context)
{
	(void)context;
	return PAPI_OK;
}

static int init_control_state(hwd_control_state_t *state)
{
	((struct precis_control *)state)->fd = -1;
	return PAPI_OK;
}

static int update_control_state(hwd_control_state_t *state, NativeInfo_t *native, int count,
				hwd_context_t *context)
{
	(void)state, (void)context;
	for (int i = 0; i < count; i++)
		native[i].ni_position = 0;
	return PAPI_OK;
}

static int start(hwd_context_t *context, hwd_control_state_t *state)
{
	struct precis_control *control = (struct precis_control *)state;

	(void)context;
	control->fd = open_clock();
	return control->fd >= 0 && ioctl(control->fd, PERF_EVENT_IOC_ENABLE, 0) == 0 ?
		PAPI_OK : PAPI_ESYS;
}

static int read_count(hwd_context_t *context, hwd_control_state_t *state, long long **values,
		      int flags)
{
	struct precis_control *control = (struct precis_control *)state;
	uint64_t count;

	(void)context, (void)flags;
	if (control->fd >= 0) {
		if (read(control->fd, &count, sizeof(count)) != sizeof(count))
			return PAPI_ESYS;
		control->count = (long long)count;
	}
	*values = &control->count;
	return PAPI_OK;
}

static int stop(hwd_context_t *context, hwd_control_state_t *state)
{
	struct precis_control *control = (struct precis_control *)state;
	long long *values;
	int status = read_count(context, state, &values, 0);

	close(control->fd);
	control->fd = -1;
	return status;
}

static int reset(hwd_context_t *context, hwd_control_state_t *state)
{
	struct precis_control *control = (struct precis_control *)state;

	(void)context;
	control->count = 0;
	return control->fd < 0 || ioctl(control->fd, PERF_EVENT_IOC_RESET, 0) == 0 ?
		PAPI_OK : PAPI_ESYS;
}

static int set_domain(hwd_control_state_t *state, int domain)
{
	(void)state;
	return domain == PAPI_DOM_USER ? PAPI_OK : PAPI_EINVAL;
}

static int enum_events(unsigned int *code, int modifier)
{
	if (modifier == PAPI_ENUM_FIRST) {
		*code = 0;
		return PAPI_OK;
	}
	return PAPI_ENOEVNT;
}

static int code_to_name(unsigned int code, char *name, int size)
{
	if (code != 0)
		return PAPI_ENOEVNT;
	return snprintf(name, size, "%s", EVENT_NAME) < size ? PAPI_OK : PAPI_EBUF;
}

static int code_to_description(unsigned int code, char *description, int size)
{
	if (code != 0)
		return PAPI_ENOEVNT;
	return snprintf(description, size, "%s", EVENT_DESCRIPTION) < size ? PAPI_OK : PAPI_EBUF;
}

static int name_to_code(const char *name, unsigned int *code)
{
	if (strcmp(name, EVENT_NAME) != 0)
		return PAPI_ENOEVNT;
	*code = 0;
	return PAPI_OK;
}

papi_vector_t _precis_vector = {
	.cmp_info = {
		.name = "precis",
		.short_name = "precis",
		.description = "Precise memory samples",
		.version = PRECIS_PACKAGE_VERSION,
		.num_cntrs = 1,
		.num_mpx_cntrs = 1,
		.default_domain = PAPI_DOM_USER,
		.available_domains = PAPI_DOM_USER,
		.default_granularity = PAPI_GRN_THR,
		.available_granularities = PAPI_GRN_THR,
	},
	.size = {
		.context = sizeof(struct precis_nothing),
		.control_state = sizeof(struct precis_control),
		.reg_value = sizeof(struct precis_nothing),
		.reg_alloc = sizeof(struct precis_nothing),
	},
	.init_component = init_component,
	.init_thread = init_thread,
	.init_control_state = init_control_state,
	.update_control_state = update_control_state,
	.start = start,
	.stop = stop,
	.read = read_count,
	.reset = reset,
	.set_domain = set_domain,
	.ntv_enum_events = enum_events,
	.ntv_name_to_code = name_to_code,
	.ntv_code_to_name = code_to_name,
	.ntv_code_to_descr = code_to_description,
};
