/* SPDX-License-Identifier: BSD-3-Clause */
/* See this_machine.h. */
#include "this_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NODES_MOST 1024u
#define LIST_MOST 4096u
#define UNKNOWN (-1L)

/* The first line. 1 if there is one */
static int read_line(const char *path, char *text, size_t room)
{
	FILE *file = fopen(path, "re");
	const int is_read = file && fgets(text, (int)room, file);

	if (file)
		fclose(file);
	return is_read != 0;
}

/* Nodes need not have numbers without a gap, and may have no CPU. */
int this_machine_nodes(struct nodes *nodes)
{
	char path[96], cpus[LIST_MOST];
	int failed = 0;

	for (uint32_t node = 0; node < NODES_MOST && !failed; node++) {
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/cpulist",
			 (unsigned int)node);
		if (read_line(path, cpus, sizeof(cpus)))
			failed = nodes_add(nodes, cpus, node) < 0;
	}
	return failed ? -1 : 0;
}

/* Of a CPU, a number of its topology; UNKNOWN */
static long number_of(uint32_t cpu, const char *what)
{
	char path[96], text[32], *end;
	long number;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/topology/%s", (unsigned int)cpu,
		 what);
	if (!read_line(path, text, sizeof(text)))
		return UNKNOWN;
	number = strtol(text, &end, 10);
	return end == text || number < 0 ? UNKNOWN : number;
}

int this_machine_cores(struct sharing_cores *cores)
{
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	const uint32_t count = cpus < (long)SHARING_CPUS_MOST ? (uint32_t)cpus : SHARING_CPUS_MOST;

	cores->of_cpu = malloc((count + 1) * sizeof(*cores->of_cpu));
	if (!cores->of_cpu)
		return -1;
	for (cores->count = 0; cores->count < count; cores->count++) {
		const long socket = number_of(cores->count, "physical_package_id");
		const long die = number_of(cores->count, "die_id");
		const long core = number_of(cores->count, "core_id");

		cores->of_cpu[cores->count] =
			socket == UNKNOWN || core == UNKNOWN
				? UINT64_MAX
				: sharing_core_of((uint32_t)socket,
						  die == UNKNOWN ? 0 : (uint32_t)die,
						  (uint32_t)core);
	}
	return 0;
}
