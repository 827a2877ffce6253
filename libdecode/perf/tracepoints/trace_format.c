/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Source: Documentation/trace/events.rst, "Event Formats", and
 * kernel/trace/trace_events.c (f_show()) of Linux 6.12, which writes
 *
 *	name: sched_switch
 *	ID: 314
 *	format:
 *		field:unsigned short common_type;	offset:0;	size:2;	signed:0;
 *
 *		field:char prev_comm[16];	offset:8;	size:16;	signed:0;
 *
 *	print fmt: "prev_comm=%s", REC->prev_comm
 */
#define _GNU_SOURCE /* memmem() */
#include <stdlib.h>

#include <precis/error.h>

#include "libdecode/perf/records/bytes.h"
#include "trace_format.h"

#define FIELDS_MOST 256u /* of one tracepoint: the kernel's largest have about 40 */
#define RAW_MOST 65535u /* offsets and sizes: no record has more bytes */

/* What is left of a text */
struct scan {
	const char *at, *end;
};

static int is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static int is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static void skip_blanks(struct scan *scan)
{
	while (scan->at < scan->end && is_blank(*scan->at))
		scan->at++;
}

/* Blanks, then exactly that */
static int take(struct scan *scan, const char *text)
{
	size_t length = strlen(text);

	skip_blanks(scan);
	if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, text, length))
		return 0;
	scan->at += length;
	return 1;
}

static int take_number(struct scan *scan, uint32_t most, uint32_t *number)
{
	const char *start;
	uint32_t value = 0;

	skip_blanks(scan);
	for (start = scan->at; scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9';
	     scan->at++) {
		value = value * 10 + (uint32_t)(*scan->at - '0');
		/* libtraceevent would take 010 for 8 */
		if (value > most || (scan->at > start && *start == '0'))
			return 0;
	}
	*number = value;
	return scan->at > start;
}

/* The rest of the line, without the newline, which is taken too */
static struct scan take_line(struct scan *scan)
{
	const char *newline = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
	struct scan line = { scan->at, newline ? newline : scan->end };

	scan->at = newline ? newline + 1 : scan->end;
	return line;
}

static const char *keep(struct field_pool *pool, const char *text, size_t length)
{
	char *kept = pool->characters + pool->used;

	memcpy(kept, text, length);
	pool->used += length;
	return kept;
}

static void keep_end(struct field_pool *pool)
{
	pool->characters[pool->used++] = '\0';
}

static int has(const struct scan *scan, const char *text)
{
	return memmem(scan->at, (size_t)(scan->end - scan->at), text, strlen(text)) != NULL;
}

static void describe_type(struct precis_tracepoint_field *field, const struct scan *type)
{
	struct scan start = *type;

	field->is_pointer = has(type, "*");
	field->is_long = has(type, "long");
	field->is_text =
		field->is_array && (has(type, "char") || has(type, "u8") || has(type, "s8"));
	if (take(&start, "__data_loc"))
		field->place = PRECIS_PLACE_DATA_LOC;
	else if (take(&start, "__rel_loc"))
		field->place = PRECIS_PLACE_REL_LOC;
}

/* "words name", "words name[words]", "words words[words] name", stars among the words before */
static int is_plain(const struct scan *declaration)
{
	uint32_t opened = 0, closed = 0, before = 0, behind = 0;

	for (const char *at = declaration->at; at < declaration->end; at++) {
		int begins = is_word(*at) && (at == declaration->at || !is_word(at[-1]));

		opened += *at == '[';
		closed += *at == ']';
		before += begins && !opened;
		behind += begins && closed;
		if ((!is_word(*at) && !is_blank(*at) && *at != '[' && *at != ']' && *at != '*') ||
		    (*at == '*' && opened) || opened > 1 || closed > opened)
			return 0;
	}
	return opened == closed && before >= 2 && behind <= 1 && is_word(*declaration->at);
}

/*
 * "type name", "type name[length]", "type[] name". The type is kept without the
 * name: "type", "type[length]", "type[]".
 */
static int take_declaration(struct field_pool *pool, struct scan declaration,
			    struct precis_tracepoint_field *field)
{
	const char *name_end, *name, *type_end;
	struct scan brackets;

	while (declaration.end > declaration.at && is_blank(declaration.end[-1]))
		declaration.end--;
	brackets.at = brackets.end = declaration.end;
	if (declaration.end > declaration.at && declaration.end[-1] == ']') {
		while (brackets.at > declaration.at && *brackets.at != '[')
			brackets.at--;
	}
	for (name_end = brackets.at; name_end > declaration.at && is_blank(name_end[-1]);)
		name_end--;
	for (name = name_end; name > declaration.at && is_word(name[-1]);)
		name--;
	for (type_end = name; type_end > declaration.at && is_blank(type_end[-1]);)
		type_end--;
	if (name == name_end || type_end == declaration.at)
		return 0;
	field->is_array = has(&declaration, "[");
	describe_type(field, &(struct scan){ declaration.at, type_end });
	field->name = keep(pool, name, (size_t)(name_end - name));
	keep_end(pool);
	field->type = keep(pool, declaration.at, (size_t)(type_end - declaration.at));
	keep(pool, brackets.at, (size_t)(brackets.end - brackets.at));
	keep_end(pool);
	return 1;
}

static int take_field(struct field_pool *pool, struct scan line, struct trace_format *format,
		      struct precis_tracepoint_field *field)
{
	uint32_t is_signed = 0;
	const char *semicolon;

	memset(field, 0, sizeof(*field));
	if (!take(&line, "field:"))
		return 0;
	skip_blanks(&line);
	semicolon = memchr(line.at, ';', (size_t)(line.end - line.at));
	if (!semicolon || !take_declaration(pool, (struct scan){ line.at, semicolon }, field))
		return 0;
	format->is_plain &= is_plain(&(struct scan){ line.at, semicolon });
	line.at = semicolon + 1;
	if (!take(&line, "offset:") || !take_number(&line, RAW_MOST, &field->offset) ||
	    !take(&line, ";") || !take(&line, "size:") ||
	    !take_number(&line, RAW_MOST, &field->bytes) || !take(&line, ";"))
		return 0;
	/* Linux 2.6.31 and older do not say it */
	if (take(&line, "signed:") && (!take_number(&line, 1, &is_signed) || !take(&line, ";")))
		return 0;
	field->is_signed = is_signed != 0;
	skip_blanks(&line);
	return line.at == line.end;
}

static struct precis_tracepoint_field *new_field(struct field_pool *pool)
{
	struct precis_tracepoint_field *fields = pool->fields;
	size_t room = pool->room ? pool->room * 2 : 256;

	if (pool->count < pool->room)
		return &fields[pool->count];
	fields = realloc(fields, room * sizeof(*fields));
	if (!fields)
		return NULL;
	pool->fields = fields;
	pool->room = room;
	return &fields[pool->count];
}

/* The common fields, an empty line, the others, an empty line */
static int take_fields(struct scan *scan, struct field_pool *pool, struct trace_format *format)
{
	int blocks = 0;

	while (blocks < 2 && scan->at < scan->end) {
		struct scan line = take_line(scan);
		struct precis_tracepoint_field *field;

		skip_blanks(&line);
		if (line.at == line.end) {
			blocks++;
			continue;
		}
		field = new_field(pool);
		if (!field)
			return PRECIS_E_NO_MEMORY;
		if (format->field_count == FIELDS_MOST || !take_field(pool, line, format, field))
			return PRECIS_E_SYNTAX;
		field->is_common = blocks == 0;
		format->field_count++;
		pool->count++;
	}
	return 0;
}

static int take_head(struct scan *scan, struct field_pool *pool, struct trace_format *format)
{
	struct scan line = take_line(scan);
	const char *start;

	if (!take(&line, "name:"))
		return 0;
	skip_blanks(&line);
	for (start = line.at; line.at < line.end && is_word(*line.at);)
		line.at++;
	if (line.at == start || line.at != line.end)
		return 0;
	format->name = keep(pool, start, (size_t)(line.at - start));
	keep_end(pool);
	line = take_line(scan);
	if (!take(&line, "ID:") || !take_number(&line, INT32_MAX / 16, &format->id) ||
	    line.at != line.end)
		return 0;
	line = take_line(scan);
	return take(&line, "format:") && line.at == line.end;
}

int precis_trace_format_parse(const struct tracing_format *from, struct field_pool *pool,
			      struct trace_format *format)
{
	struct scan scan = { from->text.text, from->text.text + from->text.bytes };
	struct field_pool before = *pool;
	int error;

	memset(format, 0, sizeof(*format));
	format->system = from->system;
	format->text = from->text;
	format->first_field = pool->count;
	format->is_plain = 1;
	error = take_head(&scan, pool, format) ? take_fields(&scan, pool, format) : PRECIS_E_SYNTAX;
	if (error) {
		pool->count = before.count;
		pool->used = before.used;
		return error;
	}
	/* Its strings may go over several lines. */
	if (take(&scan, "print fmt:")) {
		scan.end -= scan.end > scan.at && scan.end[-1] == '\n';
		format->print.text = scan.at;
		format->print.bytes = (size_t)(scan.end - scan.at);
	}
	return 0;
}
