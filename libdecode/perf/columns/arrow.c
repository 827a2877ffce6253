/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Batches for whatever reads Arrow: the C data interface. A batch is an array of
 * type struct, each column a child. A child may be moved out and released after its
 * parent, so each holds the block by itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "private.h"

/* --- metadata: pairs of texts, each behind its length as an int32 --- */

#define METADATA_PAIRS 4
#define VALUES_ROOM 512

struct pair {
	const char *key, *value;
};

static void put_text(char **at, const char *text)
{
	int32_t length = (int32_t)strlen(text);

	memcpy(*at, &length, sizeof(length));
	memcpy(*at + sizeof(length), text, (size_t)length);
	*at += sizeof(length) + (size_t)length;
}

/* @return NULL: no memory */
static char *make_metadata(const struct pair *pairs, int32_t count)
{
	size_t bytes = sizeof(count);
	char *metadata, *at;

	for (int32_t n = 0; n < count; n++)
		bytes += 2 * sizeof(count) + strlen(pairs[n].key) + strlen(pairs[n].value);
	metadata = malloc(bytes);
	if (!metadata)
		return NULL;
	memcpy(metadata, &count, sizeof(count));
	at = metadata + sizeof(count);
	for (int32_t n = 0; n < count; n++) {
		put_text(&at, pairs[n].key);
		put_text(&at, pairs[n].value);
	}
	return metadata;
}

/* "1=L1 2=L2": the names of an enumerated type; "" for any other */
static void list_values(uint32_t type, char text[VALUES_ROOM])
{
	size_t length = 0;

	text[0] = '\0';
	for (uint32_t value = 0; value < 64; value++) {
		const char *name = precis_type_value_name(type, value);

		if (name && length < VALUES_ROOM)
			length += (size_t)snprintf(text + length, VALUES_ROOM - length, "%s%u=%s",
						   length ? " " : "", value, name);
	}
}

static char *describe(const struct precis_field_info *info)
{
	char values[VALUES_ROOM];
	struct pair pairs[METADATA_PAIRS] = {
		{ "type", precis_type_name(info->type) },
		{ "unit", precis_unit_name(info->unit) },
		{ "meaning", info->meaning },
		{ "values", values },
	};

	list_values(info->type, values);
	return make_metadata(pairs, *values ? METADATA_PAIRS : METADATA_PAIRS - 1);
}

/* --- schema --- */

static void release_column_schema(struct ArrowSchema *schema)
{
	free((char *)schema->metadata);
	schema->release = NULL;
}

/* What a schema of several columns owns */
struct schemas {
	struct ArrowSchema *child[PRECIS_FIELD_COUNT];
	struct ArrowSchema room[PRECIS_FIELD_COUNT];
};

static void release_schema(struct ArrowSchema *schema)
{
	for (int64_t n = 0; n < schema->n_children; n++) {
		if (schema->children[n]->release)
			schema->children[n]->release(schema->children[n]);
	}
	free(schema->private_data);
	schema->release = NULL;
}

/* @return 0, PRECIS_E_NO_MEMORY */
static int fill_column_schema(uint32_t field, struct ArrowSchema *schema)
{
	struct precis_field_info info = { .size = sizeof(info) };

	precis_field_info(field, &info);
	*schema = (struct ArrowSchema){
		.format = info.type == PRECIS_TYPE_INT ? "l" : "L",
		.name = info.name,
		.metadata = describe(&info),
		.flags = ARROW_FLAG_NULLABLE,
		.release = release_column_schema,
	};
	return schema->metadata ? 0 : PRECIS_E_NO_MEMORY;
}

int precis_columns_schema(const struct precis_columns *columns, struct ArrowSchema *schema)
{
	struct schemas *own;
	int error = 0;

	if (!columns || !schema)
		return PRECIS_E_ARGUMENT;
	own = calloc(1, sizeof(*own));
	if (!own)
		return PRECIS_E_NO_MEMORY;
	*schema = (struct ArrowSchema){
		.format = "+s",
		.name = "",
		.children = own->child,
		.release = release_schema,
		.private_data = own,
	};
	for (uint32_t n = 0; !error && n < columns->count; n++) {
		own->child[n] = &own->room[n];
		error = fill_column_schema(columns->field[n], own->child[n]);
		schema->n_children++;
	}
	if (error)
		release_schema(schema);
	return error;
}

/* --- arrays --- */

/* A column's array: its buffers, and its hold of the block */
struct column_array {
	struct block *block;
	const void *buffers[2]; /* bit map, values */
};

static void release_column(struct ArrowArray *array)
{
	struct column_array *own = array->private_data;

	precis_block_release(own->block);
	free(own);
	array->release = NULL;
}

struct arrays {
	const void *buffers[1]; /* a struct has a bit map alone, and need not have that */
	struct ArrowArray *child[PRECIS_FIELD_COUNT];
	struct ArrowArray room[PRECIS_FIELD_COUNT];
};

static void release_batch(struct ArrowArray *array)
{
	for (int64_t n = 0; n < array->n_children; n++) {
		if (array->children[n]->release)
			array->children[n]->release(array->children[n]);
	}
	free(array->private_data);
	array->release = NULL;
}

/* @return 0, PRECIS_E_NO_MEMORY */
static int fill_column(const struct precis_columns *columns, uint32_t n, struct ArrowArray *array)
{
	struct column_array *own = malloc(sizeof(*own));

	if (!own)
		return PRECIS_E_NO_MEMORY;
	own->block = columns->block;
	own->buffers[0] = block_validity(columns->block, n);
	own->buffers[1] = block_values(columns->block, n);
	precis_block_hold(columns->block);
	*array = (struct ArrowArray){
		.length = columns->rows,
		.null_count = (int64_t)columns->nulls[n],
		.n_buffers = 2,
		.buffers = own->buffers,
		.release = release_column,
		.private_data = own,
	};
	return 0;
}

int precis_columns_export(const struct precis_columns *columns, struct ArrowArray *array)
{
	struct arrays *own;
	int error = 0;

	if (!columns || !columns->block || !array)
		return PRECIS_E_ARGUMENT;
	own = calloc(1, sizeof(*own));
	if (!own)
		return PRECIS_E_NO_MEMORY;
	*array = (struct ArrowArray){
		.length = columns->rows,
		.n_buffers = 1,
		.buffers = own->buffers,
		.children = own->child,
		.release = release_batch,
		.private_data = own,
	};
	for (uint32_t n = 0; !error && n < columns->count; n++) {
		own->child[n] = &own->room[n];
		error = fill_column(columns, n, own->child[n]);
		array->n_children++;
	}
	if (error)
		release_batch(array);
	return error;
}
