/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See pfm_events.h. The library's tables are full of addresses that have to be put right when it is loaded,
 * which takes longer than all else that a start of the command does.
 */
#include "pfm_events.h"

#ifdef HAVE_LIBPFM

#include <dlfcn.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <string.h>

#include "libdecode/code/library.h"

#define LIBRARY "libpfm.so.4"

struct pfm_calls {
	__typeof__(pfm_initialize) *initialize;
	__typeof__(pfm_strerror) *strerror;
	__typeof__(pfm_get_pmu_info) *pmu_info;
	__typeof__(pfm_get_event_info) *event_info;
	__typeof__(pfm_get_event_next) *event_next;
	__typeof__(pfm_get_event_attr_info) *attr_info;
};

static const char *const names[] = {
	"pfm_initialize",     "pfm_strerror",       "pfm_get_pmu_info",
	"pfm_get_event_info", "pfm_get_event_next", "pfm_get_event_attr_info",
};
#define NAMES (sizeof(names) / sizeof(names[0]))
_Static_assert(sizeof(struct pfm_calls) == NAMES * sizeof(void *), "a name for each");

struct sink {
	const struct pfm_calls *calls;
	pfm_event_sink *take;
	void *data;
	int count;
};

static int find_pmu(const struct pfm_calls *calls, const char *name, pfm_pmu_info_t *info)
{
	for (int n = PFM_PMU_NONE; n < PFM_PMU_MAX; n++) {
		memset(info, 0, sizeof(*info));
		info->size = sizeof(*info);
		if (calls->pmu_info((pfm_pmu_t)n, info) == PFM_SUCCESS &&
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
		if (sink->calls->attr_info(event->idx, n, PFM_OS_NONE, &umask) != PFM_SUCCESS ||
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
	if (sink->calls->event_info(index, PFM_OS_NONE, &event) != PFM_SUCCESS)
		return;
	if (take_umasks(&event, sink) == 0 && event.is_precise) {
		sink->take(sink->data, event.name, event.desc);
		sink->count++;
	}
}

static int take_events(const struct pfm_calls *calls, const char *pmu, struct sink *sink,
		       const char **why)
{
	const int result = calls->initialize();
	pfm_pmu_info_t info;

	if (result != PFM_SUCCESS && result != PFM_ERR_NOTSUPP) {
		*why = calls->strerror(result);
		return -1;
	}
	if (!find_pmu(calls, pmu, &info)) {
		*why = "libpfm4 has no such PMU";
		return -1;
	}
	for (int index = info.first_event; index != -1; index = calls->event_next(index))
		take_event(index, sink);
	return sink->count;
}

int pfm_events_each(const char *pmu, pfm_event_sink *take, void *data, const char **why)
{
	struct pfm_calls calls;
	struct sink sink = { &calls, take, data, 0 };
	void *library = library_open(LIBRARY, names, NAMES, &calls);
	int count;

	if (!library) {
		*why = LIBRARY " is not installed, or is another one";
		return -1;
	}
	count = take_events(&calls, pmu, &sink, why);
	dlclose(library);
	return count;
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
