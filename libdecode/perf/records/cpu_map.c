/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sets of CPUs: struct perf_record_cpu_map_data, which is packed.
 *   0  u16 type
 *   2  LIST   u16 nr; u16 cpu[nr]
 *      MASK   u16 nr, long_size; 4 more bytes if that is 8; the words
 *      RANGE  u8 any_cpu, pad; u16 first, last
 */
#include "cpu_map.h"
#include "libdecode/sample/abi.h"
#include "record_body.h"

#define ANY_CPU 0xffffu /* -1 in a u16 */
#define LONG_MASK_PADDING 4u

static int take_mask(struct cursor *body, struct precis_cpu_map *map)
{
	struct precis_bytes padding;
	uint16_t count, bytes;

	if (!cursor_u16(body, &count) || !cursor_u16(body, &bytes))
		return PRECIS_E_TRUNCATED;
	if (bytes != 4 && bytes != 8)
		return PRECIS_E_BAD_SIZE;
	map->word_bytes = bytes;
	if (bytes == 8 && !cursor_view(body, LONG_MASK_PADDING, 1, &padding))
		return PRECIS_E_TRUNCATED;
	return cursor_view(body, count, bytes, &map->words) ? 0 : PRECIS_E_TRUNCATED;
}

static int take_range(struct cursor *body, struct precis_cpu_map *map)
{
	const uint8_t *any;
	uint16_t first, last;

	if (!cursor_array(body, 2, 1, &any) || !cursor_u16(body, &first) ||
	    !cursor_u16(body, &last))
		return PRECIS_E_TRUNCATED;
	if (first > last)
		return PRECIS_E_BAD_SIZE;
	map->has_any = any[0] != 0;
	map->first = first;
	map->last = last;
	return 0;
}

int precis_cpu_map_take(struct cursor *body, struct precis_cpu_map *map)
{
	uint16_t kind, count;

	*map = (struct precis_cpu_map){ .size = map->size };
	if (!cursor_u16(body, &kind))
		return PRECIS_E_TRUNCATED;
	map->kind = kind;
	switch (kind) {
	case PRECIS_CPU_MAP_LIST:
		if (!cursor_u16(body, &count) ||
		    !cursor_view(body, count, sizeof(uint16_t), &map->words))
			return PRECIS_E_TRUNCATED;
		return 0;
	case PRECIS_CPU_MAP_MASK:
		return take_mask(body, map);
	case PRECIS_CPU_MAP_RANGE:
		return take_range(body, map);
	default:
		return PRECIS_E_UNSUPPORTED;
	}
}

int precis_cpu_map_parse(const struct precis_record *record, struct precis_cpu_map *map)
{
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_CPU_MAP, &body);

	ABI_OUT(struct precis_cpu_map, map, precis_cpu_map_parse(record, &abi));
	return error ? error : precis_cpu_map_take(&body, map);
}

static int next_of_list(const struct precis_cpu_map *map, uint32_t *position, int32_t *cpu)
{
	uint16_t number;

	if (*position >= map->words.bytes / sizeof(number))
		return 0;
	number = load_u16(map->words.data + *position * sizeof(number));
	*cpu = number == ANY_CPU ? -1 : number;
	++*position;
	return 1;
}

static int next_of_mask(const struct precis_cpu_map *map, uint32_t *position, int32_t *cpu)
{
	uint32_t bits = map->word_bytes * 8;

	for (; *position < map->words.bytes * 8; ++*position) {
		const uint8_t *word = map->words.data + *position / bits * map->word_bytes;
		uint64_t value = map->word_bytes == 4 ? load_u32(word) : load_u64(word);

		if (value >> *position % bits & 1) {
			*cpu = (int32_t)(*position)++;
			return 1;
		}
	}
	return 0;
}

/* Position 0 is "any CPU", whether it is in the set or not. */
static int next_of_range(const struct precis_cpu_map *map, uint32_t *position, int32_t *cpu)
{
	if (!*position && !map->has_any)
		++*position;
	if (*position > map->last - map->first + 1)
		return 0;
	*cpu = *position ? (int32_t)(map->first + *position - 1) : -1;
	++*position;
	return 1;
}

int precis_cpu_map_next(const struct precis_cpu_map *map, uint32_t *position, int32_t *cpu)
{
	ABI_IN(struct precis_cpu_map, map, precis_cpu_map_next(&abi, position, cpu));
	if (!position || !cpu)
		return PRECIS_E_ARGUMENT;
	switch (map->kind) {
	case PRECIS_CPU_MAP_LIST:
		return next_of_list(map, position, cpu);
	case PRECIS_CPU_MAP_MASK:
		return next_of_mask(map, position, cpu);
	case PRECIS_CPU_MAP_RANGE:
		return next_of_range(map, position, cpu);
	default:
		return PRECIS_E_ARGUMENT;
	}
}
