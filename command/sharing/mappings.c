/* SPDX-License-Identifier: BSD-3-Clause */
/* See mappings.h. */
#include "mappings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>
#include <precis/record.h>

#define MAPS_MOST (UINT64_C(1) << 24)
#define NAME_MOST 4096u
/* PERF_RECORD_MISC_MMAP_DATA */
#define IS_DATA (1u << 13)

char *mappings_read(pid_t pid)
{
	char path[64], *text = NULL;
	size_t used = 0, room = 0, got = 1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	file = fopen(path, "re");
	while (file && got && used < MAPS_MOST) {
		if (room - used < 2) {
			char *more = realloc(text, room = room ? 2 * room : 65536);

			if (!more)
				break;
			text = more;
		}
		got = fread(text + used, 1, room - used - 1, file);
		used += got;
	}
	if (file)
		fclose(file);
	if (!used) {
		free(text);
		return NULL;
	}
	text[used] = '\0';
	return text;
}

/* PERF_RECORD_MMAP: its header, and what is behind it up to the name */
struct mmap_record {
	uint32_t type;
	uint16_t misc, size;
	uint32_t pid, tid;
	uint64_t start, length, offset;
	char name[NAME_MOST + 8];
};

/* perf's name of what has none */
static const char no_name[] = "//anon";

static int tell_one(struct precis_symbols *symbols, pid_t pid, const char *line, size_t bytes)
{
	struct mmap_record map = { .type = PRECIS_RECORD_MMAP,
				   .pid = (uint32_t)pid,
				   .tid = (uint32_t)pid };
	struct precis_record record;
	char rights[5];
	uint64_t end;
	int name = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n", &map.start, &end,
		   rights, &map.offset, &name) < 4 ||
	    !name || end <= map.start)
		return 0;
	map.length = end - map.start;
	map.misc = (uint16_t)(PRECIS_CPUMODE_USER | (strchr(rights, 'x') ? 0 : IS_DATA));
	if ((size_t)name >= bytes)
		memcpy(map.name, no_name, sizeof(no_name));
	else if (bytes - (size_t)name < NAME_MOST)
		memcpy(map.name, line + name, bytes - (size_t)name);
	else
		return 0;
	map.size = (uint16_t)(offsetof(struct mmap_record, name) + (strlen(map.name) / 8 + 1) * 8);
	if (precis_record_at((const uint8_t *)&map, map.size, &record))
		return 0;
	return precis_symbols_record(symbols, &record, 0) == PRECIS_E_NO_MEMORY ? -1 : 0;
}

int mappings_tell(struct precis_symbols *symbols, pid_t pid, const char *maps)
{
	int failed = 0;

	while (*maps && !failed) {
		const size_t bytes = strcspn(maps, "\n");
		char *line = strndup(maps, bytes);

		failed = !line || tell_one(symbols, pid, line, bytes) < 0;
		free(line);
		maps += bytes + (maps[bytes] == '\n');
	}
	return failed ? -1 : 0;
}
