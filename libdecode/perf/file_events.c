/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of a recording: one {attr, section of its ids} each.
 *
 * An entry is attr_size bytes; the attr says its own size too. They agree in
 * what perf writes. An attr that claims more than its entry holds is refused,
 * one that claims less is believed.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "attr.h"
#include "file_private.h"

#define SECTION_BYTES 16u

static struct file_section ids_section(const struct precis_file *file, uint32_t n)
{
	const uint8_t *at = file->attr_entries + (n + 1) * file->attr_bytes - SECTION_BYTES;
	struct file_section section = { load_u64(at), load_u64(at + 8) };

	return section;
}

static uint64_t entry_offset(const struct precis_file *file, uint32_t n)
{
	return file->attrs.offset + n * file->attr_bytes;
}

static int describe_attr(struct precis_file *file, uint32_t n)
{
	const uint8_t *attr = file->attr_entries + n * file->attr_bytes;
	uint64_t room = file->attr_bytes - SECTION_BYTES;
	struct file_event *event = &file->events[n];
	struct precis_event *view = &event->view;
	uint32_t bytes = load_u32(attr + ATTR_SIZE);

	if (!bytes)
		bytes = ATTR_MIN_BYTES;
	if (bytes < ATTR_MIN_BYTES || bytes > room)
		return precis_file_fail(file, PRECIS_E_BAD_SIZE, entry_offset(file, n) + ATTR_SIZE,
					"expected an attr.size from %u to %" PRIu64 ", found %u",
					ATTR_MIN_BYTES, room, bytes);
	view->index = n;
	view->type = load_u32(attr + ATTR_TYPE);
	view->config = attr_u64(attr, bytes, ATTR_CONFIG);
	view->config1 = attr_u64(attr, bytes, ATTR_CONFIG1);
	view->config2 = attr_u64(attr, bytes, ATTR_CONFIG2);
	view->sample_period = attr_u64(attr, bytes, ATTR_SAMPLE_PERIOD);
	view->is_frequency = attr_bits(attr, ATTR_FREQ, 1);
	view->precise_ip = attr_bits(attr, ATTR_PRECISE_IP, 2);
	view->exclude_kernel = attr_bits(attr, ATTR_EXCLUDE_KERNEL, 1);
	view->exclude_user = attr_bits(attr, ATTR_EXCLUDE_USER, 1);
	view->attr = attr;
	view->attr_bytes = bytes;
	event->layout.size = sizeof(event->layout);
	precis_layout_init(attr, bytes, &event->layout);
	view->layout = &event->layout;
	event->counts.size = sizeof(event->counts);
	return 0;
}

/* All sections of ids together are no larger than the file: no two events share them. */
static int count_ids(struct precis_file *file, uint64_t *count)
{
	uint64_t bytes = 0;

	for (uint32_t n = 0; n < file->event_count; n++) {
		uint64_t where = entry_offset(file, n) + file->attr_bytes - SECTION_BYTES;
		struct file_section section = ids_section(file, n);

		if (section.bytes && !precis_file_has(file, &section))
			return precis_file_fail(file, PRECIS_E_TRUNCATED, where,
						"expected the ids of event %u at %" PRIu64
						", %" PRIu64 " bytes; the file ends at %" PRIu64,
						n, section.offset, section.bytes,
						file->info.file_bytes);
		if (section.bytes % 8 || section.bytes / 8 > UINT32_MAX ||
		    section.bytes > file->info.file_bytes - bytes)
			return precis_file_fail(
				file, PRECIS_E_BAD_SIZE, where + 8,
				"expected the size of the ids of event %u, found %" PRIu64, n,
				section.bytes);
		bytes += section.bytes;
	}
	*count = bytes / 8;
	return 0;
}

static int read_ids(struct precis_file *file)
{
	struct precis_id *sorted;
	uint64_t count = 0, next = 0;
	int error = count_ids(file, &count);

	if (error)
		return error;
	file->ids = malloc(count * sizeof(*file->ids) + 1);
	sorted = malloc(count * sizeof(*sorted) + 1);
	precis_ids_init(&file->index, sorted, 0);
	if (!file->ids || !sorted)
		return precis_file_fail_system(file, PRECIS_E_NO_MEMORY);
	for (uint32_t n = 0; n < file->event_count; n++) {
		struct file_section section = ids_section(file, n);
		struct precis_event *view = &file->events[n].view;

		view->ids = file->ids + next;
		view->id_count = (uint32_t)(section.bytes / 8);
		error = precis_file_read(file, section.offset, file->ids + next, section.bytes);
		if (error)
			return error;
		for (uint32_t i = 0; i < view->id_count; i++, next++) {
			sorted[next].id = file->ids[next];
			sorted[next].event = n;
		}
	}
	precis_ids_init(&file->index, sorted, count);
	return 0;
}

/*
 * A record's event is found by an id whose place must be known before the
 * event is: all events have to agree on it, as perf demands too.
 */
static int find_id_place(struct precis_file *file)
{
	const struct precis_layout *first = &file->events[0].layout;

	file->single = file->event_count == 1 && (!file->index.count || !first->id_offset);
	for (uint32_t n = 1; n < file->event_count; n++) {
		const struct precis_layout *layout = &file->events[n].layout;

		if (layout->id_offset != first->id_offset)
			return precis_file_warn(file,
						"events 0 and %u put their id at different "
						"places of a sample: no sample can be attributed",
						n);
	}
	file->id_offset = first->id_offset;
	if (!file->single && !file->id_offset)
		return precis_file_warn(file,
					"the samples of %u events carry no id: "
					"none can be attributed",
					file->event_count);
	for (uint32_t n = 1; n < file->event_count; n++) {
		if (file->events[n].layout.id_from_end != first->id_from_end)
			return 0;
	}
	file->id_from_end = first->id_from_end;
	return 0;
}

int precis_file_read_events(struct precis_file *file)
{
	uint64_t count = file->attrs.bytes / file->attr_bytes;
	int error;

	if (!count)
		return precis_file_warn(file, "the recording has no events");
	if (count > UINT32_MAX || file->attrs.bytes > SIZE_MAX / 8)
		return precis_file_fail_system(file, PRECIS_E_NO_MEMORY);
	file->attr_entries = malloc((size_t)file->attrs.bytes);
	file->events = calloc((size_t)count, sizeof(*file->events));
	if (!file->attr_entries || !file->events)
		return precis_file_fail_system(file, PRECIS_E_NO_MEMORY);
	error = precis_file_read(file, file->attrs.offset, file->attr_entries,
				 (size_t)file->attrs.bytes);
	if (error)
		return error;
	file->event_count = (uint32_t)count;
	for (uint32_t n = 0; n < file->event_count; n++) {
		error = describe_attr(file, n);
		if (error)
			return error;
	}
	error = read_ids(file);
	if (error)
		return error;
	if (find_id_place(file))
		return precis_file_fail_system(file, PRECIS_E_NO_MEMORY);
	return 0;
}
