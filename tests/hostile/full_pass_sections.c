/* SPDX-License-Identifier: BSD-3-Clause */
/* Every parser of a feature section, on the section as the recording has it. */
#include <stdlib.h>

#include <precis/precis.h>

#include "tests/hostile/full_pass_parts.h"
#include "tests/hostile/view.h"

/* The entries of a list: not one more than it has bytes */
#define LIST(type, list, next)                                                                     \
	do {                                                                                       \
		struct precis_section_list entries;                                                \
		struct precis_##type entry = { .size = sizeof(entry) };                            \
		uint32_t n = 0;                                                                    \
                                                                                                   \
		if (list)                                                                          \
			break;                                                                     \
		while ((next) == 1) {                                                              \
			PROMISE(n++ < section.bytes);                                              \
			read_entry_##type(&entry);                                                 \
		}                                                                                  \
	} while (0)

static void read_entry_hybrid_pmu(const struct precis_hybrid_pmu *entry)
{
	read_text(entry->pmu);
	read_text(entry->cpus);
}

static void read_entry_event_group(const struct precis_event_group *entry)
{
	read_text(entry->name);
}

static void read_entry_numa_node(const struct precis_numa_node *entry)
{
	read_text(entry->cpus);
}

static void read_entry_cache(const struct precis_cache *entry)
{
	read_text(entry->type);
	read_text(entry->capacity);
	read_text(entry->cpus);
}

static void read_entry_memory_node(const struct precis_memory_node *entry)
{
	read_bytes(entry->blocks);
}

static void read_entry_header_build_id(const struct precis_header_build_id *entry)
{
	read_text(entry->filename);
}

static void read_texts(struct precis_section_list *texts, uint32_t most)
{
	const char *text;

	for (uint32_t n = 0; precis_section_text_next(texts, &text) > 0; n++) {
		PROMISE(n < most);
		read_text(text);
	}
}

static void read_topology(struct precis_bytes section, uint32_t cpus)
{
	struct precis_cpu_topology topology = { .size = sizeof(topology) };
	struct precis_cpu_place place = { .size = sizeof(place) };

	if (precis_cpu_topology_parse(section, cpus, &topology))
		return;
	read_texts(&topology.packages, section.bytes);
	read_texts(&topology.dies, section.bytes);
	read_texts(&topology.cores, section.bytes);
	for (uint32_t cpu = 0; precis_cpu_place(&topology, cpu, &place) == 0; cpu++)
		PROMISE(cpu < section.bytes);
}

static void read_words(struct precis_bytes section)
{
	struct precis_clock_data clock = { .size = sizeof(clock) };
	struct precis_compression compression = { .size = sizeof(compression) };
	struct precis_machine_type machine = { .size = sizeof(machine) };
	uint64_t word;
	uint32_t half;

	precis_clock_data_parse(section, &clock);
	precis_compression_parse(section, &compression);
	precis_machine_type_parse(section, &machine);
	precis_total_memory(section, &word);
	precis_clock_resolution(section, &word);
	precis_cache_line_size(section, &half);
}

/* All parsers on all sections: what is in them was written by nobody who knows their number. */
static void read_section(struct precis_bytes section, uint32_t cpus)
{
	uint64_t block_bytes;

	LIST(hybrid_pmu, precis_hybrid_pmus(section, &entries),
	     precis_hybrid_pmu_next(&entries, &entry));
	LIST(event_group, precis_event_groups(section, &entries),
	     precis_event_group_next(&entries, &entry));
	LIST(numa_node, precis_numa_nodes(section, &entries),
	     precis_numa_node_next(&entries, &entry));
	LIST(cache, precis_caches(section, &entries), precis_cache_next(&entries, &entry));
	LIST(memory_node, precis_memory_nodes(section, &block_bytes, &entries),
	     precis_memory_node_next(&entries, &entry));
	LIST(header_build_id, precis_build_ids(section, &entries),
	     precis_build_id_next(&entries, &entry));
	read_topology(section, cpus);
	read_words(section);
}

void full_pass_section(struct precis_bytes section, uint32_t cpus)
{
	struct precis_bytes copy = { malloc(section.bytes ? section.bytes : 1), section.bytes };

	if (!copy.data)
		return;
	memcpy((uint8_t *)copy.data, section.data, section.bytes);
	read_section(copy, cpus);
	free((uint8_t *)copy.data);
}
