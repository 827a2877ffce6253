/* SPDX-License-Identifier: BSD-3-Clause */
/* See this_machine.h. */
#include "this_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "command/info/machine.h"

#define NODES_MOST 1024u
#define LIST_MOST 4096u
#define UNKNOWN (-1)

static const struct machine here = { .root = "" };

/* Nodes need not have numbers without a gap, and may have no CPU. */
int this_machine_nodes(struct nodes *nodes)
{
	char path[96], cpus[LIST_MOST];
	int failed = 0;

	for (uint32_t node = 0; node < NODES_MOST && !failed; node++) {
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/cpulist",
			 (unsigned int)node);
		if (machine_read_line(&here, path, cpus, sizeof(cpus)))
			failed = nodes_add(nodes, cpus, node) < 0;
	}
	return failed ? -1 : 0;
}

/* Of a CPU, a number of its topology; UNKNOWN */
static int number_of(uint32_t cpu, const char *what)
{
	char path[96];
	int number;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/topology/%s", (unsigned int)cpu,
		 what);
	return machine_read_number(&here, path, &number) && number >= 0 ? number : UNKNOWN;
}

int this_machine_cores(struct sharing_cores *cores)
{
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	const uint32_t count = cpus < (long)SHARING_CPUS_MOST ? (uint32_t)cpus : SHARING_CPUS_MOST;

	cores->of_cpu = malloc((count + 1) * sizeof(*cores->of_cpu));
	if (!cores->of_cpu)
		return -1;
	for (cores->count = 0; cores->count < count; cores->count++) {
		const int socket = number_of(cores->count, "physical_package_id");
		const int die = number_of(cores->count, "die_id");
		const int core = number_of(cores->count, "core_id");

		cores->of_cpu[cores->count] =
			socket == UNKNOWN || core == UNKNOWN
				? UINT64_MAX
				: sharing_core_of((uint32_t)socket,
						  die == UNKNOWN ? 0 : (uint32_t)die,
						  (uint32_t)core);
	}
	return 0;
}
