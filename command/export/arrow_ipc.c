/* SPDX-License-Identifier: BSD-3-Clause */
/* See arrow_ipc.h. Bodies and their buffers are aligned to 64 bytes, as Arrow recommends. */
#include "arrow_ipc.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64u
#define MAGIC "ARROW1"
#define VERSION_5 4 /* MetadataVersion.V5 */
#define CONTINUATION UINT32_C(0xffffffff)
#define BUFFERS 3u /* of a column at most */

/* Fields of tables, by their numbers in Schema.fbs, Message.fbs, File.fbs */
enum { SCHEMA_ENDIANNESS, SCHEMA_FIELDS, SCHEMA_METADATA };
enum { FIELD_NAME, FIELD_NULLABLE, FIELD_TYPE_KIND, FIELD_TYPE, FIELD_DICTIONARY, FIELD_CHILDREN,
       FIELD_METADATA };
enum { PAIR_KEY, PAIR_VALUE };
enum { INT_BITS, INT_IS_SIGNED };
enum { DICTIONARY_ID, DICTIONARY_INDEX };
enum { MESSAGE_VERSION, MESSAGE_KIND, MESSAGE_HEADER, MESSAGE_BODY_BYTES };
enum { BATCH_ROWS, BATCH_NODES, BATCH_BUFFERS };
enum { DICTIONARY_BATCH_ID, DICTIONARY_BATCH_DATA };
enum { FOOTER_VERSION, FOOTER_SCHEMA, FOOTER_DICTIONARIES, FOOTER_BATCHES };

enum { TYPE_INT = 2, TYPE_UTF8 = 5, TYPE_BOOL = 6 };
enum { HEADER_SCHEMA = 1, HEADER_DICTIONARY_BATCH = 2, HEADER_RECORD_BATCH = 3 };

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define IS_BIG_ENDIAN 1
#else
#define IS_BIG_ENDIAN 0
#endif

/* --- bytes --- */

static uint64_t padded(uint64_t bytes)
{
	return (bytes + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
}

static void put_bytes(struct arrow *arrow, const void *bytes, size_t count)
{
	output_bytes(arrow->output, bytes, count);
	arrow->offset += count;
}

static void put_zeros(struct arrow *arrow, uint64_t count)
{
	static const char zeros[2 * ALIGNMENT];

	put_bytes(arrow, zeros, (size_t)count);
}

/* Lowest byte first, as all that is no body */
static void put_u32(struct arrow *arrow, uint32_t value)
{
	const uint8_t bytes[4] = { (uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
				   (uint8_t)(value >> 24) };

	put_bytes(arrow, bytes, sizeof(bytes));
}

/* --- the schema --- */

static flat_reference pair(struct flatbuffer *flat, const struct arrow_pair *pair)
{
	flat_reference value = flat_text(flat, pair->value), key = flat_text(flat, pair->key);

	flat_begin(flat);
	flat_refer(flat, PAIR_KEY, key);
	flat_refer(flat, PAIR_VALUE, value);
	return flat_end(flat);
}

static flat_reference pairs(struct flatbuffer *flat, const struct arrow_pair *all)
{
	flat_reference items[32];
	uint32_t count = 0;

	for (; count < 32 && all && all[count].key; count++)
		items[count] = pair(flat, &all[count]);
	return count ? flat_references(flat, items, count) : 0;
}

static flat_reference integer(struct flatbuffer *flat, uint32_t bits, int is_signed)
{
	flat_begin(flat);
	flat_number(flat, INT_BITS, bits, 4);
	flat_number(flat, INT_IS_SIGNED, (uint64_t)is_signed, 1);
	return flat_end(flat);
}

/* A table that says nothing: of a type without members */
static flat_reference nothing(struct flatbuffer *flat)
{
	flat_begin(flat);
	return flat_end(flat);
}

static flat_reference dictionary(struct flatbuffer *flat, uint32_t id)
{
	flat_reference index = integer(flat, 8, 1);

	flat_begin(flat);
	flat_number(flat, DICTIONARY_ID, id, 8);
	flat_refer(flat, DICTIONARY_INDEX, index);
	return flat_end(flat);
}

static flat_reference field(struct flatbuffer *flat, const struct arrow_column *column, uint32_t id)
{
	flat_reference metadata = pairs(flat, column->metadata);
	flat_reference encoded = column->type == ARROW_NAMES ? dictionary(flat, id) : 0;
	flat_reference children = flat_references(flat, NULL, 0), name = flat_text(flat, column->name);
	int is_integer = column->type == ARROW_UINT64 || column->type == ARROW_INT64;
	flat_reference type = is_integer ? integer(flat, 64, column->type == ARROW_INT64) :
					   nothing(flat);

	flat_begin(flat);
	flat_refer(flat, FIELD_NAME, name);
	flat_refer(flat, FIELD_TYPE, type);
	flat_refer(flat, FIELD_DICTIONARY, encoded);
	flat_refer(flat, FIELD_CHILDREN, children);
	flat_refer(flat, FIELD_METADATA, metadata);
	flat_number(flat, FIELD_TYPE_KIND,
		    is_integer ? TYPE_INT : column->type == ARROW_BOOL ? TYPE_BOOL : TYPE_UTF8, 1);
	flat_number(flat, FIELD_NULLABLE, 1, 1);
	return flat_end(flat);
}

static flat_reference schema(struct arrow *arrow)
{
	struct flatbuffer *flat = &arrow->flat;
	flat_reference fields, metadata;

	for (uint32_t n = 0; n < arrow->count; n++)
		arrow->references[n] = field(flat, &arrow->columns[n], n);
	fields = flat_references(flat, arrow->references, arrow->count);
	metadata = pairs(flat, arrow->metadata);
	flat_begin(flat);
	flat_refer(flat, SCHEMA_FIELDS, fields);
	flat_refer(flat, SCHEMA_METADATA, metadata);
	flat_number(flat, SCHEMA_ENDIANNESS, IS_BIG_ENDIAN, 2);
	return flat_end(flat);
}

/* --- messages --- */

/* Around a header that has been built; its body comes behind it. 0, or -1 if memory is short */
static int put_message(struct arrow *arrow, uint32_t kind, flat_reference header,
		       uint64_t body_bytes, struct arrow_blocks *blocks)
{
	struct flatbuffer *flat = &arrow->flat;
	uint64_t start = arrow->offset, bytes;

	flat_begin(flat);
	flat_number(flat, MESSAGE_BODY_BYTES, body_bytes, 8);
	flat_refer(flat, MESSAGE_HEADER, header);
	flat_number(flat, MESSAGE_VERSION, VERSION_5, 2);
	flat_number(flat, MESSAGE_KIND, kind, 1);
	flat_finish(flat, flat_end(flat));
	if (flat->failed)
		return -1;
	bytes = padded(start + 8 + flat->used) - start; /* so that the body is aligned in the file */
	if (blocks && blocks->count == blocks->room) {
		uint32_t room = 2 * blocks->room + 64;
		void *more = realloc(blocks->words, room * sizeof(*blocks->words));

		if (!more)
			return -1;
		blocks->words = more;
		blocks->room = room;
	}
	if (blocks) {
		const uint64_t block[3] = { start, bytes, body_bytes };

		memcpy(blocks->words[blocks->count++], block, sizeof(block));
	}
	put_u32(arrow, CONTINUATION);
	put_u32(arrow, (uint32_t)(bytes - 8));
	put_bytes(arrow, flat_bytes(flat), flat->used);
	put_zeros(arrow, bytes - 8 - flat->used);
	flat_clear(flat);
	return 0;
}

/* A column's buffers in a batch, in their order. @return how many */
static uint32_t buffers_of(enum arrow_type type, uint32_t rows, const struct arrow_values *values,
			   const void *buffer[BUFFERS], uint64_t bytes[BUFFERS])
{
	uint64_t bits = ((uint64_t)rows + 7) / 8;

	buffer[0] = values->validity;
	bytes[0] = values->nulls ? bits : 0; /* without nulls it may be left out */
	buffer[1] = values->values;
	switch (type) {
	case ARROW_BOOL:
		bytes[1] = bits;
		return 2;
	case ARROW_NAMES:
		bytes[1] = rows;
		return 2;
	case ARROW_TEXT:
		buffer[1] = values->starts;
		bytes[1] = ((uint64_t)rows + 1) * sizeof(*values->starts);
		buffer[2] = values->values;
		bytes[2] = (uint64_t)values->starts[rows];
		return 3;
	default:
		bytes[1] = 8 * (uint64_t)rows;
		return 2;
	}
}

/* The header of a batch of 'count' columns of these types. @return the bytes of its body */
static uint64_t batch(struct arrow *arrow, uint32_t rows, const enum arrow_type *type,
		      const struct arrow_column *columns, uint32_t count,
		      const struct arrow_values *values, flat_reference *header)
{
	uint64_t offset = 0, bytes[BUFFERS], *words = arrow->words;
	struct flatbuffer *flat = &arrow->flat;
	flat_reference buffers, nodes;
	const void *buffer[BUFFERS];
	uint32_t filled = 0;

	for (uint32_t n = 0; n < count; n++) {
		uint32_t some = buffers_of(type ? *type : columns[n].type, rows, &values[n], buffer,
					   bytes);

		for (uint32_t i = 0; i < some; i++, filled++) {
			words[2 * filled] = offset;
			words[2 * filled + 1] = bytes[i];
			offset += padded(bytes[i]);
		}
	}
	buffers = flat_structs(flat, words, filled, 2);
	for (uint32_t n = 0; n < count; n++) {
		words[2 * n] = rows;
		words[2 * n + 1] = values[n].nulls;
	}
	nodes = flat_structs(flat, words, count, 2);
	flat_begin(flat);
	flat_number(flat, BATCH_ROWS, rows, 8);
	flat_refer(flat, BATCH_NODES, nodes);
	flat_refer(flat, BATCH_BUFFERS, buffers);
	*header = flat_end(flat);
	return offset;
}

static void put_body(struct arrow *arrow, enum arrow_type type, uint32_t rows,
		     const struct arrow_values *values)
{
	const void *buffer[BUFFERS];
	uint64_t bytes[BUFFERS];
	uint32_t count = buffers_of(type, rows, values, buffer, bytes);

	for (uint32_t n = 0; n < count; n++) {
		if (bytes[n])
			put_bytes(arrow, buffer[n], (size_t)bytes[n]);
		put_zeros(arrow, padded(bytes[n]) - bytes[n]);
	}
}

/* The names of a column, as a batch of one column of text. 0, or -1 if memory is short */
static int put_dictionary(struct arrow *arrow, uint32_t n)
{
	const struct arrow_column *column = &arrow->columns[n];
	static const enum arrow_type text = ARROW_TEXT;
	struct arrow_values values = { .nulls = 0 };
	flat_reference data, header;
	int32_t starts[129] = { 0 };
	char bytes[4096];
	uint64_t body;

	for (uint32_t i = 0; i < column->name_count && i < 128; i++) {
		size_t length = strlen(column->names[i]), start = (size_t)starts[i];

		length = length < sizeof(bytes) - start ? length : 0;
		memcpy(bytes + start, column->names[i], length);
		starts[i + 1] = (int32_t)(start + length);
	}
	values.starts = starts;
	values.values = bytes;
	body = batch(arrow, column->name_count, &text, NULL, 1, &values, &data);
	flat_begin(&arrow->flat);
	flat_number(&arrow->flat, DICTIONARY_BATCH_ID, n, 8);
	flat_refer(&arrow->flat, DICTIONARY_BATCH_DATA, data);
	header = flat_end(&arrow->flat);
	if (put_message(arrow, HEADER_DICTIONARY_BATCH, header, body, &arrow->dictionaries))
		return -1;
	put_body(arrow, ARROW_TEXT, column->name_count, &values);
	return 0;
}

/* --- what others call --- */

int arrow_begin(struct arrow *arrow, struct output *output, int is_file,
		const struct arrow_column *columns, uint32_t count,
		const struct arrow_pair *metadata)
{
	arrow->output = output;
	arrow->is_file = is_file;
	arrow->columns = columns;
	arrow->count = count;
	arrow->metadata = metadata;
	arrow->references = calloc(count + 1, sizeof(*arrow->references));
	arrow->words = calloc(count + 1, 2 * BUFFERS * sizeof(*arrow->words));
	if (!arrow->references || !arrow->words)
		return -1;
	if (is_file)
		put_bytes(arrow, MAGIC "\0", 8);
	if (put_message(arrow, HEADER_SCHEMA, schema(arrow), 0, NULL))
		return -1;
	for (uint32_t n = 0; n < count; n++) {
		if (columns[n].type == ARROW_NAMES && put_dictionary(arrow, n))
			return -1;
	}
	return 0;
}

int arrow_batch(struct arrow *arrow, uint32_t rows, const struct arrow_values *values)
{
	flat_reference header;
	uint64_t body = batch(arrow, rows, NULL, arrow->columns, arrow->count, values, &header);

	if (put_message(arrow, HEADER_RECORD_BATCH, header, body,
			arrow->is_file ? &arrow->batches : NULL))
		return -1;
	for (uint32_t n = 0; n < arrow->count; n++)
		put_body(arrow, arrow->columns[n].type, rows, &values[n]);
	return 0;
}

static flat_reference blocks(struct flatbuffer *flat, const struct arrow_blocks *blocks)
{
	return flat_structs(flat, blocks->count ? blocks->words[0] : NULL, blocks->count, 3);
}

int arrow_end(struct arrow *arrow)
{
	struct flatbuffer *flat = &arrow->flat;
	flat_reference head, dictionaries, batches;

	put_u32(arrow, CONTINUATION);
	put_u32(arrow, 0);
	if (!arrow->is_file)
		return 0;
	batches = blocks(flat, &arrow->batches);
	dictionaries = blocks(flat, &arrow->dictionaries);
	head = schema(arrow);
	flat_begin(flat);
	flat_refer(flat, FOOTER_SCHEMA, head);
	flat_refer(flat, FOOTER_DICTIONARIES, dictionaries);
	flat_refer(flat, FOOTER_BATCHES, batches);
	flat_number(flat, FOOTER_VERSION, VERSION_5, 2);
	flat_finish(flat, flat_end(flat));
	if (flat->failed)
		return -1;
	put_bytes(arrow, flat_bytes(flat), flat->used);
	put_u32(arrow, (uint32_t)flat->used);
	put_bytes(arrow, MAGIC, sizeof(MAGIC) - 1);
	return 0;
}

void arrow_free(struct arrow *arrow)
{
	flat_free(&arrow->flat);
	free(arrow->references);
	free(arrow->words);
	free(arrow->dictionaries.words);
	free(arrow->batches.words);
}
