/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of the perf tool's records that stand for what a file has in its header. */
#include <precis/tool_records.h>

#include "attr.h"
#include "build_id_body.h"
#include "cpu_map.h"
#include "libdecode/sample/abi.h"
#include "record_body.h"

#define WORD 8u
#define EVENT_TYPE_NAME_ROOM 64u /* MAX_EVENT_NAME */

int precis_header_attr_parse(const struct precis_record *record, struct precis_header_attr *attr)
{
	struct cursor body;
	uint32_t bytes;
	int error = record_open(record, PRECIS_RECORD_HEADER_ATTR, &body);

	ABI_OUT(struct precis_header_attr, attr, precis_header_attr_parse(record, &abi));
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
	cursor_rest(&body, &attr->ids);
	return 0;
}

int precis_header_event_type_parse(const struct precis_record *record,
				   struct precis_header_event_type *type)
{
	struct cursor body;
	size_t room;
	int error = record_open(record, PRECIS_RECORD_HEADER_EVENT_TYPE, &body);

	ABI_OUT(struct precis_header_event_type, type,
		precis_header_event_type_parse(record, &abi));
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
	int error = record_open(record, PRECIS_RECORD_HEADER_TRACING_DATA, &body);

	ABI_OUT(struct precis_header_tracing_data, data,
		precis_header_tracing_data_parse(record, &abi));
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
	int error = record_open(record, PRECIS_RECORD_HEADER_BUILD_ID, &body);

	ABI_OUT(struct precis_header_build_id, build_id,
		precis_header_build_id_parse(record, &abi));
	return error ? error : precis_build_id_take(&body, record->misc, build_id);
}

int precis_header_feature_parse(const struct precis_record *record,
				struct precis_header_feature *feature)
{
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_HEADER_FEATURE, &body);

	ABI_OUT(struct precis_header_feature, feature, precis_header_feature_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_u64(&body, &feature->feature))
		return PRECIS_E_TRUNCATED;
	cursor_rest(&body, &feature->section);
	return 0;
}

int precis_event_update_parse(const struct precis_record *record,
			      struct precis_event_update *update)
{
	struct cursor body;
	uint64_t scale;
	int error = record_open(record, PRECIS_RECORD_EVENT_UPDATE, &body);

	ABI_OUT_ENDING_IN(struct precis_event_update, cpus, update,
			  precis_event_update_parse(record, &abi));
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
