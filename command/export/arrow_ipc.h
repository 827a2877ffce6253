/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Apache Arrow's IPC formats, written: the stream, which goes through a pipe, and the file, which
 * is the stream with a table of its parts behind it. Knows columns and no samples.
 *
 * Source: Arrow Columnar Format 1.5, "Serialization and Interprocess Communication (IPC)";
 * Schema.fbs, Message.fbs and File.fbs of apache/arrow.
 */
#ifndef EXPORT_ARROW_IPC_H
#define EXPORT_ARROW_IPC_H

#include "document/output.h"
#include "flatbuffer.h"

enum arrow_type {
	ARROW_UINT64,
	ARROW_INT64,
	ARROW_BOOL, /* a bit each, as in a bit map */
	ARROW_TEXT, /* utf8 */
	ARROW_NAMES /* int8, an index into the column's 'names' */
};

struct arrow_pair {
	const char *key, *value;
};

struct arrow_column {
	const char *name;
	enum arrow_type type;
	const struct arrow_pair *metadata; /* ends with a key of NULL */
	const char *const *names; /* of ARROW_NAMES: utf8, at most 127 */
	uint32_t name_count;
};

/* Of a batch, aligned or not; read as it stands. */
struct arrow_values {
	const uint8_t *validity; /* a bit for each row */
	uint64_t nulls;
	const void *values; /* of ARROW_TEXT: the bytes */
	const int32_t *starts; /* of ARROW_TEXT: one more than rows */
};

/* Where a message stands: as of File.fbs */
struct arrow_block {
	uint64_t offset, metadata_bytes, body_bytes;
};

struct arrow_blocks {
	uint64_t (*words)[3]; /* struct Block: offset, metadata_bytes, body_bytes */
	uint32_t count, room;
};

/* Zeroed memory is what arrow_begin() wants. */
struct arrow {
	struct output *output;
	const struct arrow_column *columns;
	uint32_t count;
	const struct arrow_pair *metadata;
	int is_file;
	int failed; /* memory was short: nothing that follows is written */
	uint64_t offset; /* of what comes next */
	struct flatbuffer flat;
	flat_reference *references; /* room for each column's */
	uint64_t *words; /* likewise for its buffers */
	struct arrow_blocks dictionaries, batches;
};

/*
 * The schema, and the names of columns that have such. What is given stays the caller's, and has to
 * stay; 'metadata' ends with a key of NULL. 0, or -1 if memory is short; so of the others.
 */
int arrow_begin(struct arrow *arrow, struct output *output, int is_file,
		const struct arrow_column *columns, uint32_t count,
		const struct arrow_pair *metadata);

/* A record batch of that many rows; 'values' are those of each column. */
int arrow_batch(struct arrow *arrow, uint32_t rows, const struct arrow_values *values);

/* The end of the stream, and of a file what stands behind it. */
int arrow_end(struct arrow *arrow);

void arrow_free(struct arrow *arrow);

#endif
