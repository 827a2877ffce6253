/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of the records of perf stat record. */
#include <precis/tool_records.h>

#include "libdecode/sample/abi.h"
#include "record_body.h"

#define CONFIG_ENTRY_BYTES 16u
#define THREAD_ENTRY_BYTES 24u
#define THREAD_NAME_ROOM 16u

int precis_thread_map_parse(const struct precis_record *record, struct precis_thread_map *map)
{
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_THREAD_MAP, &body);

	ABI_OUT(struct precis_thread_map, map, precis_thread_map_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_counted(&body, THREAD_ENTRY_BYTES, &map->count, &map->entries))
		return PRECIS_E_TRUNCATED;
	return 0;
}

int precis_thread_map_entry(const struct precis_thread_map *map, uint64_t n,
			    struct precis_thread_map_entry *entry)
{
	struct cursor at;
	uint64_t pid;

	ABI_IN(struct precis_thread_map, map, precis_thread_map_entry(&abi, n, entry));
	ABI_OUT(struct precis_thread_map_entry, entry, precis_thread_map_entry(map, n, &abi));
	if (entry_open(&map->entries, THREAD_ENTRY_BYTES, n, &at))
		return PRECIS_E_ARGUMENT;
	cursor_u64(&at, &pid);
	entry->pid = (int64_t)pid;
	cursor_name(&at, THREAD_NAME_ROOM, &entry->name, &entry->name_bytes);
	return 0;
}

int precis_stat_config_parse(const struct precis_record *record, struct precis_stat_config *config)
{
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_STAT_CONFIG, &body);

	ABI_OUT(struct precis_stat_config, config, precis_stat_config_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_counted(&body, CONFIG_ENTRY_BYTES, &config->count, &config->entries))
		return PRECIS_E_TRUNCATED;
	return 0;
}

int precis_stat_config_entry(const struct precis_stat_config *config, uint64_t n,
			     struct precis_stat_config_entry *entry)
{
	/* PERF_STAT_CONFIG_TERM__* */
	static const char *const names[] = { "aggr_mode", "interval", "scale", "aggr_level" };
	struct cursor at;

	ABI_IN(struct precis_stat_config, config, precis_stat_config_entry(&abi, n, entry));
	ABI_OUT(struct precis_stat_config_entry, entry, precis_stat_config_entry(config, n, &abi));
	if (entry_open(&config->entries, CONFIG_ENTRY_BYTES, n, &at))
		return PRECIS_E_ARGUMENT;
	cursor_u64(&at, &entry->tag);
	cursor_u64(&at, &entry->value);
	entry->name = entry->tag < sizeof(names) / sizeof(names[0]) ? names[entry->tag] : NULL;
	return 0;
}

int precis_stat_parse(const struct precis_record *record, struct precis_stat *stat)
{
	struct cursor body;
	uint32_t cpu, thread;
	int error = record_open(record, PRECIS_RECORD_STAT, &body);

	ABI_OUT(struct precis_stat, stat, precis_stat_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_u64(&body, &stat->id) || !cursor_pair(&body, &cpu, &thread) ||
	    !cursor_u64(&body, &stat->value) || !cursor_u64(&body, &stat->time_enabled) ||
	    !cursor_u64(&body, &stat->time_running))
		return PRECIS_E_TRUNCATED;
	stat->cpu = (int32_t)cpu;
	stat->thread = (int32_t)thread;
	return 0;
}

int precis_stat_round_parse(const struct precis_record *record, struct precis_stat_round *round)
{
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_STAT_ROUND, &body);

	ABI_OUT(struct precis_stat_round, round, precis_stat_round_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_u64(&body, &round->type) || !cursor_u64(&body, &round->time))
		return PRECIS_E_TRUNCATED;
	return 0;
}
