/* SPDX-License-Identifier: BSD-3-Clause */
/* Which machine recorded: the caller's word, then the recording's. */
#ifndef PRECIS_PERF_MACHINE_H
#define PRECIS_PERF_MACHINE_H

#include <precis/pebs_sample.h>

#include "libdecode/perf/features/feature_set.h"

/* Contexts of the kernel's words: by enum precis_core_type, and by event, the first of unknown ones */
#define CORE_TYPES (PRECIS_CORE_TYPE_LP_E + 1)
#define PEBS_KINDS (PRECIS_PEBS_FACILITY_COUNT + 1)

struct file_machine {
	struct file_errors *errors;
	const struct feature_set *features;
	char *os_release, *cpuid; /* these and the next four are as in struct precis_file_options */
	uint32_t use_sysfs, fetch_layout, has_perf_capabilities;
	uint64_t perf_capabilities;
	struct precis_cpu cpu;
	uint32_t old_fetch_layout;
	struct precis_ibs_context ibs;
	struct precis_pebs_context
		*pebs[CORE_TYPES][PEBS_KINDS]; /* made when there is such an event */
};

/* The CPU and the kernel, from what is known so far */
int file_machine_find(struct file_machine *machine);
void file_machine_free(struct file_machine *machine);

/* The kernel's release; NULL: not known */
static inline const char *file_machine_release(const struct file_machine *machine)
{
	return machine->os_release ? machine->os_release : machine->features->said.os_release;
}

#endif
