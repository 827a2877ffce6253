/* SPDX-License-Identifier: BSD-3-Clause */
/* Branch trace store: records of three words. */
#include <string.h>

#include <precis/error.h>

#include "../sample/abi.h"
#include "../sample/bytes.h"
#include "ds.h"

ABI_FIXED(struct precis_bts_buffer, 80);

#define BTS_WORDS 3u /* from, to, flags */

uint32_t precis_bts_record_bytes(uint32_t layout)
{
	const struct ds_layout *row = precis_ds_layout(layout);

	return row ? BTS_WORDS * row->word : 0;
}

int precis_bts_init(struct precis_bts_buffer *buffer, uint32_t layout, const void *bytes,
		    size_t count)
{
	if (!buffer || !precis_ds_layout(layout) || (!bytes && count))
		return PRECIS_E_ARGUMENT;
	memset(buffer, 0, sizeof(*buffer));
	buffer->size = sizeof(*buffer);
	buffer->layout = layout;
	buffer->bytes = (const uint8_t *)bytes;
	buffer->count = count;
	return 0;
}

int precis_ds_bts(const struct precis_ds *ds, const void *memory, size_t count, uint64_t address,
		  struct precis_bts_buffer *buffer, uint32_t *fault)
{
	struct ds_memory from = { memory, count, address };
	struct ds_filled filled;
	const struct ds_layout *row;
	int rc;

	ABI_IN(struct precis_ds, ds, precis_ds_bts(&abi, memory, count, address, buffer, fault));
	if (!buffer)
		return PRECIS_E_ARGUMENT;
	row = precis_ds_layout(ds->layout);
	if (!row)
		return PRECIS_E_ARGUMENT;
	rc = precis_ds_filled(&ds->bts, row->word, BTS_WORDS * row->word, &from, &filled, fault);
	return rc < 0 ? rc : precis_bts_init(buffer, ds->layout, filled.bytes, filled.count);
}

int precis_bts_next(struct precis_bts_buffer *buffer, struct precis_bts_branch *branch)
{
	const uint8_t *at;
	size_t bytes;

	if (!buffer || buffer->size < sizeof(*buffer) || !branch)
		return PRECIS_E_ARGUMENT;
	buffer->offset = buffer->next;
	if (buffer->next >= buffer->count)
		return 0;
	bytes = precis_bts_record_bytes(buffer->layout);
	if (bytes > buffer->count - buffer->next) {
		buffer->next = buffer->count;
		return PRECIS_E_TRUNCATED;
	}
	at = buffer->bytes + buffer->next;
	if (bytes == 4 * BTS_WORDS) {
		branch->from = load_le32(at);
		branch->to = load_le32(at + 4);
		branch->flags = load_le32(at + 8);
	} else {
		branch->from = load_le64(at);
		branch->to = load_le64(at + 8);
		branch->flags = load_le64(at + 16);
	}
	buffer->next += bytes;
	buffer->branches++;
	return 1;
}

int precis_bts_encode(const struct precis_bts_branch *branch, uint32_t layout, void *bytes,
		      size_t room)
{
	size_t length = precis_bts_record_bytes(layout);
	uint8_t *at = (uint8_t *)bytes;

	if (!branch || !at || !length)
		return PRECIS_E_ARGUMENT;
	if (room < length)
		return PRECIS_E_NO_SPACE;
	if (length == 4 * BTS_WORDS) {
		if ((branch->from | branch->to | branch->flags) > UINT32_MAX)
			return PRECIS_E_ARGUMENT;
		store_le32(at, (uint32_t)branch->from);
		store_le32(at + 4, (uint32_t)branch->to);
		store_le32(at + 8, (uint32_t)branch->flags);
	} else {
		store_le64(at, branch->from);
		store_le64(at + 8, branch->to);
		store_le64(at + 16, branch->flags);
	}
	return (int)length;
}
