/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The line number programs of .debug_line. Source: DWARF 5, section 6.2, and 7.5.5
 * for forms; versions 2 to 4 in their own documents.
 *
 * Read here and not by libdw: that keeps all lines of a unit in memory, needs .debug_info
 * besides, and finds no unit where there is no .debug_aranges, as in what clang compiles.
 * bench/lines.c compares the two; doc/performance.md has the numbers.
 */
#ifndef PRECIS_SYMBOLS_LINE_PROGRAM_H
#define PRECIS_SYMBOLS_LINE_PROGRAM_H

#include "line_cursor.h"

/** What a unit's header says. */
struct line_unit {
	struct line_bytes directories, files; /* version 5: from the format on; else the lists */
	struct line_bytes program;
	const uint8_t *operands; /* of standard opcode n: operands[n - 1] */
	uint32_t version, offset_bytes; /* 4 or 8 */
	uint32_t minimum_instruction;
	int32_t line_base;
	uint32_t line_range, opcode_base;
};

/**
 * Parse the unit at the start of the bytes.
 *
 * @param total  set to the unit's size if it is known: what stands behind may be another one
 * @return 1; 0 if it is none that is understood: 'total' is then 0 or leads to the next
 */
int precis_line_unit_parse(struct line_bytes bytes, struct line_unit *unit, size_t *total);

/** Where a program is, and the row that it made last. */
struct line_state {
	struct line_bytes left; /* of the program */
	uint64_t address;
	uint32_t file, line;
	uint32_t discriminator; /* of this row, among those of its line */
	int is_end; /* the address is the first behind the sequence */
};

/** Begin a sequence: the registers as they are at its start. */
void precis_line_begin(struct line_state *state, struct line_bytes program);

/** Run on to the next row. @return 0 if there is none: the program ends, or makes no sense */
int precis_line_next(const struct line_unit *unit, struct line_state *state);

/**
 * The name of a file of the unit, with its directory.
 * @param strings  .debug_line_str
 * @return 0 if it has none, or the name is longer than the room
 */
int precis_line_file(const struct line_unit *unit, struct line_bytes strings, uint32_t file,
		     char *name, size_t room);

#endif
