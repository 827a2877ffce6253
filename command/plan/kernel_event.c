/* SPDX-License-Identifier: BSD-3-Clause */
/* See kernel_event.h. */
#include "kernel_event.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/intel.h>

#include "bench/accuracy/pebs_events.h"
#include "bench/accuracy/tracefs.h"
#include "command/info/machine.h"

#define PMUS "/sys/bus/event_source/devices"

/* The kernel's numbers of events that are always the same */
static const struct known_event {
	const char *event, *pmu; /* NULL: the type is as it stands */
	uint32_t type;
	uint64_t config, config1;
	uint32_t precise;
} known_events[] = {
	{ "page-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 0, 0 },
	{ "cpu-clock", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 0, 0 },
	/* arch/x86/events/amd/ibs.c: cnt_ctl and rand_en */
	{ "ibs_op", "ibs_op", 0, UINT64_C(1) << 19, 0, 0 },
	{ "ibs_fetch", "ibs_fetch", 0, UINT64_C(1) << 57, 0, 0 },
	/* MEM_TRANS_RETIRED.LOAD_LATENCY, ldlat=30 */
	{ "mem-loads", "cpu", 0, 0x1cd, 30, 2 },
	{ "mem-stores", "cpu", 0, 0, 0, 2 }, /* its number depends on the core */
};

static const struct machine here = { .root = "" };

static int read_type(const char *pmu, uint32_t *type)
{
	char path[128];
	int number;

	snprintf(path, sizeof(path), PMUS "/%s/type", pmu);
	if (!machine_read_number(&here, path, &number))
		return 0;
	*type = (uint32_t)number;
	return 1;
}

static int of_row(const struct known_event *row, const struct plan_setting *setting,
		  struct perf_event_attr *attr, char reason[PLAN_REASON])
{
	const int is_stores = strcmp(row->event, "mem-stores") == 0;
	uint32_t core_type = PRECIS_CORE_TYPE_UNKNOWN;
	struct pebs_event_code code;

	attr->type = row->type;
	attr->config = row->config;
	attr->config1 = row->config1;
	attr->precise_ip = row->precise & 3;
	if (!row->pmu)
		return 0;
	if (!read_type(row->pmu, &attr->type)) {
		/* the large cores of a hybrid CPU have a PMU of their own */
		core_type = PRECIS_CORE_TYPE_P;
		if (strcmp(row->pmu, "cpu") != 0 || !read_type("cpu_core", &attr->type)) {
			snprintf(reason, PLAN_REASON, "this machine has no such event: the kernel has no "
				 "PMU %s", row->pmu);
			return -1;
		}
	}
	if ((is_stores || strcmp(row->event, "mem-loads") == 0) && !setting->is_intel) {
		snprintf(reason, PLAN_REASON, "this machine has no such event: it is of Intel's CPUs");
		return -1;
	}
	if (!is_stores)
		return 0;
	if (!pebs_event_code(PEBS_STORES, precis_intel_core_of(&setting->model, core_type), &code)) {
		snprintf(reason, PLAN_REASON, "what this core calls it is not known here");
		return -1;
	}
	attr->config = code.config;
	return 0;
}

/* --- tracepoints --- */

/* "SYSTEM:NAME" as tracefs has it, SYSTEM/NAME. 0, or -1 if it is too long or no name */
static int tracefs_name(const char *spec, char name[NAME_MAX])
{
	const size_t system = strcspn(spec, ":");

	if (!system || !spec[system] || !spec[system + 1] || strchr(spec, '/') ||
	    strchr(spec + system + 1, ':') || spec[0] == '.' || spec[system + 1] == '.')
		return -1;
	return snprintf(name, NAME_MAX, "%.*s/%s", (int)system, spec, spec + system + 1) < NAME_MAX ? 0 : -1;
}

static int of_tracepoint(const char *spec, struct perf_event_attr *attr, char reason[PLAN_REASON])
{
	char name[NAME_MAX];

	if (tracefs_name(spec, name)) {
		snprintf(reason, PLAN_REASON, "'%.60s' is no tracepoint: expected SYSTEM:NAME", spec);
		return -1;
	}
	if (tracefs_attr("", name, attr))
		return 0;
	snprintf(reason, PLAN_REASON, TRACEFS_NONE, spec);
	return -1;
}

/* Its fields are lines "field:TYPE NAME; offset:8; size:8; signed:0;": RAW ends where the last one does */
uint32_t plan_tracepoint_bytes(const char *spec)
{
	unsigned int offset, size, bytes = 0;
	char name[NAME_MAX], line[1024];
	FILE *file = tracefs_name(spec, name) ? NULL : tracefs_open("", name, "format");

	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file)) {
		const char *at = strstr(line, "offset:");

		if (at && sscanf(at, "offset:%u; size:%u;", &offset, &size) == 2 && offset < 65536 &&
		    size < 65536 && offset + size > bytes)
			bytes = offset + size;
	}
	fclose(file);
	return bytes;
}

/* --- data breakpoints --- */

/* "rw", "w", "r": 0 if it is none that x86 has for data (r alone is not one of them: it means both) */
static uint32_t access_of(const char *text)
{
	uint32_t access = 0;

	for (; *text; text++) {
		if (*text != 'r' && *text != 'w')
			return 0;
		access |= *text == 'r' ? HW_BREAKPOINT_R : HW_BREAKPOINT_W;
	}
	return access;
}

/* As perf record takes it: mem:ADDRESS[/LENGTH][:ACCESS] */
static int of_breakpoint(const char *spec, struct perf_event_attr *attr, char reason[PLAN_REASON])
{
	unsigned long long address = 0, length = 4;
	uint32_t access = HW_BREAKPOINT_RW;
	char *end = NULL;
	int is_right = strncmp(spec, "mem:", 4) == 0 && spec[4] >= '0' && spec[4] <= '9';

	if (is_right)
		address = strtoull(spec + 4, &end, 0);
	if (end && *end == '/') {
		is_right = end[1] >= '0' && end[1] <= '9';
		length = strtoull(end + 1, &end, 10);
	}
	if (end && *end == ':') {
		access = access_of(end + 1);
		end += strlen(end);
	}
	if (!is_right || !end || *end || !access ||
	    (length != 1 && length != 2 && length != 4 && length != 8)) {
		snprintf(reason, PLAN_REASON, "'%.60s' is no data breakpoint: expected "
			 "mem:ADDRESS[/LENGTH][:ACCESS], as mem:0x601040/8:w", spec);
		return -1;
	}
	if (address % length) {
		snprintf(reason, PLAN_REASON, "a breakpoint of %llu bytes begins at a multiple of that",
			 length);
		return -1;
	}
	attr->type = PERF_TYPE_BREAKPOINT;
	attr->bp_type = access;
	attr->bp_addr = address;
	attr->bp_len = length;
	return 0;
}

int plan_kernel_event(const struct plan_event *event, const char *spec,
		      const struct plan_setting *setting, struct perf_event_attr *attr,
		      char reason[PLAN_REASON])
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	if (event->kind == PLAN_TRACEPOINT)
		return of_tracepoint(spec, attr, reason);
	if (event->kind == PLAN_BREAKPOINT)
		return of_breakpoint(spec, attr, reason);
	for (size_t n = 0; n < sizeof(known_events) / sizeof(known_events[0]); n++) {
		if (strcmp(known_events[n].event, event->name) == 0)
			return of_row(&known_events[n], setting, attr, reason);
	}
	snprintf(reason, PLAN_REASON, "how the kernel is asked for it is not known here");
	return -1;
}

void plan_counting(const struct plan_event *event, struct perf_event_attr *attr)
{
	/* IBS_OP_MAX_CNT and IBS_FETCH_MAX_CNT: without a period they must be in config */
	if (strncmp(event->name, "ibs_", 4) == 0)
		attr->config |= 0xffff;
}

void plan_refused(int error, char reason[PLAN_REASON])
{
	switch (error) {
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
	case ENXIO:
		snprintf(reason, PLAN_REASON, "this machine has no such event");
		break;
	case EACCES:
	case EPERM:
		snprintf(reason, PLAN_REASON, "not permitted: kernel.perf_event_paranoid, or "
			 "kernel.perf_event_mlock_kb");
		break;
	case ENOSPC:
		snprintf(reason, PLAN_REASON, "the CPU's debug registers or counters are all in use");
		break;
	case EMFILE:
		snprintf(reason, PLAN_REASON, "too many threads: ulimit -n allows no more files");
		break;
	case ENOSYS:
		snprintf(reason, PLAN_REASON, "perf_event_open(2) is not there");
		break;
	default:
		snprintf(reason, PLAN_REASON, "%s", strerror(error));
	}
}
