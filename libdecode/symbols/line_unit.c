/* SPDX-License-Identifier: BSD-3-Clause */
/* The header of a line number program: how it counts, and its files. */
#include <stdio.h>

#include "line_program.h"

#define LENGTH_64 UINT32_C(0xffffffff)
/* Each look-up of a file goes through the header: a larger one is no compiler's */
#define HEADER_MOST ((size_t)1 << 20)

/* What an entry of a directory or file consists of (version 5) */
enum { CONTENT_PATH = 1, CONTENT_DIRECTORY_INDEX = 2 };

enum {
	FORM_BLOCK2 = 0x03,
	FORM_BLOCK4 = 0x04,
	FORM_DATA2 = 0x05,
	FORM_DATA4 = 0x06,
	FORM_DATA8 = 0x07,
	FORM_STRING = 0x08,
	FORM_BLOCK = 0x09,
	FORM_BLOCK1 = 0x0a,
	FORM_DATA1 = 0x0b,
	FORM_STRP = 0x0e,
	FORM_UDATA = 0x0f,
	FORM_DATA16 = 0x1e,
	FORM_LINE_STRP = 0x1f
};

struct entry {
	const char *path; /* NULL: not to be had */
	uint64_t directory;
};

/* --- the header -------------------------------------------------------------------------- */

/* The unit's length and how long offsets are. @return 0 if it does not end in the bytes */
static int take_length(struct line_bytes *bytes, struct line_unit *unit)
{
	uint64_t length;

	unit->offset_bytes = 4;
	if (!take_fixed(bytes, 4, &length))
		return 0;
	if (length == LENGTH_64) {
		unit->offset_bytes = 8;
		if (!take_fixed(bytes, 8, &length))
			return 0;
	}
	if (length > bytes->bytes)
		return 0;
	bytes->bytes = (size_t)length;
	return 1;
}

/* @return 1 if the header is understood; 'bytes' then has the rest of it, behind the opcodes */
static int take_parameters(struct line_bytes *bytes, struct line_unit *unit)
{
	uint8_t instruction, operations = 1, is_statement, base, range, opcode_base;
	uint64_t version, header_bytes;
	int is_5;

	if (!take_fixed(bytes, 2, &version) || version < 2 || version > 5)
		return 0;
	unit->version = (uint32_t)version;
	is_5 = version == 5;
	/* {u8 address size, segment selector size} */
	if ((is_5 && !skip_bytes(bytes, 2)) ||
	    !take_fixed(bytes, unit->offset_bytes, &header_bytes) || header_bytes > bytes->bytes ||
	    header_bytes > HEADER_MOST)
		return 0;
	unit->program.at = bytes->at + header_bytes;
	unit->program.bytes = bytes->bytes - (size_t)header_bytes;
	bytes->bytes = (size_t)header_bytes;
	if (!take_u8(bytes, &instruction) || (version >= 4 && !take_u8(bytes, &operations)) ||
	    !take_u8(bytes, &is_statement) || !take_u8(bytes, &base) || !take_u8(bytes, &range) ||
	    !take_u8(bytes, &opcode_base) || range == 0 || opcode_base == 0 || operations != 1)
		return 0;
	unit->minimum_instruction = instruction;
	unit->line_base = (int8_t)base;
	unit->line_range = range;
	unit->opcode_base = opcode_base;
	unit->operands = bytes->at;
	return skip_bytes(bytes, opcode_base - 1u);
}

/* Lists of versions before 5 end with an empty string */
static int skip_directories(struct line_bytes *bytes)
{
	const char *text;

	do
		text = take_text(bytes);
	while (text && text[0]);
	return text != NULL;
}

int precis_line_unit_parse(struct line_bytes bytes, struct line_unit *unit, size_t *total)
{
	const uint8_t *start = bytes.at;

	*total = 0;
	if (!take_length(&bytes, unit))
		return 0;
	*total = (size_t)(bytes.at - start) + bytes.bytes;
	if (!take_parameters(&bytes, unit))
		return 0;
	unit->directories = bytes;
	if (unit->version < 5 && !skip_directories(&bytes))
		return 0;
	unit->files = bytes;
	return 1;
}

/* --- names, versions 2 to 4 -------------------------------------------------------------- */

/* Directory n, from 1; NULL: the directory of the compilation, which the table does not have */
static const char *old_directory(const struct line_unit *unit, uint64_t n)
{
	struct line_bytes left = unit->directories;
	const char *text = NULL;

	for (; n > 0; n--) {
		text = take_text(&left);
		if (!text || !text[0])
			return NULL;
	}
	return text;
}

/* File n, from 1 */
static int old_file(const struct line_unit *unit, uint32_t n, struct entry *found)
{
	struct line_bytes left = unit->files;
	uint64_t ignored;

	if (n == 0)
		return 0;
	for (; n > 0; n--) {
		found->path = take_text(&left);
		if (!found->path || !found->path[0] || !take_uleb(&left, &found->directory) ||
		    !take_uleb(&left, &ignored) || !take_uleb(&left, &ignored))
			return 0;
	}
	return 1;
}

/* --- names, version 5 -------------------------------------------------------------------- */

static const char *text_at(struct line_bytes strings, uint64_t offset)
{
	return skip_bytes(&strings, offset) ? take_text(&strings) : NULL;
}

/* @return 0 if the form is not one that an entry can have */
static int take_form(const struct line_unit *unit, struct line_bytes strings,
		     struct line_bytes *from, uint64_t form, uint64_t *number, const char **text)
{
	*text = NULL;
	*number = 0;
	switch (form) {
	case FORM_STRING:
		*text = take_text(from);
		return *text != NULL;
	case FORM_LINE_STRP:
		if (!take_fixed(from, unit->offset_bytes, number))
			return 0;
		*text = text_at(strings, *number);
		return 1;
	case FORM_STRP: /* in .debug_str, which compilers do not use for this */
		return take_fixed(from, unit->offset_bytes, number);
	case FORM_DATA1:
		return take_fixed(from, 1, number);
	case FORM_DATA2:
		return take_fixed(from, 2, number);
	case FORM_DATA4:
		return take_fixed(from, 4, number);
	case FORM_DATA8:
		return take_fixed(from, 8, number);
	case FORM_DATA16:
		return skip_bytes(from, 16);
	case FORM_UDATA:
		return take_uleb(from, number);
	case FORM_BLOCK:
		return take_uleb(from, number) && skip_bytes(from, *number);
	case FORM_BLOCK1:
		return take_fixed(from, 1, number) && skip_bytes(from, *number);
	case FORM_BLOCK2:
		return take_fixed(from, 2, number) && skip_bytes(from, *number);
	case FORM_BLOCK4:
		return take_fixed(from, 4, number) && skip_bytes(from, *number);
	default:
		return 0;
	}
}

static int take_entry(const struct line_unit *unit, struct line_bytes strings,
		      struct line_bytes format, struct line_bytes *from, struct entry *entry)
{
	uint64_t content, form, number;
	const char *text;

	entry->path = NULL;
	entry->directory = 0;
	while (format.bytes > 0) {
		if (!take_uleb(&format, &content) || !take_uleb(&format, &form) ||
		    !take_form(unit, strings, from, form, &number, &text))
			return 0;
		if (content == CONTENT_PATH)
			entry->path = text;
		else if (content == CONTENT_DIRECTORY_INDEX)
			entry->directory = number;
	}
	return 1;
}

/*
 * Entry n, from 0, of a list {format; count; entries}; UINT64_MAX: pass over all of it.
 * 'from' is then behind the list. An entry has a byte at least, or there is no end of them.
 */
static int find_entry(const struct line_unit *unit, struct line_bytes strings,
		      struct line_bytes *from, uint64_t n, struct entry *entry)
{
	struct line_bytes format;
	uint64_t count, ignored, i;
	uint8_t formats;

	if (!take_u8(from, &formats))
		return 0;
	format = *from;
	for (i = 0; i < 2u * formats; i++) {
		if (!take_uleb(from, &ignored))
			return 0;
	}
	format.bytes -= from->bytes;
	if (!take_uleb(from, &count) || count > from->bytes)
		return 0;
	for (i = 0; i < count; i++) {
		if (!take_entry(unit, strings, format, from, entry))
			return 0;
		if (i == n)
			return 1;
	}
	return n == UINT64_MAX;
}

static int new_file(const struct line_unit *unit, struct line_bytes strings, uint32_t n,
		    struct entry *found)
{
	struct line_bytes left = unit->directories;
	struct entry ignored;

	return find_entry(unit, strings, &left, UINT64_MAX, &ignored) &&
	       find_entry(unit, strings, &left, n, found) && found->path;
}

static const char *new_directory(const struct line_unit *unit, struct line_bytes strings,
				 uint64_t n)
{
	struct line_bytes left = unit->directories;
	struct entry found;

	return find_entry(unit, strings, &left, n, &found) ? found.path : NULL;
}

/* --- both -------------------------------------------------------------------------------- */

int precis_line_file(const struct line_unit *unit, struct line_bytes strings, uint32_t file,
		     char *name, size_t room)
{
	const char *directory, *base = NULL;
	struct entry entry;
	int is_5 = unit->version == 5;

	if (!(is_5 ? new_file(unit, strings, file, &entry) : old_file(unit, file, &entry)))
		return 0;
	directory = is_5 ? new_directory(unit, strings, entry.directory)
			 : old_directory(unit, entry.directory);
	if (entry.path[0] == '/' || !directory)
		return snprintf(name, room, "%s", entry.path) < (int)room;
	/* Directory 0 of version 5 is that of the compilation; others may be relative to it */
	if (is_5 && directory[0] != '/')
		base = new_directory(unit, strings, 0);
	return snprintf(name, room, "%s%s%s/%s", base ? base : "", base ? "/" : "", directory,
			entry.path) < (int)room;
}
