/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feature CPU_TOPOLOGY. How many CPUs it tells of is in another section, NRCPUS:
 *   lists of CPUs that share a package, and that share a core
 *   perf 4.1: {u32 core, socket}[CPUs]
 *   perf 5.3: lists of CPUs that share a die; u32 die[CPUs]
 */
#include <precis/features.h>

#include "libdecode/perf/records/record_body.h"
#include "libdecode/sample/abi.h"
#include "section.h"

#define PLACE_BYTES 8u
#define DIE_BYTES 4u

/* {u32 count; text[count]}: walked once, so that precis_section_text_next() finds what it expects */
static int take_texts(struct cursor *at, struct precis_section_list *texts)
{
	const char *ignored;
	uint32_t count;

	if (!section_count(at, SECTION_TEXT_MIN_BYTES, &count))
		return 0;
	texts->left = count;
	texts->at = at->at;
	for (; count; count--) {
		if (!section_text(at, &ignored))
			return 0;
	}
	texts->end = at->at;
	return 1;
}

int precis_cpu_topology_parse(struct precis_bytes section, uint32_t cpus_available,
			      struct precis_cpu_topology *topology)
{
	struct cursor at = section_open(section);

	ABI_OUT(struct precis_cpu_topology, topology,
		precis_cpu_topology_parse(section, cpus_available, &abi));
	*topology = (struct precis_cpu_topology){ .size = topology->size };
	if (!take_texts(&at, &topology->packages) || !take_texts(&at, &topology->cores))
		return PRECIS_E_TRUNCATED;
	if (!cpus_available || !cursor_left(&at))
		return 0;
	if (!cursor_view(&at, cpus_available, PLACE_BYTES, &topology->ids))
		return PRECIS_E_TRUNCATED;
	topology->has_ids = 1;
	topology->cpu_count = cpus_available;
	if (!cursor_left(&at))
		return 0;
	if (!take_texts(&at, &topology->dies) ||
	    !cursor_view(&at, cpus_available, DIE_BYTES, &topology->die_ids))
		return PRECIS_E_TRUNCATED;
	topology->has_dies = 1;
	return 0;
}

int precis_cpu_place(const struct precis_cpu_topology *topology, uint32_t cpu,
		     struct precis_cpu_place *place)
{
	struct cursor at;

	ABI_IN(struct precis_cpu_topology, topology, precis_cpu_place(&abi, cpu, place));
	ABI_OUT(struct precis_cpu_place, place, precis_cpu_place(topology, cpu, &abi));
	if (entry_open(&topology->ids, PLACE_BYTES, cpu, &at))
		return PRECIS_E_ARGUMENT;
	cursor_pair(&at, &place->core, &place->socket);
	place->has_die = !entry_open(&topology->die_ids, DIE_BYTES, cpu, &at);
	if (place->has_die)
		cursor_u32(&at, &place->die);
	return 0;
}
