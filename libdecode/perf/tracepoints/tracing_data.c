/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The blob's parts. Source of the layout: tools/perf/util/trace-event-info.c
 * (written) and trace-event-read.c (read) of Linux 6.12; versions 0.5 and 0.6,
 * which has the saved command lines behind all that is read here.
 */
#define _GNU_SOURCE /* memmem() */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <precis/error.h>

#include "libdecode/perf/records/bytes.h"
#include "tracing_data.h"

#define FORMAT_MIN_BYTES 8u /* its u64 size */

struct reader {
	const uint8_t *start;
	struct cursor cursor;
	struct precis_tracepoints_error *error;
};

static int fail(struct reader *reader, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int fail(struct reader *reader, int code, const char *format, ...)
{
	struct precis_tracepoints_error *error = reader->error;
	va_list arguments;

	error->code = code;
	error->offset = (uint64_t)(reader->cursor.at - reader->start);
	va_start(arguments, format);
	vsnprintf(error->expected, sizeof(error->expected), format, arguments);
	va_end(arguments);
	return code;
}

static int take_text(struct reader *reader, const char *what, uint64_t bytes,
		     struct tracing_text *text)
{
	const uint8_t *start;

	if (!cursor_array(&reader->cursor, bytes, 1, &start))
		return fail(reader, PRECIS_E_TRUNCATED, "%llu bytes of %s, %zu are left",
			    (unsigned long long)bytes, what, cursor_left(&reader->cursor));
	text->text = (const char *)start;
	text->bytes = (size_t)bytes;
	return 0;
}

static int take_string(struct reader *reader, const char *what, const char **string)
{
	const uint8_t *at = reader->cursor.at;
	const uint8_t *nul = memchr(at, '\0', cursor_left(&reader->cursor));

	if (!nul)
		return fail(reader, PRECIS_E_TRUNCATED, "%s with a NUL at its end", what);
	*string = (const char *)at;
	reader->cursor.at = nul + 1;
	return 0;
}

static int take_u32(struct reader *reader, const char *what, uint32_t *value)
{
	if (cursor_u32(&reader->cursor, value))
		return 0;
	return fail(reader, PRECIS_E_TRUNCATED, "%s: 4 bytes", what);
}

/* {u64 size; text} */
static int take_sized(struct reader *reader, const char *what, struct tracing_text *text)
{
	uint64_t bytes;

	if (!cursor_u64(&reader->cursor, &bytes))
		return fail(reader, PRECIS_E_TRUNCATED, "the size of %s: 8 bytes", what);
	return take_text(reader, what, bytes, text);
}

/* {u32 size; text} */
static int take_short(struct reader *reader, const char *what, struct tracing_text *text)
{
	uint32_t bytes = 0;
	int error = take_u32(reader, what, &bytes);

	return error ? error : take_text(reader, what, bytes, text);
}

static int take_head(struct reader *reader, struct tracing_data *data)
{
	static const uint8_t magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	const uint16_t one = 1;
	const uint8_t *bytes;
	const char *version;
	uint32_t page;
	int error;

	if (!cursor_array(&reader->cursor, sizeof(magic), 1, &bytes) ||
	    memcmp(bytes, magic, sizeof(magic))) {
		reader->cursor.at = reader->start;
		return fail(reader, PRECIS_E_BAD_SIZE, "17 08 44 \"tracing\"");
	}
	error = take_string(reader, "a version", &version);
	if (error)
		return error;
	if (!cursor_array(&reader->cursor, 2, 1, &bytes))
		return fail(reader, PRECIS_E_TRUNCATED, "byte order and size of a long: 2 bytes");
	if ((bytes[0] == 0) != *(const uint8_t *)&one)
		return fail(reader, PRECIS_E_ENDIAN, "this machine's byte order");
	if (bytes[1] != 4 && bytes[1] != 8)
		return fail(reader, PRECIS_E_UNSUPPORTED, "a long of 4 or 8 bytes, found %u",
			    bytes[1]);
	data->long_bytes = bytes[1];
	return take_u32(reader, "the size of a page", &page);
}

/*
 * A perf of 32 bits writes its own size of a long; the page header's member
 * "commit" is a long of the kernel's.
 */
static void correct_long(const struct tracing_text *page, struct tracing_data *data)
{
	static const char member[] = "local_t commit;";
	const char *end = page->text + page->bytes;
	const char *at = memmem(page->text, page->bytes, member, sizeof(member) - 1);
	const char *line = at ? memchr(at, '\n', (size_t)(end - at)) : NULL;
	const char *size = line ? memmem(at, (size_t)(line - at), "size:", 5) : NULL;

	if (size && line - size >= 7 && size[6] == ';' && (size[5] == '4' || size[5] == '8'))
		data->long_bytes = (uint32_t)(size[5] - '0');
}

static int take_pages(struct reader *reader, struct tracing_data *data)
{
	static const char *const names[] = { "header_page", "header_event" };
	struct tracing_text text = { NULL, 0 };
	const char *name = NULL;

	for (size_t i = 0; i < 2; i++) {
		int error = take_string(reader, names[i], &name);

		if (!error && strcmp(name, names[i]) != 0)
			error = fail(reader, PRECIS_E_BAD_SIZE, "\"%s\"", names[i]);
		if (!error)
			error = take_sized(reader, names[i], &text);
		if (error)
			return error;
		if (i == 0)
			correct_long(&text, data);
	}
	return 0;
}

/* The number of formats of a system, then the formats */
static int take_formats(struct reader *reader, const char *system, struct tracing_data *data)
{
	struct tracing_format *formats;
	uint32_t count = 0;
	int error = take_u32(reader, "a number of formats", &count);

	if (error)
		return error;
	if (count > cursor_left(&reader->cursor) / FORMAT_MIN_BYTES)
		return fail(reader, PRECIS_E_BAD_SIZE, "%u formats, %zu bytes are left", count,
			    cursor_left(&reader->cursor));
	formats = realloc(data->formats, (data->count + count) * sizeof(*formats) + 1);
	if (!formats)
		return fail(reader, PRECIS_E_NO_MEMORY, "memory");
	data->formats = formats;
	for (uint32_t n = 0; n < count && !error; n++) {
		formats[data->count].system = system;
		error = take_sized(reader, "a format", &formats[data->count].text);
		data->count += !error;
	}
	return error;
}

static int take_systems(struct reader *reader, struct tracing_data *data)
{
	const char *system = NULL;
	uint32_t count = 0;
	int error = take_formats(reader, "ftrace", data);

	if (!error)
		error = take_u32(reader, "a number of systems", &count);
	for (uint32_t n = 0; !error && n < count; n++) {
		error = take_string(reader, "a system's name", &system);
		if (!error)
			error = take_formats(reader, system, data);
	}
	return error;
}

int precis_tracing_data_parse(const void *blob, size_t bytes, struct tracing_data *data,
			      struct precis_tracepoints_error *error)
{
	struct reader reader = {
		.start = blob,
		.cursor = { .at = blob, .end = (const uint8_t *)blob + bytes },
		.error = error,
	};
	struct tracing_text kallsyms;
	int code;

	memset(data, 0, sizeof(*data));
	data->blob = blob;
	code = take_head(&reader, data);
	if (!code)
		code = take_pages(&reader, data);
	if (!code)
		code = take_systems(&reader, data);
	if (!code)
		code = take_short(&reader, "kernel symbols", &kallsyms);
	if (!code)
		code = take_short(&reader, "printk formats", &data->printk_formats);
	return code;
}
