/* SPDX-License-Identifier: BSD-3-Clause */
/* What struct precis_data_types is made of: files with DWARF, their units, and the index of both. */
#ifndef PRECIS_SYMBOLS_TYPES_MODEL_H
#define PRECIS_SYMBOLS_TYPES_MODEL_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <precis/data_types.h>

#include "libdecode/symbols/budget.h"
#include "libdecode/symbols/elf_search.h"
#include "libdecode/symbols/line_cursor.h"
#include "libdecode/symbols/names.h"

/* What the index and all types of one file may take of memory */
#define TYPES_BYTES ((size_t)512 << 20)
/* All sections with debug information of a file and its split files, unpacked */
#define TYPES_SECTION_BYTES ((size_t)2 << 30)
/* Entries inside each other, types of types, members in members: compilers stay far below */
#define TYPES_DEPTH 64u
/* Split files of one file */
#define TYPES_SPLIT_FILES 20000u

/* Sections that have texts */
#define DEBUG_TEXTS 7u

/** A file with DWARF: the program or its debug file, a .dwo, a supplementary file. */
struct debug_file {
	struct debug_file *next;
	struct elf_source source; /* 'fd' is -1 once all of it has been read */
	Dwarf *dwarf;
	struct line_bytes addresses, ranges, lines, line_strings; /* sections; of no bytes: none */
	struct line_bytes texts[DEBUG_TEXTS]; /* likewise, that have texts */
	int has_supplement;
	char path[PLACE_PATH]; /* below 'root' */
	const char *root;
};

struct split_package;

/** A unit of DWARF. */
struct unit {
	Dwarf_Die root;
	struct debug_file *file;
	uint32_t skeleton; /* number of the unit that has its addresses and lines: mostly itself */
	uint64_t address_base; /* in .debug_addr */
	uint64_t lines; /* in .debug_line; UINT64_MAX: none */
	uint64_t split_id; /* of a skeleton */
	uint32_t split; /* of a skeleton: number of the unit that has its entries; else itself */
	uint64_t ranges_base; /* of a skeleton of version 4, in .debug_ranges; UINT64_MAX: none */
	uint64_t code_base; /* of a split unit: what libdw's addresses of code are counted from */
	uint32_t language; /* DW_LANG_*; 0: it does not say */
	uint8_t version, address_bytes, offset_bytes;
	uint8_t is_skeleton;
};

/** What names are in: namespaces, classes, functions. Number 0 is the outermost, without a name. */
struct scope {
	const char *name;
	uint32_t parent;
	uint8_t is_function, is_block; /* COMMON */
};

/** A type with a name, or a static member's declaration. */
struct named {
	void *address; /* Dwarf_Die.addr: in no two files the same */
	void *declaration; /* another entry that says what this one is in; NULL: none */
	const char *name;
	uint32_t unit, scope;
	uint16_t tag;
	uint8_t is_declaration;
};

/** A variable as DWARF or a symbol table has it, or as both together. */
struct variable {
	uint64_t address, bytes;
	const char *symbol; /* NULL: DWARF alone has it */
	void *die; /* Dwarf_Die.addr; NULL: symbols alone have it */
	uint32_t unit, scope; /* of 'die' */
	uint32_t around; /* number of the innermost one that holds it, from 1; 0: none */
	uint8_t is_thread, is_external, is_block;
	uint8_t preference; /* of several symbols of the same bytes */
	uint8_t is_declared; /* 'die' declares it elsewhere: it has its type alone */
};

struct scopes;

/** Code of a unit. */
struct unit_range {
	uint64_t low, high;
	uint64_t reach; /* the highest end of this one and those before it */
	uint32_t unit;
};

struct precis_data_types {
	struct places places;
	struct budget budget;
	struct elf_segments segments; /* of the file that ran */
	char *path; /* of that, as it was asked for */
	struct build_id build_id; /* of that; of no bytes: not known */
	struct debug_file *files; /* the main one first */
	char *strings; /* of its symbols */
	size_t section_bytes; /* of all files */
	uint32_t split_files;
	struct split_package
		*package; /* of its split files; NULL: there is none, or nobody asked */
	int has_asked_package;
	enum precis_data_type_absent lack; /* why types are missing */
	struct unit *unit;
	struct unit_range *range; /* by where they begin; read when somebody asks (unit_ranges.h) */
	size_t ranges, range_room;
	int has_ranges;
	uint32_t *unit_by_cu; /* numbers of units in the order of root.cu */
	size_t units, unit_room;
	struct scope *scope;
	size_t scopes, scope_room;
	struct named *named; /* by address */
	uint32_t *named_by_name; /* numbers of these, by name */
	size_t names, name_room; /* of 'named' */
	struct variable *variable; /* those of threads last */
	size_t variables, variable_room;
	size_t threads; /* how many of these are */
	struct elf_search *
		code; /* the file that ran, once code was asked for (code_window.c); NULL: it was not … */
	int has_no_code; /* … or cannot be had */
	void *followed; /* what was seen behind calls (followed.c) */
	struct scopes *at; /* of the last instruction whose functions were asked for; NULL: none was */
	uint64_t at_address;
	void *types; /* of tsearch(3): struct precis_data_type by address */
	struct names texts; /* made of several, to be handed out */
};

/** Note the first reason why something is missing. */
static inline void types_lack(struct precis_data_types *types, enum precis_data_type_absent absent)
{
	if (!types->lack)
		types->lack = absent;
}

/**
 * Room for one more in an array. @return 0 if memory is short
 * @param array  pointer to the array's pointer
 */
int precis_data_types_grow(struct precis_data_types *types, void *array, size_t *room, size_t count,
			   size_t each);

#endif
