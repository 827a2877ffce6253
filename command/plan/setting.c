/* SPDX-License-Identifier: BSD-3-Clause */
/* See setting.h. */
#include "setting.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/info/machine.h"

/* 0 if it is not there */
static int read_number(const struct machine *machine, const char *path)
{
	int number;

	return machine_read_number(machine, path, &number) ? number : 0;
}

void plan_setting_read(struct plan_setting *setting)
{
	struct machine machine;

	memset(setting, 0, sizeof(*setting));
	machine_read(&machine, "");
	setting->model = machine.cpu;
	setting->is_amd = machine.cpu.vendor == PRECIS_VENDOR_AMD;
	setting->is_intel = machine.cpu.vendor == PRECIS_VENDOR_INTEL;
	snprintf(setting->cpu, sizeof(setting->cpu), "unknown");
	if (machine.vendor[0])
		snprintf(setting->cpu, sizeof(setting->cpu), "%s,%u,%u,%u", machine.vendor,
			 machine.cpu.family, machine.cpu.model, machine.cpu.stepping);
	snprintf(setting->kernel, sizeof(setting->kernel), "%.63s",
		 machine.release[0] ? machine.release : "unknown");
	if (!machine_read_line(&machine, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
			       setting->governor, sizeof(setting->governor)))
		snprintf(setting->governor, sizeof(setting->governor), "none");
	setting->cpus = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	setting->page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	setting->sample_rate_most = read_number(&machine, "/proc/sys/kernel/perf_event_max_sample_rate");
	if (!machine.is_privileged) {
		const int kilobytes = read_number(&machine, "/proc/sys/kernel/perf_event_mlock_kb");

		setting->mlock_bytes = 1024 * (uint64_t)kilobytes;
	}
}
