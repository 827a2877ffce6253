/* SPDX-License-Identifier: BSD-3-Clause */
/* What of an event can be decoded and what not, and why, in words. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "info.h"
#include "pebs.h"

#define OP_L3_MISS_ONLY (UINT64_C(1) << 16)
#define FETCH_L3_MISS_ONLY (UINT64_C(1) << 59)

static int is_ibs(const struct info_event *event)
{
	return event->event->kind == PRECIS_EVENT_IBS_OP ||
	       event->event->kind == PRECIS_EVENT_IBS_FETCH;
}

static int has_raw(const struct info_event *event)
{
	return (event->event->layout->sample_type & PRECIS_SAMPLE_RAW) != 0;
}

static const char *generic_only(const struct info *info, const struct info_event *event, char *room,
				size_t bytes)
{
	(void)info, (void)room, (void)bytes;
	return event->event->kind == PRECIS_EVENT_OTHER ?
		       "neither IBS nor a precise event of an Intel CPU: perf's generic fields only" :
		       NULL;
}

static const char *no_raw(const struct info *info, const struct info_event *event, char *room,
			  size_t bytes)
{
	(void)info, (void)room, (void)bytes;
	return is_ibs(event) && !has_raw(event) ?
		       "no raw payload, perf's generic fields only: record with --raw-samples" :
		       NULL;
}

static const char *undecodable(const struct info *info, const struct info_event *event, char *room,
			       size_t bytes)
{
	(void)info;
	if (!event->counts.undecodable)
		return NULL;
	snprintf(room, bytes, "%" PRIu64 " samples whose payload could not be decoded",
		 event->counts.undecodable);
	return room;
}

static const char *unknown_cpu(const struct info *info, const struct info_event *event, char *room,
			       size_t bytes)
{
	size_t length;

	if (!is_ibs(event) || info->cpu.vendor != PRECIS_VENDOR_UNKNOWN)
		return NULL;
	length = (size_t)snprintf(room, bytes,
				  "CPU model unknown, only what is right on all candidates is "
				  "decoded: give --cpuid; candidates:");
	for (uint32_t core = 0; core < PRECIS_CORE_COUNT && length < bytes; core++) {
		if (event->cores & (1u << core))
			length += (size_t)snprintf(room + length, bytes - length, " %s;",
						   precis_core_name(core));
	}
	return room;
}

static const char *wrong_cpu(const struct info *info, const struct info_event *event, char *room,
			     size_t bytes)
{
	(void)room, (void)bytes;
	return is_ibs(event) && info->cpu.vendor != PRECIS_VENDOR_UNKNOWN && !event->cores ?
		       "the recording's CPU has no IBS: the cpuid is not the recording machine's" :
		       NULL;
}

static const char *layout(const struct info *info, const struct info_event *event, char *room,
			  size_t bytes)
{
	(void)room, (void)bytes;
	if (event->event->kind != PRECIS_EVENT_IBS_FETCH || !has_raw(event))
		return NULL;
	return info->old_fetch_layout ?
		       "payload layout of kernels before 5.10: without IbsFetchCtlExtd" :
		       "payload layout of Linux 5.10 and later";
}

static const char *l3_miss_only(const struct info *info, const struct info_event *event, char *room,
				size_t bytes)
{
	uint64_t config = event->event->config;

	(void)info, (void)room, (void)bytes;
	if ((event->event->kind == PRECIS_EVENT_IBS_OP && (config & OP_L3_MISS_ONLY)) ||
	    (event->event->kind == PRECIS_EVENT_IBS_FETCH && (config & FETCH_L3_MISS_ONLY)))
		return "l3missonly: the period is not uniform, shares are those of L3 misses";
	return NULL;
}

static info_remark_fn *const remarks[] = {
	generic_only,
	no_raw,
	undecodable,
	unknown_cpu,
	wrong_cpu,
	layout,
	l3_miss_only,
	info_pebs_cpu_unknown,
	info_pebs_access_lacks,
	info_pebs_latency_lacks,
	info_pebs_retire_lacks,
	info_pebs_auxiliary_lacks,
	info_pebs_filter,
	info_pebs_skid,
	info_pebs_doubt,
};

const char *info_remark(const struct info *info, const struct info_event *event, uint32_t n,
			char *room, size_t bytes)
{
	for (size_t i = 0; i < sizeof(remarks) / sizeof(remarks[0]); i++) {
		const char *remark = remarks[i](info, event, room, bytes);

		if (remark && n-- == 0)
			return remark;
	}
	return NULL;
}

int info_erratum_applies(const struct info_event *event, const struct precis_erratum *erratum)
{
	uint32_t unit = event->event->kind == PRECIS_EVENT_IBS_FETCH ? PRECIS_IBS_FETCH :
								       PRECIS_IBS_OP;

	return is_ibs(event) && erratum->unit == unit && (erratum->cores & event->cores);
}

const char *info_sample_type_name(unsigned int bit)
{
	static const char *const names[] = {
		"IP",	       "TID",	     "TIME",	      "ADDR",	     "READ",
		"CALLCHAIN",   "ID",	     "CPU",	      "PERIOD",	     "STREAM_ID",
		"RAW",	       "BRANCH_STACK", "REGS_USER",   "STACK_USER",  "WEIGHT",
		"DATA_SRC",    "IDENTIFIER", "TRANSACTION",   "REGS_INTR",   "PHYS_ADDR",
		"AUX",	       "CGROUP",     "DATA_PAGE_SIZE", "CODE_PAGE_SIZE", "WEIGHT_STRUCT",
	};

	return bit < sizeof(names) / sizeof(names[0]) ? names[bit] : NULL;
}

const char *info_kind_name(uint32_t kind)
{
	static const char *const names[] = {
		[PRECIS_EVENT_OTHER] = "other",
		[PRECIS_EVENT_IBS_OP] = "ibs_op",
		[PRECIS_EVENT_IBS_FETCH] = "ibs_fetch",
		[PRECIS_EVENT_PEBS] = "pebs",
	};

	return names[kind < sizeof(names) / sizeof(names[0]) ? kind : 0];
}

const char *info_kind_source_name(uint32_t source)
{
	static const char *const names[] = {
		[PRECIS_KIND_UNKNOWN] = "nothing says",
		[PRECIS_KIND_PMU_MAPPINGS] = "the recording's PMU mappings",
		[PRECIS_KIND_SYSFS] = "this machine's sysfs",
		[PRECIS_KIND_PAYLOAD] = "size and control bits of its first payload",
		[PRECIS_KIND_CPU] = "a precise event of an Intel CPU",
	};

	return names[source < sizeof(names) / sizeof(names[0]) ? source : 0];
}
