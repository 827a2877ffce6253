/* SPDX-License-Identifier: BSD-3-Clause */
/* The tracepoints that a recording describes. */
#include <stdlib.h>

#include <precis/error.h>

#include "libdecode/sample/abi.h"
#include "list.h"
#include "trace_printer.h"

#define BLOB_MOST (64u << 20) /* all 2300 tracepoints of Linux 6.18 have 2 MB */

static int by_id(const void *a, const void *b)
{
	const struct trace_format *left = a, *right = b;

	if (left->id != right->id)
		return left->id < right->id ? -1 : 1;
	return left->text.text < right->text.text ? -1 : left->text.text > right->text.text;
}

/* Of several with one id the first: a kernel writes none twice. */
static size_t drop_doubles(struct trace_format *formats, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (!kept || formats[kept - 1].id != formats[i].id)
			formats[kept++] = formats[i];
	}
	return kept;
}

/* @return how many could be parsed, or PRECIS_E_NO_MEMORY */
static int64_t parse_formats(const struct tracing_data *data, struct field_pool *pool,
			     struct trace_format *formats, struct precis_tracepoints_error *error)
{
	size_t count = 0;

	for (size_t i = 0; i < data->count; i++) {
		int code = precis_trace_format_parse(&data->formats[i], pool, &formats[count]);

		if (code == PRECIS_E_NO_MEMORY)
			return code;
		if (code && !error->code) {
			error->code = code;
			error->offset = (uint64_t)(data->formats[i].text.text - data->blob);
			strcpy(error->expected, "a tracepoint's format: it is left out");
		}
		count += !code;
	}
	return (int64_t)count;
}

static int keep_formats(struct precis_tracepoints *tracepoints, const struct trace_format *formats,
			size_t count)
{
	tracepoints->views = calloc(count + 1, sizeof(*tracepoints->views));
	tracepoints->own = calloc(count + 1, sizeof(*tracepoints->own));
	if (!tracepoints->views || !tracepoints->own)
		return PRECIS_E_NO_MEMORY;
	for (size_t i = 0; i < count; i++) {
		struct precis_tracepoint *view = &tracepoints->views[i];

		view->id = formats[i].id;
		view->system = formats[i].system;
		view->name = formats[i].name;
		view->field_count = (uint32_t)formats[i].field_count;
		view->fields = tracepoints->pool.fields + formats[i].first_field;
		tracepoints->own[i].text = formats[i].text;
		tracepoints->own[i].print = formats[i].print;
		tracepoints->own[i].is_plain = formats[i].is_plain;
	}
	tracepoints->count = count;
	return 0;
}

static int learn(struct precis_tracepoints *tracepoints, const struct tracing_data *data,
		 struct precis_tracepoints_error *error)
{
	struct trace_format *formats = calloc(data->count + 1, sizeof(*formats));
	int64_t count = formats ? parse_formats(data, &tracepoints->pool, formats, error)
				: PRECIS_E_NO_MEMORY;
	int code = count < 0 ? (int)count : 0;

	tracepoints->long_bytes = data->long_bytes;
	tracepoints->printk_formats = data->printk_formats;
	if (!code) {
		qsort(formats, (size_t)count, sizeof(*formats), by_id);
		code = keep_formats(tracepoints, formats, drop_doubles(formats, (size_t)count));
	}
	free(formats);
	return code;
}

/* The copy has been made; the header, at least, is to be right. */
static int read_blob(struct precis_tracepoints *tracepoints, size_t bytes,
		     struct precis_tracepoints_error *error)
{
	struct tracing_data data;
	int code = precis_tracing_data_parse(tracepoints->blob, bytes, &data, error);

	if (!code || (code != PRECIS_E_NO_MEMORY && data.long_bytes))
		code = learn(tracepoints, &data, error);
	free(data.formats);
	return code;
}

int precis_tracepoints_new(const void *tracing_data, size_t bytes,
			   struct precis_tracepoints **tracepoints,
			   struct precis_tracepoints_error *error)
{
	struct precis_tracepoints_error unwanted = { .size = sizeof(unwanted) };
	struct precis_tracepoints *made;
	int code;

	ABI_MAY_OUT(struct precis_tracepoints_error, error,
		    precis_tracepoints_new(tracing_data, bytes, tracepoints, &abi));
	if (!tracing_data || !tracepoints)
		return PRECIS_E_ARGUMENT;
	if (!error)
		error = &unwanted;
	*error = unwanted;
	if (bytes > BLOB_MOST) {
		error->code = PRECIS_E_BAD_SIZE;
		strcpy(error->expected, "at most 64 MiB of tracing data");
		return error->code;
	}
	made = calloc(1, sizeof(*made));
	if (!made)
		return error->code = PRECIS_E_NO_MEMORY;
	made->blob = malloc(bytes + 1);
	made->pool.characters = malloc(bytes + 1);
	code = PRECIS_E_NO_MEMORY;
	if (made->blob && made->pool.characters) {
		memcpy(made->blob, tracing_data, bytes);
		code = read_blob(made, bytes, error);
	}
	if (code) {
		error->code = code;
		precis_tracepoints_free(made);
		return code;
	}
	*tracepoints = made;
	return 0;
}

void precis_tracepoints_free(struct precis_tracepoints *tracepoints)
{
	if (!tracepoints)
		return;
	precis_trace_printer_free(tracepoints->printer);
	for (size_t i = 0; i < tracepoints->count; i++)
		free(tracepoints->own[i].print_format);
	free(tracepoints->own);
	free(tracepoints->views);
	free(tracepoints->pool.fields);
	free(tracepoints->pool.characters);
	free(tracepoints->blob);
	free(tracepoints);
}

int precis_tracepoints_set_functions(struct precis_tracepoints *tracepoints,
				     precis_tracepoint_function *name, void *data)
{
	if (!tracepoints || tracepoints->printer)
		return PRECIS_E_ARGUMENT;
	tracepoints->functions.name = name;
	tracepoints->functions.data = data;
	return 0;
}

const struct precis_tracepoint *precis_tracepoints_at(const struct precis_tracepoints *tracepoints,
						      size_t n)
{
	return tracepoints && n < tracepoints->count ? &tracepoints->views[n] : NULL;
}

const struct precis_tracepoint *precis_tracepoints_find(
	const struct precis_tracepoints *tracepoints, uint64_t config)
{
	size_t low = 0, high = tracepoints ? tracepoints->count : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (tracepoints->views[middle].id == config)
			return &tracepoints->views[middle];
		if (tracepoints->views[middle].id < config)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* Is RAW of this tracepoint at all? */
static int check_type(const struct precis_tracepoint *tracepoint, const void *raw, size_t bytes)
{
	uint64_t type;
	int error = precis_tracepoint_number(precis_tracepoint_field(tracepoint, "common_type"),
					     raw, bytes, &type);

	if (error == PRECIS_E_TRUNCATED)
		return error;
	return !error && type != tracepoint->id ? PRECIS_E_BAD_ID : 0;
}

int precis_tracepoints_text(struct precis_tracepoints *tracepoints,
			    const struct precis_tracepoint *tracepoint, const void *raw,
			    size_t bytes, char *room, size_t size, const char **plain)
{
	const char *why = NULL;
	int length, error;

	if (!tracepoints || !tracepoint || tracepoint < tracepoints->views ||
	    tracepoint >= tracepoints->views + tracepoints->count || (!raw && bytes) ||
	    (!room && size))
		return PRECIS_E_ARGUMENT;
	error = check_type(tracepoint, raw, bytes);
	if (error)
		return error;
	length = precis_trace_print(tracepoints, (size_t)(tracepoint - tracepoints->views), raw,
				    bytes, room, size, &why);
	if (length < 0)
		length = (int)precis_tracepoint_list(tracepoint, raw, bytes, room, size);
	if (plain)
		*plain = why;
	return length;
}
