/* SPDX-License-Identifier: BSD-3-Clause */
/* Printing the members of records, by their rows in members.c. */
#include "bodies.h"

#include <string.h>

#include "lists.h"
#include "members.h"

static uint64_t load(const void *body, const struct member *member)
{
	const uint8_t *at = (const uint8_t *)body + member->offset;
	uint64_t value = 0;
	uint32_t word;
	uint16_t half;

	switch (member->width) {
	case sizeof(half):
		memcpy(&half, at, sizeof(half));
		return half;
	case sizeof(word):
		memcpy(&word, at, sizeof(word));
		return member->kind == MEMBER_INT ? (uint64_t)(int64_t)(int32_t)word : word;
	default:
		memcpy(&value, at, sizeof(value));
		return value;
	}
}

static void put_named(struct value_sink *sink, const char *const *names, uint64_t number)
{
	for (uint64_t n = 0; names[n]; n++) {
		if (n == number) {
			value_text(sink, names[n]);
			return;
		}
	}
	value_number(sink, number);
}

static void put_member(struct record_sink *sink, const void *body, const struct member *member)
{
	uint64_t value = load(body, member);
	const char *text = NULL;
	uint32_t flags;

	memcpy(&flags, (const uint8_t *)body + member->bits_offset, sizeof(flags));
	if (member->bits && !(flags & member->bits))
		return;
	if (member->kind == MEMBER_TEXT) {
		memcpy(&text, (const uint8_t *)body + member->offset, sizeof(text));
		if (!text)
			return;
	}
	record_member(sink, member->name);
	switch ((enum member_kind)member->kind) {
	case MEMBER_UINT:
		value_number(&sink->value, value);
		break;
	case MEMBER_INT:
		value_signed(&sink->value, (int64_t)value);
		break;
	case MEMBER_HEX:
		value_hex(&sink->value, value);
		break;
	case MEMBER_BOOL:
		value_bool(&sink->value, value != 0);
		break;
	case MEMBER_TIME:
		value_time(&sink->value, value);
		break;
	case MEMBER_TEXT:
		value_text(&sink->value, text);
		break;
	case MEMBER_NAMED:
		put_named(&sink->value, member->names, value);
		break;
	}
}

/* READ alone needs the event that it is of */
static int put_read(struct record_sink *sink, struct precis_file *file,
		    const struct precis_record *record)
{
	const struct precis_event *event = precis_file_event_of(file, record);
	struct precis_read_record read = { .size = sizeof(read) };
	int error = event ? precis_read_record_parse(event->layout, record, &read)
			  : PRECIS_E_BAD_ID;

	if (!error)
		put_read_record(sink, event, &read);
	return error;
}

int record_put_body(struct record_sink *sink, struct precis_file *file,
		    const struct precis_record *record)
{
	const struct body_row *row = record_body_row(record->type);
	union body body;
	int error;

	if (record->type == PRECIS_RECORD_READ)
		return put_read(sink, file, record);
	if (!row)
		return 0;
	error = row->parse(record, &body);
	if (error)
		return error;
	for (const struct member *member = row->members; member->name; member++)
		put_member(sink, &body, member);
	if (row->misc_name) {
		record_member(sink, row->misc_name);
		value_bool(&sink->value, (record->misc & row->misc_bit) != 0);
	}
	if (row->put_rest)
		row->put_rest(sink, &body);
	return 0;
}
