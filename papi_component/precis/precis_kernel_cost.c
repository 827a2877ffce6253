/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_kernel_cost.c
 * @see precis_kernel_cost.h
 */
#include "precis_kernel_cost.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "papi.h"
#include "precis_errors.h"
#include "precis_machine.h"
#include "precis_memory.h"

#include <precis/error.h>
#include <precis/plan.h>

#define VARIABLE "PRECIS_PAPI_CALIBRATION"
#define FILE_MOST (1u << 20) /* bytes: more are no calibration */
#define RAW_MOST 76u         /* of an IBS payload */
#define FRAMES_MOST 127u     /* kernel.perf_event_max_stack, as it is without being changed */

/* What the calibration calls the component's events; NULL: it has none of them */
static const char *calibrated_name(uint32_t id)
{
	static const char *const names[] = {
		[PRECIS_PAPI_EVENT_IBS_OP_CYCLES] = "ibs_op",
		[PRECIS_PAPI_EVENT_IBS_OP_UOPS] = "ibs_op",
		[PRECIS_PAPI_EVENT_IBS_FETCH] = "ibs_fetch",
		[PRECIS_PAPI_EVENT_MEM_LOADS] = "mem-loads",
		[PRECIS_PAPI_EVENT_MEM_STORES] = "mem-stores",
		[PRECIS_PAPI_EVENT_SW_CPU_CLOCK] = "cpu-clock",
		[PRECIS_PAPI_EVENT_SW_PAGE_FAULTS] = "page-faults",
		[PRECIS_PAPI_EVENT_BREAKPOINT] = "breakpoint",
	};

	return id < sizeof(names) / sizeof(names[0]) ? names[id] : NULL;
}

/* The whole file; NULL with errno */
static char *read_file(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "re");
	char *text = file ? papi_malloc(FILE_MOST) : NULL;
	int error = errno;

	if (text) {
		*bytes = fread(text, 1, FILE_MOST, file);
		error = ferror(file) ? errno : *bytes == FILE_MOST ? EFBIG : 0;
	}
	if (file)
		fclose(file);
	if (error && text) {
		papi_free(text);
		text = NULL;
	}
	errno = error;
	return text;
}

/* @return PAPI_OK or an error, noted */
static int find_event(const char *path, const char *text, size_t bytes, const char *event,
		      const char *wanted, struct precis_plan_cost *cost)
{
	struct precis_plan_fault fault = { .size = sizeof(fault) };
	int code = 0;

	for (uint32_t n = 0; !code; n++) {
		cost->size = sizeof(*cost);
		code = precis_plan_parse(text, bytes, n, cost, &fault);
		if (!code && strcmp(cost->event, wanted) == 0)
			return PAPI_OK;
	}
	if (code == PRECIS_E_NO_FIELD)
		return precis_fail(PAPI_ENOSUPP, "%s: max_overhead: the calibration %s has no %s", event,
				   path, wanted);
	return precis_fail(PAPI_EINVAL, "%s: max_overhead: %s: line %u, offset %llu: %s", event, path,
			   fault.line, (unsigned long long)fault.offset,
			   fault.what ? fault.what : "no calibration");
}

static int is_of_this_machine(const struct precis_plan_cost *cost)
{
	const struct precis_machine *machine = precis_machine();
	struct precis_cpu cpu = { .size = sizeof(cpu) };

	return strcmp(cost->kernel, machine->os_release) == 0 && !precis_cpu_parse(cost->cpu, &cpu) &&
	       cpu.vendor == machine->cpu.vendor && cpu.family == machine->cpu.family &&
	       cpu.model == machine->cpu.model && cpu.stepping == machine->cpu.stepping;
}

/* How it is sampled, at any rate: of a sample's cost the rate is no part. */
static struct precis_plan_setup setup_of(const struct precis_counter *counter)
{
	const struct precis_papi_sampling *sampling = &counter->sampling;
	const int is_each = sampling->delivery == PRECIS_PAPI_SAMPLE;
	const uint32_t registers = (uint32_t)__builtin_popcountll(sampling->registers);

	return (struct precis_plan_setup){
		.size = sizeof(struct precis_plan_setup),
		.period = 1,
		.rate = 1000,
		.seconds = 1,
		.record_bytes = precis_plan_record_bytes(counter->request.attr.sample_type, RAW_MOST,
							 FRAMES_MOST, registers, 0, 0),
		.is_signalled = is_each || sampling->delivery == PRECIS_PAPI_WATERMARK,
		.ring_bytes = counter->buffer.bytes,
		.watermark_samples = is_each ? 1 : sampling->watermark_samples,
		.watermark_bytes = is_each ? 0 : sampling->watermark_bytes,
	};
}

/* The upper end of its interval, if it has one. @return PAPI_OK or an error, noted */
static int of_calibration(struct precis_counter *counter, const char *path, const char *text,
			  size_t bytes)
{
	const char *event = counter->request.event->name;
	const char *wanted = calibrated_name(counter->request.event->id);
	struct precis_plan_prediction found = { .size = sizeof(found) };
	const struct precis_plan_setup setup = setup_of(counter);
	struct precis_plan_cost cost;
	int error;

	if (!wanted)
		return precis_fail(PAPI_ENOSUPP,
				   "%s: max_overhead: no calibration has such an event: kernel_ns "
				   "states what its samples cost",
				   event);
	error = find_event(path, text, bytes, event, wanted, &cost);
	if (error)
		return error;
	if (!is_of_this_machine(&cost))
		return precis_fail(PAPI_ENOSUPP,
				   "%s: max_overhead: the calibration %s is of %s with Linux %s, "
				   "which this machine is not",
				   event, path, cost.cpu, cost.kernel);
	if (precis_plan_predict(&cost, &setup, &found))
		return precis_fail(PAPI_EBUG, "%s: max_overhead: no prediction", event);
	counter->kernel_ns = found.sample_ns.high >= found.sample_ns.value ? found.sample_ns.high :
									     found.sample_ns.value;
	return PAPI_OK;
}

int precis_kernel_cost(struct precis_counter *counter)
{
	const struct precis_papi_sampling *sampling = &counter->sampling;
	const char *path = secure_getenv(VARIABLE);
	size_t bytes;
	char *text;
	int error;

	counter->kernel_ns = sampling->kernel_ns;
	if (sampling->kernel_ns > 0 || sampling->max_overhead <= 0 || !path || !*path)
		return PAPI_OK;
	text = read_file(path, &bytes);
	if (!text)
		return precis_fail(PAPI_EINVAL, "%s: max_overhead: %s=%s: %s",
				   counter->request.event->name, VARIABLE, path, strerror(errno));
	error = of_calibration(counter, path, text, bytes);
	papi_free(text);
	return error;
}

uint64_t precis_kernel_cost_of(const struct precis_counter *counter,
			       const struct precis_papi_statistics *statistics)
{
	/* each of these was an interrupt, whether its record found room or a reader or not */
	uint64_t samples = statistics->samples + statistics->lost + statistics->discarded;

	return (uint64_t)(counter->kernel_ns * (double)samples);
}
