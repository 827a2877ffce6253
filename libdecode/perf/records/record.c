/* SPDX-License-Identifier: BSD-3-Clause */
/* The header that every record begins with: u32 type, u16 misc, u16 size. Words of a view. */
#include <precis/error.h>
#include <precis/record.h>

#include "bytes.h"
#include "record_header.h"

int precis_record_at(const void *bytes, size_t avail, struct precis_record *record)
{
	const uint8_t *header = bytes;
	uint16_t size;

	if (!bytes || !record)
		return PRECIS_E_ARGUMENT;
	if (avail < RECORD_HEADER_BYTES)
		return PRECIS_E_TRUNCATED;
	size = record_header_size(header);
	if (size < RECORD_HEADER_BYTES)
		return PRECIS_E_BAD_SIZE;
	if (avail < size)
		return PRECIS_E_TRUNCATED;
	record_view(header, record);
	return 0;
}

int precis_bytes_u64(struct precis_bytes view, uint64_t n, uint64_t *value)
{
	if (!value || n >= view.bytes / sizeof(*value))
		return PRECIS_E_ARGUMENT;
	*value = load_u64(view.data + n * sizeof(*value));
	return 0;
}
