/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON documents. */
#include <inttypes.h>
#include <math.h>

#include "json.h"
#include "quote.h"

static void new_line(struct json *json)
{
	if (!json->indent)
		return;
	output_bytes(json->output, "\n", 1);
	for (unsigned int i = 0; i < json->depth; i++)
		output_bytes(json->output, "  ", 2);
}

static void begin_member(struct json *json, const char *key)
{
	if (json->any[json->depth])
		output_bytes(json->output, ",", 1);
	if (json->depth)
		new_line(json);
	json->any[json->depth] = 1;
	if (key) {
		output_json(json->output, key);
		output_text(json->output, json->indent ? ": " : ":");
	}
}

static void begin(struct json *json, const char *key, const char *bracket)
{
	begin_member(json, key);
	output_text(json->output, bracket);
	json->any[++json->depth] = 0;
}

static void end(struct json *json, const char *bracket)
{
	unsigned char any = json->any[json->depth--];

	if (any)
		new_line(json);
	output_text(json->output, bracket);
	if (!json->depth) {
		output_bytes(json->output, "\n", 1);
		json->any[0] = 0;
	}
}

void json_object(struct json *json, const char *key)
{
	begin(json, key, "{");
}

void json_object_end(struct json *json)
{
	end(json, "}");
}

void json_array(struct json *json, const char *key)
{
	begin(json, key, "[");
}

void json_array_end(struct json *json)
{
	end(json, "]");
}

void json_text(struct json *json, const char *key, const char *text)
{
	begin_member(json, key);
	if (text)
		output_json(json->output, text);
	else
		output_text(json->output, "null");
}

void json_number(struct json *json, const char *key, uint64_t value)
{
	begin_member(json, key);
	output_format(json->output, "%" PRIu64, value);
}

void json_hex(struct json *json, const char *key, uint64_t value)
{
	begin_member(json, key);
	output_format(json->output, "\"0x%" PRIx64 "\"", value);
}

void json_bool(struct json *json, const char *key, int value)
{
	begin_member(json, key);
	output_text(json->output, value ? "true" : "false");
}

void json_decimal(struct json *json, const char *key, double value, int digits)
{
	begin_member(json, key);
	if (isfinite(value))
		output_format(json->output, "%.*f", digits, value);
	else
		output_text(json->output, "null");
}
