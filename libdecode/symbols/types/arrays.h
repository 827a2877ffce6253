/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays: dimensions, where elements lie, and which one has an offset. */
#ifndef PRECIS_SYMBOLS_TYPES_ARRAYS_H
#define PRECIS_SYMBOLS_TYPES_ARRAYS_H

#include "type.h"

#define ARRAY_DIMENSIONS 16u /* Fortran 2008 allows 15 */

struct dimension {
	int64_t lower; /* what its first element is counted as */
	uint64_t count; /* UINT64_MAX: not known */
	uint64_t stride; /* bytes from one to the next */
};

struct array {
	const struct precis_data_type *element;
	uint64_t stride; /* of the fastest dimension; 0: what an element takes */
	uint64_t element_bytes, elements, bytes; /* of those dimensions that are known */
	uint32_t dimensions;
	struct dimension dimension[ARRAY_DIMENSIONS]; /* as written */
	uint8_t by_columns; /* the first dimension is the one that runs fastest */
	uint8_t is_open; /* the slowest one has no end that is known */
	uint8_t is_empty; /* and so since it was declared with none: what is behind it are its elements */
};

/**
 * What the entry of an array says: all but the lengths that follow from its elements.
 * @param type  DW_TAG_array_type
 * @return PRECIS_DATA_TYPE_PRESENT, or why it is not known
 */
enum precis_data_type_absent precis_array_read(const struct precis_data_type *type, struct array *array);

/** Then the rest, by how long an element is. @return likewise */
enum precis_data_type_absent precis_array_lay_out(struct array *array, uint64_t element_bytes);

/** After that: as many elements as there are, however many it was declared with. */
void precis_array_open(struct array *array);

/** The dimension that runs nth slowest. */
uint32_t precis_array_order(const struct array *array, uint32_t n);

/**
 * The element with an offset.
 * @param place  for each dimension as written, from 0
 * @param start  set to the element's offset, or where the next one begins
 * @return 1; 2: it lies between two elements; 0 if the array is not as long
 */
int precis_array_locate(const struct array *array, uint64_t offset, uint64_t place[ARRAY_DIMENSIONS],
			uint64_t *start);

#endif
