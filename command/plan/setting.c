/* SPDX-License-Identifier: BSD-3-Clause */
/* See setting.h. */
#include "setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/info/machine.h"

/* The first line of a file without its end; "" if there is none */
static void read_line(const char *path, char *room, size_t bytes)
{
	FILE *file = fopen(path, "re");

	room[0] = '\0';
	if (!file)
		return;
	if (!fgets(room, (int)bytes, file))
		room[0] = '\0';
	fclose(file);
	room[strcspn(room, "\n")] = '\0';
}

static double read_number(const char *path)
{
	char line[32];

	read_line(path, line, sizeof(line));
	return strtod(line, NULL);
}

void plan_setting_read(struct plan_setting *setting)
{
	struct machine machine;

	memset(setting, 0, sizeof(*setting));
	machine_read(&machine, "");
	setting->is_amd = machine.cpu.vendor == PRECIS_VENDOR_AMD;
	setting->is_intel = machine.cpu.vendor == PRECIS_VENDOR_INTEL;
	snprintf(setting->cpu, sizeof(setting->cpu), "unknown");
	if (machine.vendor[0])
		snprintf(setting->cpu, sizeof(setting->cpu), "%s,%u,%u,%u", machine.vendor,
			 machine.cpu.family, machine.cpu.model, machine.cpu.stepping);
	snprintf(setting->kernel, sizeof(setting->kernel), "%.63s",
		 machine.release[0] ? machine.release : "unknown");
	read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", setting->governor,
		  sizeof(setting->governor));
	if (!setting->governor[0])
		snprintf(setting->governor, sizeof(setting->governor), "none");
	setting->cpus = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	setting->page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	setting->sample_rate_most = read_number("/proc/sys/kernel/perf_event_max_sample_rate");
	if (!machine.is_privileged)
		setting->mlock_bytes =
			1024 * (uint64_t)read_number("/proc/sys/kernel/perf_event_mlock_kb");
}
