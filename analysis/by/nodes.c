/* SPDX-License-Identifier: BSD-3-Clause */
/* See nodes.h. */
#include "nodes.h"

#include <stdlib.h>
#include <string.h>

#define CPUS_MOST (1u << 16)

static int set_cpus(struct nodes *nodes, uint32_t first, uint32_t last, uint32_t node)
{
	uint32_t *more;

	if (last >= CPUS_MOST || first > last)
		return 0;
	if (last >= nodes->cpu_count) {
		more = realloc(nodes->of_cpu, (last + 1) * sizeof(*more));
		if (!more)
			return -1;
		nodes->of_cpu = more;
		while (nodes->cpu_count <= last)
			more[nodes->cpu_count++] = NODE_UNKNOWN;
	}
	for (uint32_t cpu = first; cpu <= last; cpu++)
		nodes->of_cpu[cpu] = node;
	return 0;
}

int nodes_add(struct nodes *nodes, const char *list, uint32_t node)
{
	while (*list >= '0' && *list <= '9') {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (last < CPUS_MOST &&
		    set_cpus(nodes, (uint32_t)first, (uint32_t)last, node) < 0)
			return -1;
		list = *end == ',' ? end + 1 : end;
	}
	return 0;
}

int nodes_open(struct nodes *nodes, const struct precis_file *file)
{
	struct precis_numa_node node = { .size = sizeof(node) };
	struct precis_section_list list;
	struct precis_bytes section;

	if (precis_file_feature(file, PRECIS_FEATURE_MEM_TOPOLOGY, &nodes->memory))
		memset(&nodes->memory, 0, sizeof(nodes->memory));
	if (precis_file_feature(file, PRECIS_FEATURE_NUMA_TOPOLOGY, &section) ||
	    precis_numa_nodes(section, &list))
		return 0;
	while (precis_numa_node_next(&list, &node) == 1) {
		if (node.cpus && nodes_add(nodes, node.cpus, node.node) < 0)
			return -1;
	}
	return 0;
}

void nodes_free(struct nodes *nodes)
{
	free(nodes->of_cpu);
	memset(nodes, 0, sizeof(*nodes));
}

uint32_t nodes_of_cpu(const struct nodes *nodes, uint64_t cpu)
{
	return cpu < nodes->cpu_count ? nodes->of_cpu[cpu] : NODE_UNKNOWN;
}

static int has_block(const struct precis_memory_node *node, uint64_t block)
{
	uint64_t word;

	if (block >= node->block_count || (block / 64 + 1) * sizeof(word) > node->blocks.bytes)
		return 0;
	memcpy(&word, node->blocks.data + block / 64 * sizeof(word), sizeof(word));
	return (int)(word >> block % 64 & 1);
}

static uint32_t find_node(uint64_t block, struct precis_section_list *list)
{
	struct precis_memory_node node = { .size = sizeof(node) };

	while (precis_memory_node_next(list, &node) == 1) {
		if (has_block(&node, block))
			return node.node < NODE_UNKNOWN ? (uint32_t)node.node : NODE_UNKNOWN;
	}
	return NODE_UNKNOWN;
}

uint32_t nodes_of_address(struct nodes *nodes, uint64_t physical)
{
	struct precis_section_list list;
	uint64_t block_bytes, block;

	if (!nodes->memory.bytes || precis_memory_nodes(nodes->memory, &block_bytes, &list) ||
	    !block_bytes)
		return NODE_UNKNOWN;
	block = physical / block_bytes;
	if (!nodes->has_last || block != nodes->last_block) {
		nodes->last_node = find_node(block, &list);
		nodes->last_block = block;
		nodes->has_last = 1;
	}
	return nodes->last_node;
}
