/* SPDX-License-Identifier: BSD-3-Clause */
/* See blob.h. */
#include <stdlib.h>
#include <string.h>

#include "blob.h"

#define STRING_ALIGN 64u /* NAME_ALIGN of tools/perf/util/header.c */

static int make_room(struct blob *blob, size_t count)
{
	size_t room = blob->room ? blob->room : 256;
	uint8_t *bytes;

	if (blob->failed || count > SIZE_MAX / 4 - blob->count)
		return 0;
	if (blob->count + count <= blob->room)
		return 1;
	while (room < blob->count + count)
		room *= 2;
	bytes = realloc(blob->bytes, room);
	if (!bytes)
		return 0;
	blob->bytes = bytes;
	blob->room = room;
	return 1;
}

void precis_blob_put(struct blob *blob, const void *bytes, size_t count)
{
	if (!make_room(blob, count)) {
		blob->failed = 1;
		return;
	}
	if (count)
		memcpy(blob->bytes + blob->count, bytes, count);
	blob->count += count;
}

void precis_blob_u32(struct blob *blob, uint32_t value)
{
	precis_blob_put(blob, &value, sizeof(value));
}

void precis_blob_string(struct blob *blob, const char *text)
{
	static const uint8_t padding[STRING_ALIGN];
	size_t length = strlen(text) + 1;
	size_t padded = (length + STRING_ALIGN - 1) / STRING_ALIGN * STRING_ALIGN;

	if (padded > UINT32_MAX) {
		blob->failed = 1;
		return;
	}
	precis_blob_u32(blob, (uint32_t)padded);
	precis_blob_put(blob, text, length);
	precis_blob_put(blob, padding, padded - length);
}

void precis_blob_free(struct blob *blob)
{
	free(blob->bytes);
}
