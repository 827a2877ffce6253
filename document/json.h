/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON documents: who writes one says what is in it, not where the commas go. */
#ifndef JSON_H
#define JSON_H

#include <stdint.h>

#include "output.h"

#define JSON_DEPTH 16

struct json {
	struct output *output;
	unsigned int depth;
	int indent; /* 1: a line for each member; 0: all in one line */
	unsigned char any[JSON_DEPTH]; /* is there a member at this depth already? */
};

/* 'key' is NULL for what stands in an array or at the top. */
void json_object(struct json *json, const char *key);
void json_object_end(struct json *json);
void json_array(struct json *json, const char *key);
void json_array_end(struct json *json);

void json_text(struct json *json, const char *key, const char *text); /* NULL: null */
void json_number(struct json *json, const char *key, uint64_t value);
void json_hex(struct json *json, const char *key, uint64_t value); /* "0x…": safe beyond 2^53 */
void json_bool(struct json *json, const char *key, int value);
void json_decimal(struct json *json, const char *key, double value, int digits); /* NaN: null */

#endif
