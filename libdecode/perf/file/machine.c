/* SPDX-License-Identifier: BSD-3-Clause */
/* Which machine recorded: the caller's word, then the recording's. */
#include "private.h"

/* Other architectures have cpuids of other kinds: that is nothing to complain of. */
static int is_x86(const char *arch)
{
	return !arch || strncmp(arch, "x86", 3) == 0 ||
	       (strlen(arch) == 4 && arch[0] == 'i' && !strcmp(arch + 2, "86"));
}

static int find_cpu(struct precis_file *file)
{
	const char *cpuid = file->cpuid ? file->cpuid : file->info.cpuid;

	file->cpu.size = sizeof(file->cpu);
	if (!cpuid || !precis_cpu_parse(cpuid, &file->cpu))
		return 0;
	if (file->cpuid)
		return precis_file_fail(file, PRECIS_E_ARGUMENT, NO_OFFSET,
					"expected a cpuid like AuthenticAMD,25,17,1, found %.60s",
					cpuid);
	if (!is_x86(file->info.arch))
		return 0;
	if (precis_file_warn(file, "the CPU is not known: cannot read the cpuid %.60s", cpuid))
		return precis_file_fail_system(file, PRECIS_E_NO_MEMORY);
	return 0;
}

int precis_file_find_machine(struct precis_file *file)
{
	const char *release = file->os_release ? file->os_release : file->info.os_release;
	int error = find_cpu(file);

	if (error)
		return error;
	switch (file->fetch_layout) {
	case PRECIS_FETCH_LAYOUT_AUTO:
		file->old_fetch_layout = (uint32_t)precis_ibs_fetch_layout_is_old(release);
		break;
	case PRECIS_FETCH_LAYOUT_NEW:
	case PRECIS_FETCH_LAYOUT_OLD:
		file->old_fetch_layout = file->fetch_layout == PRECIS_FETCH_LAYOUT_OLD;
		break;
	default:
		return precis_file_fail_system(file, PRECIS_E_ARGUMENT);
	}
	if (precis_ibs_context_init(&file->ibs, &file->cpu))
		return precis_file_fail_system(file, PRECIS_E_ARGUMENT);
	return 0;
}
