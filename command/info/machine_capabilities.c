/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * IA32_PERF_CAPABILITIES of an Intel machine's cores: read where the kernel hands it out, which is
 * /dev/cpu/N/msr alone, and what its bits say.
 *
 * Source: Intel SDM vol. 4, IA32_PERF_CAPABILITIES; Linux 7.3 asm/perf_event.h, union
 * perf_capabilities.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "machine_capabilities.h"
#include "machine_core.h"

#define PERF_CAPABILITIES 0x345
#define PEBS_FORMAT(capabilities) ((uint32_t)((capabilities) >> 8 & 0xf))
#define LBR_FORMAT(capabilities) ((uint32_t)(capabilities) & 0x3f)
#define RETIRE_LATENCY (UINT64_C(1) << 17)

static const struct {
	unsigned int bit;
	const char *text;
} names[] = {
	{ 14, "adaptive records" },
	{ 15, "PERF_METRICS" },
	{ 16, "PEBS output to PT" },
	{ 17, "retire latency" },
};

/* 0, or errno. A file that ends before the register is no such device. */
static int read_msr(int fd, uint64_t *value)
{
	uint8_t bytes[8];
	ssize_t got = pread(fd, bytes, sizeof(bytes), PERF_CAPABILITIES);

	if (got < 0)
		return errno;
	if (got < (ssize_t)sizeof(bytes))
		return EIO;
	*value = 0;
	for (unsigned int n = sizeof(bytes); n-- > 0;)
		*value = *value << 8 | bytes[n];
	return 0;
}

void machine_read_capabilities(const struct machine *machine, struct machine_core_pmu *pmu)
{
	char path[PATH_MAX];
	const char *shown = path + strlen(machine->root);
	int fd, error;

	if (!machine->has_pdcm_flag) {
		snprintf(pmu->why_no_capabilities, sizeof(pmu->why_no_capabilities),
			 "/proc/cpuinfo has no flag pdcm: no such register, or a hypervisor "
			 "hides it");
		return;
	}
	if (snprintf(path, sizeof(path), "%s/dev/cpu/%d/msr", machine->root, pmu->cpu) >=
	    (int)sizeof(path))
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	error = fd < 0 ? errno : read_msr(fd, &pmu->capabilities);
	if (fd >= 0)
		close(fd);
	pmu->has_capabilities = !error;
	if (error)
		snprintf(pmu->why_no_capabilities, sizeof(pmu->why_no_capabilities), "%s: %s",
			 shown, strerror(error));
}

static void add_value(uint64_t capabilities, char *finding, size_t room)
{
	const char *format = precis_pebs_format_name(PEBS_FORMAT(capabilities));

	machine_add(finding, room, "0x%" PRIx64 ": ", capabilities);
	if (format)
		machine_add(finding, room, "PEBS records of format %s", format);
	else
		machine_add(finding, room, "PEBS records of an unknown format (%" PRIu32 ")",
			    PEBS_FORMAT(capabilities));
	machine_add(finding, room, ", LBR format 0x%" PRIx32, LBR_FORMAT(capabilities));
	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		if (capabilities >> names[n].bit & 1)
			machine_add(finding, room, ", %s", names[n].text);
	}
}

/* A format that is not that of the table: the table is wrong, or the machine is a virtual one. */
static int contradicts(const struct machine *machine, const struct machine_core_pmu *pmu)
{
	struct precis_intel_core_info core = { .size = sizeof(core) };

	return !precis_intel_core_info(machine_core_of(machine, pmu), &core) &&
	       core.pebs_format >= 0 &&
	       core.pebs_format != (int32_t)PEBS_FORMAT(pmu->capabilities);
}

enum machine_verdict machine_check_capabilities(const struct machine *machine, char *finding,
						size_t room)
{
	const struct machine_core_pmu *pmu;
	int read = 0, unread = 0, strange = 0;

	if (machine->cpu.vendor != PRECIS_VENDOR_INTEL || !machine->core_pmus[0].name)
		return MACHINE_SKIP;
	finding[0] = '\0';
	for (uint32_t n = 0; (pmu = machine_core_pmu(machine, n)); n++) {
		machine_add(finding, room, "%s%s: ", n ? "; " : "", pmu->name);
		read += pmu->has_capabilities;
		unread += !pmu->has_capabilities;
		if (!pmu->has_capabilities) {
			machine_add(finding, room, "not known: %s", pmu->why_no_capabilities);
			continue;
		}
		add_value(pmu->capabilities, finding, room);
		if (contradicts(machine, pmu)) {
			strange = 1;
			machine_add(finding, room, " (this core is known to write another)");
		}
	}
	return !read ? MACHINE_UNKNOWN : unread || strange ? MACHINE_LIMITED : MACHINE_YES;
}

int machine_measures_retire_latency(const struct machine_core_pmu *pmu)
{
	if (!pmu->has_capabilities)
		return -1;
	return (pmu->capabilities & RETIRE_LATENCY) != 0;
}
