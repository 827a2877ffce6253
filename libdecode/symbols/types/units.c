/* SPDX-License-Identifier: BSD-3-Clause */
/* Units: DWARF 5, section 3.1; GNU's split DWARF of version 4 by its attributes. */
#define _GNU_SOURCE /* qsort_r() */

#include "units.h"

#include <stdlib.h>
#include <string.h>

#include "debug_file.h"
#include "die.h"
#include "libdecode/symbols/line_program.h"
#include "named.h"

#ifndef DW_LANG_Fortran18
#define DW_LANG_Fortran18 0x2d
#endif
#ifndef DW_LANG_C17
#define DW_LANG_C17 0x2c
#endif
#ifndef DW_LANG_C_plus_plus_17
#define DW_LANG_C_plus_plus_17 0x2b
#endif
#ifndef DW_LANG_C_plus_plus_20
#define DW_LANG_C_plus_plus_20 0x2e
#endif

int precis_language_is_fortran(uint32_t language)
{
	switch (language) {
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
	case DW_LANG_Fortran18:
		return 1;
	default:
		return 0;
	}
}

int precis_language_is_c(uint32_t language)
{
	switch (language) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_C17:
	case DW_LANG_ObjC:
	case DW_LANG_UPC:
		return 1;
	default:
		return 0;
	}
}

int precis_language_is_cplusplus(uint32_t language)
{
	switch (language) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case DW_LANG_C_plus_plus_17:
	case DW_LANG_C_plus_plus_20:
	case DW_LANG_ObjC_plus_plus:
		return 1;
	default:
		return 0;
	}
}

/* DWARF 5, table 7.17 */
int64_t precis_language_lower_bound(uint32_t language)
{
	switch (language) {
	case DW_LANG_Ada83:
	case DW_LANG_Ada95:
	case DW_LANG_Cobol74:
	case DW_LANG_Cobol85:
	case DW_LANG_Modula2:
	case DW_LANG_Modula3:
	case DW_LANG_Pascal83:
	case DW_LANG_PLI:
	case DW_LANG_Julia:
		return 1;
	default:
		return precis_language_is_fortran(language);
	}
}

static void describe(struct unit *unit)
{
	uint64_t language = 0;

	if (!precis_die_unsigned(&unit->root, DW_AT_addr_base, &unit->address_base) &&
	    !precis_die_unsigned(&unit->root, DW_AT_GNU_addr_base, &unit->address_base))
		unit->address_base = 0;
	if (!precis_die_unsigned(&unit->root, DW_AT_GNU_ranges_base, &unit->ranges_base))
		unit->ranges_base = UINT64_MAX;
	if (!precis_die_unsigned(&unit->root, DW_AT_stmt_list, &unit->lines))
		unit->lines = UINT64_MAX;
	precis_die_unsigned(&unit->root, DW_AT_language, &language);
	unit->language = (uint32_t)language;
}

/* @return 0 if memory is short: that is noted */
static int add(struct precis_data_types *types, const struct unit *unit)
{
	if (types->units >= UINT32_MAX ||
	    !precis_data_types_grow(types, &types->unit, &types->unit_room, types->units,
				    sizeof(*types->unit))) {
		types_lack(types, PRECIS_DATA_TYPE_TOO_MANY);
		return 0;
	}
	types->unit[types->units] = *unit;
	types->unit[types->units].skeleton = (uint32_t)types->units;
	types->unit[types->units].split = (uint32_t)types->units;
	types->units++;
	return 1;
}

/* One of version 4 that has names of what was inlined: for libdw it is a unit of a split file */
static int is_gnu_skeleton(Dwarf_Die *root, uint8_t kind)
{
	return kind == DW_UT_split_compile && precis_die_has(root, DW_AT_GNU_addr_base);
}

static void read_file(struct precis_data_types *types, struct debug_file *file)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	uint8_t kind;
	Dwarf_Die root;
	int result;

	/* The split units are opened by us: libdw is not asked for them */
	while ((result = dwarf_get_units(file->dwarf, cu, &cu, &version, &kind, &root, NULL)) == 0) {
		struct unit unit = { .root = root, .file = file };
		uint64_t split = 0;

		if (version < 2 || version > 5 || !root.addr ||
		    dwarf_cu_info(cu, &version, &kind, NULL, NULL, &split, &unit.address_bytes,
				  &unit.offset_bytes))
			continue;
		unit.version = (uint8_t)version;
		unit.is_skeleton = kind == DW_UT_skeleton || is_gnu_skeleton(&unit.root, kind);
		unit.split_id = split;
		describe(&unit);
		if (!add(types, &unit))
			return;
	}
	if (result < 0)
		types_lack(types, PRECIS_DATA_TYPE_MALFORMED);
}

/* The bytes of a section from 'at' on that end at 'end', or with the section */
static struct line_bytes between(struct line_bytes section, uint64_t at, uint64_t end)
{
	if (end < section.bytes)
		section.bytes = (size_t)end;
	return skip_bytes(&section, at) ? section : (struct line_bytes){ NULL, 0 };
}

/* Where the next skeleton's share of a section begins */
struct ends {
	uint64_t addresses, ranges;
};

static struct ends ends_of(const struct precis_data_types *types, const struct unit *own,
			   size_t programs)
{
	struct ends ends = { UINT64_MAX, UINT64_MAX };

	for (size_t n = 0; n < programs; n++) {
		const struct unit *unit = &types->unit[n];

		if (!unit->is_skeleton || unit->file != own->file)
			continue;
		if (unit->address_base > own->address_base && unit->address_base < ends.addresses)
			ends.addresses = unit->address_base;
		if (unit->ranges_base > own->ranges_base && unit->ranges_base < ends.ranges)
			ends.ranges = unit->ranges_base;
	}
	return ends;
}

/* What a skeleton has for its split unit. From version 5 on its addresses say how many they are. */
static void lend(const struct precis_data_types *types, const struct unit *skeleton,
		 size_t programs, struct split_lent *lent)
{
	const struct debug_file *file = skeleton->file;
	const unsigned int bytes = skeleton->offset_bytes;
	struct ends ends = { 0, 0 };
	struct line_bytes head;
	Dwarf_Die root = skeleton->root;
	Dwarf_Addr low;

	*lent = (struct split_lent){ .address_bytes = skeleton->address_bytes };
	if (dwarf_lowpc(&root, &low) == 0)
		lent->base = low;
	if (skeleton->version < 5) {
		ends = ends_of(types, skeleton, programs);
	} else if (skeleton->address_base >= 4u + bytes) {
		head = between(file->addresses, skeleton->address_base - 4 - bytes, UINT64_MAX);
		if (!take_fixed(&head, bytes, &ends.addresses) ||
		    __builtin_add_overflow(ends.addresses, skeleton->address_base - 4,
					   &ends.addresses))
			ends.addresses = 0;
	}
	if (ends.addresses >= skeleton->address_base)
		lent->addresses = between(file->addresses, skeleton->address_base, ends.addresses);
	if (skeleton->ranges_base != UINT64_MAX && ends.ranges >= skeleton->ranges_base)
		lent->ranges = between(file->ranges, skeleton->ranges_base, ends.ranges);
}

/* The split unit of a skeleton among the units from 'first' on. @return NULL if there is none */
static struct unit *find_split(struct precis_data_types *types, size_t first, uint64_t id)
{
	for (size_t n = first; n < types->units; n++) {
		struct unit *unit = &types->unit[n];

		if (unit->split_id == id && dwarf_tag(&unit->root) == DW_TAG_compile_unit)
			return unit;
	}
	return NULL;
}

static void read_split(struct precis_data_types *types, uint32_t skeleton, size_t programs)
{
	const size_t first = types->units;
	Dwarf_Die *root = &types->unit[skeleton].root;
	const char *name = precis_die_text(types, root, DW_AT_dwo_name);
	const char *directory = precis_die_text(types, root, DW_AT_comp_dir);
	struct debug_file *file;
	struct split_lent lent;
	struct unit *split;

	if (!name)
		name = precis_die_text(types, root, DW_AT_GNU_dwo_name);
	lend(types, &types->unit[skeleton], programs, &lent);
	file = precis_debug_file_split(types, name, directory, types->unit[skeleton].split_id,
				       &lent);
	if (!file) {
		types_lack(types, PRECIS_DATA_TYPE_NO_SPLIT_FILE);
		return;
	}
	read_file(types, file);
	split = find_split(types, first, types->unit[skeleton].split_id);
	if (!split) {
		types_lack(types, PRECIS_DATA_TYPE_NO_SPLIT_FILE);
		types->units = first;
		return;
	}
	split->code_base = lent.base;
	types->unit[skeleton].split = (uint32_t)(split - types->unit);
	for (size_t n = first; n < types->units; n++)
		types->unit[n].skeleton = skeleton;
}

static int by_cu(const void *a, const void *b, void *data)
{
	const struct precis_data_types *types = data;
	const uintptr_t left = (uintptr_t)types->unit[*(const uint32_t *)a].root.cu;
	const uintptr_t right = (uintptr_t)types->unit[*(const uint32_t *)b].root.cu;

	return (left > right) - (left < right);
}

static int sort_by_cu(struct precis_data_types *types)
{
	types->unit_by_cu = budget_alloc(&types->budget, (types->units + 1) * sizeof(*types->unit_by_cu));
	if (!types->unit_by_cu)
		return 0;
	for (size_t n = 0; n < types->units; n++)
		types->unit_by_cu[n] = (uint32_t)n;
	qsort_r(types->unit_by_cu, types->units, sizeof(*types->unit_by_cu), by_cu, types);
	return 1;
}

const char *precis_unit_file_name(struct precis_data_types *types, const struct unit *unit, uint64_t number)
{
	const struct unit *holder = &types->unit[unit->skeleton];
	struct line_bytes bytes = holder->file->lines;
	struct line_unit lines;
	char name[PLACE_PATH];
	size_t total;

	if (holder->lines == UINT64_MAX || number > UINT32_MAX || !skip_bytes(&bytes, holder->lines) ||
	    !precis_line_unit_parse(bytes, &lines, &total) ||
	    !precis_line_file(&lines, holder->file->line_strings, (uint32_t)number, name, sizeof(name)))
		return NULL;
	return precis_names_keep(&types->texts, name, &types->budget);
}

void precis_units_read(struct precis_data_types *types)
{
	size_t programs;

	for (struct debug_file *file = types->files; file; file = file->next)
		read_file(types, file);
	programs = types->units;
	for (size_t n = 0; n < programs; n++) {
		if (types->unit[n].is_skeleton)
			read_split(types, (uint32_t)n, programs);
	}
	if (!sort_by_cu(types)) {
		types_lack(types, PRECIS_DATA_TYPE_TOO_MANY);
		types->units = 0;
	}
}
