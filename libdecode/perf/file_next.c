/* SPDX-License-Identifier: BSD-3-Clause */
/* From record to record. */
#include <inttypes.h>

#include "file_private.h"

struct file_event *precis_file_by_id(struct precis_file *file, uint64_t id)
{
	uint32_t n;

	if (file->single)
		return &file->events[0];
	n = precis_ids_find(&file->index, id);
	return n == IDS_NONE ? NULL : &file->events[n];
}

static inline struct file_event *find_sample_event(struct precis_file *file, const uint8_t *record,
						   uint32_t size)
{
	if (file->single)
		return &file->events[0];
	if (!file->id_offset || size < file->id_offset + 8)
		return NULL;
	return precis_file_by_id(file, load_u64(record + file->id_offset));
}

struct file_event *precis_file_find(struct precis_file *file, const struct precis_record *record)
{
	if (record->type == PRECIS_RECORD_SAMPLE)
		return find_sample_event(file, record->data, record->size);
	if (record->type >= PRECIS_RECORD_USER_FIRST)
		return NULL;
	if (file->single || (file->event_count == 1 && !file->id_from_end))
		return &file->events[0];
	if (!file->id_from_end || record->size < RECORD_HEADER_BYTES + file->id_from_end)
		return NULL;
	return precis_file_by_id(file, load_u64(record->data + record->size - file->id_from_end));
}

const struct precis_event *precis_file_event_of(struct precis_file *file,
						const struct precis_record *record)
{
	struct file_event *event = file && record ? precis_file_find(file, record) : NULL;

	return event ? &event->view : NULL;
}

static int fail_truncated(struct precis_file *file, uint64_t needed, uint64_t found)
{
	return precis_file_fail(
		file, PRECIS_E_TRUNCATED, byte_source_offset(&file->source),
		"expected a record of %" PRIu64 " bytes, found %" PRIu64 " up to the end of the %s",
		needed, found, file->section_end > file->info.file_bytes ? "file" : "data section");
}

/*
 * Get the next record into the window. The usual call does not come here: its
 * record is there already.
 * @return 1, 0 at the end, or negative
 */
static int fill_window(struct precis_file *file)
{
	struct byte_source *source = &file->source;
	uint64_t at = byte_source_offset(source);
	size_t left, size;

	if (byte_source_need(source, RECORD_HEADER_BYTES))
		return precis_file_fail_system(file, PRECIS_E_IO);
	left = (size_t)(source->end - source->at);
	if (!left && at == file->section_end)
		return 0;
	if (left < RECORD_HEADER_BYTES)
		return precis_file_fail(file, PRECIS_E_TRUNCATED, at,
					"expected a record's header of %u bytes, found %zu; "
					"the data section should end at %" PRIu64,
					RECORD_HEADER_BYTES, left, file->section_end);
	size = record_header_size(source->at);
	if (byte_source_need(source, size))
		return precis_file_fail_system(file, PRECIS_E_IO);
	left = (size_t)(source->end - source->at);
	return left < size ? fail_truncated(file, size, left) : 1;
}

/* Step over the bytes that follow some records, outside their header.size. */
static int skip_payload(struct precis_file *file, const struct precis_record *record)
{
	uint64_t left = file->source.limit - record->offset - record->size, payload;
	struct cursor body = record_body(record);
	uint32_t narrow = 0;
	int found;

	if (record->type == PRECIS_RECORD_AUXTRACE) {
		found = cursor_u64(&body, &payload);
	} else { /* HEADER_TRACING_DATA */
		found = cursor_u32(&body, &narrow);
		payload = narrow;
	}
	if (!found)
		return precis_file_fail(
			file, PRECIS_E_BAD_SIZE, record->offset,
			"expected the size of the data behind a record %s, found %u bytes",
			precis_record_name(record->type), record->size);
	if (payload > left)
		return precis_file_fail(file, PRECIS_E_TRUNCATED, record->offset,
					"expected %" PRIu64
					" bytes of data behind a record %s, found %" PRIu64,
					payload, precis_record_name(record->type), left);
	byte_source_skip(&file->source, record->size + payload);
	return 0;
}

/* Count a record other than a SAMPLE, and step over it. */
static int pass_other(struct precis_file *file, const struct precis_record *record)
{
	precis_file_count(file, record);
	switch (record->type) {
	case PRECIS_RECORD_AUXTRACE:
	case PRECIS_RECORD_HEADER_TRACING_DATA:
		return skip_payload(file, record);
	case PRECIS_RECORD_COMPRESSED:
	case PRECIS_RECORD_COMPRESSED2:
		return precis_file_fail(file, PRECIS_E_UNSUPPORTED, record->offset,
					"a compressed recording (record %s); record without -z",
					precis_record_name(record->type));
	default:
		break;
	}
	file->source.at += record->size;
	return 0;
}

int precis_file_next(struct precis_file *file, struct precis_record *record)
{
	struct byte_source *source;
	size_t left;

	if (unlikely(!file || !record))
		return PRECIS_E_ARGUMENT;
	source = &file->source;
	left = (size_t)(source->end - source->at);
	if (unlikely(left < RECORD_HEADER_BYTES || left < record_header_size(source->at))) {
		int found = fill_window(file);

		if (found <= 0)
			return found;
	}
	record_view(source->at, record);
	record->offset = byte_source_offset(source);
	if (unlikely(record->size < RECORD_HEADER_BYTES))
		return precis_file_fail(file, PRECIS_E_BAD_SIZE, record->offset + 6,
					"expected a record size of at least %u, found %u",
					RECORD_HEADER_BYTES, record->size);
	if (likely(record->type == PRECIS_RECORD_SAMPLE)) {
		struct file_event *event = find_sample_event(file, record->data, record->size);

		file->sampled = event;
		file->sampled_at = record->offset;
		file->counts.samples++;
		if (likely(event != NULL))
			event->counts.samples++;
		else
			file->counts.samples_unread++;
		source->at += record->size;
	} else {
		int error = pass_other(file, record);

		if (error)
			return error;
	}
	file->counts.records++;
	return 1;
}

int precis_file_rewind(struct precis_file *file)
{
	uint64_t limit;

	if (!file)
		return PRECIS_E_ARGUMENT;
	limit = file->section_end;
	if (limit > file->info.file_bytes)
		limit = file->info.file_bytes;
	byte_source_section(&file->source, file->info.data_offset, limit);
	memset(&file->counts, 0, sizeof(file->counts));
	file->faulted = 0;
	for (uint32_t n = 0; n < file->event_count; n++) {
		memset(&file->events[n].counts, 0, sizeof(file->events[n].counts));
		file->events[n].counts.size = sizeof(file->events[n].counts);
	}
	return 0;
}
