/* SPDX-License-Identifier: BSD-3-Clause */
/* See pfm_events.h. */
#include "pfm_events.h"

#ifdef HAVE_LIBPFM

#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <string.h>

struct sink {
	pfm_event_sink *take;
	void *data;
	int count;
};

static int find_pmu(const char *name, pfm_pmu_info_t *info)
{
	for (int n = PFM_PMU_NONE; n < PFM_PMU_MAX; n++) {
		memset(info, 0, sizeof(*info));
		info->size = sizeof(*info);
		if (pfm_get_pmu_info((pfm_pmu_t)n, info) == PFM_SUCCESS &&
		    strcmp(info->name, name) == 0)
			return 1;
	}
	return 0;
}

/* The unit masks that can be precise. @return how many unit masks there are of either kind */
static int take_umasks(const pfm_event_info_t *event, struct sink *sink)
{
	pfm_event_attr_info_t umask;
	char name[256];
	int umasks = 0;

	for (int n = 0; n < event->nattrs; n++) {
		memset(&umask, 0, sizeof(umask));
		umask.size = sizeof(umask);
		if (pfm_get_event_attr_info(event->idx, n, PFM_OS_NONE, &umask) != PFM_SUCCESS ||
		    umask.type != PFM_ATTR_UMASK)
			continue;
		umasks++;
		if (!umask.is_precise)
			continue;
		snprintf(name, sizeof(name), "%s:%s", event->name, umask.name);
		sink->take(sink->data, name, umask.desc);
		sink->count++;
	}
	return umasks;
}

static void take_event(int index, struct sink *sink)
{
	pfm_event_info_t event;

	memset(&event, 0, sizeof(event));
	event.size = sizeof(event);
	if (pfm_get_event_info(index, PFM_OS_NONE, &event) != PFM_SUCCESS)
		return;
	if (take_umasks(&event, sink) == 0 && event.is_precise) {
		sink->take(sink->data, event.name, event.desc);
		sink->count++;
	}
}

int pfm_events_each(const char *pmu, pfm_event_sink *take, void *data, const char **why)
{
	struct sink sink = { take, data, 0 };
	int result = pfm_initialize();
	pfm_pmu_info_t info;

	if (result != PFM_SUCCESS && result != PFM_ERR_NOTSUPP) {
		*why = pfm_strerror(result);
		return -1;
	}
	if (!find_pmu(pmu, &info)) {
		*why = "libpfm4 has no such PMU";
		return -1;
	}
	for (int index = info.first_event; index != -1; index = pfm_get_event_next(index))
		take_event(index, &sink);
	return sink.count;
}

#else

int pfm_events_each(const char *pmu, pfm_event_sink *take, void *data, const char **why)
{
	(void)pmu;
	(void)take;
	(void)data;
	*why = "this precis was built without libpfm4";
	return -1;
}

#endif
