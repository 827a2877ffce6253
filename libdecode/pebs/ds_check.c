/* SPDX-License-Identifier: BSD-3-Clause */
/* What a management area says of a buffer: is it possible, and where are the bytes? */
#include <precis/error.h>

#include "ds.h"

static const char *const fault_texts[] = {
	[PRECIS_DS_SOUND] = "sound",
	[PRECIS_DS_NO_BUFFER] = "not in use",
	[PRECIS_DS_MAXIMUM_BELOW_BASE] = "the maximum is below the base",
	[PRECIS_DS_INDEX_BELOW_BASE] = "the index is below the base",
	[PRECIS_DS_INDEX_BEYOND_MAXIMUM] = "the index is beyond the maximum",
	[PRECIS_DS_MISALIGNED] = "base or index is misaligned",
	[PRECIS_DS_NOT_IN_MEMORY] = "base to index are not in the memory at hand",
	[PRECIS_DS_PARTIAL_RECORD] = "the last record is there only in part",
	[PRECIS_DS_THRESHOLD_OUTSIDE] = "the threshold is outside the buffer",
};

const char *precis_ds_fault_text(uint32_t fault)
{
	return fault < sizeof(fault_texts) / sizeof(fault_texts[0]) ? fault_texts[fault] : NULL;
}

enum precis_ds_fault precis_ds_check(const struct precis_ds_buffer *buffer, uint32_t word,
				     uint32_t record_bytes)
{
	if (!(buffer->base | buffer->index | buffer->maximum | buffer->threshold))
		return PRECIS_DS_NO_BUFFER;
	if (buffer->maximum < buffer->base)
		return PRECIS_DS_MAXIMUM_BELOW_BASE;
	if (buffer->index < buffer->base)
		return PRECIS_DS_INDEX_BELOW_BASE;
	if (buffer->index > buffer->maximum)
		return PRECIS_DS_INDEX_BEYOND_MAXIMUM;
	if (word && (buffer->base % word || buffer->index % word))
		return PRECIS_DS_MISALIGNED;
	if (record_bytes && (buffer->index - buffer->base) % record_bytes)
		return PRECIS_DS_PARTIAL_RECORD;
	if (buffer->threshold < buffer->base || buffer->threshold > buffer->maximum)
		return PRECIS_DS_THRESHOLD_OUTSIDE;
	return PRECIS_DS_SOUND;
}

static int is_in_memory(const struct precis_ds_buffer *buffer, const struct ds_memory *from)
{
	uint64_t begin = buffer->base - from->address;

	/* nothing lies anywhere */
	if (buffer->index == buffer->base)
		return 1;
	return buffer->base >= from->address && begin <= from->count &&
	       buffer->index - buffer->base <= from->count - begin;
}

int precis_ds_filled(const struct precis_ds_buffer *buffer, uint32_t word, uint32_t record_bytes,
		     const struct ds_memory *from, struct ds_filled *filled, uint32_t *fault)
{
	enum precis_ds_fault found = precis_ds_check(buffer, word, record_bytes);
	int rc = 0;

	filled->bytes = (const uint8_t *)from->memory;
	filled->count = 0;
	if (!from->memory && from->count)
		return PRECIS_E_ARGUMENT;
	if (found != PRECIS_DS_NO_BUFFER) {
		if (found >= PRECIS_DS_MAXIMUM_BELOW_BASE && found <= PRECIS_DS_MISALIGNED) {
			rc = PRECIS_E_BAD_SIZE;
		} else if (!is_in_memory(buffer, from)) {
			found = PRECIS_DS_NOT_IN_MEMORY;
			rc = PRECIS_E_TRUNCATED;
		} else if (buffer->index > buffer->base) {
			filled->bytes += buffer->base - from->address;
			filled->count = (size_t)(buffer->index - buffer->base);
		}
	}
	if (fault)
		*fault = found;
	return rc;
}
