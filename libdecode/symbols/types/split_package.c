/* SPDX-License-Identifier: BSD-3-Clause */
/* DWARF 5, section 7.3.5; GNU's form before it: gcc wiki, "DebugFissionDWP". */
#define _GNU_SOURCE /* qsort_r() */
#include "split_package.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#define STRINGS ".debug_str.dwo"
/* Those, and the strings */
#define PARTS (SPLIT_KINDS + 1)

/* In GNU's form and in DWARF 5: DW_SECT_*, 0: there is none; and the name */
static const struct {
	uint8_t number;
	const char *name;
} kinds[2][SPLIT_KINDS] = {
	{
		[SPLIT_INFO] = { 1, ".debug_info.dwo" },
		[SPLIT_ABBREVIATIONS] = { 3, ".debug_abbrev.dwo" },
		[SPLIT_LOCATIONS] = { 5, ".debug_loclists.dwo" },
		[SPLIT_STRING_OFFSETS] = { 6, ".debug_str_offsets.dwo" },
		[SPLIT_RANGES] = { 8, ".debug_rnglists.dwo" },
	},
	{
		[SPLIT_INFO] = { 1, ".debug_info.dwo" },
		[SPLIT_TYPES] = { 2, ".debug_types.dwo" },
		[SPLIT_ABBREVIATIONS] = { 3, ".debug_abbrev.dwo" },
		[SPLIT_LOCATIONS] = { 5, ".debug_loc.dwo" },
		[SPLIT_STRING_OFFSETS] = { 6, ".debug_str_offsets.dwo" },
	},
};

/* --- the index --------------------------------------------------------------------------- */

static int take_run(struct line_bytes *from, uint64_t bytes, struct line_bytes *run)
{
	*run = (struct line_bytes){ from->at, (size_t)bytes };
	return skip_bytes(from, bytes);
}

static uint32_t number_at(const struct line_bytes *numbers, uint64_t n)
{
	uint32_t number;

	memcpy(&number, numbers->at + 4 * n, sizeof(number));
	return number;
}

static void find_columns(const struct line_bytes *numbers, struct split_index *index)
{
	for (enum split_kind kind = 0; kind < SPLIT_KINDS; kind++) {
		const uint32_t number = kinds[index->is_gnu][kind].number;

		index->column[kind] = SPLIT_NO_COLUMN;
		for (uint32_t column = index->columns; number && column-- > 0;) {
			if (number_at(numbers, column) == number)
				index->column[kind] = column;
		}
	}
}

/* @return 0 if it is none; one without units has no tables */
static int read_index(struct line_bytes left, struct split_index *index)
{
	uint32_t version, head[3];
	struct line_bytes numbers;
	uint64_t cells;

	if (!take_bytes(&left, &version, sizeof(version)) || !take_bytes(&left, head, sizeof(head)))
		return 0;
	index->is_gnu = version == 2;
	/* in DWARF 5 there are two bytes of it, and two of nothing */
	if (!index->is_gnu && (version & 0xffff) != 5)
		return 0;
	index->columns = head[0], index->units = head[1], index->slots = head[2];
	cells = (uint64_t)index->columns * index->units;
	if (index->slots & (index->slots - 1) || index->columns > 32 ||
	    !take_run(&left, 8 * (uint64_t)index->slots, &index->ids) ||
	    !take_run(&left, 4 * (uint64_t)index->slots, &index->rows) ||
	    !take_run(&left, 4 * (uint64_t)index->columns, &numbers) ||
	    !take_run(&left, 4 * cells, &index->offsets) ||
	    !take_run(&left, 4 * cells, &index->sizes))
		return 0;
	find_columns(&numbers, index);
	return 1;
}

/* Open addressing, as the documents have it. @return a row from 1 on; 0: there is none */
static uint32_t find_row(const struct split_index *index, uint64_t id)
{
	const uint64_t mask = index->slots - 1;
	const uint64_t step = (id >> 32 & mask) | 1;
	uint64_t slot = id & mask, found;

	for (uint32_t tried = 0; tried < index->slots; tried++, slot = (slot + step) & mask) {
		const uint32_t row = number_at(&index->rows, slot);

		memcpy(&found, index->ids.at + 8 * slot, sizeof(found));
		if (row == 0)
			return 0;
		if (found == id)
			return row <= index->units ? row : 0;
	}
	return 0;
}

struct share {
	uint32_t offset, bytes;
};

/* Of a row, from 0 on; 0 and 0 where it has none, as of a first one that is empty */
static struct share cell_of(const struct split_index *index, uint32_t row, enum split_kind kind)
{
	const uint32_t column = index->column[kind];
	const uint64_t cell = (uint64_t)row * index->columns + column;

	if (column == SPLIT_NO_COLUMN)
		return (struct share){ 0, 0 };
	return (struct share){ number_at(&index->offsets, cell), number_at(&index->sizes, cell) };
}

static uint32_t offset_of(const struct split_index *index, uint32_t row, enum split_kind kind)
{
	return cell_of(index, row, kind).offset;
}

/* @return 0 if it is not within the section */
static int share_of(const struct split_package *package, const struct split_index *index,
		    uint32_t row, enum split_kind kind, struct line_bytes *share)
{
	const struct share is = cell_of(index, row, kind);

	*share = package->sections[kind];
	if (!skip_bytes(share, is.offset) || is.bytes > share->bytes)
		return 0;
	share->bytes = is.bytes;
	return 1;
}

static int by_abbreviations(const void *a, const void *b, void *data)
{
	const struct split_index *types = data;
	const uint32_t left = offset_of(types, *(const uint32_t *)a, SPLIT_ABBREVIATIONS);
	const uint32_t right = offset_of(types, *(const uint32_t *)b, SPLIT_ABBREVIATIONS);

	return (left > right) - (left < right);
}

/* --- what is made of it ------------------------------------------------------------------ */

/* What parts are made of that are not as they stand in the package */
struct made_parts {
	uint8_t *memory[PARTS];
};

static uint8_t *room(struct made_parts *made, struct split_part *part, enum split_kind kind,
		     size_t bytes)
{
	made->memory[kind] = malloc(bytes ? bytes : 1);
	part->bytes = (struct line_bytes){ made->memory[kind], bytes };
	return made->memory[kind];
}

/* Is a unit of types of that unit's split file? They have their abbreviations and strings together. */
static int is_of_unit(const struct split_package *package, uint32_t type, uint32_t row)
{
	return offset_of(&package->types, type, SPLIT_ABBREVIATIONS) ==
		       offset_of(&package->units, row, SPLIT_ABBREVIATIONS) &&
	       offset_of(&package->types, type, SPLIT_STRING_OFFSETS) ==
		       offset_of(&package->units, row, SPLIT_STRING_OFFSETS);
}

/* The first, in the order of the abbreviations, that may be */
static uint32_t first_type(const struct split_package *package, uint32_t row)
{
	const uint32_t wanted = offset_of(&package->units, row, SPLIT_ABBREVIATIONS);
	uint32_t low = 0, high = package->types.units;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (offset_of(&package->types, package->type_by_abbreviations[middle],
			      SPLIT_ABBREVIATIONS) < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The unit's share of a section, and behind it those of the units of types with it. @return 0, negative */
static int join_types(const struct split_package *package, uint32_t row, enum split_kind kind,
		      size_t most, struct made_parts *made, struct split_part *part)
{
	const struct split_index *types = &package->types;
	const struct line_bytes own = part->bytes;
	uint32_t end = first_type(package, row);
	const uint32_t begin = end;
	struct line_bytes share;
	size_t bytes = own.bytes;
	uint8_t *to;

	for (; end < types->units && is_of_unit(package, package->type_by_abbreviations[end], row);
	     end++) {
		if (!share_of(package, types, package->type_by_abbreviations[end], kind, &share))
			return PRECIS_E_BAD_SIZE;
		if (share.bytes > most - bytes)
			return PRECIS_E_EXPANSION;
		bytes += share.bytes;
	}
	if (bytes == own.bytes)
		return 0;
	to = room(made, part, kind, bytes);
	if (!to)
		return PRECIS_E_NO_MEMORY;
	if (own.bytes)
		memcpy(to, own.at, own.bytes);
	to += own.bytes;
	for (uint32_t n = begin; n < end; n++) {
		share_of(package, types, package->type_by_abbreviations[n], kind, &share);
		if (share.bytes)
			memcpy(to, share.at, share.bytes);
		to += share.bytes;
	}
	return 0;
}

/* What is before the offsets of strings, and how many bytes each has. @return 0 if that is cut */
static int strings_head(const struct split_package *package, struct line_bytes offsets,
			size_t *head, unsigned int *width)
{
	uint64_t length;

	*head = 0, *width = 4;
	if (package->units.is_gnu || !offsets.bytes)
		return 1;
	if (!take_fixed(&offsets, 4, &length))
		return 0;
	*width = length == UINT32_MAX ? 8 : 4;
	*head = *width == 8 ? 16 : 8;
	return *head <= offsets.bytes + 4;
}

/* @return its bytes with the NUL; 0: there is none at that place */
static size_t string_bytes(struct line_bytes strings, uint64_t at)
{
	const uint8_t *begin;

	if (!skip_bytes(&strings, at))
		return 0;
	begin = strings.at;
	return take_text(&strings) ? (size_t)(strings.at - begin) : 0;
}

/*
 * Of the strings, which units have together, those of this one: else each would take all of them. One that
 * is not there becomes an empty one, the first.
 * @return 0, negative
 */
static int pick_strings(const struct split_package *package, size_t most, struct made_parts *made,
			struct split_part *offsets, struct split_part *picked)
{
	const struct line_bytes strings = package->strings, old = offsets->bytes;
	struct line_bytes left = old;
	size_t head, bytes = 1;
	unsigned int width;
	uint8_t *table, *text;

	if (!strings_head(package, old, &head, &width))
		return PRECIS_E_BAD_SIZE;
	skip_bytes(&left, head);
	for (uint64_t at; take_fixed(&left, width, &at);) {
		const size_t more = string_bytes(strings, at);

		if (more > most - bytes)
			return PRECIS_E_EXPANSION;
		bytes += more;
	}
	table = room(made, offsets, SPLIT_STRING_OFFSETS, old.bytes);
	text = room(made, picked, SPLIT_KINDS, bytes);
	if (!table || !text)
		return PRECIS_E_NO_MEMORY;
	if (old.bytes)
		memcpy(table, old.at, old.bytes);
	left = old;
	skip_bytes(&left, head);
	table += head;
	text[0] = '\0';
	bytes = 1;
	for (uint64_t at; take_fixed(&left, width, &at); table += width) {
		const size_t more = string_bytes(strings, at);
		const uint64_t now = more ? bytes : 0;

		memcpy(table, &now, width);
		if (more)
			memcpy(text + bytes, strings.at + at, more);
		bytes += more;
	}
	return 0;
}

/* @return 0, negative */
static int parts_of(const struct split_package *package, uint32_t row, size_t most,
		    struct made_parts *made, struct split_part *part)
{
	const uint8_t is_gnu = package->units.is_gnu;
	int error;

	for (enum split_kind kind = 0; kind < SPLIT_KINDS; kind++) {
		part[kind].name = kinds[is_gnu][kind].name;
		if (!share_of(package, &package->units, row, kind, &part[kind].bytes))
			return PRECIS_E_BAD_SIZE;
	}
	part[SPLIT_KINDS].name = STRINGS;
	error = join_types(package, row, is_gnu ? SPLIT_TYPES : SPLIT_INFO, most, made,
			   &part[is_gnu ? SPLIT_TYPES : SPLIT_INFO]);
	return error ? error
		     : pick_strings(package, most, made, &part[SPLIT_STRING_OFFSETS],
				    &part[SPLIT_KINDS]);
}

/* Those that there are, in their order. @return how many */
static size_t without_empty(struct split_part *part)
{
	size_t parts = 0;

	for (size_t n = 0; n < PARTS; n++) {
		if (part[n].bytes.bytes)
			part[parts++] = part[n];
	}
	return parts;
}

int precis_split_package_unit(const struct split_package *package, uint64_t id,
			      const struct split_lent *lent, size_t most, size_t *bytes,
			      struct elf_source *made)
{
	const uint32_t row = find_row(&package->units, id);
	struct split_part part[PARTS] = { { NULL, { NULL, 0 } } };
	struct made_parts own = { { NULL } };
	size_t parts, total = 0;
	int error;

	if (row == 0)
		return 0;
	error = parts_of(package, row - 1, most - *bytes, &own, part);
	parts = without_empty(part);
	for (size_t n = 0; n < parts; n++)
		total += part[n].bytes.bytes;
	if (!error && total > most - *bytes)
		error = PRECIS_E_EXPANSION;
	if (!error)
		error = precis_split_image_make(part, parts, &package->header, lent, most, bytes,
						made);
	for (size_t n = 0; n < PARTS; n++)
		free(own.memory[n]);
	return error ? error : 1;
}

/* --- its life ---------------------------------------------------------------------------- */

/* @return 0, negative */
static int sort_types(struct split_package *package, size_t most, size_t *bytes)
{
	const size_t units = package->types.units, each = sizeof(*package->type_by_abbreviations);

	if (units > (most - *bytes) / each)
		return PRECIS_E_EXPANSION;
	*bytes += units * each;
	package->type_by_abbreviations = malloc(units * each + 1);
	if (!package->type_by_abbreviations)
		return PRECIS_E_NO_MEMORY;
	for (size_t n = 0; n < units; n++)
		package->type_by_abbreviations[n] = (uint32_t)n;
	qsort_r(package->type_by_abbreviations, units, each, by_abbreviations, &package->types);
	return 0;
}

static void read_sections(struct split_package *package)
{
	for (enum split_kind kind = 0; kind < SPLIT_KINDS; kind++) {
		const char *name = kinds[package->units.is_gnu][kind].name;

		if (name)
			package->sections[kind] = precis_elf_section_bytes(&package->source, name);
	}
	package->strings = precis_elf_section_bytes(&package->source, STRINGS);
}

static int begin(struct split_package *package, size_t most, size_t *bytes)
{
	const int error = precis_elf_unpack_debug(&package->source, most, bytes);
	struct line_bytes types;

	if (error)
		return error;
	types = precis_elf_section_bytes(&package->source, ".debug_tu_index");
	if (!gelf_getehdr(package->source.elf, &package->header) ||
	    package->header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    package->header.e_ident[EI_DATA] != ELFDATA2LSB ||
	    !read_index(precis_elf_section_bytes(&package->source, ".debug_cu_index"),
			&package->units))
		return PRECIS_E_BAD_SIZE;
	/* of another form they would be of another package */
	if (types.bytes &&
	    (!read_index(types, &package->types) ||
	     (package->types.units && package->types.is_gnu != package->units.is_gnu)))
		return PRECIS_E_BAD_SIZE;
	read_sections(package);
	return sort_types(package, most, bytes);
}

int precis_split_package_open(struct split_package *package, const char *root, const char *path,
			      size_t most, size_t *bytes)
{
	int error;

	*package = (struct split_package){ .source = { .fd = -1 }, .root = root };
	snprintf(package->path, sizeof(package->path), "%s", path);
	if (precis_elf_open_debug(root, path, &package->source))
		return 0;
	error = begin(package, most, bytes);
	if (error)
		precis_split_package_close(package);
	return error ? error : 1;
}

void precis_split_package_close(struct split_package *package)
{
	precis_elf_close(&package->source);
	free(package->type_by_abbreviations);
}
