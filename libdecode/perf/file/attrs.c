/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of a seekable file: one {attr, section of its ids} each.
 *
 * An entry is attr_size bytes; the attr says its own size too. They agree in
 * what perf writes. An attr that claims more than its entry holds is refused,
 * one that claims less is believed.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "private.h"

#define SECTION_BYTES 16u

/* An entry that is larger than every attr of the next decades lies. */
#define ENTRY_MOST 65536u

/* One entry, and where it is. */
struct entry {
	uint8_t *attr; /* and the section behind it */
	uint64_t offset;
	uint64_t attr_room;
	struct file_section ids;
};

static int read_entry(struct precis_file *file, uint32_t n, struct entry *entry)
{
	const uint8_t *section = entry->attr + entry->attr_room;
	int error;

	entry->offset = file->attrs.offset + n * file->attr_bytes;
	error = precis_file_read(file, entry->offset, entry->attr, (size_t)file->attr_bytes);
	if (error)
		return error;
	entry->ids.offset = load_u64(section);
	entry->ids.bytes = load_u64(section + 8);
	return 0;
}

/* All sections of ids together are no larger than the file: no two events share them. */
static int check_ids(struct precis_file *file, uint32_t n, const struct entry *entry,
		     uint64_t *total)
{
	const struct file_section *ids = &entry->ids;
	uint64_t where = entry->offset + entry->attr_room;

	if (ids->bytes && !precis_file_has(file, ids))
		return precis_file_fail(file, PRECIS_E_TRUNCATED, where,
					"expected the ids of event %u at %" PRIu64 ", %" PRIu64
					" bytes; the file ends at %" PRIu64,
					n, ids->offset, ids->bytes, file->info.file_bytes);
	if (ids->bytes % 8 || ids->bytes / 8 > UINT32_MAX ||
	    ids->bytes > file->info.file_bytes - *total)
		return precis_file_fail(file, PRECIS_E_BAD_SIZE, where + 8,
					"expected the size of the ids of event %u, found %" PRIu64,
					n, ids->bytes);
	*total += ids->bytes;
	return 0;
}

static int read_entries(struct precis_file *file, struct entry *entry, uint64_t count)
{
	uint64_t total = 0;

	for (uint32_t n = 0; n < count; n++) {
		struct file_event *event;
		int error = read_entry(file, n, entry);

		if (!error)
			error = check_ids(file, n, entry, &total);
		if (!error)
			error = precis_file_add_event(file, entry->attr, entry->attr_room,
						      entry->offset, entry->ids.bytes / 8, &event);
		if (!error)
			error = precis_file_read(file, entry->ids.offset, event->ids,
						 (size_t)entry->ids.bytes);
		if (error)
			return error;
	}
	return 0;
}

int precis_file_read_attrs(struct precis_file *file)
{
	uint64_t count = file->attrs.bytes / file->attr_bytes;
	struct entry entry = { .attr_room = file->attr_bytes - SECTION_BYTES };
	int error;

	if (!count)
		return precis_file_warn(file, "the recording has no events");
	if (file->attr_bytes > ENTRY_MOST)
		return precis_file_fail(file, PRECIS_E_BAD_SIZE, file->attrs.offset,
					"expected attrs of at most %u bytes, found %" PRIu64,
					ENTRY_MOST, file->attr_bytes);
	entry.attr = malloc((size_t)file->attr_bytes);
	if (!entry.attr)
		return precis_file_fail_system(file, PRECIS_E_NO_MEMORY);
	error = read_entries(file, &entry, count);
	free(entry.attr);
	return error ? error : precis_file_index_events(file);
}
