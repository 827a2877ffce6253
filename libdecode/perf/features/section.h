/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parsers of feature sections share: strings and counts. */
#ifndef PRECIS_PERF_SECTION_H
#define PRECIS_PERF_SECTION_H

#include <precis/record.h>

#include "libdecode/perf/records/bytes.h"

#define SECTION_TEXT_MIN_BYTES 4u /* the length of an empty one */

static inline struct cursor section_open(struct precis_bytes section)
{
	struct cursor at = { section.data, section.data + section.bytes };

	return at;
}

/* struct perf_header_string: {u32 length; text padded with NULs to that length} */
static inline int section_text(struct cursor *section, const char **text)
{
	const uint8_t *bytes;
	uint32_t length;

	if (!cursor_u32(section, &length) || !cursor_array(section, length, 1, &bytes))
		return 0;
	if (length && !memchr(bytes, '\0', length))
		return 0;
	*text = length ? (const char *)bytes : "";
	return 1;
}

/* A number of entries that cannot all be there is a lie, not a reason to allocate. */
static inline int section_count(struct cursor *section, size_t entry_min, uint32_t *count)
{
	return cursor_u32(section, count) && *count <= cursor_left(section) / entry_min;
}

#endif
