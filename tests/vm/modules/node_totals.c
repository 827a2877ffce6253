// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* See node_totals.h. */
#include <linux/mm.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include "node_totals.h"

#define NODES 4

/* Where the data is: a node, or one of these */
enum { NO_DATA = NODES, NOT_KNOWN, PLACES };

static u64 ops[NODES][PLACES];
static u64 others; /* on further nodes */

void node_totals_reset(void)
{
	memset(ops, 0, sizeof(ops));
	others = 0;
}

static unsigned int place_of(const struct vm_operation *operation)
{
	unsigned long pfn = PHYS_PFN(operation->physical);
	unsigned int node;

	if (!operation->load && !operation->store)
		return NO_DATA;
	if (!operation->physical_known || !pfn_valid(pfn))
		return NOT_KNOWN;
	node = pfn_to_nid(pfn);
	return node < NODES ? node : PLACES;
}

void node_totals_add(const struct vm_operation *operation)
{
	unsigned int node = cpu_to_node(smp_processor_id()), place = place_of(operation);

	if (node < NODES && place < PLACES)
		ops[node][place]++;
	else
		others++;
}

static void show_place(struct seq_file *file, unsigned int node, unsigned int place)
{
	if (!ops[node][place])
		return;
	seq_printf(file, "node:%u/memory:", node);
	if (place < NODES)
		seq_printf(file, "%u", place);
	else
		seq_puts(file, place == NO_DATA ? "none" : "unknown");
	seq_printf(file, " ops=%llu\n", ops[node][place]);
}

void node_totals_show(struct seq_file *file)
{
	unsigned int node, place;

	for (node = 0; node < NODES; node++)
		for (place = 0; place < PLACES; place++)
			show_place(file, node, place);
	seq_printf(file, "other_nodes ops=%llu\n", others);
}
