/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Printing by the kernel's print format, with libtraceevent. It gets only formats
 * that print_check.c has let through, and RAW of which each part that it will look
 * at has been found to be there, in a copy with zeros behind it.
 *
 * libtraceevent (1.7) keeps the state of its parser, and what it warns of, in variables of its own.
 * A lock here would be one more of them, and would not keep out others who use libtraceevent in the
 * same program: the callers of precis_tracepoints_text() take turns.
 */
#define _GNU_SOURCE /* memmem() */
#include "trace_printer.h"

#include <stdlib.h>

#include <precis/error.h>

#include "libdecode/perf/records/bytes.h"
#include "print_check.h"

#ifdef HAVE_LIBTRACEEVENT

#include <event-parse.h>

#define RAW_MOST 65535u
#define ZEROS 64u /* behind RAW: more than any number or address has bytes */
/*
 * Words and signs of all formats that the library may parse: it makes an allocation or
 * two of each, and all 2300 tracepoints of Linux 6.18 have 300000.
 */
#define TOKENS_MOST (1u << 19)
#define TOKENS_OF_FIELD 3u
#define PRINTED_MOST (4u << 20) /* bytes of one text */
#define PRINTK_MOST 65536u

struct trace_printer {
	struct tep_handle *tep;
	struct trace_seq text;
	struct function_names functions;
	size_t tokens; /* of the formats parsed so far */
	uint8_t raw[RAW_MOST + ZEROS];
};

int precis_tracepoints_available(void)
{
	return 1;
}

/* 0xffffffff81c04fa0 : "text\n" -- one a line. The strings that %s of a pointer prints */
static void learn_printk(struct tep_handle *tep, const struct tracing_text *formats)
{
	const char *at = formats->text, *end = at + formats->bytes;
	char text[1024], *rest;

	for (uint32_t n = 0; n < PRINTK_MOST && at < end; n++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t length = (size_t)((newline ? newline : end) - at);
		unsigned long long address;
		char *quote;

		if (length < sizeof(text)) {
			memcpy(text, at, length);
			text[length] = '\0';
			address = strtoull(text, &rest, 16);
			quote = strchr(rest, '"');
			/* the library looks at three characters from the end */
			if (quote && quote > text + 3 && strlen(quote) >= 4)
				tep_register_print_string(tep, quote, address);
		}
		at += length + 1;
	}
}

void precis_trace_printer_free(struct trace_printer *printer)
{
	if (!printer)
		return;
	trace_seq_destroy(&printer->text);
	tep_free(printer->tep);
	free(printer);
}

/* tep_func_resolver_t. What it returns is printed and not written to. */
static char *name_function(void *data, unsigned long long *address, char **module)
{
	struct trace_printer *printer = data;
	uint64_t start = *address;
	const char *name = printer->functions.name(printer->functions.data, *address, &start);
	char *text;

	(void)module;
	*address = start;
	memcpy(&text, &name, sizeof(text));
	return text;
}

static struct trace_printer *make_printer(const struct precis_tracepoints *tracepoints)
{
	struct trace_printer *printer = calloc(1, sizeof(*printer));

	if (!printer)
		return NULL;
	printer->tep = tep_alloc();
	if (!printer->tep) {
		free(printer);
		return NULL;
	}
	trace_seq_init(&printer->text);
	tep_set_long_size(printer->tep, (int)tracepoints->long_bytes);
	tep_set_file_bigendian(printer->tep, tep_is_local_bigendian(printer->tep)
						     ? TEP_BIG_ENDIAN
						     : TEP_LITTLE_ENDIAN);
	learn_printk(printer->tep, &tracepoints->printk_formats);
	printer->functions = tracepoints->functions;
	if (printer->functions.name &&
	    tep_set_function_resolver(printer->tep, name_function, printer)) {
		precis_trace_printer_free(printer);
		return NULL;
	}
	return printer;
}

static int has_doubles(const struct precis_tracepoint *tracepoint)
{
	for (uint32_t i = 1; i < tracepoint->field_count; i++) {
		for (uint32_t n = 0; n < i; n++) {
			if (!strcmp(tracepoint->fields[i].name, tracepoint->fields[n].name))
				return 1;
		}
	}
	return 0;
}

/* By which the library finds the tracepoint of RAW */
static int has_type(const struct precis_tracepoint *tracepoint)
{
	const struct precis_tracepoint_field *type = &tracepoint->fields[0];

	return tracepoint->field_count && type->is_common && !strcmp(type->name, "common_type") &&
	       !type->offset && type->bytes == 2 && !type->is_array &&
	       type->place == PRECIS_PLACE_HERE;
}

static const char *parse(struct trace_printer *printer, const struct precis_tracepoint *tracepoint,
			 const struct tracepoint *own)
{
	struct tep_event *event = NULL;
	enum tep_errno error;

	tep_set_loglevel(TEP_LOG_NONE);
	error = tep_parse_format(printer->tep, &event, own->text.text, own->text.bytes,
				 tracepoint->system);
	if (error || !event || (event->flags & (int)TEP_EVENT_FL_FAILED) ||
	    tep_find_event(printer->tep, (int)tracepoint->id) != event)
		return "libtraceevent does not understand it";
	return NULL;
}

/* @return why the print format is not to be used, or NULL */
static const char *check(struct precis_tracepoints *tracepoints, size_t n)
{
	const struct precis_tracepoint *tracepoint = &tracepoints->views[n];
	struct tracepoint *own = &tracepoints->own[n];
	const char *refused;
	size_t tokens;

	if (!tracepoints->printer)
		tracepoints->printer = make_printer(tracepoints);
	if (!own->print_format)
		own->print_format = malloc(sizeof(*own->print_format));
	if (!tracepoints->printer || !own->print_format)
		return "there is no memory for it";
	/* libtraceevent replaces three words that old kernels left in, wherever they stand */
	if (!own->is_plain || !has_type(tracepoint) || has_doubles(tracepoint) ||
	    !strcmp(tracepoint->name, "bprint") ||
	    memmem(own->text.text, own->text.bytes, "_PR_FMT", 7))
		return "the fields are declared in another way than usual";
	refused = precis_print_format_check(tracepoint, &own->print, own->print_format);
	if (refused)
		return refused;
	tokens = own->print_format->tokens + TOKENS_OF_FIELD * tracepoint->field_count;
	if (tokens > TOKENS_MOST - tracepoints->printer->tokens)
		return "there are very many tracepoints";
	tracepoints->printer->tokens += tokens;
	return parse(tracepoints->printer, tracepoint, own);
}

/* The bytes of an array that is printed; 0: RAW does not say it */
static int array_fits(const struct array_use *use, const uint8_t *raw, size_t bytes)
{
	struct precis_bytes array, counted;
	uint64_t count = use->number;

	if (precis_tracepoint_data(use->array, raw, bytes, &array))
		return 0;
	if (use->count == COUNT_FIELD &&
	    precis_tracepoint_number(use->count_field, raw, bytes, &count))
		return 0;
	if (use->count == COUNT_LENGTH) {
		if (precis_tracepoint_data(use->count_field, raw, bytes, &counted))
			return 0;
		count = counted.bytes / use->number;
	}
	return count <= array.bytes / use->element_bytes;
}

/* Is all of it there? @return NULL, or why the print format is not used for this RAW */
static const char *check_raw(const struct precis_tracepoint *tracepoint,
			     const struct print_format *format, const uint8_t *raw, size_t bytes)
{
	struct precis_bytes data;
	uint64_t limit;

	if (bytes > RAW_MOST)
		return "there are more data than a record can have";
	if ((uint64_t)format->conversions * bytes * 8 > PRINTED_MOST)
		return "the text would be very long";
	for (uint32_t i = 0; i < tracepoint->field_count; i++) {
		const struct precis_tracepoint_field *field = &tracepoint->fields[i];

		if (field->offset + field->bytes > bytes ||
		    precis_tracepoint_data(field, raw, bytes, &data))
			return "a field lies beyond the data's end";
	}
	for (uint32_t i = 0; i < format->limit_count; i++) {
		if (precis_tracepoint_number(format->limits[i], raw, bytes, &limit) ||
		    limit > RAW_MOST)
			return "a string is to be longer than the data";
	}
	for (uint32_t i = 0; i < format->array_count; i++) {
		if (!array_fits(&format->arrays[i], raw, bytes))
			return "an array lies beyond the data's end";
	}
	return NULL;
}

static int copy_text(const struct trace_seq *text, char *room, size_t size)
{
	size_t length = text->len, copied = length < size ? length : size ? size - 1 : 0;

	if (size) {
		memcpy(room, text->buffer, copied);
		room[copied] = '\0';
	}
	return (int)length;
}

int precis_trace_print(struct precis_tracepoints *tracepoints, size_t n, const void *raw,
		       size_t bytes, char *room, size_t size, const char **plain)
{
	struct tracepoint *own = &tracepoints->own[n];
	struct trace_printer *printer;
	struct tep_record record = { .size = (int)bytes };

	if (!own->is_checked) {
		own->refused = check(tracepoints, n);
		own->is_checked = 1;
	}
	*plain = own->refused;
	if (!*plain)
		*plain = check_raw(&tracepoints->views[n], own->print_format, raw, bytes);
	if (*plain)
		return -1;
	printer = tracepoints->printer;
	memcpy(printer->raw, raw, bytes);
	memset(printer->raw + bytes, 0, ZEROS);
	record.data = printer->raw;
	record.record_size = (int)bytes;
	trace_seq_reset(&printer->text);
	tep_print_event(printer->tep, &printer->text, &record, "%s", TEP_PRINT_INFO);
	if (printer->text.state != TRACE_SEQ__GOOD) {
		*plain = "there is no memory for it";
		trace_seq_destroy(&printer->text);
		trace_seq_init(&printer->text);
		return -1;
	}
	return copy_text(&printer->text, room, size);
}

#else

int precis_tracepoints_available(void)
{
	return 0;
}

void precis_trace_printer_free(struct trace_printer *printer)
{
	(void)printer;
}

int precis_trace_print(struct precis_tracepoints *tracepoints, size_t n, const void *raw,
		       size_t bytes, char *room, size_t size, const char **plain)
{
	(void)tracepoints;
	(void)n;
	(void)raw;
	(void)bytes;
	(void)room;
	(void)size;
	*plain = "this build has no libtraceevent";
	return -1;
}

#endif
