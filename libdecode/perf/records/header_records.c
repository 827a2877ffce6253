/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of the perf tool's records that stand for what a file has in its header. */
#include <precis/tool_records.h>

#include "attr.h"
#include "build_id_body.h"
#include "cpu_map.h"
#include "record_body.h"

#define WORD 8u
#define EVENT_TYPE_NAME_ROOM 64u /* MAX_EVENT_NAME */

int precis_header_attr_parse(const struct precis_record *record, struct precis_header_attr *attr)
{
	struct cursor body;
	uint32_t bytes;
	int error = RECORD_OPEN(record, PRECIS_RECORD_HEADER_ATTR, attr, &body);

	if (error)
		return error;
	if (cursor_left(&body) < ATTR_MIN_BYTES)
		return PRECIS_E_TRUNCATED;
	bytes = load_u32(body.at + ATTR_SIZE);
	if (!bytes)
		bytes = ATTR_MIN_BYTES;
	if (bytes < ATTR_MIN_BYTES)
		return PRECIS_E_BAD_SIZE;
	if (!cursor_view(&body, bytes, 1, &attr->attr))
		return PRECIS_E_TRUNCATED;
	if (cursor_left(&body) % WORD)
		return PRECIS_E_BAD_SIZE;
	attr->id_count = cursor_left(&body) / WORD;
	attr->ids = cursor_rest(&body);
	return 0;
}

int precis_header_event_type_parse(const struct precis_record *record,
				   struct precis_header_event_type *type)
{
	struct cursor body;
	size_t room;
	int error = RECORD_OPEN(record, PRECIS_RECORD_HEADER_EVENT_TYPE, type, &body);

	if (error)
		return error;
	if (!cursor_u64(&body, &type->id))
		return PRECIS_E_TRUNCATED;
	/* Written as long as the name, rounded up to a word */
	room = cursor_left(&body);
	if (room > EVENT_TYPE_NAME_ROOM)
		room = EVENT_TYPE_NAME_ROOM;
	cursor_name(&body, room, &type->name, &type->name_bytes);
	return 0;
}

int precis_header_tracing_data_parse(const struct precis_record *record,
				     struct precis_header_tracing_data *data)
{
	struct cursor body;
	int error = RECORD_OPEN(record, PRECIS_RECORD_HEADER_TRACING_DATA, data, &body);

	if (error)
		return error;
	if (!cursor_u32(&body, &data->following_bytes))
		return PRECIS_E_TRUNCATED;
	/* simpleperf has them in the record */
	if (data->following_bytes <= cursor_left(&body))
		data->following_bytes = 0;
	return 0;
}

int precis_header_build_id_parse(const struct precis_record *record,
				 struct precis_header_build_id *build_id)
{
	struct cursor body;
	int error = RECORD_OPEN(record, PRECIS_RECORD_HEADER_BUILD_ID, build_id, &body);

	return error ? error : precis_build_id_take(&body, record->misc, build_id);
}

int precis_header_feature_parse(const struct precis_record *record,
				struct precis_header_feature *feature)
{
	struct cursor body;
	int error = RECORD_OPEN(record, PRECIS_RECORD_HEADER_FEATURE, feature, &body);

	if (error)
		return error;
	if (!cursor_u64(&body, &feature->feature))
		return PRECIS_E_TRUNCATED;
	feature->section = cursor_rest(&body);
	return 0;
}

int precis_event_update_parse(const struct precis_record *record,
			      struct precis_event_update *update)
{
	struct cursor body;
	uint64_t scale;
	int error = RECORD_OPEN(record, PRECIS_RECORD_EVENT_UPDATE, update, &body);

	if (error)
		return error;
	if (!cursor_u64(&body, &update->type) || !cursor_u64(&body, &update->id))
		return PRECIS_E_TRUNCATED;
	update->text = NULL;
	update->scale = 0;
	switch (update->type) {
	case PRECIS_EVENT_UPDATE_UNIT:
	case PRECIS_EVENT_UPDATE_NAME:
		return cursor_text(&body, &update->text) ? 0 : PRECIS_E_TRUNCATED;
	case PRECIS_EVENT_UPDATE_SCALE:
		if (!cursor_u64(&body, &scale))
			return PRECIS_E_TRUNCATED;
		memcpy(&update->scale, &scale, sizeof(scale));
		return 0;
	case PRECIS_EVENT_UPDATE_CPUS:
		update->cpus.size = sizeof(update->cpus);
		return precis_cpu_map_take(&body, &update->cpus);
	default:
		return PRECIS_E_UNSUPPORTED;
	}
}
