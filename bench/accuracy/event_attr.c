/* SPDX-License-Identifier: BSD-3-Clause */
/* How the kernel is asked for an event, and what its refusals mean (events.h). */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <linux/hw_breakpoint.h>

#include <precis/intel.h>

#include "events.h"
#include "pebs_events.h"
#include "tracefs.h"

#define DEVICES "/sys/bus/event_source/devices"
/*
 * Not PERF_SAMPLE_PERIOD: with it Linux takes a sample of each event of software, tracepoints and
 * breakpoints, whatever the period (perf_swevent_event() in kernel/events/core.c).
 */
#define SAMPLED (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU)

/* The first line of a file below the root. 1 if there is one */
static int read_line(const struct bench_machine *machine, const char *path, char *text, int room)
{
	char full[PATH_MAX];
	FILE *file;
	int found;

	if (snprintf(full, sizeof(full), "%s%s", machine->root, path) >= (int)sizeof(full))
		return 0;
	file = fopen(full, "re");
	if (!file)
		return 0;
	found = fgets(text, room, file) != NULL;
	fclose(file);
	return found;
}

static int read_number(const struct bench_machine *machine, const char *path, uint64_t *number)
{
	char text[64];
	unsigned long long value;

	if (!read_line(machine, path, text, sizeof(text)) || sscanf(text, "%llu", &value) != 1)
		return 0;
	*number = value;
	return 1;
}

static int pmu_type(const struct bench_machine *machine, const char *pmu, uint32_t *type)
{
	char path[128];
	uint64_t number;

	snprintf(path, sizeof(path), DEVICES "/%s/type", pmu);
	if (!read_number(machine, path, &number))
		return -1;
	*type = (uint32_t)number;
	return 0;
}

static int seccomp_is_on(const struct bench_machine *machine)
{
	char path[PATH_MAX], line[128];
	int is_on = 0, value;
	FILE *file;

	snprintf(path, sizeof(path), "%s/proc/self/status", machine->root);
	file = fopen(path, "re");
	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "Seccomp: %d", &value) == 1)
			is_on = value != 0;
	}
	fclose(file);
	return is_on;
}

static void say_not_permitted(const struct bench_event *event, const struct bench_machine *machine,
			      char *reason)
{
	const int wants_kernel = (event->modes & MODE_KERNEL) != 0;
	const int most = wants_kernel ? 1 : 2;

	if (machine->is_privileged || (machine->has_paranoid && machine->paranoid <= most))
		snprintf(reason, EVENT_REASON, "not permitted%s, although privileges and "
			 "perf_event_paranoid allow it", seccomp_is_on(machine) ? " by seccomp" : "");
	else if (machine->has_paranoid)
		snprintf(reason, EVENT_REASON, "not permitted: kernel.perf_event_paranoid is %d, %s "
			 "needs %d or less, or CAP_PERFMON", machine->paranoid,
			 wants_kernel ? "to count in the kernel, too," : "it", most);
	else
		snprintf(reason, EVENT_REASON, "not permitted, and kernel.perf_event_paranoid cannot be "
			 "read");
}

static void say_no_pmu(const struct bench_event *event, const struct bench_machine *machine, char *reason)
{
	const int is_ibs = event->family == EVENT_IBS;
	const int is_amd = machine->cpu.vendor == PRECIS_VENDOR_AMD ||
			   machine->cpu.vendor == PRECIS_VENDOR_HYGON;

	if (is_ibs ? !is_amd : machine->cpu.vendor != PRECIS_VENDOR_INTEL)
		snprintf(reason, EVENT_REASON, "%s, and this CPU is not", is_ibs ? "IBS is AMD's" :
									 "PEBS is Intel's");
	else
		snprintf(reason, EVENT_REASON, "the kernel has no PMU %s%s", is_ibs ? event->where : "cpu",
			 machine->is_guest ? ": the hypervisor hides it" : "");
}

void event_refused(const struct bench_event *event, const struct bench_machine *machine, int error,
		   char reason[EVENT_REASON])
{
	switch (error) {
	case EPERM:
	case EACCES:
		say_not_permitted(event, machine, reason);
		break;
	case ENOSPC:
		snprintf(reason, EVENT_REASON, "%s are all in use",
			 event->family == EVENT_BREAKPOINT ? "the CPU's debug registers" : "counters");
		break;
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
	case ENXIO:
		snprintf(reason, EVENT_REASON, "neither kernel nor CPU have it%s",
			 machine->is_guest ? ": the hypervisor may hide it" : "");
		break;
	case ENOSYS:
		snprintf(reason, EVENT_REASON, "perf_event_open(2) is not there%s",
			 seccomp_is_on(machine) ? ", or seccomp hides it" : "");
		break;
	default:
		snprintf(reason, EVENT_REASON, "perf_event_open: %s", strerror(error));
	}
}

/* The bits of a PMU's format that are one, "config:19" */
static int set_bit(const struct bench_event *event, const struct bench_machine *machine,
		   struct perf_event_attr *attr, char *reason)
{
	char path[128], text[64];
	unsigned int bit;

	if (!event->bits)
		return 0;
	snprintf(path, sizeof(path), DEVICES "/%s/format/%s", event->where, event->bits);
	if (!read_line(machine, path, text, sizeof(text)) || sscanf(text, "config:%u", &bit) != 1 ||
	    bit > 63) {
		snprintf(reason, EVENT_REASON, "the PMU %s has no format %s here", event->where,
			 event->bits);
		return -1;
	}
	attr->config |= UINT64_C(1) << bit;
	return 0;
}

static int ibs_attr(const struct bench_event *event, const struct bench_machine *machine,
		    struct perf_event_attr *attr, char *reason)
{
	if (pmu_type(machine, event->where, &attr->type)) {
		say_no_pmu(event, machine, reason);
		return -1;
	}
	/* it takes all modes, of which samples tell; the registers are in the raw part */
	attr->exclude_kernel = attr->exclude_user = attr->exclude_hv = 0;
	attr->sample_type |= PERF_SAMPLE_RAW;
	return set_bit(event, machine, attr, reason);
}

/* Cycles that a load takes at the least, if it is to be sampled: the smallest number that Linux takes */
#define LATENCY_LEAST 3

/* 1; 0: the core has none that is known; -1: it is not opened so, and why */
static int latency_code(uint32_t core, struct perf_event_attr *attr, struct pebs_event_code *code,
			char *reason)
{
	struct precis_intel_core_info info = { .size = sizeof(info) };

	if (precis_intel_core_info(core, &info) || !info.load_latency_event)
		return 0;
	if (info.load_auxiliary_event) {
		snprintf(reason, EVENT_REASON, "%s samples load latencies in a group with another event, "
			 "which is not opened here", precis_intel_core_name(core));
		return -1;
	}
	*code = (struct pebs_event_code){ info.load_latency_event, 2 };
	attr->config1 = LATENCY_LEAST;
	attr->sample_type |= PERF_SAMPLE_WEIGHT;
	return 1;
}

/* On a hybrid CPU the large cores have a PMU of their own. */
static int pebs_attr(const struct bench_event *event, const struct bench_machine *machine,
		     struct perf_event_attr *attr, char *reason)
{
	const int is_hybrid = !pmu_type(machine, "cpu_core", &attr->type);
	const uint32_t core = precis_intel_core_of(&machine->cpu, is_hybrid ? PRECIS_CORE_TYPE_P :
									PRECIS_CORE_TYPE_UNKNOWN);
	struct pebs_event_code code;
	int is_known;

	if (machine->cpu.vendor != PRECIS_VENDOR_INTEL ||
	    (!is_hybrid && pmu_type(machine, "cpu", &attr->type))) {
		say_no_pmu(event, machine, reason);
		return -1;
	}
	is_known = event->code == PEBS_LATENCY ? latency_code(core, attr, &code, reason) :
						 pebs_event_code((enum pebs_event)event->code, core, &code);
	if (is_known < 0)
		return -1;
	if (!is_known) {
		snprintf(reason, EVENT_REASON, "what %s calls it is not known here",
			 core == PRECIS_INTEL_UNKNOWN ? "this core" : precis_intel_core_name(core));
		return -1;
	}
	attr->config = code.config;
	attr->precise_ip = code.precise_ip;
	return 0;
}

static int tracepoint_attr(const struct bench_event *event, const struct bench_machine *machine,
			   struct perf_event_attr *attr, char *reason)
{
	if (tracefs_attr(machine->root, event->where, attr))
		return 0;
	snprintf(reason, EVENT_REASON, TRACEFS_NONE, event->where);
	return -1;
}

static uint64_t marked_instruction(const struct kernel *kernel)
{
	const struct kernel_site *site = kernel->sites;

	while (site < kernel->sites_end && !(site->class & CLASS_MARK))
		site++;
	return (uint64_t)(uintptr_t)kernel->code + (site < kernel->sites_end ? site->offset : 0);
}

static int breakpoint_attr(const struct bench_event *event, const struct kernel *kernel,
			   const struct kernel_state *state, struct perf_event_attr *attr)
{
	attr->type = PERF_TYPE_BREAKPOINT;
	attr->bp_type = (uint32_t)event->code;
	attr->bp_addr = event->code == HW_BREAKPOINT_X ? marked_instruction(kernel) :
							 kernel_word(state, (size_t)event->word);
	/* The kernel may copy a word byte by byte (rep movsb): of its first byte that is one store, too. */
	attr->bp_len = event->code == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_1;
	return 0;
}

int event_attr(const struct bench_event *event, const struct bench_machine *machine,
	       const struct kernel *kernel, const struct kernel_state *state, uint64_t period,
	       struct perf_event_attr *attr, char reason[EVENT_REASON])
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->sample_period = period;
	attr->sample_type = SAMPLED;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	/*
	 * What the counter says at each sample. Not of IBS, whose counter knows nothing of its random
	 * start, nor of PEBS: Linux before 6.12 then takes each record with an interrupt of its own.
	 */
	if (event->family != EVENT_IBS && event->family != EVENT_PEBS)
		attr->sample_type |= PERF_SAMPLE_READ;
	attr->disabled = 1;
	attr->exclude_hv = 1;
	attr->exclude_kernel = !(event->modes & MODE_KERNEL);
	attr->exclude_user = !(event->modes & MODE_USER);
	switch (event->family) {
	case EVENT_SOFTWARE:
		attr->type = PERF_TYPE_SOFTWARE;
		attr->config = event->code;
		return 0;
	case EVENT_TRACEPOINT:
		return tracepoint_attr(event, machine, attr, reason);
	case EVENT_BREAKPOINT:
		return breakpoint_attr(event, kernel, state, attr);
	case EVENT_IBS:
		return ibs_attr(event, machine, attr, reason);
	case EVENT_PEBS:
		return pebs_attr(event, machine, attr, reason);
	case EVENT_SET:
		break;
	}
	snprintf(reason, EVENT_REASON, "a set is no event by itself");
	return -1;
}
