/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of the records that tell of tasks and their mappings. */
#include <precis/error.h>
#include <precis/record.h>

#include "record_header.h"

#define BUILD_ID_ROOM 20u

static int take_pair(struct cursor *body, uint32_t *first, uint32_t *second)
{
	return cursor_u32(body, first) && cursor_u32(body, second);
}

/* A string that ends inside the record */
static int take_string(const struct cursor *body, const char **text)
{
	if (!memchr(body->at, '\0', cursor_left(body)))
		return 0;
	*text = (const char *)body->at;
	return 1;
}

/* MMAP2: {u32 major, minor; u64 inode, generation} or {u8 size, 3 reserved, build id[20]} */
static int take_object_id(struct cursor *body, uint16_t misc, struct precis_mmap *map)
{
	const uint8_t *bytes;

	if (!cursor_array(body, 1, 4 + BUILD_ID_ROOM, &bytes))
		return PRECIS_E_TRUNCATED;
	if (!(misc & PRECIS_MISC_MMAP_BUILD_ID))
		return 0;
	if (bytes[0] > BUILD_ID_ROOM)
		return PRECIS_E_BAD_SIZE;
	map->build_id_bytes = bytes[0];
	map->build_id = bytes + 4;
	return 0;
}

int precis_mmap_parse(const struct precis_record *record, struct precis_mmap *map)
{
	struct cursor body;
	int error;

	if (!record || !map || map->size < sizeof(*map) ||
	    (record->type != PRECIS_RECORD_MMAP && record->type != PRECIS_RECORD_MMAP2))
		return PRECIS_E_ARGUMENT;
	body = record_body(record);
	map->build_id_bytes = 0;
	map->build_id = NULL;
	map->protection = 0;
	map->flags = 0;
	if (!take_pair(&body, &map->pid, &map->tid) || !cursor_u64(&body, &map->addr) ||
	    !cursor_u64(&body, &map->length) || !cursor_u64(&body, &map->page_offset))
		return PRECIS_E_TRUNCATED;
	if (record->type == PRECIS_RECORD_MMAP2) {
		error = take_object_id(&body, record->misc, map);
		if (error)
			return error;
		if (!take_pair(&body, &map->protection, &map->flags))
			return PRECIS_E_TRUNCATED;
	}
	return take_string(&body, &map->filename) ? 0 : PRECIS_E_TRUNCATED;
}

int precis_comm_parse(const struct precis_record *record, struct precis_comm *comm)
{
	struct cursor body;

	if (!record || !comm || comm->size < sizeof(*comm) || record->type != PRECIS_RECORD_COMM)
		return PRECIS_E_ARGUMENT;
	body = record_body(record);
	if (!take_pair(&body, &comm->pid, &comm->tid) || !take_string(&body, &comm->name))
		return PRECIS_E_TRUNCATED;
	return 0;
}

int precis_task_parse(const struct precis_record *record, struct precis_task *task)
{
	struct cursor body;

	if (!record || !task || task->size < sizeof(*task) ||
	    (record->type != PRECIS_RECORD_FORK && record->type != PRECIS_RECORD_EXIT))
		return PRECIS_E_ARGUMENT;
	body = record_body(record);
	if (!take_pair(&body, &task->pid, &task->parent_pid) ||
	    !take_pair(&body, &task->tid, &task->parent_tid) || !cursor_u64(&body, &task->time))
		return PRECIS_E_TRUNCATED;
	return 0;
}
