/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_encode.c
 * @see precis_encode.h
 */
#include "precis_encode.h"

#include <linux/hw_breakpoint.h>
#include <string.h>

#include "papi.h"
#include "precis_domain.h"
#include "precis_errors.h"
#include "precis_machine.h"
#include "precis_missing.h"
#include "precis_pfm.h"
#include "precis_pmu.h"

#include <precis/decoder.h>
#include <precis/intel.h>
#include <precis/sample.h>

/* perf's own choice where the PMU's mem-loads event does not say */
#define LOAD_LATENCY_DEFAULT 3

/* What every core since Nehalem can do; 3 is for some events of some cores */
#define PRECISE_DEFAULT 2
#define PRECISE_MOST 3
#define PRECISE_NOT_NAMED UINT64_MAX

static const struct {
	enum precis_event_id id;
	uint64_t config;
} software_events[] = {
	{ PRECIS_PAPI_EVENT_SW_CPU_CLOCK, PERF_COUNT_SW_CPU_CLOCK },
	{ PRECIS_PAPI_EVENT_SW_PAGE_FAULTS, PERF_COUNT_SW_PAGE_FAULTS },
};

static int encode_qualifiers(const struct precis_named_event *event, const char *pmu,
			     struct perf_event_attr *attr)
{
	const struct precis_event_row *row = precis_event_row(event->id);
	const struct precis_qualifier *qualifier;
	int error;

	for (uint32_t n = 0; (qualifier = precis_qualifier(row->family, n)); n++) {
		if (!(event->has >> n & 1) || !qualifier->format)
			continue;
		error = precis_pmu_set(pmu, qualifier->format, event->value[n], attr);
		if (error == -2)
			return precis_fail(PAPI_EINVAL,
					   "%s: %s=%llu does not fit into the PMU's "
					   "format",
					   event->name, qualifier->name,
					   (unsigned long long)event->value[n]);
		if (error && event->value[n])
			return precis_fail(PAPI_ENOSUPP, "%s: the PMU %s here has no format %s",
					   event->name, pmu, qualifier->format);
	}
	return PAPI_OK;
}

/*
 * An IBS event that is only counted: Linux refuses one without a period (perf_ibs_init() in
 * arch/x86/events/amd/ibs.c), and its count goes on at interrupts alone (perf_ibs_read() does
 * nothing). The longest period that all IBS has: 16 bits of MaxCnt, in steps of 16.
 */
#define IBS_COUNTED_PERIOD 0xffff0u

static int encode_ibs(struct precis_request *request)
{
	const struct precis_named_event *event = request->event;
	const struct precis_event_row *row = precis_event_row(event->id);
	struct perf_event_attr *attr = &request->attr;
	int all =
		request->target.domain & PAPI_DOM_KERNEL && request->target.domain & PAPI_DOM_USER;

	attr->type = (uint32_t)precis_pmu_type(row->pmu);
	request->kind =
		row->family == PRECIS_FAMILY_IBS_OP ? PRECIS_EVENT_IBS_OP : PRECIS_EVENT_IBS_FETCH;
	attr->sample_period = IBS_COUNTED_PERIOD;
	if (event->id == PRECIS_PAPI_EVENT_IBS_OP_UOPS &&
	    precis_pmu_set(row->pmu, "cnt_ctl", 1, attr))
		return precis_fail(PAPI_ENOSUPP,
				   "%s: this CPU's IBS counts cycles only (no format "
				   "cnt_ctl)",
				   event->name);
	if (!all && precis_qualifier_value(event, "swfilt", 0) == 0 &&
	    precis_pmu_set(row->pmu, "swfilt", 1, attr))
		return precis_fail(PAPI_EINVAL,
				   "%s: IBS cannot tell user from kernel, and this "
				   "kernel's PMU has no format swfilt: " PRECIS_DOMAIN_ADVICE,
				   event->name);
	return encode_qualifiers(event, row->pmu, attr);
}

/* 'named': the level that the event's name has, or 0 */
static void encode_levels(struct precis_request *request, uint32_t named, uint32_t least)
{
	request->precise_most = named ? named : PRECISE_MOST;
	request->precise_least = named ? named : least;
}

static int encode_intel(struct precis_request *request)
{
	const struct precis_named_event *event = request->event;
	struct perf_event_attr *attr = &request->attr;
	const char *pmu = precis_intel_pmu(event->id, attr);
	uint64_t named = precis_qualifier_value(event, "precise", PRECISE_NOT_NAMED);
	uint32_t core;

	if (!named || (named > PRECISE_MOST && named != PRECISE_NOT_NAMED))
		return precis_fail(PAPI_EINVAL, "%s: precise is 1, 2 or 3", event->name);
	attr->type = (uint32_t)precis_pmu_type(pmu);
	encode_levels(request, named == PRECISE_NOT_NAMED ? 0 : (uint32_t)named, 1);
	attr->precise_ip = request->precise_most & 3;
	request->kind = PRECIS_EVENT_PEBS;
	precis_core_type_of_event(pmu, strlen(pmu), attr->type, &request->core_type);
	core = precis_intel_core_of(&precis_machine()->cpu,
				    (enum precis_core_type)request->core_type);
	if (event->id == PRECIS_PAPI_EVENT_MEM_LOADS &&
	    (attr->config1 == 0 || precis_qualifier_value(event, "ldlat", 0)))
		precis_pmu_set(pmu, "ldlat",
			       precis_qualifier_value(event, "ldlat", LOAD_LATENCY_DEFAULT), attr);
	request->leader = *attr;
	request->leader.config = precis_intel_load_auxiliary(core, attr->config);
	request->leader.config1 = 0;
	request->leader.precise_ip = 0;
	request->has_leader = request->leader.config != 0;
	return PAPI_OK;
}

static int encode_breakpoint(struct precis_request *request)
{
	const struct precis_named_event *event = request->event;
	struct perf_event_attr *attr = &request->attr;

	attr->type = PERF_TYPE_BREAKPOINT;
	attr->bp_addr = precis_qualifier_value(event, "addr", 0);
	attr->bp_type = (uint32_t)precis_qualifier_value(event, "access", HW_BREAKPOINT_RW);
	attr->bp_len = precis_qualifier_value(
		event, "len",
		attr->bp_type == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4);
	if (!attr->bp_addr)
		return precis_fail(PAPI_EINVAL,
				   "%s: which address? BREAKPOINT:addr=0x...:len=8:"
				   "access=rw",
				   event->name);
	if (attr->bp_len != 1 && attr->bp_len != 2 && attr->bp_len != 4 && attr->bp_len != 8)
		return precis_fail(PAPI_EINVAL, "%s: len is 1, 2, 4 or 8", event->name);
	if (attr->bp_addr % attr->bp_len && attr->bp_type != HW_BREAKPOINT_X)
		return precis_fail(PAPI_EINVAL, "%s: the address is no multiple of the length",
				   event->name);
	return PAPI_OK;
}

static int encode_software(struct precis_request *request)
{
	request->attr.type = PERF_TYPE_SOFTWARE;
	for (size_t i = 0; i < sizeof(software_events) / sizeof(software_events[0]); i++) {
		if (software_events[i].id == request->event->id)
			request->attr.config = software_events[i].config;
	}
	return PAPI_OK;
}

static int encode_pfm(struct precis_request *request)
{
	const char *name = *request->event->pfm ? request->event->pfm : request->event->name, *why;
	int domain = request->target.domain, is_core;
	struct precis_pfm_event event;

	if (precis_pfm_find(name, domain & PAPI_DOM_USER, domain & PAPI_DOM_KERNEL, &event, &why))
		return precis_fail(PAPI_ENOEVNT, "%s: libpfm4: %s", name, why);
	request->attr.type = event.type;
	request->attr.config = event.config;
	request->attr.config1 = event.config1;
	request->attr.config2 = event.config2;
	/* an event that can be precise is asked for here for nothing else */
	request->attr.precise_ip = (event.precise_ip   ? event.precise_ip
				    : event.is_precise ? PRECISE_DEFAULT
						       : 0) &
				   3;
	encode_levels(request, event.precise_ip & 3, event.is_precise != 0);
	is_core = precis_core_type_of_event(NULL, 0, event.type, &request->core_type);
	if (is_core && precis_machine()->cpu.vendor == PRECIS_VENDOR_INTEL &&
	    request->attr.precise_ip)
		request->kind = PRECIS_EVENT_PEBS;
	return PAPI_OK;
}

static int (*const encoders[])(struct precis_request *request) = {
	[PRECIS_FAMILY_SOFTWARE] = encode_software,  [PRECIS_FAMILY_BREAKPOINT] = encode_breakpoint,
	[PRECIS_FAMILY_IBS_OP] = encode_ibs,         [PRECIS_FAMILY_IBS_FETCH] = encode_ibs,
	[PRECIS_FAMILY_INTEL_MEMORY] = encode_intel, [PRECIS_FAMILY_PFM] = encode_pfm,
};

/* IBS counts all modes; what swfilt drops, the kernel drops by these bits as well. */
static void encode_domain(struct perf_event_attr *attr, int domain)
{
	attr->exclude_user = !(domain & PAPI_DOM_USER);
	attr->exclude_kernel = !(domain & PAPI_DOM_KERNEL);
	attr->exclude_hv = !(domain & PAPI_DOM_SUPERVISOR);
}

int precis_encode(const struct precis_named_event *event, const struct precis_target *target,
		  struct precis_request *request)
{
	const char *missing = precis_event_missing(event);
	int error;

	if (missing)
		return precis_fail(PAPI_ENOSUPP, "%s: not here: %s", event->name, missing);
	memset(request, 0, sizeof(*request));
	request->event = event;
	request->target = *target;
	request->attr.size = sizeof(request->attr);
	error = encoders[precis_event_row(event->id)->family](request);
	if (error)
		return error;
	encode_domain(&request->attr, target->domain);
	encode_domain(&request->leader, target->domain);
	if (request->kind == PRECIS_EVENT_IBS_OP || request->kind == PRECIS_EVENT_IBS_FETCH)
		request->attr.exclude_hv = 0;
	if (target->multiplexed)
		request->attr.read_format =
			PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	request->attr.disabled = !request->has_leader;
	request->leader.disabled = 1;
	request->attr.inherit = request->leader.inherit = target->inherit != 0;
	return PAPI_OK;
}

/* --- what is recorded ------------------------------------------------------- */

/* Generic parts that hold a field, of any event */
static const struct {
	enum precis_field field;
	uint64_t type;
} generic_parts[] = {
	{ PRECIS_FIELD_IP, PERF_SAMPLE_IP },         { PRECIS_FIELD_IP_EXACT, PERF_SAMPLE_IP },
	{ PRECIS_FIELD_PID, PERF_SAMPLE_TID },       { PRECIS_FIELD_TID, PERF_SAMPLE_TID },
	{ PRECIS_FIELD_TIME, PERF_SAMPLE_TIME },     { PRECIS_FIELD_CPU, PERF_SAMPLE_CPU },
	{ PRECIS_FIELD_CGROUP, PERF_SAMPLE_CGROUP },
};

/* Fields that the kernel's words hold, of events without a payload of their own */
static const struct {
	enum precis_field field;
	uint64_t type;
} word_parts[] = {
	{ PRECIS_FIELD_ADDR, PERF_SAMPLE_ADDR },
	{ PRECIS_FIELD_PHYS_ADDR, PERF_SAMPLE_PHYS_ADDR },
	{ PRECIS_FIELD_DATA_PAGE_SIZE, PERF_SAMPLE_DATA_PAGE_SIZE },
	{ PRECIS_FIELD_CODE_PAGE_SIZE, PERF_SAMPLE_CODE_PAGE_SIZE },
};

#define PEBS_PARTS                                                                                 \
	(PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT_STRUCT |                     \
	 PERF_SAMPLE_TRANSACTION)

static int is_ibs(const struct precis_request *request)
{
	return request->kind == PRECIS_EVENT_IBS_OP || request->kind == PRECIS_EVENT_IBS_FETCH;
}

void precis_encode_fields(struct precis_request *request, const uint64_t *fields)
{
	uint64_t type = PERF_SAMPLE_IP; /* PAPI_overflow needs it in any case */

	for (size_t i = 0; i < sizeof(generic_parts) / sizeof(generic_parts[0]); i++) {
		if (precis_fields_have(fields, generic_parts[i].field))
			type |= generic_parts[i].type;
	}
	if (is_ibs(request)) {
		type |= PERF_SAMPLE_RAW;
	} else {
		for (size_t i = 0; i < sizeof(word_parts) / sizeof(word_parts[0]); i++) {
			if (precis_fields_have(fields, word_parts[i].field))
				type |= word_parts[i].type;
		}
		if (request->kind == PRECIS_EVENT_PEBS)
			type |= PEBS_PARTS;
	}
	request->attr.sample_type = type;
}

/* --- periods ------------------------------------------------------------------ */

/* The lowest four bits of an IBS period cannot be set; Linux refuses less than these. */
#define IBS_STEP 16u
#define IBS_OP_LEAST 0x90u
#define IBS_FETCH_LEAST 0x10u

uint64_t precis_encode_period(const struct precis_request *request, uint64_t period, int exactly)
{
	uint64_t least = request->kind == PRECIS_EVENT_IBS_OP ? IBS_OP_LEAST : IBS_FETCH_LEAST;
	const char *name = request->event->name;

	if (!period || period > INT64_MAX) {
		precis_fail(PAPI_EINVAL, "%s: a period from 1 to 2^63 - 1 is needed", name);
		return 0;
	}
	if (!is_ibs(request))
		return period;
	if (period < least) {
		precis_fail(PAPI_EINVAL, "%s: period %llu: IBS takes no less than %llu", name,
			    (unsigned long long)period, (unsigned long long)least);
		return 0;
	}
	if (period % IBS_STEP && exactly) {
		precis_fail(PAPI_EINVAL,
			    "%s: period %llu: IBS takes multiples of %u only; the next "
			    "is %llu",
			    name, (unsigned long long)period, IBS_STEP,
			    (unsigned long long)(period + IBS_STEP - period % IBS_STEP));
		return 0;
	}
	return period - period % IBS_STEP;
}
