/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of a tracepoint's fields in RAW. */
#include <string.h>

#include <precis/error.h>
#include <precis/tracepoint.h>

#include "libdecode/perf/records/bytes.h"

const struct precis_tracepoint_field *precis_tracepoint_field(
	const struct precis_tracepoint *tracepoint, const char *name)
{
	for (uint32_t i = 0; tracepoint && name && i < tracepoint->field_count; i++) {
		if (strcmp(tracepoint->fields[i].name, name) == 0)
			return &tracepoint->fields[i];
	}
	return NULL;
}

static int number_at(const struct precis_tracepoint_field *field, const uint8_t *raw, size_t bytes,
		     uint64_t *value)
{
	const uint8_t *at = raw + field->offset;
	uint64_t number;

	if (field->bytes != 1 && field->bytes != 2 && field->bytes != 4 && field->bytes != 8)
		return PRECIS_E_UNSUPPORTED;
	if (bytes < field->offset || bytes - field->offset < field->bytes)
		return PRECIS_E_TRUNCATED;
	switch (field->bytes) {
	case 1:
		number = field->is_signed ? (uint64_t)(int64_t)(int8_t)*at : *at;
		break;
	case 2:
		number = load_u16(at);
		number = field->is_signed ? (uint64_t)(int64_t)(int16_t)number : number;
		break;
	case 4:
		number = load_u32(at);
		number = field->is_signed ? (uint64_t)(int64_t)(int32_t)number : number;
		break;
	default:
		number = load_u64(at);
		break;
	}
	*value = number;
	return 0;
}

int precis_tracepoint_number(const struct precis_tracepoint_field *field, const void *raw,
			     size_t bytes, uint64_t *value)
{
	if (!field || (!raw && bytes) || !value)
		return PRECIS_E_ARGUMENT;
	if (field->is_array || field->place != PRECIS_PLACE_HERE)
		return PRECIS_E_UNSUPPORTED;
	return number_at(field, raw, bytes, value);
}

/* Where the data are that a locator points at: length in the upper half, offset in the lower */
static int locate(const struct precis_tracepoint_field *field, const uint8_t *raw, size_t bytes,
		  uint64_t *offset, uint64_t *length)
{
	const struct precis_tracepoint_field locator = { .offset = field->offset,
							 .bytes = field->bytes };
	int error;

	if (field->bytes != 2 && field->bytes != 4)
		return PRECIS_E_UNSUPPORTED;
	error = number_at(&locator, raw, bytes, offset);
	if (error)
		return error;
	*length = *offset >> 16;
	*offset &= 0xffff;
	if (field->place == PRECIS_PLACE_REL_LOC)
		*offset += field->offset + field->bytes;
	/* Linux 2.6.33 and older wrote no length: a string ends with its NUL. */
	if (field->bytes == 2)
		*length =
			*offset < bytes ? strnlen((const char *)raw + *offset, bytes - *offset) : 0;
	return 0;
}

int precis_tracepoint_data(const struct precis_tracepoint_field *field, const void *raw,
			   size_t bytes, struct precis_bytes *data)
{
	uint64_t offset, length;
	int error = 0;

	if (!field || (!raw && bytes) || !data)
		return PRECIS_E_ARGUMENT;
	offset = field->offset;
	length = field->bytes;
	if (field->place != PRECIS_PLACE_HERE)
		error = locate(field, raw, bytes, &offset, &length);
	if (error)
		return error;
	if (offset > bytes || length > bytes - offset)
		return PRECIS_E_TRUNCATED;
	data->data = (const uint8_t *)raw + offset;
	data->bytes = (uint32_t)length;
	return 0;
}

int precis_tracepoint_string(const struct precis_tracepoint_field *field, const void *raw,
			     size_t bytes, struct precis_bytes *text)
{
	int error;

	if (field && !field->is_text)
		return PRECIS_E_UNSUPPORTED;
	error = precis_tracepoint_data(field, raw, bytes, text);
	if (!error)
		text->bytes = (uint32_t)strnlen((const char *)text->data, text->bytes);
	return error;
}
