#ifndef PRECIS_COLUMNS_H
#define PRECIS_COLUMNS_H

#include <precis/export.h>
#include <precis/fields.h>
#include <precis/filter.h>
#include <precis/input.h>

PRECIS_BEGIN_DECLS

struct precis_columns;

#define PRECIS_COLUMNS_ROWS 4096u
#define PRECIS_COLUMNS_ROWS_MAX 65536u

struct precis_columns_options {
	uint32_t size;
	uint32_t rows;
	uint32_t with_samples;
	uint32_t reserved;
	const struct precis_filter *filter;
};

struct precis_batch {
	uint32_t size;
	uint32_t rows;
	uint64_t first;
};

struct precis_column {
	uint32_t size;
	uint32_t field;
	const uint64_t *values;
	const uint8_t *validity;
};

PRECIS_API int precis_columns_open(const uint32_t *fields, uint32_t count,
				   const struct precis_columns_options *options,
				   struct precis_columns **columns);

PRECIS_API void precis_columns_close(struct precis_columns *columns);

PRECIS_API int precis_columns_next(struct precis_columns *columns, struct precis_input *input,
				   struct precis_batch *batch);

PRECIS_API uint32_t precis_columns_count(const struct precis_columns *columns);

PRECIS_API int precis_columns_get(const struct precis_columns *columns, uint32_t n,
				  struct precis_column *column);

PRECIS_API const struct precis_sample *
precis_columns_sample(const struct precis_columns *columns, uint32_t row);

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

PRECIS_API int precis_columns_schema(const struct precis_columns *columns,
				     struct ArrowSchema *schema);

PRECIS_API int precis_columns_export(const struct precis_columns *columns,
				     struct ArrowArray *array);

PRECIS_END_DECLS

#endif
