/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Batches: the samples of an input as columns. For each field that was asked
 * for an array of 64-bit values and a bit map of those that are there, as
 * Apache Arrow lays out a primitive array, so that an analysis, NumPy and
 * whatever reads Arrow can use the same memory. Fields that nobody asked for
 * cost nothing.
 *
 * Source: Arrow Columnar Format 1.5, "Physical Memory Layout"; "The Arrow C data
 * interface".
 */
#ifndef PRECIS_COLUMNS_H
#define PRECIS_COLUMNS_H

#include <precis/export.h>
#include <precis/fields.h>
#include <precis/filter.h>
#include <precis/input.h>

PRECIS_BEGIN_DECLS

/** Columns that batches are read into. Not to be used by two threads at once. */
struct precis_columns;

/** Rows of a batch if nobody says otherwise, and the most that one may have. */
#define PRECIS_COLUMNS_ROWS 4096u
#define PRECIS_COLUMNS_ROWS_MAX 65536u

/** What a batch is to have besides. All-zero: samples alone, all of them. */
struct precis_columns_options {
	uint32_t size; /* sizeof(struct precis_columns_options), set by the caller */
	uint32_t rows; /* of a batch at most; 0: PRECIS_COLUMNS_ROWS */
	uint32_t with_samples; /* 1: precis_columns_sample() has the sample of each row */
	uint32_t reserved;
	const struct precis_filter *filter; /* rows are samples that satisfy it; NULL: all */
	/* Records other than samples that end a batch, so that who follows both has them in order:
	 * bit n of word n/64 is enum precis_record_type n */
	uint64_t record_types[2];
};

/** A batch. */
struct precis_batch {
	uint32_t size; /* sizeof(struct precis_batch), set by the caller */
	uint32_t rows; /* may be 0 if there is a record */
	uint64_t first; /* number of its first row, counted over all batches */
	const struct precis_record *record; /* that stands behind its rows; NULL: none. Lives until
					     * the input is read on */
};

/** A column of the batch that was read last. */
struct precis_column {
	uint32_t size;  /* sizeof(struct precis_column), set by the caller */
	uint32_t field; /* enum precis_field */
	const uint64_t *values; /* 'rows' of them, aligned to 64 bytes; UINT64_MAX if absent. Bytes up
				 * to the next multiple of 64 are there, too */
	const uint8_t *validity; /* bit n%8 of byte n/8, lowest first: row n has a value. Likewise
				  * aligned and padded; bits behind the last row are 0 */
	uint64_t nulls; /* rows without a value */
};

/**
 * Choose the columns.
 *
 * @param fields   'count' numbers of enum precis_field, none twice
 * @param options  NULL for none; the filter is copied
 * @param columns  set on success; release with precis_columns_close()
 * @return 0; PRECIS_E_ARGUMENT; PRECIS_E_NO_FIELD for a number that no field has;
 *         PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_columns_open(const uint32_t *fields, uint32_t count,
				   const struct precis_columns_options *options,
				   struct precis_columns **columns);

/** Close; NULL is allowed. What was exported lives on. */
PRECIS_API void precis_columns_close(struct precis_columns *columns);

/**
 * Read the next batch. It ends when it is full, at a record that was asked for, or with the input.
 *
 * Samples that cannot be taken apart are no rows; the input counts them (precis_input_fault()).
 * Where reading ends in an error, the rows before it are a batch, and the next call returns the
 * error.
 *
 * @param input  the same each time, unless a new one is begun
 * @param batch  'size' must be set
 * @return 1 with a batch, 0 at the end, or negative: what precis_input_next() says;
 *         PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_columns_next(struct precis_columns *columns, struct precis_input *input,
				   struct precis_batch *batch);

/** How many columns there are. */
PRECIS_API uint32_t precis_columns_count(const struct precis_columns *columns);

/**
 * Column n of the last batch, in the order in which the fields were given. It lives until the next
 * batch.
 * @param column  'size' must be set
 * @return 0 or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_columns_get(const struct precis_columns *columns, uint32_t n,
				  struct precis_column *column);

/**
 * The sample of a row, for precis_why() and its registers: what it has of the fields is what the
 * columns and the filter wanted. It lives until the next batch.
 * @return NULL if there is no such row, or samples were not asked for
 */
PRECIS_API const struct precis_sample *
precis_columns_sample(const struct precis_columns *columns, uint32_t row);

/* The Arrow C data interface, as Arrow defines it: whoever includes its header, too, has one copy.
 * https://arrow.apache.org/docs/format/CDataInterface.html */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
	const char *format;
	const char *name;
	const char *metadata;
	int64_t flags;
	int64_t n_children;
	struct ArrowSchema **children;
	struct ArrowSchema *dictionary;
	void (*release)(struct ArrowSchema *);
	void *private_data;
};

struct ArrowArray {
	int64_t length;
	int64_t null_count;
	int64_t offset;
	int64_t n_buffers;
	int64_t n_children;
	const void **buffers;
	struct ArrowArray **children;
	struct ArrowArray *dictionary;
	void (*release)(struct ArrowArray *);
	void *private_data;
};

#endif

/**
 * Describe the columns to whatever reads Arrow: a struct of nullable columns, of type int64 where
 * the field's is (PRECIS_TYPE_INT), else uint64, named as the fields. The metadata of a column tell
 * "type", "unit" and "meaning" as the catalogue has them, and for an enumerated type the names of
 * its values: "values" is "1=L1 2=L2 …".
 *
 * @param schema  is filled; release it by its own 'release'
 * @return 0, PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_columns_schema(const struct precis_columns *columns,
				     struct ArrowSchema *schema);

/**
 * Hand the last batch out without a copy. It lives until 'release' of the array is called, in any
 * thread, also after the next batch and after precis_columns_close(). A child may be moved out of
 * it as Arrow says.
 *
 * @return as precis_columns_schema()
 */
PRECIS_API int precis_columns_export(const struct precis_columns *columns,
				     struct ArrowArray *array);

PRECIS_END_DECLS

#endif
