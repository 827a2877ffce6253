/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sample's fields as "name=value name=value", each value as libtraceevent's
 * tep_print_fields() has it: text that is printable as such, other arrays as their
 * bytes, pointers and unsigned longs in hexadecimal.
 */
#include "list.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include <precis/error.h>

/* Text that is counted also where there is no room for it */
struct text {
	char *room;
	size_t size, length;
};

static void put(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct text *text, const char *format, ...)
{
	size_t left = text->length < text->size ? text->size - text->length : 0;
	va_list arguments;
	int count;

	va_start(arguments, format);
	count = vsnprintf(left ? text->room + text->length : NULL, left, format, arguments);
	va_end(arguments);
	text->length += count > 0 ? (size_t)count : 0;
}

static int is_printable(const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count && bytes[i]; i++) {
		if ((bytes[i] < ' ' || bytes[i] > '~') && (bytes[i] < '\t' || bytes[i] > '\r'))
			return 0;
	}
	return 1;
}

static void put_array(struct text *text, const struct precis_tracepoint_field *field,
		      const struct precis_bytes *data)
{
	if (field->is_text && is_printable(data->data, data->bytes)) {
		put(text, "%.*s", (int)data->bytes, (const char *)data->data);
		return;
	}
	put(text, "ARRAY[");
	for (uint32_t i = 0; i < data->bytes; i++)
		put(text, "%s%02x", i ? ", " : "", data->data[i]);
	put(text, "]");
}

static void put_number(struct text *text, const struct precis_tracepoint_field *field,
		       uint64_t value)
{
	if (field->is_pointer)
		put(text, "0x%" PRIx64, value);
	else if (field->is_signed && field->is_long && field->bytes == 4)
		put(text, "0x%x", (uint32_t)value);
	else if (field->is_signed)
		put(text, field->bytes == 2 ? "%2" PRId64 : "%" PRId64, (int64_t)value);
	else
		put(text, field->is_long ? "0x%" PRIx64 : "%" PRIu64, value);
}

static void put_field(struct text *text, const struct precis_tracepoint_field *field,
		      const void *raw, size_t bytes)
{
	struct precis_bytes data;
	uint64_t value;
	int error = precis_tracepoint_number(field, raw, bytes, &value);

	put(text, " %s=", field->name);
	if (!error) {
		put_number(text, field, value);
		return;
	}
	if (error == PRECIS_E_UNSUPPORTED)
		error = precis_tracepoint_data(field, raw, bytes, &data);
	if (error)
		put(text, "MALFORMED");
	else
		put_array(text, field, &data);
}

size_t precis_tracepoint_list(const struct precis_tracepoint *tracepoint, const void *raw,
			      size_t bytes, char *room, size_t size)
{
	struct text text = { room, size, 0 };

	if (size)
		room[0] = '\0';
	for (uint32_t i = 0; i < tracepoint->field_count; i++) {
		if (!tracepoint->fields[i].is_common)
			put_field(&text, &tracepoint->fields[i], raw, bytes);
	}
	return text.length;
}
