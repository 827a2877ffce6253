/* SPDX-License-Identifier: BSD-3-Clause */
/* Feature sections that are lists: {count; entry[count]}, in files and in HEADER_FEATURE records. */
#include <precis/features.h>

#include "libdecode/perf/records/record_body.h"
#include "libdecode/sample/abi.h"
#include "section.h"

#define WORD 8u
#define TEXT SECTION_TEXT_MIN_BYTES
#define CACHE_VERSION 1u
#define MEMORY_VERSION 1u

typedef int entry_taker(struct cursor *at, void *entry);

static int begin(struct cursor *at, uint64_t count, size_t entry_min,
		 struct precis_section_list *list)
{
	if (count > cursor_left(at) / entry_min)
		return PRECIS_E_TRUNCATED;
	list->left = count;
	list->at = at->at;
	list->end = at->end;
	return 0;
}

/* The list {u32 count; entry[count]} whose entries take 'entry_min' bytes or more */
static int begin_counted(struct precis_bytes section, size_t entry_min,
			 struct precis_section_list *list)
{
	struct cursor at = section_open(section);
	uint32_t count;

	if (!list)
		return PRECIS_E_ARGUMENT;
	if (!cursor_u32(&at, &count))
		return PRECIS_E_TRUNCATED;
	return begin(&at, count, entry_min, list);
}

/* An entry that cannot be taken ends its list. */
static int next(struct precis_section_list *list, void *entry, entry_taker *take)
{
	struct cursor at;

	if (!list)
		return PRECIS_E_ARGUMENT;
	if (!list->left)
		return 0;
	at.at = list->at;
	at.end = list->end;
	if (!take(&at, entry)) {
		list->left = 0;
		return PRECIS_E_TRUNCATED;
	}
	list->at = at.at;
	list->left--;
	return 1;
}

static int take_text(struct cursor *at, void *entry)
{
	return section_text(at, entry);
}

int precis_section_text_next(struct precis_section_list *texts, const char **text)
{
	return text ? next(texts, text, take_text) : PRECIS_E_ARGUMENT;
}

static int take_hybrid_pmu(struct cursor *at, void *entry)
{
	struct precis_hybrid_pmu *pmu = entry;

	return section_text(at, &pmu->pmu) && section_text(at, &pmu->cpus);
}

int precis_hybrid_pmus(struct precis_bytes section, struct precis_section_list *pmus)
{
	return begin_counted(section, TEXT + TEXT, pmus);
}

int precis_hybrid_pmu_next(struct precis_section_list *pmus, struct precis_hybrid_pmu *pmu)
{
	ABI_OUT(struct precis_hybrid_pmu, pmu, precis_hybrid_pmu_next(pmus, &abi));
	return next(pmus, pmu, take_hybrid_pmu);
}

static int take_group(struct cursor *at, void *entry)
{
	struct precis_event_group *group = entry;

	return section_text(at, &group->name) && cursor_pair(at, &group->leader, &group->members);
}

int precis_event_groups(struct precis_bytes section, struct precis_section_list *groups)
{
	return begin_counted(section, TEXT + WORD, groups);
}

int precis_event_group_next(struct precis_section_list *groups, struct precis_event_group *group)
{
	ABI_OUT(struct precis_event_group, group, precis_event_group_next(groups, &abi));
	return next(groups, group, take_group);
}

static int take_numa_node(struct cursor *at, void *entry)
{
	struct precis_numa_node *node = entry;

	return cursor_u32(at, &node->node) && cursor_u64(at, &node->total) &&
	       cursor_u64(at, &node->free) && section_text(at, &node->cpus);
}

int precis_numa_nodes(struct precis_bytes section, struct precis_section_list *nodes)
{
	return begin_counted(section, 4 + WORD + WORD + TEXT, nodes);
}

int precis_numa_node_next(struct precis_section_list *nodes, struct precis_numa_node *node)
{
	ABI_OUT(struct precis_numa_node, node, precis_numa_node_next(nodes, &abi));
	return next(nodes, node, take_numa_node);
}

static int take_cache(struct cursor *at, void *entry)
{
	struct precis_cache *cache = entry;

	return cursor_pair(at, &cache->level, &cache->line_bytes) &&
	       cursor_pair(at, &cache->sets, &cache->ways) && section_text(at, &cache->type) &&
	       section_text(at, &cache->capacity) && section_text(at, &cache->cpus);
}

int precis_caches(struct precis_bytes section, struct precis_section_list *caches)
{
	struct cursor at = section_open(section);
	uint32_t version, count;

	if (!caches)
		return PRECIS_E_ARGUMENT;
	if (!cursor_pair(&at, &version, &count))
		return PRECIS_E_TRUNCATED;
	if (version != CACHE_VERSION)
		return PRECIS_E_UNSUPPORTED;
	return begin(&at, count, 4 * sizeof(uint32_t) + 3 * TEXT, caches);
}

int precis_cache_next(struct precis_section_list *caches, struct precis_cache *cache)
{
	ABI_OUT(struct precis_cache, cache, precis_cache_next(caches, &abi));
	return next(caches, cache, take_cache);
}

/* {u64 node, bits; bitmap}, and a bitmap is {u64 bits; u64 words[]}: they are there twice */
static int take_memory_node(struct cursor *at, void *entry)
{
	struct precis_memory_node *node = entry;
	uint64_t bits;

	return cursor_u64(at, &node->node) && cursor_u64(at, &bits) &&
	       cursor_u64(at, &node->block_count) &&
	       cursor_view(at, node->block_count / 64 + (node->block_count % 64 != 0), WORD,
			   &node->blocks);
}

int precis_memory_nodes(struct precis_bytes section, uint64_t *block_bytes,
			struct precis_section_list *nodes)
{
	struct cursor at = section_open(section);
	uint64_t version, count;

	if (!block_bytes || !nodes)
		return PRECIS_E_ARGUMENT;
	if (!cursor_u64(&at, &version))
		return PRECIS_E_TRUNCATED;
	if (version != MEMORY_VERSION)
		return PRECIS_E_UNSUPPORTED;
	if (!cursor_u64(&at, block_bytes) || !cursor_u64(&at, &count))
		return PRECIS_E_TRUNCATED;
	return begin(&at, count, 3 * WORD, nodes);
}

int precis_memory_node_next(struct precis_section_list *nodes, struct precis_memory_node *node)
{
	ABI_OUT(struct precis_memory_node, node, precis_memory_node_next(nodes, &abi));
	return next(nodes, node, take_memory_node);
}
