/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of the records that tell of tasks, their mappings and where they run. */
#include <precis/kernel_records.h>

#include "libdecode/sample/abi.h"
#include "record_body.h"

#define OBJECT_ID_BYTES 24u
#define BUILD_ID_ROOM 20u
#define NAMESPACE_BYTES 16u

/* MMAP2: {u32 major, minor; u64 inode, generation} or {u8 size, 3 reserved, build id[20]} */
static int take_object_id(struct cursor *body, uint16_t misc, struct precis_mmap *map)
{
	const uint8_t *bytes;

	if (!cursor_array(body, 1, OBJECT_ID_BYTES, &bytes))
		return PRECIS_E_TRUNCATED;
	if (misc & PRECIS_MISC_MMAP_BUILD_ID) {
		if (bytes[0] > BUILD_ID_ROOM)
			return PRECIS_E_BAD_SIZE;
		map->build_id_bytes = bytes[0];
		map->build_id = bytes + 4;
		map->present |= PRECIS_MMAP_BUILD_ID;
		return 0;
	}
	map->device_major = load_u32(bytes);
	map->device_minor = load_u32(bytes + 4);
	map->inode = load_u64(bytes + 8);
	map->inode_generation = load_u64(bytes + 16);
	map->present |= PRECIS_MMAP_INODE;
	return 0;
}

int precis_mmap_parse(const struct precis_record *record, struct precis_mmap *map)
{
	struct cursor body;
	int error = record_open_either(record, PRECIS_RECORD_MMAP, PRECIS_RECORD_MMAP2, &body);

	ABI_OUT(struct precis_mmap, map, precis_mmap_parse(record, &abi));
	if (error)
		return error;
	map->present = 0;
	map->build_id_bytes = 0;
	map->build_id = NULL;
	map->protection = 0;
	map->flags = 0;
	if (!cursor_pair(&body, &map->pid, &map->tid) || !cursor_u64(&body, &map->addr) ||
	    !cursor_u64(&body, &map->length) || !cursor_u64(&body, &map->page_offset))
		return PRECIS_E_TRUNCATED;
	if (record->type == PRECIS_RECORD_MMAP2) {
		error = take_object_id(&body, record->misc, map);
		if (error)
			return error;
		if (!cursor_pair(&body, &map->protection, &map->flags))
			return PRECIS_E_TRUNCATED;
		map->present |= PRECIS_MMAP_PROTECTION;
	}
	return cursor_text(&body, &map->filename) ? 0 : PRECIS_E_TRUNCATED;
}

int precis_comm_parse(const struct precis_record *record, struct precis_comm *comm)
{
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_COMM, &body);

	ABI_OUT(struct precis_comm, comm, precis_comm_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_pair(&body, &comm->pid, &comm->tid) || !cursor_text(&body, &comm->name))
		return PRECIS_E_TRUNCATED;
	return 0;
}

int precis_task_parse(const struct precis_record *record, struct precis_task *task)
{
	struct cursor body;
	int error = record_open_either(record, PRECIS_RECORD_FORK, PRECIS_RECORD_EXIT, &body);

	ABI_OUT(struct precis_task, task, precis_task_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_pair(&body, &task->pid, &task->parent_pid) ||
	    !cursor_pair(&body, &task->tid, &task->parent_tid) || !cursor_u64(&body, &task->time))
		return PRECIS_E_TRUNCATED;
	return 0;
}

int precis_switch_parse(const struct precis_record *record, struct precis_switch *context_switch)
{
	struct cursor body;
	int error = record_open_either(record, PRECIS_RECORD_SWITCH, PRECIS_RECORD_SWITCH_CPU_WIDE,
				       &body);

	ABI_OUT(struct precis_switch, context_switch, precis_switch_parse(record, &abi));
	if (error)
		return error;
	context_switch->is_out = (record->misc & PRECIS_MISC_SWITCH_OUT) != 0;
	context_switch->is_preempt = (record->misc & PRECIS_MISC_SWITCH_OUT_PREEMPT) != 0;
	context_switch->has_other = record->type == PRECIS_RECORD_SWITCH_CPU_WIDE;
	if (context_switch->has_other &&
	    !cursor_pair(&body, &context_switch->other_pid, &context_switch->other_tid))
		return PRECIS_E_TRUNCATED;
	return 0;
}

int precis_namespaces_parse(const struct precis_record *record,
			    struct precis_namespaces *namespaces)
{
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_NAMESPACES, &body);

	ABI_OUT(struct precis_namespaces, namespaces, precis_namespaces_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_pair(&body, &namespaces->pid, &namespaces->tid) ||
	    !cursor_counted(&body, NAMESPACE_BYTES, &namespaces->count, &namespaces->entries))
		return PRECIS_E_TRUNCATED;
	return 0;
}

int precis_namespace(const struct precis_namespaces *namespaces, uint64_t n,
		     struct precis_namespace *entry)
{
	/* NET_NS_INDEX, … */
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	struct cursor at;

	ABI_IN(struct precis_namespaces, namespaces, precis_namespace(&abi, n, entry));
	ABI_OUT(struct precis_namespace, entry, precis_namespace(namespaces, n, &abi));
	if (entry_open(&namespaces->entries, NAMESPACE_BYTES, n, &at))
		return PRECIS_E_ARGUMENT;
	entry->name = n < sizeof(names) / sizeof(names[0]) ? names[n] : NULL;
	cursor_u64(&at, &entry->device);
	cursor_u64(&at, &entry->inode);
	return 0;
}

int precis_cgroup_parse(const struct precis_record *record, struct precis_cgroup *cgroup)
{
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_CGROUP, &body);

	ABI_OUT(struct precis_cgroup, cgroup, precis_cgroup_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_u64(&body, &cgroup->id) || !cursor_text(&body, &cgroup->path))
		return PRECIS_E_TRUNCATED;
	return 0;
}
