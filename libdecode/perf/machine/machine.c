/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPU and the kernel that recorded. */
#include "machine.h"

#include <stdlib.h>

/* Other architectures have cpuids of other kinds: that is nothing to complain of. */
static int is_x86(const char *arch)
{
	return !arch || strncmp(arch, "x86", 3) == 0 ||
	       (strlen(arch) == 4 && arch[0] == 'i' && !strcmp(arch + 2, "86"));
}

static int find_cpu(struct file_machine *machine)
{
	const struct precis_file_info *said = &machine->features->said;
	const char *cpuid = machine->cpuid ? machine->cpuid : said->cpuid;

	machine->cpu.size = sizeof(machine->cpu);
	if (!cpuid || !precis_cpu_parse(cpuid, &machine->cpu))
		return 0;
	if (machine->cpuid)
		return file_fail(machine->errors, PRECIS_E_ARGUMENT, NO_OFFSET,
				 "expected a cpuid like AuthenticAMD,25,17,1, found %.60s", cpuid);
	if (!is_x86(said->arch))
		return 0;
	if (file_warn(machine->errors, "the CPU is not known: cannot read the cpuid %.60s", cpuid))
		return file_fail_system(machine->errors, PRECIS_E_NO_MEMORY);
	return 0;
}

int file_machine_find(struct file_machine *machine)
{
	const char *release = file_machine_release(machine);
	int error = find_cpu(machine);

	if (error)
		return error;
	switch (machine->fetch_layout) {
	case PRECIS_FETCH_LAYOUT_AUTO:
		machine->old_fetch_layout = (uint32_t)precis_ibs_fetch_layout_is_old(release);
		break;
	case PRECIS_FETCH_LAYOUT_NEW:
	case PRECIS_FETCH_LAYOUT_OLD:
		machine->old_fetch_layout = machine->fetch_layout == PRECIS_FETCH_LAYOUT_OLD;
		break;
	default:
		return file_fail_system(machine->errors, PRECIS_E_ARGUMENT);
	}
	if (precis_ibs_context_init(&machine->ibs, &machine->cpu))
		return file_fail_system(machine->errors, PRECIS_E_ARGUMENT);
	return 0;
}

void file_machine_free(struct file_machine *machine)
{
	for (uint32_t type = 0; type < CORE_TYPES; type++) {
		for (uint32_t kind = 0; kind < PEBS_KINDS; kind++)
			free(machine->pebs[type][kind]);
	}
	free(machine->cpuid);
	free(machine->os_release);
}
