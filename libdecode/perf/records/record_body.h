/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parsers of record bodies share: how they begin, and strings. */
#ifndef PRECIS_PERF_RECORD_BODY_H
#define PRECIS_PERF_RECORD_BODY_H

#include <precis/error.h>

#include "record_header.h"

/* Begin a parse of a record of one of two types. @return 0, PRECIS_E_ARGUMENT, PRECIS_E_BAD_SIZE */
static inline int record_open_either(const struct precis_record *record, uint32_t type,
				     uint32_t or_type, struct cursor *body)
{
	if (!record || (record->type != type && record->type != or_type))
		return PRECIS_E_ARGUMENT;
	if (record->size < RECORD_HEADER_BYTES)
		return PRECIS_E_BAD_SIZE;
	*body = record_body(record);
	return 0;
}

static inline int record_open(const struct precis_record *record, uint32_t type,
			      struct cursor *body)
{
	return record_open_either(record, type, type, body);
}

static inline int cursor_pair(struct cursor *body, uint32_t *first, uint32_t *second)
{
	return cursor_u32(body, first) && cursor_u32(body, second);
}

/* A string that ends inside the record. What follows it is not looked at. */
static inline int cursor_text(const struct cursor *body, const char **text)
{
	if (!memchr(body->at, '\0', cursor_left(body)))
		return 0;
	*text = (const char *)body->at;
	return 1;
}

/* A name in a room of fixed size, with or without a NUL */
static inline int cursor_name(struct cursor *body, size_t room, const char **name, uint32_t *bytes)
{
	const uint8_t *at;

	if (!cursor_array(body, room, 1, &at))
		return 0;
	*name = (const char *)at;
	*bytes = (uint32_t)strnlen(*name, room);
	return 1;
}

/* 'count' entries of 'entry' bytes as a view */
static inline int cursor_view(struct cursor *body, uint64_t count, size_t entry,
			      struct precis_bytes *view)
{
	if (!cursor_array(body, count, entry, &view->data))
		return 0;
	view->bytes = (uint32_t)(count * entry);
	return 1;
}

/* {u64 count; entry[count]} */
static inline int cursor_counted(struct cursor *body, size_t entry, uint64_t *count,
				 struct precis_bytes *entries)
{
	return cursor_u64(body, count) && cursor_view(body, *count, entry, entries);
}

/* All that is left */
static inline void cursor_rest(struct cursor *body, struct precis_bytes *rest)
{
	rest->data = body->at;
	rest->bytes = (uint32_t)cursor_left(body);
	body->at = body->end;
}

/* Begin to read entry n of a view. @return 0, PRECIS_E_ARGUMENT */
static inline int entry_open(const struct precis_bytes *entries, size_t entry_bytes, uint64_t n,
			     struct cursor *entry)
{
	if (n >= entries->bytes / entry_bytes)
		return PRECIS_E_ARGUMENT;
	entry->at = entries->data + n * entry_bytes;
	entry->end = entry->at + entry_bytes;
	return 0;
}

#endif
