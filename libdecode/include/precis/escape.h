/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text of unknown origin, made fit to be printed.
 *
 * A recording holds names that somebody else chose: of programs, files, symbols, hosts. What comes
 * out of here is UTF-8 that cannot move a cursor, break a line or turn the direction of reading,
 * and that tells what went in, byte by byte:
 *
 *   \xNN         a byte: below 20h or 7Fh that character; from 80h on one that is no UTF-8
 *   \u{N...}     a character that shows nothing or changes how others are shown: general
 *                category Cc, Cf, Zl or Zp of Unicode
 *   \\           a backslash
 *
 * N are hexadecimal digits in lower case, as few as needed in \u{}. All else stays what it is.
 */
#ifndef PRECIS_ESCAPE_H
#define PRECIS_ESCAPE_H

#include <precis/export.h>

#include <stddef.h>
#include <stdint.h>

PRECIS_BEGIN_DECLS

#define PRECIS_ESCAPE_MOST 10u /* bytes that come of one character: \u{10ffff} */

/**
 * The text begins a cell of a table that a spreadsheet may open: an =, +, -, @ at its start, also
 * the wide forms of these, is escaped as well (\x3d, \x2b, \x2d, \x40, \u{ff1d}...), so that the
 * cell is no formula.
 */
#define PRECIS_ESCAPE_CELL 1u

/**
 * Escape as much of a text as has room.
 *
 * @param text   'count' bytes; NUL is one like any other
 * @param flags  PRECIS_ESCAPE_CELL or 0
 * @param out    'room' bytes; no NUL is added
 * @param used   set to how many bytes of 'text' were escaped; less than 'count': the next one has no
 *               room. No character is split, so PRECIS_ESCAPE_MOST bytes are room for one at least
 * @return bytes written to 'out'
 */
PRECIS_API size_t precis_escape(const char *text, size_t count, uint32_t flags, char *out,
				size_t room, size_t *used);

/**
 * Is that a character of UTF-8?
 *
 * @param text  'count' bytes
 * @return how many of them are the character that they begin with; 0 if they begin with none
 */
PRECIS_API size_t precis_utf8_bytes(const char *text, size_t count);

PRECIS_END_DECLS

#endif
