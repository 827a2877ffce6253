/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which events are IBS. PMU type numbers are handed out when a kernel boots:
 * the recording's own list says what they meant, else this machine's sysfs, if
 * the caller thinks that it may, else the first payload.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "event_names.h"
#include "kinds.h"
#include "libdecode/ibs/payload.h"
#include "pebs_events.h"

#define FIRST_DYNAMIC_TYPE 6u /* PERF_TYPE_MAX: types below are no PMU's of its own */

static const struct ibs_pmu {
	const char *name;
	const char *sysfs_type;
	enum precis_event_kind kind;
} ibs_pmus[] = {
	{ "ibs_op", "/sys/bus/event_source/devices/ibs_op/type", PRECIS_EVENT_IBS_OP },
	{ "ibs_fetch", "/sys/bus/event_source/devices/ibs_fetch/type", PRECIS_EVENT_IBS_FETCH },
};
#define IBS_PMUS (sizeof(ibs_pmus) / sizeof(ibs_pmus[0]))

/* PERF_TYPE_HARDWARE, PERF_TYPE_HW_CACHE */
#define TYPE_HARDWARE 0u
#define TYPE_HW_CACHE 3u

/*
 * The type number of the event's PMU. On a CPU with cores of several kinds each
 * kind has a PMU of its own, and the generic events say which they mean in the
 * upper half of config (PERF_PMU_TYPE_SHIFT; Linux 5.13).
 */
static uint32_t pmu_type(const struct precis_event *event)
{
	uint32_t extended = (uint32_t)(event->config >> 32);

	if ((event->type == TYPE_HARDWARE || event->type == TYPE_HW_CACHE) && extended)
		return extended;
	return event->type;
}

static void find_by_mappings(const struct feature_set *features, struct precis_event *event)
{
	uint32_t type = pmu_type(event);

	for (uint32_t n = 0; n < features->pmu_count; n++) {
		if (features->pmus[n].type != type)
			continue;
		event->pmu = features->pmus[n].name;
		event->kind_source = PRECIS_KIND_PMU_MAPPINGS;
		for (size_t i = 0; i < IBS_PMUS; i++) {
			if (type == event->type && !strcmp(event->pmu, ibs_pmus[i].name))
				event->kind = ibs_pmus[i].kind;
		}
		return;
	}
}

/* @return 0 if there is no such PMU here: it is no dynamic type */
static uint32_t read_sysfs_type(const char *path)
{
	char text[16] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return 0;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	return got > 0 ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

static void find_by_sysfs(struct precis_event *event)
{
	for (size_t i = 0; i < IBS_PMUS; i++) {
		if (event->type != read_sysfs_type(ibs_pmus[i].sysfs_type))
			continue;
		event->pmu = ibs_pmus[i].name;
		event->kind = ibs_pmus[i].kind;
		event->kind_source = PRECIS_KIND_SYSFS;
	}
}

int file_find_kinds(struct file_machine *machine, struct file_events *events, uint32_t first)
{
	for (uint32_t n = first; n < events->count; n++) {
		struct file_event *event = events->event[n];
		struct precis_event *view = &event->view;

		find_by_mappings(machine->features, view);
		if (!view->kind_source && machine->use_sysfs && view->type >= FIRST_DYNAMIC_TYPE)
			find_by_sysfs(view);
		/* sysfs may be another machine's, with other numbers: the payload has the last word */
		event->payload_judged = view->kind_source == PRECIS_KIND_PMU_MAPPINGS ||
					view->type < FIRST_DYNAMIC_TYPE;
		if (file_find_pebs(machine, event))
			return file_fail_system(machine->errors, PRECIS_E_NO_MEMORY);
	}
	if (file_name_events(machine->features, events, first))
		return file_fail_system(machine->errors, PRECIS_E_NO_MEMORY);
	return 0;
}

void file_judge_payload(struct file_event *event, const struct precis_bytes *raw)
{
	enum precis_event_kind kind;

	if (raw->bytes <= FILLER_BYTES) /* it tells nothing */
		return;
	event->payload_judged = 1;
	kind = precis_ibs_payload_kind(raw->data, raw->bytes);
	if (kind == PRECIS_EVENT_OTHER || kind == event->view.kind)
		return;
	event->view.kind = kind;
	event->view.kind_source = PRECIS_KIND_PAYLOAD;
	event->view.pmu = NULL;
}
