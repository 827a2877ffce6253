/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values that are more than a number: lists, members with names, text, bytes.
 * Who writes one says what is in it; the form says how that looks:
 *
 *   text, csv  entries of a list are separated by ';', members by ',', a member's name
 *              from its value by ':'; inside lists and members, these bytes of a text are
 *              written \x3b and \x2c
 *   json       arrays and objects
 */
#ifndef VALUE_SINK_H
#define VALUE_SINK_H

#include <stdint.h>

#include "output.h"

enum value_form { VALUE_TEXT, VALUE_CSV, VALUE_JSON };

#define VALUE_DEPTH 8

struct value_sink {
	struct output *output;
	enum value_form form;
	unsigned int depth;
	unsigned char any[VALUE_DEPTH]; /* is there something at this depth already? */
	unsigned char members[VALUE_DEPTH]; /* 1: members with names, 0: entries of a list */
	unsigned char has_key; /* the name of what comes next has been written */
	unsigned char quoted; /* a cell of csv in quotes */
};

/* Begin a value. If it is more than a number, 'quoted', csv puts it in quotes up to value_end(). */
void value_begin(struct value_sink *sink, struct output *output, enum value_form form, int quoted);
void value_end(struct value_sink *sink);

void value_list(struct value_sink *sink);
void value_list_end(struct value_sink *sink);
void value_members(struct value_sink *sink);
void value_members_end(struct value_sink *sink);

/* The name of the member that comes next. */
void value_key(struct value_sink *sink, const char *name);

void value_number(struct value_sink *sink, uint64_t value);
void value_signed(struct value_sink *sink, int64_t value);
void value_hex(struct value_sink *sink, uint64_t value); /* in json a string */
void value_time(struct value_sink *sink, uint64_t ns); /* in text as seconds */
void value_real(struct value_sink *sink, double value); /* in json null if it is not finite */
void value_bool(struct value_sink *sink, int value); /* 0 or 1; in json false or true */
void value_text(struct value_sink *sink, const char *text);
/* "symbol+0x1f", for text and csv: json has members for that */
void value_text_plus(struct value_sink *sink, const char *text, uint64_t offset);
/* "file.c:12" */
void value_line(struct value_sink *sink, const char *file, uint32_t line);
/* Two hexadecimal digits for each */
void value_bytes(struct value_sink *sink, const uint8_t *bytes, size_t count);

#endif
