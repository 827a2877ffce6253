/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_refusals.c
 * @brief What perf_event_open(2) means when it refuses an event.
 */
#include "precis_refusals.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "papi.h"
#include "precis_domain.h"
#include "precis_encode.h"
#include "precis_errors.h"
#include "precis_machine.h"

#include <precis/decoder.h>

/* The highest kernel.perf_event_paranoid that allows it; of physical addresses none does */
static int paranoid_for(const struct precis_request *request)
{
	if (request->attr.sample_type & PERF_SAMPLE_PHYS_ADDR)
		return -2;
	return request->target.tid == -1 ? 0 : !request->attr.exclude_kernel ? 1 : 2;
}

static int fail_permission(const struct precis_request *request)
{
	const struct precis_machine *machine = precis_machine();
	const char *what = request->target.tid == -1       ? "a whole CPU"
			   : !request->attr.exclude_kernel ? "the kernel"
			   : (request->attr.sample_type & PERF_SAMPLE_PHYS_ADDR)
				   ? "physical addresses"
				   : "it";

	if (machine->paranoid <= paranoid_for(request))
		return precis_fail(PAPI_EPERM,
				   "%s: not allowed to measure %s, though kernel.perf_event_paranoid is %d: "
				   "a container's seccomp filter, lockdown or a security module",
				   request->event->name, what, machine->paranoid);
	return precis_fail(PAPI_EPERM,
			   "%s: not allowed to measure %s: kernel.perf_event_paranoid is %d; "
			   "CAP_PERFMON or a lower value is needed",
			   request->event->name, what, machine->paranoid);
}

static int fail_argument(const struct precis_request *request)
{
	uint32_t linux_version = precis_machine_linux();
	int ibs = request->kind == PRECIS_EVENT_IBS_OP || request->kind == PRECIS_EVENT_IBS_FETCH;

	if (request->target.cpu >= sysconf(_SC_NPROCESSORS_CONF))
		return precis_fail(PAPI_EINVAL, "%s: there is no CPU %d", request->event->name,
				   request->target.cpu);
	if (request->attr.freq)
		return precis_fail(PAPI_EINVAL,
				   "%s: the kernel refuses %llu samples a second: "
				   "kernel.perf_event_max_sample_rate is less, or it takes "
				   "no frequency",
				   request->event->name,
				   (unsigned long long)request->attr.sample_freq);
	if (ibs && request->target.tid != -1 && linux_version < 6002)
		return precis_fail(PAPI_ENOSUPP,
				   "%s: this kernel (%s) has IBS for whole CPUs only (threads: "
				   "Linux 6.2): attach the EventSet to a CPU with PAPI_CPU_ATTACH",
				   request->event->name, precis_machine()->os_release);
	if (ibs && (request->attr.exclude_kernel || request->attr.exclude_user))
		return precis_fail(
			PAPI_EINVAL,
			"%s: IBS cannot tell user from kernel without the format swfilt, "
			"which this kernel's PMU lacks: " PRECIS_DOMAIN_ADVICE,
			request->event->name);
	if (request->attr.precise_ip)
		return precis_fail(
			PAPI_EINVAL,
			"%s: the kernel refuses it with precise=%d (period, qualifiers?)",
			request->event->name, (int)request->attr.precise_ip);
	return precis_fail(PAPI_EINVAL, "%s: the kernel refuses its period or qualifiers",
			   request->event->name);
}

int precis_fail_open(int error, const struct precis_request *request)
{
	const char *name = request->event->name;

	switch (error) {
	case EACCES:
	case EPERM:
		return fail_permission(request);
	case EINVAL:
		return fail_argument(request);
	case ENOENT:
	case EOPNOTSUPP:
		if (error == EOPNOTSUPP && request->attr.precise_ip)
			return precis_fail(PAPI_ENOSUPP,
					   "%s: this CPU or virtual machine does not "
					   "have it with precise=%d",
					   name, (int)request->attr.precise_ip);
		return precis_fail(PAPI_ENOSUPP,
				   "%s: this CPU or virtual machine has no such event", name);
	case ENODEV:
		return precis_fail(PAPI_ENOSUPP, "%s: CPU %d is offline, or not one of the PMU's",
				   name, request->target.cpu);
	case ENOSPC:
		return precis_fail(PAPI_ECNFLCT,
				   "%s: no debug register is free: x86 has four for each thread",
				   name);
	case EBUSY:
		return precis_fail(PAPI_ECNFLCT, "%s: the PMU is in use", name);
	case ESRCH:
		return precis_fail(PAPI_EINVAL, "%s: no thread %d", name, (int)request->target.tid);
	case EMFILE:
	case ENFILE:
		return precis_fail(PAPI_ESYS, "%s: no file descriptor is free (ulimit -n)", name);
	default:
		return precis_fail(PAPI_ESYS, "%s: perf_event_open: %s", name, strerror(error));
	}
}
