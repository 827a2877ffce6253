/* SPDX-License-Identifier: BSD-3-Clause */
/* Which NUMA node a CPU, or a physical address, is of: as the recording says. */
#ifndef ANALYSIS_BY_NODES_H
#define ANALYSIS_BY_NODES_H

#include <precis/precis.h>

#define NODE_UNKNOWN UINT32_MAX

/* Zeroed memory knows none. */
struct nodes {
	uint32_t *of_cpu; /* by CPU */
	uint32_t cpu_count;
	struct precis_bytes memory; /* MEM_TOPOLOGY; empty: there is none */
	uint64_t last_block;
	uint32_t last_node; /* of that block, if 'has_last' */
	int has_last;
};

/* 0, or -1 if memory is short. What cannot be read is not known. */
int nodes_open(struct nodes *nodes, const struct precis_file *file);
void nodes_free(struct nodes *nodes);

/* CPUs of a node, in a list as the kernel has it: "0-3,8". 0, or -1 if memory is short */
int nodes_add(struct nodes *nodes, const char *list, uint32_t node);

uint32_t nodes_of_cpu(const struct nodes *nodes, uint64_t cpu);
uint32_t nodes_of_address(struct nodes *nodes, uint64_t physical);

#endif
