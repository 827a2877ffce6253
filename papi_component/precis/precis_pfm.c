/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_pfm.c
 * @see precis_pfm.h
 */
#include "precis_pfm.h"

#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "precis_lock.h"

/*
 * Each time: PAPI's perf_event ends libpfm4 at PAPI_shutdown. It does nothing where that is done.
 * With the lock that PAPI does both with; over a fork(2) PAPI does not hold it either.
 */
static int initialize(void)
{
	int result;

	precis_lock(PRECIS_LOCK_LIBPFM4);
	result = pfm_initialize();
	precis_unlock(PRECIS_LOCK_LIBPFM4);
	return result;
}

static int get_event(int index, pfm_event_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return pfm_get_event_info(index, PFM_OS_PERF_EVENT_EXT, info);
}

/* @return whether attribute n of an event is a unit mask */
static int get_umask(int index, int n, pfm_event_attr_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return !pfm_get_event_attr_info(index, n, PFM_OS_PERF_EVENT_EXT, info) &&
	       info->type == PFM_ATTR_UMASK;
}

/* Does a full name ("skl::INST_RETIRED:PREC_DIST:e=0...") have this unit mask? */
static int names(const char *full, const char *umask)
{
	size_t bytes = strlen(umask);

	while ((full = strchr(full, ':'))) {
		full++;
		if (!strncmp(full, umask, bytes) && (!full[bytes] || full[bytes] == ':'))
			return 1;
	}
	return 0;
}

/* An event is precise if one of its unit masks is: those of the name decide, if there are any. */
static int is_precise(int index, const char *full)
{
	pfm_event_attr_info_t umask;
	pfm_event_info_t info;
	int has_umasks = 0;

	if (get_event(index, &info))
		return 0;
	for (int n = 0; n < info.nattrs; n++) {
		if (!get_umask(index, n, &umask))
			continue;
		has_umasks = 1;
		if (umask.is_precise && names(full, umask.name))
			return 1;
	}
	return !has_umasks && info.is_precise;
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
	char *full = NULL;
	int result;

	memset(&attr, 0, sizeof(attr));
	memset(&argument, 0, sizeof(argument));
	attr.size = sizeof(attr);
	argument.size = sizeof(argument);
	argument.attr = &attr;
	argument.fstr = &full;
	result = initialize();
	if (result == PFM_SUCCESS)
		result = pfm_get_os_event_encoding(name,
						   (user ? PFM_PLM3 : 0) | (kernel ? PFM_PLM0 : 0),
						   PFM_OS_PERF_EVENT_EXT, &argument);
	if (result == PFM_SUCCESS && is_generic(attr.type))
		result = PFM_ERR_NOTFOUND;
	if (result != PFM_SUCCESS) {
		free(full); /* libpfm4's: by the C library */
		*why = pfm_strerror(result);
		return -1;
	}
	event->is_precise = full && is_precise(argument.idx, full);
	free(full);
	event->type = attr.type;
	event->precise_ip = (uint32_t)attr.precise_ip;
	event->config = attr.config;
	event->config1 = attr.config1;
	event->config2 = attr.config2;
	return 0;
}

/* --- the list ----------------------------------------------------------------- */

typedef void adder(const char *name, const char *meaning, int is_umask);

static void list_event(const char *pmu, int index, adder *add)
{
	pfm_event_attr_info_t umask;
	pfm_event_info_t info;
	char name[256], prefix[64] = "";

	/* other names for what is listed anyway are left out */
	if (get_event(index, &info) || !info.is_precise || info.equiv)
		return;
	/* where there are two kinds of cores, the name alone is one's only */
	if (pfm_find_event(info.name) != index)
		snprintf(prefix, sizeof(prefix), "%s::", pmu);
	snprintf(name, sizeof(name), "%s%s", prefix, info.name);
	add(name, info.desc, 0);
	for (int n = 0; n < info.nattrs; n++) {
		if (!get_umask(index, n, &umask) || !umask.is_precise || umask.equiv)
			continue;
		snprintf(name, sizeof(name), "%s%s:%s", prefix, info.name, umask.name);
		add(name, umask.desc, 1);
	}
}

void precis_pfm_list(adder *add)
{
	if (initialize() != PFM_SUCCESS)
		return;
	for (int pmu = 0; pmu < PFM_PMU_MAX; pmu++) {
		pfm_pmu_info_t info = { .size = sizeof(info) };

		/* the default one has Intel's architectural events, which the cores' have, too */
		if (pfm_get_pmu_info(pmu, &info) || !info.is_present || info.is_dfl ||
		    info.type != PFM_PMU_TYPE_CORE)
			continue;
		for (int index = info.first_event; index >= 0; index = pfm_get_event_next(index))
			list_event(info.name, index, add);
	}
}
