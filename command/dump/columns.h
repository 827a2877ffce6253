/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields and parts that are printed (-F), and what printing each takes, worked out once. */
#ifndef COLUMNS_H
#define COLUMNS_H

#include <precis/precis.h>

#include "document/number_text.h"
#include "command/parts/parts.h"

/* What a cell is made of. */
enum column_kind {
	COLUMN_DECIMAL,
	COLUMN_SIGNED,
	COLUMN_HEX,
	COLUMN_NAME,  /* of an enumeration */
	COLUMN_BOOL,
	COLUMN_TIME,
	COLUMN_EVENT,
	COLUMN_PART /* no field of the catalogue */
};

#define COLUMN_TYPES 32	    /* enum precis_type has fewer */
#define COLUMN_NAMES 32	    /* values of the largest enumeration, and more */
#define COLUMN_NAME_TEXT 23 /* of a value's name */
#define COLUMN_LABEL 40	    /* of a field's name with a format's decoration */
/* Bytes that a cell other than an event's name or a part never exceeds, decoration and all. */
#define COLUMN_ROOM 96

struct column_names {
	struct {
		uint8_t length;
		char text[COLUMN_NAME_TEXT];
	} value[COLUMN_NAMES]; /* length 0: the value has no name */
};

struct column {
	uint32_t field; /* of COLUMN_PART: enum part */
	uint32_t kind; /* enum column_kind */
	const char *name;
	const struct column_names *names; /* of COLUMN_NAME */
	uint32_t label_length;
	char label[COLUMN_LABEL]; /* set by the format */
};

struct columns {
	uint32_t count;
	uint64_t fields[PRECIS_FIELD_WORDS];
	unsigned int part_needs; /* PART_NEEDS_* of all parts */
	uint8_t has_part[PART_COUNT];
	struct column column[PRECIS_FIELD_COUNT + PART_COUNT];
	struct column_names names[COLUMN_TYPES];
};

/*
 * From the list of -F: names, aliases, "all", "default", "parts", separated by commas.
 * EXIT_OK, or EXIT_USAGE after the error has been printed.
 */
int columns_parse(struct columns *columns, const char *command, const char *list);

/* One more column, unless it is there already. */
void columns_add_part(struct columns *columns, enum part part);

/* Put 'before' and 'after' around each name, as its label. */
void columns_label(struct columns *columns, const char *before, const char *after);

/* Is there no limit to how long its cell is? */
static inline int column_is_long(const struct column *column)
{
	return column->kind >= COLUMN_EVENT;
}

/* A value of a column that is not long; a time in nanoseconds, a bool as 0 or 1. */
static inline char *column_put(char *at, const struct column *column, uint64_t value)
{
	switch ((enum column_kind)column->kind) {
	case COLUMN_SIGNED:
		return put_signed(at, (int64_t)value);
	case COLUMN_HEX:
		return put_hex(at, value);
	case COLUMN_NAME:
		if (value < COLUMN_NAMES && column->names->value[value].length) {
			memcpy(at, column->names->value[value].text, COLUMN_NAME_TEXT);
			return at + column->names->value[value].length;
		}
		break;
	case COLUMN_BOOL:
		*at = (char)('0' + (value & 1));
		return at + 1;
	default:
		break;
	}
	return put_decimal(at, value);
}

#endif
