/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_machine.c
 * @see precis_machine.h
 */
#include "precis_machine.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "precis_debug.h"

#define SYSFS "/sys/bus/event_source/devices"
#define PARANOID "/proc/sys/kernel/perf_event_paranoid"
/* The highest that Linux itself knows: user mode of one's own threads. Distributions have more. */
#define PARANOID_MOST 2

static struct precis_machine machine;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The first CPU of /proc/cpuinfo, as perf writes it: "AuthenticAMD,25,17,1" */
static void read_cpu(void)
{
	static const char *const keys[] = { "vendor_id", "cpu family", "model", "stepping" };
	char line[256], part[4][32] = { "", "", "", "" }, text[160];
	FILE *file = fopen("/proc/cpuinfo", "re");

	machine.cpu.size = sizeof(machine.cpu);
	if (!file)
		return;
	while (fgets(line, sizeof(line), file) && line[0] != '\n') {
		char *colon = strchr(line, ':'), *end = colon;

		if (!colon)
			continue;
		while (end > line && isspace((unsigned char)end[-1]))
			end--;
		*end = 0;
		for (size_t i = 0; i < 4; i++) {
			if (!strcmp(line, keys[i]))
				sscanf(colon + 1, " %31s", part[i]);
		}
	}
	fclose(file);
	snprintf(text, sizeof(text), "%s,%s,%s,%s", part[0], part[1], part[2], part[3]);
	precis_cpu_parse(text, &machine.cpu);
}

static void read_paranoid(void)
{
	FILE *file = fopen(PARANOID, "re");

	machine.paranoid = INT_MAX;
	if (!file)
		return;
	if (fscanf(file, "%d", &machine.paranoid) != 1)
		machine.paranoid = INT_MAX;
	fclose(file);
}

/* The least that can be asked for: an event that counts nothing, of this thread in user mode */
static void try(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.disabled = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0UL);

	if (fd >= 0)
		close(fd);
	else if (machine.paranoid == INT_MAX || errno == ENOSYS)
		machine.refused = "this kernel has no perf events (/proc/sys/kernel/perf_event_paranoid)";
	else if ((errno == EPERM || errno == EACCES) && machine.paranoid > PARANOID_MOST)
		machine.refused = "kernel.perf_event_paranoid allows no perf events: 2 is low enough";
	else if (errno == EPERM || errno == EACCES)
		machine.refused = "perf_event_open(2) is refused, though kernel.perf_event_paranoid allows "
				  "it: a container's seccomp filter or a security module";
}

static void look(void)
{
	struct utsname names;

	if (!uname(&names))
		snprintf(machine.os_release, sizeof(machine.os_release), "%.64s", names.release);
	machine.sysfs = getenv("PRECIS_SYSFS");
	if (!machine.sysfs || !*machine.sysfs)
		machine.sysfs = SYSFS;
	read_cpu();
	read_paranoid();
	try();
	SUBDBG("Linux %s, PMUs in %s, CPU %u/%u/%u, perf_event_paranoid %d, %s\n", machine.os_release,
	       machine.sysfs, machine.cpu.vendor, machine.cpu.family, machine.cpu.model, machine.paranoid,
	       machine.refused ? machine.refused : "perf events can be opened");
}

const struct precis_machine *precis_machine(void)
{
	pthread_once(&once, look);
	return &machine;
}

uint32_t precis_machine_linux(void)
{
	unsigned int major = 0, minor = 0;

	sscanf(precis_machine()->os_release, "%u.%u", &major, &minor);
	return major * 1000 + minor;
}
