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

#include "attrs.h"

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

static int read_entry(const struct file_header *header, struct record_stream *stream, uint32_t n,
		      struct entry *entry)
{
	const uint8_t *section = entry->attr + entry->attr_room;
	int error;

	entry->offset = header->attrs.offset + n * header->attr_bytes;
	error = file_read(stream, entry->offset, entry->attr, (size_t)header->attr_bytes);
	if (error)
		return error;
	entry->ids.offset = load_u64(section);
	entry->ids.bytes = load_u64(section + 8);
	return 0;
}

/* All sections of ids together are no larger than the file: no two events share them. */
static int check_ids(struct file_errors *errors, const struct file_header *header, uint32_t n,
		     const struct entry *entry, uint64_t *total)
{
	const struct file_section *ids = &entry->ids;
	uint64_t where = entry->offset + entry->attr_room;

	if (ids->bytes && !file_has(header, ids))
		return file_fail(errors, PRECIS_E_TRUNCATED, where,
				 "expected the ids of event %u at %" PRIu64 ", %" PRIu64
				 " bytes; the file ends at %" PRIu64,
				 n, ids->offset, ids->bytes, header->file_bytes);
	if (ids->bytes % 8 || ids->bytes / 8 > UINT32_MAX ||
	    ids->bytes > header->file_bytes - *total)
		return file_fail(errors, PRECIS_E_BAD_SIZE, where + 8,
				 "expected the size of the ids of event %u, found %" PRIu64, n,
				 ids->bytes);
	*total += ids->bytes;
	return 0;
}

static int read_entries(struct file_events *events, const struct file_header *header,
			struct record_stream *stream, struct entry *entry, uint64_t count)
{
	uint64_t total = 0;

	for (uint32_t n = 0; n < count; n++) {
		struct file_event *event;
		int error = read_entry(header, stream, n, entry);

		if (!error)
			error = check_ids(events->errors, header, n, entry, &total);
		if (!error)
			error = file_events_add(events, entry->attr, entry->attr_room,
						entry->offset, entry->ids.bytes / 8, &event);
		if (!error)
			error = file_read(stream, entry->ids.offset, event->ids,
					  (size_t)entry->ids.bytes);
		if (error)
			return error;
	}
	return 0;
}

int file_read_attrs(struct file_events *events, const struct file_header *header,
		    struct record_stream *stream)
{
	uint64_t count = header->attrs.bytes / header->attr_bytes;
	struct entry entry = { .attr_room = header->attr_bytes - SECTION_BYTES };
	int error;

	if (!count)
		return file_warn(events->errors, "the recording has no events");
	if (header->attr_bytes > ENTRY_MOST)
		return file_fail(events->errors, PRECIS_E_BAD_SIZE, header->attrs.offset,
				 "expected attrs of at most %u bytes, found %" PRIu64, ENTRY_MOST,
				 header->attr_bytes);
	entry.attr = malloc((size_t)header->attr_bytes);
	if (!entry.attr)
		return file_fail_system(events->errors, PRECIS_E_NO_MEMORY);
	error = read_entries(events, header, stream, &entry, count);
	free(entry.attr);
	return error ? error : file_events_index(events);
}
